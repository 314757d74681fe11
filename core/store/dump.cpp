// SPDX-License-Identifier: GPL-3.0-or-later
// The canonical text of a store, and the check of its integrity.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/store/hash_page.h"
#include "core/store/packing.h"
#include "core/store/record_block.h"
#include "core/store/record_row.h"
#include "core/store/store_impl.h"

namespace counterfoil {
namespace {

/// Records printed in one pass over the blocks; more take more passes.
constexpr std::size_t kPassRecords = 300'000;

using Write = std::function<Result<>(std::string_view)>;

struct DumpQuery {
  std::string_view name;
  const char* sql;
};

// No row numbers, no execution times, no file times; in an order that follows from content.
constexpr std::array kQueries = {
    DumpQuery{"run", "SELECT run, as_of, config_digest, inputs_digest, backfill, baseline, complete, units, breaks, open, "
                     "overdue, unjudged, lists_bounded, units_not_listed, local_keys, provider_keys, keys_meeting, "
                     "better_column, better_matches, incomplete_because, records FROM runs ORDER BY run"},
    DumpQuery{"tally", "SELECT run, kind, code, count FROM run_tallies ORDER BY run, kind, code"},
    DumpQuery{"amount", "SELECT run, kind, code, currency, minor FROM run_amounts ORDER BY run, kind, code, currency"},
    DumpQuery{"source", "SELECT run, source, name, format, digest, rows, recorded, quarantined, excluded, repeated, first, "
                        "last FROM sources ORDER BY run, source"},
    DumpQuery{"file", "SELECT run, seq, source, path, format, digest, bytes, rows, recorded, quarantined, excluded, "
                      "repeated, unmatched, first, last, covers_from, covers_to, complete, problem, data_rows, "
                      "declared_basis FROM files ORDER BY run, seq"},
    DumpQuery{"coverage", "SELECT run, source, first, last, declared FROM coverage ORDER BY run, source, seq"},
    DumpQuery{"quarantined", "SELECT run, source, file, place, part, line, path, column_name, value, rule, reason, raw "
                             "FROM quarantined ORDER BY run, seq"},
    DumpQuery{"finding", "SELECT run, code, subject, count, severity, seen, advice, examples FROM findings ORDER BY run, seq"},
    DumpQuery{"queue", "SELECT run, queue, dead_letter, depth, in_flight, oldest, max_depth, sampled_at, kind, samples, first_depth, "
                       "first_at FROM queues "
                       "ORDER BY run, seq"},
    DumpQuery{"depth", "SELECT run, queue, dead_letter, depth, in_flight, oldest, sampled_at, kind, source, part, dead_letter_queue, "
                       "log_offset FROM queue_depths "
                       "ORDER BY run, queue, sampled_at, depth, in_flight, oldest, source, part, log_offset, dead_letter_queue, kind"},
    DumpQuery{"proof", "SELECT run, scope, currency, kind, local_minor, provider_minor, unexplained_minor, steps FROM proof "
                       "ORDER BY run, scope, currency, kind"},
    DumpQuery{"case", "SELECT case_id, first_run, last_run, unit_run, as_of, standing, state, assignee, cleared_run, "
                      "records_digest, cleared_late, ignored_by FROM cases ORDER BY case_id"},
    DumpQuery{"alias", "SELECT alias, case_id FROM case_aliases ORDER BY alias"},
    DumpQuery{"unit", "SELECT run, case_id, class, severity, plain, is_new, key, scope, operation, op_ref, mark, why, hints, "
                      "flags, exposure, reason, local, expected, due, first_seen, keys, candidates, more_candidates, "
                      "records, verdicts, raw, until_run, decided FROM units ORDER BY run, seq"},
    DumpQuery{"carried_file", "SELECT run, file, source, from_run, from_file FROM carried_files ORDER BY run, file"},
    DumpQuery{"skip", "SELECT run, case_id, key, operation, time, worker, verdict, reason, saved FROM skips ORDER BY run, seq"},
    DumpQuery{"dead_letter", "SELECT run, case_id, queue, message_id, key, operation, error, receive_count, enqueued_at, "
                             "died_at, deadline, verdict, reason FROM dead_letters ORDER BY run, seq"},
    DumpQuery{"closed", "SELECT through, who, note FROM closed_periods ORDER BY through"},
    DumpQuery{"restatement", "SELECT run, case_id, through, class_before, exposure_before, class_now, exposure_now FROM restatements "
                             "ORDER BY run, case_id"},
    DumpQuery{"hold", "SELECT kind, target, who, reason FROM holds ORDER BY kind, target"},
    DumpQuery{"remedy", "SELECT r.kind, r.who, r.digest, c.case_id, c.item FROM remedies r JOIN remedy_cases c ON c.remedy = r.remedy "
                        "ORDER BY r.remedy, c.case_id, c.item"},
    DumpQuery{"decision", "SELECT id, action, case_id, at, who, sets, state, assignee, note, reason, judged, records_digest, "
                          "bulk, undoes, rule, previous, digest FROM decisions ORDER BY id"},
    DumpQuery{"ignore_rule", "SELECT rule, classes, operation, key, scope, any_scope, queue, most, until, reason, removed "
                             "FROM ignore_rules ORDER BY rule"},
};

struct FieldName {
  Field field;
  std::string_view name;
};

constexpr std::array kNames = {
    FieldName{Field::Source, "source"}, FieldName{Field::File, "file"}, FieldName{Field::Offset, "offset"},
    FieldName{Field::Part, "part"}, FieldName{Field::Live, "live"}, FieldName{Field::Operation, "operation"},
    FieldName{Field::AmountMinor, "amount_minor"}, FieldName{Field::Currency, "currency"},
    FieldName{Field::KeyDamaged, "key_damaged"}, FieldName{Field::Status, "status"}, FieldName{Field::Number, "number"},
    FieldName{Field::Start, "start"}, FieldName{Field::End, "end"}, FieldName{Field::Time, "time"},
    FieldName{Field::Reason, "reason"}, FieldName{Field::State, "state"}, FieldName{Field::ClaimedAt, "claimed_at"},
    FieldName{Field::ExpiresAt, "expires_at"}, FieldName{Field::ProcessedAt, "processed_at"},
    FieldName{Field::CreatedAt, "created_at"}, FieldName{Field::DueAt, "due_at"},
    FieldName{Field::PublishedAt, "published_at"}, FieldName{Field::PublishCount, "publish_count"},
    FieldName{Field::Dead, "dead"}, FieldName{Field::EffectKindOf, "kind"}, FieldName{Field::Fee, "fee"},
    FieldName{Field::FeeMicro, "fee_micro"}, FieldName{Field::FeeCurrency, "fee_currency"}, FieldName{Field::Created, "created"},
    FieldName{Field::CreatedSpan, "created_span"}, FieldName{Field::Effective, "effective"},
    FieldName{Field::EnqueuedAt, "enqueued_at"}, FieldName{Field::DiedAt, "died_at"},
    FieldName{Field::ReceiveCount, "receive_count"}, FieldName{Field::Deadline, "deadline"},
    FieldName{Field::SampledAt, "sampled_at"}, FieldName{Field::Key, "key"}, FieldName{Field::KeyText, "key_text"},
    FieldName{Field::JobId, "job_id"}, FieldName{Field::MessageId, "message_id"}, FieldName{Field::OpRef, "op_ref"},
    FieldName{Field::EffectIdOf, "effect_id"}, FieldName{Field::Account, "account"}, FieldName{Field::Task, "task"},
    FieldName{Field::Queue, "queue"}, FieldName{Field::Worker, "worker"}, FieldName{Field::Customer, "customer"},
    FieldName{Field::Fingerprint, "fingerprint"}, FieldName{Field::Error, "error"}, FieldName{Field::Id, "id"},
    FieldName{Field::Topic, "topic"}, FieldName{Field::ParentId, "parent_id"}, FieldName{Field::Replaces, "replaces"},
    FieldName{Field::FirstFingerprint, "first_fingerprint"}, FieldName{Field::FirstOpRef, "first_op_ref"}};

/// A text as a JSON string.
std::string quoted(std::string_view text) {
  const std::string list = packTexts({std::string(text)});
  return list.substr(1, list.size() - 2);
}

std::string printRecord(const AnyRecord& record) {
  std::string row;
  appendRow(record, row);
  const auto values = readRow(row);
  std::string out(codeOf(kindOf(record)));
  for (const FieldName& name : kNames) {
    if (isText(name.field)) {
      if (const auto text = values->text(name.field)) out += fmt::format(" {}={}", name.name, quoted(*text));
    } else if (const auto number = values->numbers[static_cast<std::size_t>(name.field)]) {
      out += fmt::format(" {}={}", name.name, *number);
    }
  }
  return out;
}

/// The records of a unit, one after another; other binary columns by their digest.
Result<std::string> printBlob(std::string_view name, std::string_view bytes) {
  if (name != "records") return bytes.empty() ? std::string("-") : sha256Hex(bytes);
  const auto records = unpackRecords(bytes);
  if (!records) return fail(records.error());
  std::string out = "[";
  const auto add = [&](const auto& list) {
    for (const auto& record : list) out += (out.size() > 1 ? "; " : "") + printRecord(AnyRecord(record));
  };
  add(records->attempts);
  add(records->skips);
  add(records->claims);
  add(records->intents);
  add(records->outbox);
  add(records->processedEvents);
  add(records->effects);
  add(records->deadLetters);
  return out + "]";
}

Result<std::string> printRow(std::string_view name, const Statement& row) {
  std::string line(name);
  for (int column = 0; column < row.columnCount(); ++column) {
    line += fmt::format(" {}=", row.columnName(column));
    switch (row.kind(column)) {
      case Statement::Kind::Null: line += '-'; break;
      case Statement::Kind::Integer: line += std::to_string(row.integer(column)); break;
      case Statement::Kind::Text: line += quoted(row.text(column)); break;
      case Statement::Kind::Blob: {
        const auto text = printBlob(row.columnName(column), row.blob(column));
        if (!text) return fail(text.error());
        line += *text;
        break;
      }
    }
  }
  return line += '\n';
}

Result<> dumpQuery(Database& database, const DumpQuery& query, const Write& write) {
  auto statement = database.prepare(query.sql);
  if (!statement) return fail(statement.error());
  return forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    const auto line = printRow(query.name, row);
    if (!line) return fail(line.error());
    if (auto ok = write(*line); !ok) return fail(ok.error());
    return true;
  });
}

