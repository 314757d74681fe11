// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/raw_texts.h"

#include <algorithm>
#include <atomic>

namespace counterfoil {

namespace {

constexpr std::uint64_t kMemoryBytes = 16u << 20;
constexpr std::size_t kRecordsAtOnce = 4096;

template <class Fn>
void forEachPlace(const Records& records, Fn&& fn) {
  const auto each = [&](const auto& list) {
    for (const auto& record : list) fn(record.place);
  };
  each(records.attempts);
  each(records.effects);
  each(records.skips);
  each(records.claims);
  each(records.intents);
  each(records.outbox);
  each(records.processedEvents);
  each(records.deadLetters);
}

/// The first kOfUnit places of a unit.
std::vector<Place> placesOf(const Unit& unit) {
  std::vector<Place> places;
  forEachPlace(unit.records, [&](const Place& place) {
    if (places.size() < RawTexts::kOfUnit) places.push_back(place);
  });
  return places;
}

}  // namespace

RawTexts::RawTexts(const RecordingInput& input, SpillSpace& spill) : m_input(input), m_spill(spill) {
  for (const FileReport& report : input.reports()) m_paths[report.file] = report.path;
}

Result<> RawTexts::read(const UnitList& units, Executor& executor, const CancelToken* cancel) {
  auto walked = units.forEach([&](const Unit& unit) {
    if (isPlain(unit)) return true;
    for (const Place& place : placesOf(unit)) {
      const CarriedRecords* carried = m_input.carriedRecords();
      if (carried == nullptr || place.file < carried->list().firstFile) m_places.push_back(place);
    }
    return true;
  });
  if (!walked) return walked;
  std::sort(m_places.begin(), m_places.end());
  m_places.erase(std::unique(m_places.begin(), m_places.end()), m_places.end());
  m_entries.resize(m_places.size());
  std::optional<Error> error;
  std::atomic<bool> failed{false};
  const auto part = [&](std::size_t number, unsigned) {
    if (failed) return;
    const std::size_t from = number * kRecordsAtOnce;
    const std::size_t count = std::min(kRecordsAtOnce, m_places.size() - from);
    std::vector<RecordRef> refs(count);
    for (std::size_t i = 0; i < count; ++i) refs[i] = m_input.refOf(m_places[from + i]);
    std::vector<Entry> entries(count);
    std::string texts;
    m_input.evidenceOf(refs, [&](std::size_t i, std::uint64_t line, std::string&& text) {
      entries[i] = {line, texts.size(), static_cast<std::uint32_t>(text.size())};
      texts += text;
    });
    const bool stopped = cancel != nullptr && cancel->isCancelled();
    const Result<> kept = stopped ? Result<>(fail(ErrorCode::Cancelled, "stopped")) : keep(from, entries, texts);
    if (kept) return;
    const std::lock_guard lock(m_mutex);
    if (!error) error = kept.error();
    failed = true;
  };
  executor.forEach((m_places.size() + kRecordsAtOnce - 1) / kRecordsAtOnce, part);
  if (error) return fail(*error);
  return {};
}

Result<> RawTexts::keep(std::size_t from, const std::vector<Entry>& entries, const std::string& texts) {
  const std::lock_guard lock(m_mutex);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    m_entries[from + i] = entries[i];
    m_entries[from + i].offset += m_kept;
  }
  m_kept += texts.size();
  if (!m_stream && m_kept <= kMemoryBytes) {
    m_memory += texts;
    return {};
  }
  if (!m_stream) {
    const auto opened = m_spill.open();
    if (!opened) return fail(opened.error());
    m_stream = *opened;
  }
  return m_spill.append(*m_stream, texts);
}

Result<std::vector<RawText>> RawTexts::of(const Unit& unit) const {
  std::vector<RawText> out;
  for (const Place& place : placesOf(unit)) {
    if (const CarriedRecords* carried = m_input.carriedRecords(); carried != nullptr && place.file >= carried->list().firstFile) {
      auto kept = carried->rawTextOf(place);
      if (!kept) return fail(kept.error());
      if (*kept) out.push_back(std::move(**kept));
      continue;
    }
    const auto known = std::lower_bound(m_places.begin(), m_places.end(), place);
    if (known == m_places.end() || *known != place) continue;
    const Entry& entry = m_entries[static_cast<std::size_t>(known - m_places.begin())];
    RawText& raw = out.emplace_back();
    raw.place = place;
    raw.line = entry.line;
    if (const auto path = m_paths.find(place.file); path != m_paths.end()) raw.path = path->second;
    if (entry.offset < m_memory.size()) {
      raw.text = m_memory.substr(entry.offset, entry.bytes);
    } else if (entry.bytes > 0) {
      if (auto ok = m_spill.read(*m_stream, entry.offset - m_memory.size(), entry.bytes, raw.text); !ok) {
        return fail(ok.error());
      }
    }
  }
  return out;
}

}  // namespace counterfoil
