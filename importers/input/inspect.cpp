// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/input/inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "importers/formats/identify.h"
#include "importers/input/file_input.h"
#include "importers/input/opened_file.h"
#include "importers/xlsx/workbook.h"

namespace counterfoil {

namespace {

constexpr std::size_t kQuarantinedShown = 20;

std::string_view wordOf(EffectKind kind) {
  switch (kind) {
    case EffectKind::Forward: return "forward";
    case EffectKind::Reversal: return "reversal";
    case EffectKind::Dispute: return "dispute";
    case EffectKind::Fee: return "fee";
    case EffectKind::Other: return "other";
  }
  return "other";
}

template <class T, class Less>
void keepFirst(std::vector<T>& items, std::size_t most, Less less) {
  if (items.size() < most + 1024) return;
  std::sort(items.begin(), items.end(), less);
  items.resize(most);
}

bool refBefore(const RecordRef& a, const RecordRef& b) { return a < b; }
bool rowBefore(const QuarantinedRow& a, const QuarantinedRow& b) { return a.place < b.place; }

class InspectSink final : public ScanSink {
 public:
  explicit InspectSink(std::size_t firstRecords) : m_firstRecords(firstRecords) {}
  Result<> accept(SlimBatch& batch, unsigned) override {
    const std::lock_guard lock(m_mutex);
    for (const SlimRecord& slim : batch) {
      m_refs.push_back(slim.ref);
      addTotal(slim);
    }
    keepFirst(m_refs, m_firstRecords, refBefore);
    return {};
  }
  void quarantine(QuarantinedRow row, unsigned) override {
    const std::lock_guard lock(m_mutex);
    m_quarantined.push_back(std::move(row));
    keepFirst(m_quarantined, kQuarantinedShown, rowBefore);
  }
  void depth(QueueDepth sample, unsigned) override {
    const std::lock_guard lock(m_mutex);
    if (m_depths.size() < m_firstRecords) m_depths.push_back(std::move(sample));
  }
  void queueName(std::uint32_t, std::string_view, unsigned) override {}

  [[nodiscard]] std::vector<RecordRef> firstRefs() {
    std::sort(m_refs.begin(), m_refs.end(), refBefore);
    m_refs.resize(std::min(m_refs.size(), m_firstRecords));
    return m_refs;
  }
  [[nodiscard]] std::vector<QuarantinedRow> firstQuarantined() {
    std::sort(m_quarantined.begin(), m_quarantined.end(), rowBefore);
    m_quarantined.resize(std::min(m_quarantined.size(), kQuarantinedShown));
    return std::move(m_quarantined);
  }
  [[nodiscard]] std::vector<QueueDepth> depths() { return std::move(m_depths); }
  [[nodiscard]] Result<std::vector<InspectTotal>> totals() const {
    if (m_overflow) return fail(ErrorCode::Overflow, "the sum of the amounts is too large to be held");
    std::vector<InspectTotal> totals;
    for (const auto& [key, total] : m_totals) totals.push_back(total);
    return totals;
  }

 private:
  void addTotal(const SlimRecord& slim) {
    const std::string kind(slim.kind == RecordKind::Effect ? wordOf(static_cast<EffectKind>(slim.effectKind))
                                                           : codeOf(slim.kind));
    const Currency currency = slim.hasAmount ? Currency::fromPacked(slim.currency) : Currency();
    InspectTotal& total = m_totals[{kind, currency}];
    total.kind = kind;
    total.amount.currency = currency;
    ++total.count;
    if (!slim.hasAmount) return;
    if (const auto sum = addChecked(total.amount.minor, slim.amountMinor)) {
      total.amount.minor = *sum;
    } else {
      m_overflow = true;
    }
  }