/// Places that cut the records of a run into passes of bounded size; the first is the least place.
Result<std::vector<Place>> passStarts(const Store& store, RunNumber run) {
  std::vector<Place> places;
  auto ok = store.forEachRecord(run, [&](AnyRecord&& record) {
    places.push_back(headOf(record)->place);
    return true;
  });
  if (!ok) return fail(ok.error());
  std::sort(places.begin(), places.end());
  std::vector<Place> starts;
  for (std::size_t i = 0; i < places.size(); i += kPassRecords) {
    if (starts.empty() || starts.back() < places[i]) starts.push_back(places[i]);
  }
  return starts;
}

Result<> dumpRecords(const Store& store, RunNumber run, const Write& write) {
  const auto starts = passStarts(store, run);
  if (!starts) return fail(starts.error());
  for (std::size_t pass = 0; pass < starts->size(); ++pass) {
    std::vector<std::pair<Place, std::string>> lines;
    auto ok = store.forEachRecord(run, [&](AnyRecord&& record) {
      const Place& place = headOf(record)->place;
      const bool before = place < (*starts)[pass];
      const bool after = pass + 1 < starts->size() && !(place < (*starts)[pass + 1]);
      if (!before && !after) lines.emplace_back(place, printRecord(record));
      return true;
    });
    if (!ok) return ok;
    std::sort(lines.begin(), lines.end());
    for (const auto& [place, text] : lines) {
      if (ok = write(fmt::format("record run={} {}\n", run, text)); !ok) return ok;
    }
  }
  return {};
}

