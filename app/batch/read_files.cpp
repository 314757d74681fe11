// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch/read_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/batch/progress.h"
#include "app/machine.h"
#include "importers/mapping/named_formats.h"
#include "reports/text/run_words.h"

namespace counterfoil {

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
    auto report = inspectFile(files[i], executor, &cancel, firstRecords);
    if (!report && report.error().code == ErrorCode::Cancelled) return fail(report.error());
    FileLook& look = looks.emplace_back();
    look.path = files[i].path;
    if (report) {
      look.report = std::move(*report);
    } else {
      look.error = report.error();
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
