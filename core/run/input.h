// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine asks of the reading side. Implemented by importers (files), fetch (APIs) and tests;
// core itself opens nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/executor.h"
#include "core/base/hash.h"
#include "core/base/result.h"
#include "core/ledger/slim.h"
#include "core/policy/policy.h"
#include "core/record/record.h"
#include "core/run/statement_check.h"

namespace counterfoil {

/// A row that could not become a record: never coerced, never dropped.
struct QuarantinedRow {
  Place place;
  std::uint64_t line = 0;       ///< 1-based line (text files), record or row number elsewhere
  std::string file;             ///< path as configured
  std::string column;           ///< blank when the whole row is meant
  std::string value;            ///< the text that did not fit, bounded to 200 bytes
  std::string rule;             ///< code: "not_an_amount", "unknown_status", "missing_field", …
  std::string reason;           ///< sentence with what to do
  std::string raw;              ///< the row as written, bounded to 4 KiB, card numbers masked
  bool operator==(const QuarantinedRow&) const = default;
};

/// Rows that were read and left out, with what they come to, signs as written.
struct ExcludedTotal {
  std::string kind;          ///< "fee", "other"; "filtered" for what the mapping or the operations leave out
  Currency currency;         ///< none: rows without an amount
  std::uint64_t count = 0;
  std::int64_t minor = 0;
  auto operator<=>(const ExcludedTotal&) const = default;
};

/// What reading one file came to. Rows close: rows = recorded + quarantined + excluded (repeats are
/// found later, by the judge, among the recorded ones).
struct FileReport {
  FileId file;
  SourceId source;
  std::string path;
  std::string format;                 ///< "generic.attempts", or "mapping" for a source's own
  std::string digest;                 ///< "sha256:…"; blank where it was not asked for
  std::uint64_t bytes = 0;
  std::uint64_t rows = 0;             ///< rows read, times mappings of the source
  std::uint64_t recorded = 0;
  std::uint64_t quarantined = 0;
  std::uint64_t excluded = 0;
  std::uint64_t repeated = 0;         ///< whole-file repeats (duplicate_statement); others are added by the engine
  std::uint64_t unmatchedLines = 0;   ///< lines layouts: lines that fit no pattern (passed, counted)
  std::optional<Instant> from;        ///< earliest record time
  std::optional<Instant> to;          ///< latest record time
  std::optional<Interval> covers;     ///< declared, or taken from the path
  bool complete = true;               ///< false: cut off, unreadable half way: the run is incomplete
  std::string problem;                ///< why it is not complete, with place
  /// Sums over the data rows as written, for declared control totals (contract.md `declared`).
  std::uint64_t dataRows = 0;
  std::vector<Money> declaredBasis;   ///< by currency, signs as written
  std::vector<StatementCheck> checks;       ///< in the order of the mapping
  std::vector<StatementBalance> balances;   ///< by check and group
  std::vector<ExcludedTotal> excludedTotals;   ///< by kind, then currency; their counts make `excluded`; not stored
};

/// Turns full records into bytes while the first pass has them at hand: for a caller that keeps every
/// record. Thread-safe.
class RecordEncoder {
 public:
  virtual ~RecordEncoder() = default;
  /// Appends what is to be kept of a record. `ref` is what fetch() would take. Not called for queue depths.
  virtual void encode(const AnyRecord& record, const RecordRef& ref, std::string& out) const = 0;
};

/// Takes the first pass. Called from several threads at once; batches arrive in any order.
class ScanSink {
 public:
  virtual ~ScanSink() = default;
  /// `worker` as the Executor numbers them. The sink may keep the batch's contents by moving them.
  virtual Result<> accept(SlimBatch& batch, unsigned worker) = 0;
  /// What ScanOptions::encoder made of the records of one or more batches, one behind the other.
  virtual Result<> encoded(std::string_view /*bytes*/, unsigned /*worker*/) { return {}; }
  virtual void quarantine(QuarantinedRow row, unsigned worker) = 0;
  /// A full record that has no place in a group.
  virtual void depth(QueueDepth sample, unsigned worker) = 0;
  /// Attempts by queue, for histograms: the queue's hash as in SlimRecord and its name, once each per worker.
  virtual void queueName(std::uint32_t queueHash, std::string_view name, unsigned worker) = 0;
};

struct ScanOptions {
  bool wantDigests = true;
  const CancelToken* cancel = nullptr;
  const RecordEncoder* encoder = nullptr;   ///< none: full records are not made
  /// Called now and then with bytes done and bytes in all (0: unknown), from any thread.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
};

/// A file (table, page set) that was missing or unreadable from the start.
struct InputProblem {
  SourceId source;
  Error error;
};

/// Records of earlier nights among those that scan() gave: evidence, but no part of what was read tonight. Their files
/// have numbers from `firstFile` on and no reports.
struct CarriedEvidence {
  FileId firstFile;
  std::vector<SourceId> sourceOfFile;                    ///< by number from firstFile on
  std::map<FileId, std::vector<Interval>> byFile;        ///< what each of them covers
  std::map<SourceId, std::vector<Interval>> bySource;    ///< what earlier nights cover; in any order
};

/// All sources of a run. scan() once, then fetch() as often as needed.
class Input {
 public:
  virtual ~Input() = default;

  /// First pass over everything. Reports come sorted by FileId. An Error is only for what makes the run
  /// impossible (Cancelled, Config, WriteFailed); unreadable inputs are in problems() or FileReport.
  virtual Result<std::vector<FileReport>> scan(Executor& executor, const KeyedHash& hash, ScanSink& sink,
                                               const ScanOptions& options) = 0;
  [[nodiscard]] virtual std::vector<InputProblem> problems() const = 0;
  /// After scan(); null: nothing was carried forward.
  [[nodiscard]] virtual const CarriedEvidence* carried() const { return nullptr; }

  /// Reads the full records again, in any order; fn(index into refs, record). Thread-safe. A record that
  /// reads differently from the first pass (the file changed under us) is an Error (Io).
  virtual Result<> fetch(std::span<const RecordRef> refs,
                         const std::function<void(std::size_t, AnyRecord&&)>& fn) const = 0;

  /// The raw text of a record as written (bounded), for evidence. Blank if it is no longer there.
  [[nodiscard]] virtual std::string rawText(const RecordRef& ref) const = 0;
  /// 1-based line of a record in its file; 0 where there are no lines.
  [[nodiscard]] virtual std::uint64_t lineOf(const RecordRef& ref) const = 0;

  /// Line and raw text of many records, fn(index into refs, line, text): cheap where refs stand in order.
  /// Thread-safe.
  virtual void evidenceOf(std::span<const RecordRef> refs,
                          const std::function<void(std::size_t, std::uint64_t, std::string&&)>& fn) const {
    for (std::size_t i = 0; i < refs.size(); ++i) fn(i, lineOf(refs[i]), rawText(refs[i]));
  }

  /// For keys_do_not_meet: for each column of `source`'s files, how many of `keys` (hashes of normal
  /// forms in HashSpace::Key) it holds. Reads the files once more. Sorted by count, falling, then name.
  /// Thread-safe.
  struct ColumnRate {
    std::string column;
    std::uint64_t distinctMatches = 0;
  };
  virtual Result<std::vector<ColumnRate>> columnRates(SourceId source, const KeyedHash& hash,
                                                      std::span<const Hash128> keys) const = 0;
};

}  // namespace counterfoil