  std::size_t m_firstRecords;
  std::mutex m_mutex;
  std::vector<RecordRef> m_refs;
  std::vector<QuarantinedRow> m_quarantined;
  std::vector<QueueDepth> m_depths;
  std::map<std::pair<std::string, Currency>, InspectTotal> m_totals;
  bool m_overflow = false;
};

std::string_view nameOf(LayoutKind kind) {
  switch (kind) {
    case LayoutKind::Find: return "unknown";
    case LayoutKind::Csv: return "csv";
    case LayoutKind::Json: return "json";
    case LayoutKind::Ndjson: return "ndjson";
    case LayoutKind::Xlsx: return "xlsx";
    case LayoutKind::Sqlite: return "sqlite";
    case LayoutKind::Lines: return "lines";
    case LayoutKind::Logfmt: return "logfmt";
  }
  return "unknown";
}

std::string describeLayout(const OpenedFile& file) {
  std::string text(nameOf(file.layout.kind));
  switch (file.layout.kind) {
    case LayoutKind::Csv: {
      const char delimiter = file.csv.dialect.delimiter;
      text += delimiter == '\t' ? ", delimiter tab" : fmt::format(", delimiter '{}'", delimiter);
      if (file.csv.headerLineNumber != 0) text += fmt::format(", header in line {}", file.csv.headerLineNumber);
      break;
    }
    case LayoutKind::Xlsx:
      text += fmt::format(", sheet \"{}\"", file.sheetName);
      if (file.csv.headerLineNumber != 0) text += fmt::format(", header in line {}", file.csv.headerLineNumber);
      break;
    case LayoutKind::Json:
      text += file.jsonRows.isOneRow ? ", one row" : fmt::format(", rows at {}", file.jsonRows.pointer);
      break;
    case LayoutKind::Sqlite:
      text += file.sqlite.query.empty() ? fmt::format(", table {}", file.sqlite.table) : ", a query";
      break;
    default: break;
  }
  if (file.layout.kind != LayoutKind::Sqlite && file.layout.kind != LayoutKind::Xlsx) text += ", encoding " + file.encoding;
  if (file.nature.packing == FileNature::Packing::Gzip) text += ", gzip";
  if (file.nature.packing == FileNature::Packing::Zstd) text += ", zstd";
  return text;
}

Result<> addLayout(const SourceSpec& source, const FilePlace& place, InspectReport& report, const CancelToken* cancel) {
  std::vector<std::string> known;
  for (const auto& mapping : source.mappings) {
    const std::vector<std::string> names = mapping->knownColumns();
    known.insert(known.end(), names.begin(), names.end());
  }
  const Result<OpenedFile> opened = openWithLayout(place, source.mappings.front()->layout(), known, cancel);
  if (!opened) return fail(opened.error());
  if (Result<> one = demandOneSheet(*opened); !one) return one;
  report.layout = describeLayout(*opened);
  report.columns = opened->columns;
  return {};
}

}  // namespace

Result<InspectReport> inspectFile(const SourceSpec& source, Executor& executor, const CancelToken* cancel,
                                  std::size_t firstRecords) {
  Result<FilePlace> place = resolvePlace(source.path);
  if (!place) return fail(place.error());
  place->shelf = std::make_shared<BookShelf>();
  SourceSpec resolved = source;
  InspectReport report;
  if (resolved.mappings.empty() && resolved.format.empty()) {
    Result<FormatAnswer> format = identifyFormat(*place, source.zone, source.expectedKinds, cancel);
    if (!format) return fail(format.error());
    resolved.format = format->name;
  }
  report.format = resolved.mappings.empty() ? resolved.format : "mapping";
  if (resolved.mappings.empty()) {
    auto mappings = namedFormat(resolved.format);
    if (!mappings) return fail(mappings.error());
    resolved.mappings = std::move(*mappings);
  }
  Result<> done = addLayout(resolved, *place, report, cancel);
  if (!done) return fail(done.error());
  place->shelf.reset();   // the scan has its own

  Result<std::unique_ptr<Input>> input = makeFileInput({resolved}, nullptr);
  if (!input) return fail(input.error());
  InspectSink sink(firstRecords);
  ScanOptions options;
  options.cancel = cancel;
  Result<std::vector<FileReport>> files = (*input)->scan(executor, KeyedHash(), sink, options);
  if (!files) return fail(files.error());
  const std::vector<InputProblem> problems = (*input)->problems();
  if (!problems.empty()) return fail(problems.front().error);
  if (files->empty()) return fail(ErrorCode::Missing, source.path + ": no such file");
  report.file = files->front();
  report.file.format = report.format;
  report.quarantined = sink.firstQuarantined();
  Result<std::vector<InspectTotal>> totals = sink.totals();
  if (!totals) return fail(totals.error());
  report.totals = std::move(*totals);
  const std::vector<RecordRef> refs = sink.firstRefs();
  report.records.resize(refs.size());
  done = (*input)->fetch(refs, [&](std::size_t i, AnyRecord&& record) {
    report.records[i] = {(*input)->lineOf(refs[i]), std::move(record)};
  });
  if (!done) return fail(done.error());
  for (QueueDepth& depth : sink.depths()) {
    if (report.records.size() < firstRecords) report.records.emplace_back(0, std::move(depth));
  }
  return report;
}

}  // namespace counterfoil
