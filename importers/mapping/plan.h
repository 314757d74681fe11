// SPDX-License-Identifier: GPL-3.0-or-later
// A mapping compiled for one file: which columns are wanted, and how a row of them becomes a record.
// Immutable and thread-safe after compile(); all per-thread state is in RowScratch.
//
// The reader gives RowView::fields in the order of columns(): field i is column columns()[i]. A column is
// a header name, a dotted path of a nested value, a named group, an SQL column. A name that the file does
// not have is FieldType::Absent in every row.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/hash.h"
#include "core/base/result.h"
#include "core/ledger/slim.h"
#include "core/record/record.h"
#include "core/run/statement_check.h"
#include "importers/mapping/layout.h"
#include "importers/readers/row.h"

namespace counterfoil {

struct CheckTally;         // importers/mapping/check_tally.h
class MappingSpec;        // importers/mapping/mapping_spec.h: a mapping as parsed, `extends` resolved
class OperationMatcher;   // importers/mapping/operation_matcher.h: the configuration's `when`

/// Settled for the columns of a file that a mapping leaves open, found over the whole file.
struct ColumnFacts {
  std::vector<std::pair<std::string, DecimalSign>> decimal;   ///< by column name
  std::vector<std::pair<std::string, DateOrder>> dateOrder;
};

enum class RowFate : std::uint8_t {
  Recorded,
  Excluded,     ///< by `exclude`, by kind fee/other, or an attempt that matches no operation
  Quarantined,  ///< the scratch holds why
  Unmatched,    ///< a line of a log that is none of the mapping's "lines"
  NoRecord      ///< a repeated header line, a footer, a total line, a blank line: not counted as a row
};

/// Why a row was quarantined: column, value, rule and sentence, as in QuarantinedRow.
struct RowFault {
  std::string column, value, rule, reason;
};

/// What the rows of a chunk said about a column whose decimal sign or date order is open. Merging chunks
/// is a bitwise or, so the order of rows does not matter.
struct OpenEvidence {
  struct Column {
    std::string name;
    std::uint8_t decimal = 0;   ///< bits of DecimalEvidence
    std::uint8_t date = 0;      ///< bits of DateEvidence
    bool isOfAmounts = false;   ///< its decimal sign is open
  };
  std::vector<Column> columns;  ///< the same columns in the same order for every chunk of one plan
  void merge(const OpenEvidence& other);
};

struct RowScratch {   ///< buffers, caches of words and currencies, the last fault, evidence; one a thread and plan
  virtual ~RowScratch() = default;
};

struct PlanOptions {
  SourceId source;
  std::optional<SourceId> jobSpace = {};      ///< Policy::jobSpaceOf the source, where that is another one
  FileId file;
  std::uint32_t mappingNumber = 0;            ///< Place::part = mappingNumber << 20 | element
  std::string defaultZone = "UTC";            ///< the source's zone
  const OperationMatcher* operations = nullptr;
  bool isWorkbook = false;                    ///< its date cells come as ISO text, whatever form a mapping gives
  ColumnFacts facts;                          ///< settled facts of open columns; else the defaults (Point, NeedsOrder)
  std::vector<std::pair<std::string, std::string>> documentValues;  ///< pointer -> text, for values outside the row
};

class Plan {
 public:
  /// Error (Config) names the mapping member that is wrong. `fileColumns`: the header as read (empty for
  /// JSON, where paths are tried row by row); with it, "usual spellings" of generic formats are bound.
  static Result<std::shared_ptr<const Plan>> compile(const MappingSpec& spec,
                                                     const std::vector<std::string>& fileColumns,
                                                     const PlanOptions& options);
  virtual ~Plan() = default;

  [[nodiscard]] virtual RecordKind record() const = 0;
  [[nodiscard]] virtual const std::vector<std::string>& columns() const = 0;
  /// JSON pointers, or "line:" and a pattern, of values outside the rows that the mapping wants (see
  /// PlanOptions::documentValues).
  [[nodiscard]] virtual const std::vector<std::string>& documentPointers() const = 0;
  [[nodiscard]] virtual std::unique_ptr<RowScratch> makeScratch() const = 0;

  /// First pass: checks everything that full() would check, fills `out`; out.ref is {file, part, row.offset}.
  /// A skipped status turns an attempts row into a skip: out.kind says which it is.
  [[nodiscard]] virtual RowFate slim(const RowView& row, std::uint32_t element, const KeyedHash& hash,
                                     RowScratch& scratch, SlimRecord& out) const = 0;
  /// The full record. Same fate as slim() for the same row.
  [[nodiscard]] virtual RowFate full(const RowView& row, std::uint32_t element, RowScratch& scratch,
                                     AnyRecord& out) const = 0;
  /// The full record of the row that slim() has just recorded with this scratch, without reading it again.
  /// `out` keeps its memory where it holds a record of the same kind.
  virtual void fullOfLast(const RowView& row, std::uint32_t element, RowScratch& scratch, AnyRecord& out) const = 0;

  /// After Quarantined: why. Valid until the next call with this scratch.
  [[nodiscard]] virtual const RowFault& fault(const RowScratch& scratch) const = 0;
  [[nodiscard]] virtual const OpenEvidence& evidence(const RowScratch& scratch) const = 0;
  /// After Excluded: "fee", "other", or "filtered".
  [[nodiscard]] virtual std::string_view excludedAs(const RowScratch& scratch) const = 0;
  /// The last row's amount with the sign as written and its currency, for declared control totals; also of
  /// excluded rows. Nothing if it has none.
  [[nodiscard]] virtual std::optional<Money> amountAsWritten(const RowScratch& scratch) const = 0;

  /// What the mapping's "checks" ask of the file.
  [[nodiscard]] virtual bool hasChecks() const = 0;
  /// Columns whose numbers the checks read by the decimal sign of the amounts, which is open.
  [[nodiscard]] virtual const std::vector<std::uint32_t>& openCheckColumns() const = 0;
  [[nodiscard]] virtual CheckTally makeTally() const = 0;
  /// Adds a row that slim() has just seen and that is one, whatever its fate. After fault() was asked.
  virtual void check(const RowView& row, std::uint64_t line, RowScratch& scratch, CheckTally& tally) const = 0;
  /// Appends what all rows of the file came to.
  virtual void checkResults(const CheckTally& tally, std::vector<StatementCheck>& checks,
                            std::vector<StatementBalance>& balances) const = 0;
};

}  // namespace counterfoil
