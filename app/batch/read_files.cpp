// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch/read_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/batch/progress.h"
#include "app/machine.h"
#include "importers/formats/identify.h"
#include "importers/mapping/named_formats.h"
#include "reports/text/run_words.h"

namespace counterfoil {

namespace {

FileLook lookOf(const std::string& path, Result<InspectReport> report) {
  FileLook look;
  look.path = path;
  if (report) {
    look.report = std::move(*report);
  } else {
    look.error = report.error();
  }
  return look;
}

/// One look for each part of a file whose format is to be found.
std::vector<FileLook> lookAtParts(const SourceSpec& file, Executor& executor, const CancelToken& cancel,
                                  std::size_t firstRecords) {
  const Result<FilePlace> place = resolvePlace(file.path);
  const Result<FileParts> found =
      place ? partsOf(*place, file.zone, file.expectedKinds, &cancel) : Result<FileParts>(fail(place.error()));
  std::vector<FileLook> looks;
  if (!found) {
    looks.push_back(lookOf(file.path, fail(found.error())));
    return looks;
  }
  for (const FilePart& part : found->parts) {
    SourceSpec spec = file;
    spec.format = part.format;
    if (!part.table.empty()) spec.mappings = part.mappings;
    FileLook& look = looks.emplace_back(lookOf(file.path, inspectFile(spec, executor, &cancel, firstRecords)));
    look.table = part.table;
    if (look.report) look.report->format = part.format;
  }
  looks.front().openTables = found->openTables;
  return looks;
}

}  // namespace

Result<std::vector<FileLook>> lookAt(const std::vector<SourceSpec>& files, Session& session,
                                     std::size_t firstRecords) {
  const bool show = session.console.errIsTerminal && !session.quiet;
  Progress progress(session.console, show ? Progress::Show::Yes : Progress::Show::No);
  const CancelToken& cancel = session.console.interrupt.token;
  Executor executor(defaultThreadCount());
  std::vector<FileLook> looks;
  for (std::size_t i = 0; i < files.size(); ++i) {
    progress.update("reading", i, files.size());
    if (cancel.isCancelled()) return fail(ErrorCode::Cancelled, "stopped");
    const bool isOpen = files[i].format.empty() && files[i].mappings.empty();
    std::vector<FileLook> found;
    if (isOpen) {
      found = lookAtParts(files[i], executor, cancel, firstRecords);
    } else {
      found.push_back(lookOf(files[i].path, inspectFile(files[i], executor, &cancel, firstRecords)));
    }
    for (FileLook& look : found) {
      if (!look.report && look.error.code == ErrorCode::Cancelled) return fail(look.error);
      looks.push_back(std::move(look));
    }
  }
  return looks;
}

Result<std::vector<SourceSpec>> specsOf(const std::vector<std::string>& paths,
                                        const std::string& format, Log& log) {
  if (!format.empty()) {
    if (const auto known = loadFormat(format); !known) return fail(known.error());
  }
  std::vector<SourceSpec> specs;
  const auto add = [&](const std::string& path) {
    SourceSpec& spec = specs.emplace_back();
    spec.name = path;
    spec.path = path;
    spec.format = format;
  };
  for (const std::string& path : paths) {
    const bool isArchive = isZipFile(path) || !archiveOf(path).empty();
    const auto members = isArchive ? expandPath(path, "", "UTC") : Result<std::vector<ExpandedPath>>();
    if (!members || members->empty()) {
      add(path);  // what is wrong with it is told when it is looked at
      continue;
    }
    tellLeftOut(*members, log);
    for (const ExpandedPath& member : *members) add(member.path);
  }
  return specs;
}

void tellLeftOut(const std::vector<ExpandedPath>& paths, Log& log) {
  constexpr std::size_t named = 5;
  for (const ExpandedPath& path : paths) {
    if (path.leftOut.empty() || path.member == nullptr) continue;
    std::string names;
    for (std::size_t i = 0; i < std::min(path.leftOut.size(), named); ++i) {
      names += (names.empty() ? "" : ", ") + path.leftOut[i];
    }
    if (path.leftOut.size() > named) names += ", …";
    log.info(fmt::format("{}: left out, as no data: {} ({})", path.member->archive,
                         counted(path.leftOut.size(), "member", "members"), names));
  }
}

void tellLeftOut(const Config& config, Log& log) {
  for (const SourceSpec& source : config.sources) {
    const auto paths = expandPath(source.path, "", source.zone);
    if (paths) tellLeftOut(*paths, log);  // the engine says what is missing
  }
}

}  // namespace counterfoil
