// SPDX-License-Identifier: GPL-3.0-or-later
// Rows through the plans of their mappings: slim records, quarantined rows, counts. One a thread and pass.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/run/input.h"
#include "importers/input/opened_file.h"
#include "importers/input/payload_log.h"
#include "importers/mapping/check_tally.h"
#include "importers/mapping/plan.h"

namespace counterfoil {

/// Adds to the total of its kind and currency; false if the sum cannot be held.
bool addTo(std::vector<ExcludedTotal>& totals, const ExcludedTotal& more);

/// The plans that read one layout of a file.
struct FileView {
  OpenedFile opened;
  std::vector<std::shared_ptr<const MappingSpec>> mappings;
  std::vector<std::uint32_t> mappingNumbers;
  std::vector<std::shared_ptr<const Plan>> plans;
  std::vector<std::string> wanted;                       ///< columns of all plans, each once
  std::vector<std::vector<std::uint32_t>> columnOf;      ///< by plan: places of its columns in `wanted`
  std::unique_ptr<TextReader> reader;                    ///< text kinds
  /// Columns whose amounts may be read two ways and whose file does not decide: such rows are
  /// quarantined. By plan: places in `wanted`.
  std::vector<std::vector<std::uint32_t>> undecidedColumns;
};

/// What a stretch of a file came to. Lines of quarantined rows count from the stretch's first line (0)
/// until shiftLines().
struct ScanOutput {
  SlimBatch batch;
  std::string encoded;                ///< what MapperContext::encoder made of the batch's records
  std::vector<QuarantinedRow> quarantined;
  std::vector<QueueDepth> depths;
  std::vector<std::pair<std::uint32_t, std::string>> queueNames;
  std::uint64_t rows = 0, recorded = 0, excluded = 0, quarantinedCount = 0, unmatched = 0, dataRows = 0;
  std::uint64_t undecided = 0;        ///< of the quarantined ones: only the whole file tells how they are to be read
  std::int64_t firstMicros = INT64_MAX, lastMicros = INT64_MIN;   ///< of records; crossed if there are none
  std::vector<Money> basis;           ///< sums by currency of amounts as written
  bool basisOverflow = false;
  std::vector<ExcludedTotal> excludedTotals;
  std::vector<OpenEvidence> evidence;                   ///< by plan
  std::vector<std::vector<bool>> ambiguousAmounts;      ///< by plan and open column
  std::vector<CheckTally> checks;     ///< by plan, where any has checks
  std::uint64_t checksum = 0;         ///< of what the rows were read as, whatever their order
  bool cutOff = false;
  std::string firstFault;             ///< of a look: why its first quarantined row is one
  std::string cutOffReason;
  std::uint64_t cutOffLine = 0;       ///< as those of quarantined rows

  void addCounts(const ScanOutput& other);   ///< all but records, rows and names
  [[nodiscard]] bool isSensitive() const;    ///< other facts about open columns would read it otherwise
  void shiftLines(std::uint64_t firstLine);
  /// Which chunk of the file it is of; 0 unless told.
  void setPlace(std::uint64_t chunk);
};

struct MapperContext {
  const FileView* view = nullptr;
  const KeyedHash* hash = nullptr;
  SourceId source;
  FileId file;
  std::string shownPath;
  std::optional<Interval> day;        ///< that the file's path names
  bool countsDataRows = true;         ///< the file's first view: it counts for declared totals
  bool onlyLook = false;              ///< counts and evidence, no records kept
  PayloadLog* log = nullptr;          ///< records are kept there
  const RecordEncoder* encoder = nullptr;
  const CancelToken* cancel = nullptr;
};

/// Names of queues a worker has told the sink about, bounded.
using KnownQueues = std::unordered_set<std::uint32_t>;

class RowMapper : public RowSink {
 public:
  /// `queues` may be null: no names are given then.
  RowMapper(const MapperContext& context, KnownQueues* queues);

  /// Where lines are counted from, for rows that do not know theirs. `firstLine` of text[0].
  void setBlock(std::string_view text, std::uint64_t baseOffset, char lineEnd, std::uint64_t firstLine);
  bool onRow(const RowView& row, std::uint32_t element) override;
  bool onDefect(const RowView& row, RowDefect defect) override;
  void onUnmatched(const RowView& row) override;

  [[nodiscard]] ScanOutput& output() { return m_output; }
  /// Evidence so far, into the output.
  void takeEvidence();
  [[nodiscard]] const std::optional<Error>& fault() const { return m_fault; }
  [[nodiscard]] std::uint64_t lineOf(const RowView& row);

 private:
  struct OpenColumn {
    std::size_t evidenceIndex = 0;
    std::uint32_t place = 0;   ///< in `wanted`
  };
  struct PlanState {
    std::unique_ptr<RowScratch> scratch;
    RowView view;                        ///< fields in the plan's order, where that differs
    bool sameOrder = false;
    std::vector<OpenColumn> open;        ///< of amounts
    std::vector<std::size_t> unplaced;   ///< of open amounts that are no plain columns: any row may be sensitive
  };

  const RowView& viewFor(std::size_t plan, const RowView& row);
  bool takeUnmatched(const RowView& row);
  bool recorded(std::size_t plan, const RowView& row, std::uint32_t element, SlimRecord& slim);
  bool keepRecord(const RowView& row, SlimRecord& slim);
  void tellQueue(std::size_t plan, const RowView& row, std::uint32_t element, std::uint32_t queueHash);
  void quarantine(std::size_t plan, const RowView& row, std::uint32_t element, RowFault fault);
  void watchAmbiguous(std::size_t plan, const RowView& row);
  bool isUndecided(std::size_t plan, const RowView& row, std::uint32_t element);
  void addBasis(const std::optional<Money>& amount);
  void watchChecks(std::size_t plan);
  void checkRow(std::size_t plan, const RowView& view);
  void addExcluded(std::string_view kind, const std::optional<Money>& amount);
  [[nodiscard]] std::string rawForPeople(const RowView& row) const;
  [[nodiscard]] std::uint32_t partOf(std::size_t plan, std::uint32_t element) const;

  MapperContext m_context;
  KnownQueues* m_queues;
  std::vector<PlanState> m_plans;
  bool m_checks = false;               ///< a mapping has some
  ScanOutput m_output;
  std::string_view m_text;
  std::uint64_t m_baseOffset = 0;
  char m_lineEnd = '\n';
  std::uint64_t m_countedTo = 0;
  std::uint64_t m_line = 0;
  std::uint64_t m_rowsSinceLook = 0;
  SlimRecord m_slim;                   ///< of the row at hand
  AnyRecord m_record;                  ///< of the row at hand, where it is needed in full
  std::string m_entry;
  std::optional<Error> m_fault;
};

/// An amount that a decimal point and a decimal comma read differently, and that does not say which it is.
[[nodiscard]] bool isAmbiguousAmount(std::string_view text);

/// An entry of the payload log.
struct LoggedRecord {
  std::uint64_t line = 0;
  std::string raw;
  std::string record;   ///< encodeRecord() bytes
};
void encodeLogged(std::uint64_t line, std::string_view raw, const AnyRecord& record, std::string& out);
[[nodiscard]] Result<LoggedRecord> decodeLogged(std::string_view entry);

/// Bounded, valid UTF-8, card numbers masked.
[[nodiscard]] std::string boundedText(std::string_view text, std::size_t bytes);

}  // namespace counterfoil
