// SPDX-License-Identifier: GPL-3.0-or-later
// Reports as files: which formats there are, how a path is filled in, how a report gets into its place. What
// the batch program, the nightly run and the window share.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/config.h"
#include "core/store/store.h"
#include "reports/writers/report_format.h"

namespace counterfoil {

/// In the order of --help.
[[nodiscard]] std::span<const ReportFormat> reportFormats();
[[nodiscard]] const ReportFormat* reportFormatOf(std::string_view code);

/// Also knows plain operations (Detail::All). A blank name is that of the run's configuration.
[[nodiscard]] Result<ReportModel> loadReport(const Store& store, ReportRequest request);

/// {date} (day of the as-of, UTC), {run} and {name} in a path. A name cannot leave the folder.
[[nodiscard]] std::string filledReportPath(std::string_view path, const ReportFacts& facts);

/// Writes the whole report or nothing; folders of the path are made. Error (WriteFailed) names the path.
Result<> writeReportFile(const ReportModel& model, const ReportFormat& format, const WriterOptions& options, const std::string& path);

/// Puts the report into index.html and index.json of its folder. Error (WriteFailed) also where an index.json
/// is there that is not ours.
Result<> updateReportIndex(const ReportModel& model, const ReportFormat& format, const std::string& path);

/// The reports that a configuration asks for, of one run. All are tried; the first error comes back. Returns
/// the paths written.
struct WrittenReports {
  std::vector<std::string> paths;
  std::vector<Error> errors;
};
[[nodiscard]] WrittenReports writeConfiguredReports(const Config& config, const Store& store, RunNumber run, const WriterOptions& options);

}  // namespace counterfoil
