// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch/read_files.h"

#include "app/batch/progress.h"
#include "app/machine.h"
#include "importers/mapping/named_formats.h"

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
                                        const std::string& format) {
  if (!format.empty()) {
    if (const auto known = loadFormat(format); !known) return fail(known.error());
  }
  std::vector<SourceSpec> specs;
  for (const std::string& path : paths) {
    SourceSpec& spec = specs.emplace_back();
    spec.name = path;
    spec.path = path;
    spec.format = format;
  }
  return specs;
}

}  // namespace counterfoil
