// SPDX-License-Identifier: GPL-3.0-or-later
// Records of earlier nights that a night is judged with: those of cases that stand, and those that tonight's
// records are linked to (classes.md §3, links 1 to 4), whatever night they came in. A run keeps the list of
// them, so that it can be judged again.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/run/input.h"
#include "core/store/record_block.h"
#include "core/store/store.h"
#include "core/store/wanted.h"

namespace counterfoil {

class Database;

/// A file of an earlier night, under the number it has tonight.
struct CarriedFile {
  FileId file;
  SourceId source;
  RunNumber fromRun = 0;
  FileId fromFile;
  std::vector<Interval> covers;
};

/// Rows of one record block.
struct CarriedRows {
  std::int64_t segment = 0, block = 0;
  RunNumber run = 0;
  std::vector<std::uint32_t> rows;   ///< sorted
};

struct CarriedForward {
  FileId firstFile;                                       ///< tonight's own have smaller numbers
  std::vector<CarriedFile> files;                         ///< by number
  std::vector<RowId> units;                               ///< whose records are all carried, sorted
  std::vector<CarriedRows> rows;                          ///< by segment, then block
  std::set<CaseId> cases;                                 ///< those that `units` are of; blank for a run of before
  std::map<SourceId, std::vector<Interval>> coverage;     ///< what earlier nights cover of tonight's sources
  [[nodiscard]] bool isEmpty() const { return units.empty() && rows.empty(); }
};

/// How an earlier night's numbers are read tonight.
struct CarryRules {
  Instant asOf{};
  std::vector<std::string> sources;                       ///< tonight's names, by SourceId
  JobSpaces jobSpaces;
  std::int64_t commonLinkValueLimit = 50;
  /// The operation of tonight's configuration that one of an earlier run's is; nothing: there is none any more.
  std::function<std::optional<OperationId>(RunNumber, OperationId)> operationOf;
};

/// Reads the records of a CarriedForward. Thread-safe; the store is used by nobody else meanwhile.
class CarriedRecords {
 public:
  static Result<std::unique_ptr<CarriedRecords>> open(const Store::Impl& store, CarriedForward carried, CarryRules rules);
  ~CarriedRecords();
  CarriedRecords(const CarriedRecords&) = delete;
  CarriedRecords& operator=(const CarriedRecords&) = delete;

  [[nodiscard]] const CarriedForward& list() const;
  /// For Input::carried().
  [[nodiscard]] const CarriedEvidence& evidence() const;
  /// Each record with the reference that fetch() takes, as tonight's configuration reads it; in a fixed order.
  Result<> forEach(const std::function<Result<>(AnyRecord&&, const RecordRef&)>& fn) const;
  Result<> fetch(std::span<const RecordRef> refs, const std::function<void(std::size_t, AnyRecord&&)>& fn) const;
  /// The text as written of a record at `place` (of a carried file), where a unit of an earlier night kept it.
  [[nodiscard]] Result<std::optional<RawText>> rawTextOf(const Place& place) const;

 private:
  struct Impl;
  explicit CarriedRecords(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> m_impl;
};

/// What a night is to be judged with. `wanted`: all of tonight's numbers; is emptied. `borrowed`: files that an
/// earlier run has and tonight read again; their records are tonight's own.
[[nodiscard]] Result<CarriedForward> findCarried(const Store::Impl& store, const CarryRules& rules, FileId firstFile,
                                                 const std::set<std::pair<RunNumber, FileId>>& borrowed,
                                                 WantedNight& wanted);
/// True if there is an earlier night to carry from.
[[nodiscard]] Result<bool> hasEarlierNights(const Store::Impl& store);

[[nodiscard]] Result<> insertCarried(Database& database, RunNumber run, const CarriedForward& carried);
/// What `run` was judged with.
[[nodiscard]] Result<CarriedForward> loadCarried(const Store::Impl& store, RunNumber run, const CarryRules& rules);

}  // namespace counterfoil
