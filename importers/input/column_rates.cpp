// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/input/column_rates.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "core/base/text.h"

namespace counterfoil {

namespace {

constexpr std::size_t kMaxColumnsRated = 200;
constexpr std::size_t kMaxKeyBytes = 1024;
constexpr std::size_t kFilterBits = 1u << 20;   ///< 128 KiB, in which ten thousand keys are one bit in a hundred

/// By low half; a key of the same low half and another high one is told apart by comparing.
using KeyIndex = std::unordered_map<std::uint64_t, std::pair<std::uint64_t, std::size_t>>;

/// Which of the keys each column has held so far.
class Rates {
 public:
  Rates(const KeyedHash& hash, std::span<const Hash128> keys) : m_hash(hash), m_count(keys.size()) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      m_keys.try_emplace(keys[i].low, keys[i].high, i);
      m_mayBe[keys[i].low % kFilterBits] = true;
    }
  }

  void add(const std::string& column, std::string_view text) {
    if (text.empty() || text.size() > kMaxKeyBytes) return;
    const std::string_view key = normalKey(text, m_scratch);
    if (key.empty() || isNoValue(key)) return;
    const Hash128 hashed = m_hash(key, static_cast<std::uint32_t>(HashSpace::Key));
    if (!m_mayBe[hashed.low % kFilterBits]) return;
    const auto found = m_keys.find(hashed.low);
    if (found == m_keys.end() || found->second.first != hashed.high) return;
    Column& seen = m_columns[column];
    if (seen.has.empty()) seen.has.resize(m_count);
    if (!seen.has[found->second.second]) {
      seen.has[found->second.second] = true;
      ++seen.matches;
    }
  }
  /// Columns beyond the bound are not looked at.
  bool mayAdd(const std::string& column) {
    if (m_names.count(column) > 0) return true;
    if (m_names.size() >= kMaxColumnsRated) return false;
    m_names.emplace(column, true);
    return true;
  }

  [[nodiscard]] std::vector<Input::ColumnRate> sorted() const {
    std::vector<Input::ColumnRate> rates;
    for (const auto& [name, column] : m_columns) rates.push_back({name, column.matches});
    std::stable_sort(rates.begin(), rates.end(), [](const Input::ColumnRate& a, const Input::ColumnRate& b) {
      return a.distinctMatches > b.distinctMatches;
    });
    return rates;
  }

 private:
  struct Column {
    std::vector<bool> has;
    std::uint64_t matches = 0;
  };
  const KeyedHash& m_hash;
  std::size_t m_count;
  KeyIndex m_keys;
  std::vector<bool> m_mayBe = std::vector<bool>(kFilterBits);   ///< nearly every value is no key: it is told here
  std::map<std::string, Column> m_columns;
  std::map<std::string, bool> m_names;
  std::string m_scratch;
};

class RateSink final : public RowSink {
 public:
  RateSink(Rates& rates, std::vector<std::string> columns, bool isJson)
      : m_rates(rates), m_columns(std::move(columns)), m_isJson(isJson) {
    for (const std::string& column : m_columns) m_isRated.push_back(m_rates.mayAdd(column));
  }

  bool onRow(const RowView& row, std::uint32_t element) override {
    if (m_isJson && element == 0) {
      m_arena.clear();
      visitJsonScalars(row.raw, m_arena, [&](const std::string& path, const FieldView& value) {
        if (m_rates.mayAdd(path)) m_rates.add(path, value.text);
        return true;
      });
    }
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
      if (m_isRated[i]) m_rates.add(m_columns[i], row.fields[i].text);
    }
    return true;
  }
  bool onDefect(const RowView&, RowDefect) override { return true; }
  void onUnmatched(const RowView&) override {}

 private:
  Rates& m_rates;
  std::vector<std::string> m_columns;
  std::vector<bool> m_isRated;   ///< of m_columns
  bool m_isJson;
  Arena m_arena;
};

}  // namespace

Result<std::vector<Input::ColumnRate>> rateColumns(const SourceFiles& files, SourceId source, const KeyedHash& hash,
                                                   std::span<const Hash128> keys) {
  Rates rates(hash, keys);
  for (const auto& file : files) {
    if (file->source != source || file->repeatOf != nullptr) continue;
    for (const auto& known : file->views) {
      FileView view;
      view.opened = known->opened;
      const LayoutKind kind = view.opened.layout.kind;
      const bool isJson = kind == LayoutKind::Json || kind == LayoutKind::Ndjson || isTranscoded(kind);
      view.opened.layout.each.clear();
      view.wanted = isJson ? std::vector<std::string>{} : view.opened.columns;
      // Rows are given decoded, as a stream, also where they could be cut out of the file.
      if (view.opened.byPosition) {
        view.opened.dataOffset -= view.opened.nature.bomBytes;
        view.opened.byPosition = false;
        if (!isJson && view.opened.layout.kind == LayoutKind::Csv && view.opened.table) {
          view.opened.csv.headerLine = view.opened.table->toUtf8(view.opened.csv.headerLine);
        }
      }
      if (view.opened.isText()) view.reader = view.opened.makeReader(view.wanted);
      RateSink sink(rates, view.wanted, isJson);
      std::optional<Error> problem;
      const Result<> read = readStream(view, sink, nullptr, nullptr, {}, problem);
      if (!read) return fail(read.error());
    }
  }
  return rates.sorted();
}

}  // namespace counterfoil
