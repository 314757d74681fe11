// SPDX-License-Identifier: GPL-3.0-or-later
// The writers of reports. A writer turns a model into bytes of one format: equal models give equal bytes. It
// holds no list of cases in memory. Formats that need a file of their own (a zip, another process) write to a
// path; the caller puts it in place.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "reports/model/report_model.h"
#include "reports/sink.h"

namespace counterfoil {

enum class JunitSplit : std::uint8_t { Class, Case };

struct WriterOptions {
  JunitSplit split = JunitSplit::Class;
  /// Metrics only; no other format knows of clocks.
  std::optional<Instant> now;
  std::optional<Duration> took;
  std::optional<int> exitCode;
  std::size_t width = 100;   ///< of text
};

struct ReportFormat {
  std::string_view code;       ///< "html"
  std::string_view extension;  ///< ".html"
  /// One of the two is there.
  std::function<Result<>(const ReportModel&, const WriterOptions&, Sink&)> toSink;
  std::function<Result<>(const ReportModel&, const WriterOptions&, const std::string& path)> toPath;
};

[[nodiscard]] Result<> writeHtml(const ReportModel& model, const WriterOptions& options, Sink& sink);
[[nodiscard]] Result<> writeCasesCsv(const ReportModel& model, const WriterOptions& options, Sink& sink);
[[nodiscard]] Result<> writeReportJson(const ReportModel& model, const WriterOptions& options, Sink& sink);
[[nodiscard]] Result<> writeCasesNdjson(const ReportModel& model, const WriterOptions& options, Sink& sink);
[[nodiscard]] Result<> writeReportText(const ReportModel& model, const WriterOptions& options, Sink& sink);
[[nodiscard]] Result<> writeMarkdown(const ReportModel& model, const WriterOptions& options, Sink& sink);
[[nodiscard]] Result<> writeJunit(const ReportModel& model, const WriterOptions& options, Sink& sink);
[[nodiscard]] Result<> writeXlsx(const ReportModel& model, const WriterOptions& options, const std::string& path);
[[nodiscard]] Result<> writeMetrics(const ReportModel& model, const WriterOptions& options, Sink& sink);

}  // namespace counterfoil