Result<std::vector<RunNumber>> runNumbers(Database& database) {
  auto statement = database.prepare("SELECT run FROM runs ORDER BY run");
  if (!statement) return fail(statement.error());
  std::vector<RunNumber> runs;
  auto ok = forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    runs.push_back(static_cast<RunNumber>(row.integer(0)));
    return true;
  });
  if (!ok) return fail(ok.error());
  return runs;
}

/// Runs a check whose rows are texts of faults ("ok" is none).
Result<> collectFaults(Database& database, const char* sql, std::vector<std::string>& faults) {
  auto statement = database.prepare(sql);
  if (!statement) return fail(statement.error());
  return forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    if (row.text(0) != "ok") faults.emplace_back(row.text(0));
    return faults.size() < 100;
  });
}

/// True when the failure is damage that was found, which is what the check is for.
bool noteDamage(const Result<>& result, std::vector<std::string>& faults) {
  if (result) return true;
  if (result.error().code != ErrorCode::StoreBroken) return false;
  faults.push_back(result.error().message);
  return true;
}

Result<> checkPages(Database& database, const char* sql) {
  auto statement = database.prepare(sql);
  if (!statement) return fail(statement.error());
  return forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    if (!readHashPage(row.blob(0))) return brokenStore("a page of hashes");
    return true;
  });
}

}  // namespace

