// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <system_error>

#include "app/all_units.h"
#include "app/output_file.h"
#include "core/base/text.h"
#include "reports/writers/report_index.h"

namespace counterfoil {
namespace {

constexpr std::size_t kIndexBytesMost = 8u << 20;

/// What a file name may hold of a name.
std::string nameForPath(std::string_view name) {
  std::string out;
  for (const char c : forTerminal(name)) out += c == '/' || c == '\\' || c == '\0' ? '-' : c;
  if (out.empty() || out.front() == '.') out.insert(0, "_");
  return out;
}

Result<> makeFolderOf(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (folder.empty()) return {};
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error) return {};
  return fail(ErrorCode::WriteFailed, fmt::format("cannot make the folder {}: {}", folder.string(), error.message()));
}

/// A format that makes its own file does so beside the target, which it then replaces.
Result<> writeByPath(const ReportModel& model, const ReportFormat& format, const WriterOptions& options, const std::string& path) {
  const std::string temporary = path + ".tmp";
  std::error_code error;
  if (auto written = format.toPath(model, options, temporary); !written) {
    std::filesystem::remove(temporary, error);
    return written;
  }
  std::filesystem::rename(temporary, path, error);
  if (!error) return {};
  std::error_code ignored;
  std::filesystem::remove(temporary, ignored);
  return fail(ErrorCode::WriteFailed, fmt::format("cannot write {}: {}", path, error.message()));
}

/// The name that the configuration of the newest run gives the workspace; blank where it does not read.
std::string nameIn(const Store& store) {
  const auto last = store.lastRun();
  if (!last || !*last) return {};
  const auto run = store.run(**last);
  if (!run) return {};
  const auto config = parseConfig(run->config, "", run->identity.asOf, run->identity.asOf);
  return config ? config->name : std::string();
}

Result<> writeWhole(const std::string& path, std::string_view text) {
  auto file = OutputFile::create(path);
  if (!file) return fail(file.error());
  if (auto ok = (*file)->write(text); !ok) return ok;
  return (*file)->commit();
}

}  // namespace

std::span<const ReportFormat> reportFormats() {
  static const std::array formats = {
      ReportFormat{"html", ".html", writeHtml, {}},
      ReportFormat{"xlsx", ".xlsx", {}, writeXlsx},
      ReportFormat{"csv", ".csv", writeCasesCsv, {}},
      ReportFormat{"json", ".json", writeReportJson, {}},
      ReportFormat{"ndjson", ".ndjson", writeCasesNdjson, {}},
      ReportFormat{"text", ".txt", writeReportText, {}},
      ReportFormat{"markdown", ".md", writeMarkdown, {}},
      ReportFormat{"junit", ".xml", writeJunit, {}},
      ReportFormat{"metrics", ".prom", writeMetrics, {}},
  };
  return formats;
}

const ReportFormat* reportFormatOf(std::string_view code) {
  for (const ReportFormat& format : reportFormats()) {
    if (format.code == code) return &format;
  }
  return nullptr;
}

Result<ReportModel> loadReport(const Store& store, ReportRequest request) {
  if (request.name.empty()) request.name = nameIn(store);
  return ReportModel::load(store, request, forEachUnitOf);
}

std::string filledReportPath(std::string_view path, const ReportFacts& facts) {
  const std::pair<std::string_view, std::string> values[] = {{"{date}", formatInstant(facts.asOf).substr(0, 10)},
                                                             {"{run}", std::to_string(facts.run)},
                                                             {"{name}", nameForPath(facts.name)}};
  std::string out;
  for (std::size_t i = 0; i < path.size();) {
    std::size_t used = 0;
    for (const auto& [word, value] : values) {
      if (!path.substr(i).starts_with(word)) continue;
      out += value;
      used = word.size();
      break;
    }
    if (used == 0) out += path[i];
    i += std::max<std::size_t>(used, 1);
  }
  return out;
}

Result<> writeReportFile(const ReportModel& model, const ReportFormat& format, const WriterOptions& options, const std::string& path) {
  if (auto made = makeFolderOf(path); !made) return made;
  if (format.toPath) return writeByPath(model, format, options, path);
  auto file = OutputFile::create(path);
  if (!file) return fail(file.error());
  if (auto written = format.toSink(model, options, **file); !written) return written;
  return (*file)->commit();
}

Result<> updateReportIndex(const ReportModel& model, const ReportFormat& format, const std::string& path) {
  const std::filesystem::path file(path);
  const std::filesystem::path folder = file.parent_path().empty() ? std::filesystem::path(".") : file.parent_path();
  const std::string jsonPath = (folder / "index.json").string();
  std::vector<IndexEntry> entries;
  std::error_code error;
  if (std::filesystem::exists(jsonPath, error)) {
    const auto text = readSmallFile(jsonPath, kIndexBytesMost);
    auto known = text ? readIndex(*text) : Result<std::vector<IndexEntry>>(fail(text.error()));
    if (!known) return fail(ErrorCode::WriteFailed, fmt::format("{} is no index of reports ({}); move it away", jsonPath, known.error().message));
    entries = std::move(*known);
  }
  std::erase_if(entries, [&](const IndexEntry& entry) {   // reports that somebody took away
    return !std::filesystem::exists(folder / entry.file, error);
  });
  addToIndex(entries, indexEntryOf(model.facts(), model.words(), format.code, file.filename().string()));
  if (auto ok = writeWhole(jsonPath, indexJson(entries)); !ok) return ok;
  return writeWhole((folder / "index.html").string(), indexHtml(entries, model.words()));
}

WrittenReports writeConfiguredReports(const Config& config, const Store& store, RunNumber run, const WriterOptions& options) {
  WrittenReports out;
  for (const ReportSpec& spec : config.reports) {
    ReportRequest request;
    request.run = run;
    request.name = config.name;
    request.title = spec.title;
    request.language = languageFromCode(spec.language).value_or(Language::English);
    request.unmask = spec.unmask;
    request.filter.detail = spec.detail;
    WriterOptions own = options;
    own.split = spec.splitByCase ? JunitSplit::Case : JunitSplit::Class;
    if (spec.period) {
      request.kind = ReportKind::Period;
      request.since = config.run.asOf - *spec.period + Duration(1);
      request.until = config.run.asOf + Duration(1);
    }
    const auto write = [&]() -> Result<std::string> {
      const ReportFormat* format = reportFormatOf(spec.format);
      if (format == nullptr) return fail(ErrorCode::WriteFailed, fmt::format("this program cannot write reports of the format {}", spec.format));
      const auto model = loadReport(store, request);
      if (!model) return fail(model.error());
      const std::string path = filledReportPath(spec.path, model->facts());
      if (auto ok = writeReportFile(*model, *format, own, path); !ok) return fail(ok.error());
      if (spec.index) {
        if (auto ok = updateReportIndex(*model, *format, path); !ok) return fail(ok.error());
      }
      return path;
    };
    auto path = write();
    if (path) {
      out.paths.push_back(std::move(*path));
    } else {
      out.errors.push_back(path.error().within("report " + spec.format));
    }
  }
  return out;
}

}  // namespace counterfoil
