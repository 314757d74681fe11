// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/special_links.h"

#include <algorithm>
#include <set>

#include "core/base/text.h"

namespace counterfoil {

namespace {

constexpr std::size_t kFetchedAtOnce = 4096;
constexpr std::size_t kSpreadsheetDigits = 15;

/// The first `characters` code points of a key; all of it when it is shorter.
std::string_view firstCharacters(std::string_view key, std::size_t characters) {
  std::size_t at = 0;
  for (; at < key.size() && characters > 0; --characters) {
    ++at;
    while (at < key.size() && (static_cast<unsigned char>(key[at]) & 0xC0u) == 0x80u) ++at;
  }
  return key.substr(0, at);
}

class SpecialLinks {
 public:
  explicit SpecialLinks(NightState& night) : m_night(night) {
    for (const ProviderProfile& provider : night.policy.providers) {
      if (provider.keyLength) m_lengths.insert(*provider.keyLength);
    }
  }

  Result<> run() {
    if (auto done = readNamed(); !done) return done;
    for (std::uint32_t file : m_night.ledger.filesWithDamagedKeys()) {
      m_night.knowledge.damagedSources.insert(m_night.scan.sourceOfFile[file]);
    }
    return m_night.knowledge.damagedSources.empty() ? Result<>{} : readNumbers();
  }

 private:
  std::uint64_t groupOfKey(std::string_view key) const {
    return fingerprintOf(Ledger::groupOfKey(m_night.hash(key, static_cast<std::uint32_t>(HashSpace::Key))));
  }

  /// Rows that the scan put by.
  Result<> readNamed() {
    std::vector<SpecialRow> rows = m_night.ledger.specialRows();
    std::sort(rows.begin(), rows.end(), [](const SpecialRow& a, const SpecialRow& b) { return a.ref < b.ref; });
    std::vector<SpecialRow> batch;
    for (std::size_t first = 0; first < rows.size(); first += kFetchedAtOnce) {
      const std::size_t last = std::min(first + kFetchedAtOnce, rows.size());
      batch.assign(rows.begin() + static_cast<std::ptrdiff_t>(first), rows.begin() + static_cast<std::ptrdiff_t>(last));
      if (auto done = fetch(batch, [this](const SpecialRow& row, const AnyRecord& record) { linkNamed(row, record); });
          !done) {
        return done;
      }
    }
    return {};
  }

  template <class Fn>
  Result<> fetch(const std::vector<SpecialRow>& rows, const Fn& fn) {
    if (m_night.isCancelled()) return fail(ErrorCode::Cancelled, "stopped while matching");
    std::vector<RecordRef> refs;
    refs.reserve(rows.size());
    for (const SpecialRow& row : rows) refs.push_back(row.ref);
    return m_night.input.fetch(refs, [&](std::size_t index, AnyRecord&& record) { fn(rows[index], record); });
  }

  void linkNamed(const SpecialRow& row, const AnyRecord& record) {
    const RecordHead* head = headOf(record);
    if (head == nullptr) return;
    if (const auto* effect = std::get_if<Effect>(&record)) {
      if (effect->replaces.empty()) return;
      LinkEntry entry;
      entry.space = LinkSpace::EffectId;
      entry.value = linkHash(m_night.hash, effect->replaces, HashSpace::EffectId);
      entry.group = row.group;
      if (entry.value != 0) m_failed = !m_night.ledger.links().add(entry, 0) || m_failed;
      return;
    }
    for (std::size_t length : m_lengths) {
      if (head->key.size() <= length) continue;
      m_night.ledger.links().addEdge(groupOfKey(firstCharacters(head->key, length)), row.group, 0);
      m_night.ledger.links().addEdge(groupOfKey(std::string_view(head->key).substr(0, length)), row.group, 0);
    }
  }

  /// All numbers that are keys of local records or of a damaged source, by what a spreadsheet makes of them.
  Result<> readNumbers() {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> numbers;  // what is left of it, group
    std::set<std::uint64_t> damaged;
    std::string scratch;
    std::vector<SpecialRow> batch;
    const auto flush = [&]() -> Result<> {
      auto done = fetch(batch, [&](const SpecialRow& row, const AnyRecord& record) {
        const RecordHead* head = headOf(record);
        const std::string number = head == nullptr ? std::string() : damagedNumber(head->key);
        if (number.empty()) return;
        const std::uint64_t left = m_night.hash(number, static_cast<std::uint32_t>(HashSpace::Key)).low;
        numbers.emplace_back(left, row.group);
        if (kindOf(record) == RecordKind::Effect) damaged.insert(left);
      });
      batch.clear();
      return done;
    };
    for (unsigned partition = 0; partition < Ledger::kPartitions; ++partition) {
      collectKeyed(partition, scratch, batch);
      if (batch.size() < kFetchedAtOnce && partition + 1 < Ledger::kPartitions) continue;
      if (auto done = flush(); !done) return done;
    }
    std::erase_if(numbers, [&](const auto& number) { return damaged.count(number.first) == 0; });
    std::sort(numbers.begin(), numbers.end());
    for (std::size_t i = 1; i < numbers.size(); ++i) {
      if (numbers[i].first == numbers[i - 1].first) {
        m_night.ledger.links().addEdge(numbers[i].second, numbers[i - 1].second, 0);
      }
    }
    return {};
  }

  /// Rows with a key, of local kinds or of a damaged source.
  void collectKeyed(unsigned partition, std::string& scratch, std::vector<SpecialRow>& rows) {
    auto read = m_night.ledger.rows().read(partition, scratch, [&](std::string_view bytes) {
      const char* at = bytes.data();
      LedgerRow row;
      while (at < bytes.data() + bytes.size()) {
        at = m_night.ledger.codec().unpack(at, bytes.data() + bytes.size(), row);
        const Shape& shape = m_night.ledger.shapes()[row.shape];
        const bool isWanted = shape.kind != RecordKind::Effect ||
                              m_night.knowledge.damagedSources.count(m_night.sourceOf(shape)) > 0;
        if (shape.space == 0 && isWanted) rows.push_back({refOf(row, shape), fingerprintOf(row.group)});
      }
    });
    m_failed = m_failed || !read;
  }

 public:
  [[nodiscard]] bool hasFailed() const { return m_failed; }

 private:
  NightState& m_night;
  std::set<std::size_t> m_lengths;
  bool m_failed = false;
};

}  // namespace

std::string damagedNumber(std::string_view key) {
  const bool isNumber =
      !key.empty() && std::all_of(key.begin(), key.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!isNumber) return {};
  const std::size_t first = std::min(key.find_first_not_of('0'), key.size() - 1);
  std::string digits(key.substr(first));
  for (std::size_t i = kSpreadsheetDigits; i < digits.size(); ++i) digits[i] = '0';
  return digits;
}

Result<> addSpecialLinks(NightState& night) {
  SpecialLinks links(night);
  if (auto done = links.run(); !done) return done;
  if (links.hasFailed()) return fail(ErrorCode::WriteFailed, "temporary files could not be written or read");
  return {};
}

}  // namespace counterfoil