Result<> Store::dump(const std::function<Result<>(std::string_view)>& write) const {
  const auto runs = runNumbers(m_impl->database);
  if (!runs) return fail(runs.error());
  for (const DumpQuery& query : kQueries) {
    if (auto ok = dumpQuery(m_impl->database, query, write); !ok) return ok;
  }
  for (const RunNumber run : *runs) {
    if (auto ok = dumpRecords(*this, run, write); !ok) return ok;
  }
  return {};
}

Result<std::vector<std::string>> Store::checkIntegrity() const {
  Database& database = m_impl->database;
  std::vector<std::string> faults;
  for (const char* sql :
       {"PRAGMA integrity_check(20)", "SELECT 'rows of table ' || \"table\" || ' belong to no run' FROM pragma_foreign_key_check",
        "SELECT 'run ' || r.run || ': its breaks are not those it counted' FROM runs r WHERE r.lists_bounded = 0 AND r.stripped = 0 AND r.breaks <> "
        "(SELECT count(*) FROM units u JOIN classes k ON k.class = u.class WHERE u.run <= r.run AND u.until_run >= r.run AND k.kind = 'break' "
        "AND u.decided = '')",
        "SELECT 'run ' || r.run || ': records are missing' FROM runs r WHERE r.records <> (SELECT coalesce(sum(b.rows), 0) "
        "FROM segments s JOIN record_blocks b ON b.segment = s.segment WHERE s.run = r.run AND s.kind = 'records' AND "
        "s.committed = 1) + (SELECT coalesce(sum(f.records), 0) FROM borrowed_files f WHERE f.run = r.run)"}) {
    const auto ok = collectFaults(database, sql, faults);
    if (!noteDamage(ok, faults)) return fail(ok.error());
  }
  const auto runs = runNumbers(database);
  if (!runs) return fail(runs.error());
  for (const RunNumber number : *runs) {
    const auto read = forEachRecord(number, [](AnyRecord&&) { return true; });
    if (!noteDamage(read, faults)) return fail(read.error());
    const auto loaded = run(number);
    if (!noteDamage(loaded ? Result<>() : Result<>(fail(loaded.error())), faults)) return fail(loaded.error());
  }
  for (const char* sql : {"SELECT data FROM id_pages", "SELECT data FROM history_pages"}) {
    const auto ok = checkPages(database, sql);
    if (!noteDamage(ok, faults)) return fail(ok.error());
  }
  return faults;
}

}  // namespace counterfoil
