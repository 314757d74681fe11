// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/input/inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include "core/base/text.h"
#include "importers/formats/identify.h"
#include "importers/input/file_input.h"
#include "importers/input/opened_file.h"
#include "importers/input/opened_redis.h"
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

/// Fees stand only in full records. They go the way of records, as bytes: what is only looked at is dropped
/// with them.
struct FeeEntry {
  std::int64_t minor = 0;
  std::int32_t micro = 0;
  std::uint16_t currency = 0;
  std::uint16_t amountCurrency = 0;
  EffectKind kind = EffectKind::Forward;
};

class FeeEncoder final : public RecordEncoder {
 public:
  void encode(const AnyRecord& record, const RecordRef&, std::string& out) const override {
    const auto* effect = std::get_if<Effect>(&record);
    if (effect == nullptr || !effect->fee) return;
    FeeEntry entry;
    entry.minor = *effect->fee;
    entry.micro = effect->feeMicro;
    entry.kind = effect->kind;
    entry.amountCurrency = effect->amount ? effect->amount->currency.packed() : std::uint16_t{0};
    entry.currency = effect->feeCurrency.isNone() ? entry.amountCurrency : effect->feeCurrency.packed();
    out.append(reinterpret_cast<const char*>(&entry), sizeof entry);
  }
};

/// Of effects by kind and currency of their amounts: fees by currency.
class FeeSums {
 public:
  void add(std::string_view bytes) {
    for (; bytes.size() >= sizeof(FeeEntry); bytes.remove_prefix(sizeof(FeeEntry))) {
      FeeEntry entry;
      std::memcpy(&entry, bytes.data(), sizeof entry);
      m_sums[{std::string(wordOf(entry.kind)), entry.amountCurrency}][entry.currency] +=
          static_cast<__int128>(entry.minor) * kMicro + entry.micro;
    }
  }
  Result<> addTo(std::vector<InspectTotal>& totals) const {
    for (InspectTotal& total : totals) {
      const auto found = m_sums.find({total.kind, total.amount.currency.packed()});
      if (found == m_sums.end()) continue;
      for (const auto& [packed, micro] : found->second) {
        const __int128 minor = micro / kMicro;
        if (minor != static_cast<std::int64_t>(minor))
          return fail(ErrorCode::Overflow, "the sum of the fees is too large to be held");
        const Currency currency = Currency::fromPacked(packed);
        total.fees.emplace_back(currency, formatPlain({static_cast<std::int64_t>(minor), currency},
                                                      static_cast<std::int32_t>(micro % kMicro)));
      }
    }
    return {};
  }

 private:
  static constexpr __int128 kMicro = 1'000'000;
  std::map<std::pair<std::string, std::uint16_t>, std::map<std::uint16_t, __int128>> m_sums;
};

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
  Result<> encoded(std::string_view bytes, unsigned) override {
    const std::lock_guard lock(m_mutex);
    m_fees.add(bytes);
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
    if (Result<> summed = m_fees.addTo(totals); !summed) return fail(summed.error());
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
  FeeSums m_fees;
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
    case LayoutKind::Log: return "log";
    case LayoutKind::Camt: return "camt";
    case LayoutKind::Mt940: return "mt940";
    case LayoutKind::Ofx: return "ofx";
    case LayoutKind::Bai2: return "bai2";
    case LayoutKind::Sql: return "sql";
    case LayoutKind::Psql: return "psql";
    case LayoutKind::Dumpdata: return "dumpdata";
    case LayoutKind::SqsXml: return "sqs_xml";
    case LayoutKind::Redis: return "redis";
    case LayoutKind::CeleryEvents: return "celery_events";
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
    case LayoutKind::Sql:
    case LayoutKind::Dumpdata:
      text += fmt::format(", table {}", forTerminal(file.layout.table));
      break;
    case LayoutKind::Redis: text += describeRedis(file.redis); break;
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
  const FeeEncoder fees;
  ScanOptions options;
  options.encoder = &fees;
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
