// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/schema.h"

#include <fmt/format.h>

#include <array>

#include "core/store/failpoint.h"

namespace counterfoil {
namespace {

// Times are microseconds since 1970 (UTC); amounts are minor units with a currency; codes are those of
// classes.md; lists of texts are JSON arrays; lists of amounts are "USD:1500 EUR:-300".
// Everything that carries a run goes with it (retention removes whole runs).
constexpr const char* kFirstSchema = R"sql(
CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE runs(
  run INTEGER PRIMARY KEY, as_of INTEGER NOT NULL, config_digest TEXT NOT NULL, inputs_digest TEXT NOT NULL,
  config TEXT NOT NULL, program TEXT NOT NULL, backfill INTEGER NOT NULL, baseline INTEGER NOT NULL,
  started INTEGER NOT NULL, finished INTEGER NOT NULL,
  complete INTEGER NOT NULL, units INTEGER NOT NULL, breaks INTEGER NOT NULL, open INTEGER NOT NULL,
  overdue INTEGER NOT NULL, unjudged INTEGER NOT NULL, lists_bounded INTEGER NOT NULL, units_not_listed INTEGER NOT NULL,
  local_keys INTEGER NOT NULL, provider_keys INTEGER NOT NULL, keys_meeting INTEGER NOT NULL,
  better_column TEXT NOT NULL, better_matches INTEGER NOT NULL,
  incomplete_because TEXT NOT NULL, records INTEGER NOT NULL) STRICT;
CREATE INDEX runs_by_night ON runs(as_of, inputs_digest, config_digest);

CREATE TABLE run_tallies(run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  kind TEXT NOT NULL, code TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY(run, kind, code)) STRICT, WITHOUT ROWID;
CREATE TABLE run_amounts(run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  kind TEXT NOT NULL, code TEXT NOT NULL, currency TEXT NOT NULL, minor INTEGER NOT NULL,
  PRIMARY KEY(run, kind, code, currency)) STRICT, WITHOUT ROWID;

CREATE TABLE sources(run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, source INTEGER NOT NULL,
  name TEXT NOT NULL, format TEXT NOT NULL, digest TEXT NOT NULL, rows INTEGER NOT NULL, recorded INTEGER NOT NULL,
  quarantined INTEGER NOT NULL, excluded INTEGER NOT NULL, repeated INTEGER NOT NULL, first INTEGER, last INTEGER,
  PRIMARY KEY(run, source)) STRICT, WITHOUT ROWID;
CREATE TABLE files(run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, seq INTEGER NOT NULL,
  source INTEGER NOT NULL, file INTEGER NOT NULL,
  path TEXT NOT NULL, format TEXT NOT NULL, digest TEXT NOT NULL, bytes INTEGER NOT NULL, mtime INTEGER NOT NULL,
  inode INTEGER NOT NULL, device INTEGER NOT NULL, rows INTEGER NOT NULL, recorded INTEGER NOT NULL,
  quarantined INTEGER NOT NULL, excluded INTEGER NOT NULL, repeated INTEGER NOT NULL, unmatched INTEGER NOT NULL,
  first INTEGER, last INTEGER, covers_from INTEGER, covers_to INTEGER, complete INTEGER NOT NULL,
  problem TEXT NOT NULL, data_rows INTEGER NOT NULL, declared_basis TEXT NOT NULL,
  PRIMARY KEY(run, seq)) STRICT;
CREATE INDEX files_by_path ON files(path);
CREATE TABLE coverage(run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, source INTEGER NOT NULL,
  seq INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, declared INTEGER NOT NULL,
  PRIMARY KEY(run, source, seq)) STRICT, WITHOUT ROWID;
CREATE TABLE quarantined(run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, seq INTEGER NOT NULL,
  source INTEGER NOT NULL, file INTEGER NOT NULL, place INTEGER NOT NULL, part INTEGER NOT NULL,
  line INTEGER NOT NULL, path TEXT NOT NULL, column_name TEXT NOT NULL, value TEXT NOT NULL, rule TEXT NOT NULL,
  reason TEXT NOT NULL, raw TEXT NOT NULL, PRIMARY KEY(run, seq)) STRICT;

CREATE TABLE findings(run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, seq INTEGER NOT NULL,
  code TEXT NOT NULL, subject TEXT NOT NULL, count INTEGER NOT NULL, severity TEXT NOT NULL, seen TEXT NOT NULL,
  advice TEXT NOT NULL, examples TEXT NOT NULL, PRIMARY KEY(run, seq)) STRICT;
CREATE TABLE queues(run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, seq INTEGER NOT NULL,
  queue TEXT NOT NULL, dead_letter INTEGER NOT NULL, depth INTEGER, in_flight INTEGER, oldest INTEGER,
  max_depth INTEGER, sampled_at INTEGER, PRIMARY KEY(run, seq)) STRICT;
CREATE TABLE queue_depths(run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, seq INTEGER NOT NULL,
  queue TEXT NOT NULL, dead_letter INTEGER NOT NULL, depth INTEGER, in_flight INTEGER, oldest INTEGER,
  sampled_at INTEGER, PRIMARY KEY(run, seq)) STRICT;
CREATE INDEX queue_depths_by_queue ON queue_depths(queue, sampled_at);
CREATE TABLE proof(run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, seq INTEGER NOT NULL,
  scope TEXT NOT NULL, currency TEXT NOT NULL, kind TEXT NOT NULL, local_minor INTEGER NOT NULL,
  provider_minor INTEGER NOT NULL, unexplained_minor INTEGER NOT NULL, steps TEXT NOT NULL,
  PRIMARY KEY(run, seq)) STRICT;

CREATE TABLE classes(class TEXT PRIMARY KEY, position INTEGER NOT NULL, kind TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE cases(case_id TEXT PRIMARY KEY, first_run INTEGER NOT NULL, last_run INTEGER NOT NULL,
  unit_run INTEGER NOT NULL, as_of INTEGER NOT NULL, standing INTEGER NOT NULL, state TEXT NOT NULL, assignee TEXT NOT NULL,
  cleared_run INTEGER, records_digest TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX cases_standing ON cases(standing) WHERE standing = 1;
CREATE TABLE case_aliases(alias TEXT PRIMARY KEY, case_id TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE units(
  id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, seq INTEGER NOT NULL,
  case_id TEXT NOT NULL, class TEXT NOT NULL REFERENCES classes, severity INTEGER NOT NULL, plain INTEGER NOT NULL,
  is_new INTEGER NOT NULL, key TEXT NOT NULL, scope TEXT NOT NULL, operation TEXT NOT NULL,
  operation_index INTEGER NOT NULL, op_ref TEXT NOT NULL, mark TEXT NOT NULL, why TEXT NOT NULL, hints TEXT NOT NULL,
  flags TEXT NOT NULL, exposure TEXT NOT NULL, reason TEXT NOT NULL, local INTEGER NOT NULL, expected TEXT NOT NULL,
  due INTEGER, first_seen INTEGER, keys TEXT NOT NULL, candidates TEXT NOT NULL, more_candidates INTEGER NOT NULL,
  records BLOB NOT NULL, verdicts BLOB NOT NULL, raw BLOB NOT NULL) STRICT;
CREATE UNIQUE INDEX units_of_run ON units(run, seq);
CREATE INDEX units_by_case ON units(case_id, run);
CREATE INDEX units_by_key ON units(key);

CREATE TABLE skips(run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, seq INTEGER NOT NULL,
  case_id TEXT NOT NULL, key TEXT NOT NULL, operation TEXT NOT NULL, time INTEGER NOT NULL, worker TEXT NOT NULL,
  verdict TEXT NOT NULL, reason TEXT NOT NULL, saved TEXT NOT NULL, PRIMARY KEY(run, seq)) STRICT;
CREATE INDEX skips_by_key ON skips(key);
CREATE TABLE dead_letters(run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, seq INTEGER NOT NULL,
  case_id TEXT NOT NULL, queue TEXT NOT NULL, message_id TEXT NOT NULL, key TEXT NOT NULL, operation TEXT NOT NULL,
  error TEXT NOT NULL, receive_count INTEGER, enqueued_at INTEGER, died_at INTEGER, deadline INTEGER,
  verdict TEXT NOT NULL, reason TEXT NOT NULL, PRIMARY KEY(run, seq)) STRICT;
CREATE INDEX dead_letters_by_key ON dead_letters(key);

CREATE TABLE decisions(id INTEGER PRIMARY KEY, case_id TEXT NOT NULL, at INTEGER NOT NULL, who TEXT NOT NULL,
  state TEXT NOT NULL, assignee TEXT NOT NULL, note TEXT NOT NULL, records_digest TEXT NOT NULL,
  previous TEXT NOT NULL, digest TEXT NOT NULL UNIQUE) STRICT;
CREATE INDEX decisions_by_case ON decisions(case_id);

CREATE TABLE segments(segment INTEGER PRIMARY KEY, kind TEXT NOT NULL, run INTEGER NOT NULL,
  entries INTEGER NOT NULL, committed INTEGER NOT NULL) STRICT;
CREATE INDEX segments_by_run ON segments(run, kind);
CREATE TABLE record_blocks(segment INTEGER NOT NULL, block INTEGER NOT NULL, first_hash INTEGER NOT NULL,
  last_hash INTEGER NOT NULL, rows INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY(segment, block)) STRICT;
CREATE INDEX record_blocks_by_hash ON record_blocks(segment, last_hash, first_hash);
CREATE TABLE id_pages(segment INTEGER NOT NULL, space INTEGER NOT NULL, page INTEGER NOT NULL,
  last_hash INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY(segment, space, page)) STRICT;
CREATE INDEX id_pages_by_hash ON id_pages(segment, space, last_hash);
CREATE TABLE history_pages(segment INTEGER NOT NULL, page INTEGER NOT NULL, last_hash INTEGER NOT NULL,
  data BLOB NOT NULL, PRIMARY KEY(segment, page)) STRICT;
CREATE INDEX history_pages_by_hash ON history_pages(segment, last_hash);

INSERT INTO classes(class, position, kind) VALUES
 ('matched_manual',0,'closed'),('dismissed',1,'closed'),('duplicate_effect',2,'break'),
 ('duplicate_reversed',3,'closed'),('duplicate_booking',4,'break'),('split_mismatch',5,'break'),
 ('suppressed_work',6,'break'),('lost_after_claim',7,'break'),('effect_despite_failure',8,'break'),
 ('unacknowledged_effect',9,'break'),('false_success',10,'break'),('unexplained_reversal',11,'break'),
 ('missing_effect',12,'break'),('unrecorded_effect',13,'break'),('unpublished_intent',14,'break'),
 ('stalled_attempt',15,'break'),('stale_pending',16,'break'),('currency_mismatch',17,'break'),
 ('amount_mismatch',18,'break'),('field_mismatch',19,'break'),('probable_duplicate',20,'break'),
 ('in_flight',21,'open'),('expected',22,'open'),('out_of_window',23,'open'),('unfulfilled',24,'open'),
 ('matched_tolerance',25,'closed'),('matched_compensated',26,'closed'),('matched_failure',27,'closed'),
 ('matched',28,'closed');
)sql";

// Ids of all kinds lie in one space of pages (joined_ids): one look instead of five.
// A file that an earlier run has stored under the same configuration is stored once: the later run's records
// of it are those of the earlier one's file.
constexpr const char* kSecondSchema = R"sql(
CREATE TABLE borrowed_files(run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, file INTEGER NOT NULL,
  source INTEGER NOT NULL, from_run INTEGER NOT NULL REFERENCES runs, from_file INTEGER NOT NULL,
  records INTEGER NOT NULL, PRIMARY KEY(run, file)) STRICT, WITHOUT ROWID;
CREATE INDEX borrowed_from ON borrowed_files(from_run);
CREATE INDEX files_by_digest ON files(digest);
CREATE INDEX case_aliases_by_case ON case_aliases(case_id);
ALTER TABLE segments ADD COLUMN joined_ids INTEGER NOT NULL DEFAULT 0;
)sql";

// Queues have kinds, parts and a history.
constexpr const char* kThirdSchema = R"sql(
ALTER TABLE queues ADD COLUMN kind TEXT NOT NULL DEFAULT '';
ALTER TABLE queues ADD COLUMN samples INTEGER NOT NULL DEFAULT 0;
ALTER TABLE queues ADD COLUMN first_depth INTEGER;
ALTER TABLE queues ADD COLUMN first_at INTEGER;
UPDATE queues SET kind = 'dead' WHERE dead_letter = 1;
ALTER TABLE queue_depths ADD COLUMN kind TEXT NOT NULL DEFAULT '';
ALTER TABLE queue_depths ADD COLUMN source INTEGER NOT NULL DEFAULT 0;
ALTER TABLE queue_depths ADD COLUMN part TEXT NOT NULL DEFAULT '';
ALTER TABLE queue_depths ADD COLUMN dead_letter_queue TEXT NOT NULL DEFAULT '';
ALTER TABLE queue_depths ADD COLUMN log_offset INTEGER;
UPDATE queue_depths SET kind = 'dead' WHERE dead_letter = 1;
)sql";

// What a night was judged with beside its own records. A judgement that later nights repeat word for word stands once
// (units.until_run is the last of them). How late the other side came when a case was cleared.
constexpr const char* kHistorySchema = R"sql(
CREATE TABLE carried(run INTEGER PRIMARY KEY REFERENCES runs ON DELETE CASCADE, first_file INTEGER NOT NULL,
  units BLOB NOT NULL, rows BLOB NOT NULL) STRICT;
CREATE TABLE carried_files(run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, file INTEGER NOT NULL,
  source INTEGER NOT NULL, from_run INTEGER NOT NULL, from_file INTEGER NOT NULL, PRIMARY KEY(run, file))
  STRICT, WITHOUT ROWID;
ALTER TABLE units ADD COLUMN until_run INTEGER NOT NULL DEFAULT 0;
UPDATE units SET until_run = run;
CREATE INDEX units_lasting ON units(until_run) WHERE until_run > run;
ALTER TABLE cases ADD COLUMN cleared_late INTEGER;
)sql";

// Decisions of people: what each changed, why, and together with which others; what is undone stays. A row of units
// holds what the rules say; `decided` is the class that stood for it in its run. Rules that hide kinds of cases.
constexpr const char* kReviewSchema = R"sql(
ALTER TABLE decisions ADD COLUMN action TEXT NOT NULL DEFAULT 'review';
ALTER TABLE decisions ADD COLUMN sets INTEGER NOT NULL DEFAULT 0;
ALTER TABLE decisions ADD COLUMN reason TEXT NOT NULL DEFAULT '';
ALTER TABLE decisions ADD COLUMN judged TEXT NOT NULL DEFAULT '';
ALTER TABLE decisions ADD COLUMN bulk INTEGER;
ALTER TABLE decisions ADD COLUMN undoes INTEGER;
ALTER TABLE decisions ADD COLUMN rule INTEGER;
CREATE UNIQUE INDEX decisions_undone ON decisions(undoes) WHERE undoes IS NOT NULL;
CREATE INDEX decisions_by_bulk ON decisions(bulk) WHERE bulk IS NOT NULL;
CREATE TABLE ignore_rules(rule INTEGER PRIMARY KEY, classes TEXT NOT NULL, operation TEXT NOT NULL, key TEXT NOT NULL,
  scope TEXT NOT NULL, any_scope INTEGER NOT NULL, queue TEXT NOT NULL, most TEXT NOT NULL, until INTEGER, reason TEXT NOT NULL,
  removed INTEGER NOT NULL DEFAULT 0) STRICT;
ALTER TABLE cases ADD COLUMN ignored_by INTEGER;
CREATE INDEX cases_ignored ON cases(ignored_by) WHERE ignored_by IS NOT NULL;
ALTER TABLE units ADD COLUMN decided TEXT NOT NULL DEFAULT '';
UPDATE units SET decided = class WHERE class IN ('dismissed', 'matched_manual');
)sql";

// What was handed out to be acted on, what retention must keep, what is closed, what was taken out. Entries of
// people carry no run: they outlive it. A stripped run is kept only because others need its records or units;
// runs that it needed itself may be gone.
constexpr const char* kUpkeepSchema = R"sql(
CREATE TABLE remedies(remedy INTEGER PRIMARY KEY, kind TEXT NOT NULL, at INTEGER NOT NULL, who TEXT NOT NULL,
  digest TEXT NOT NULL, lines INTEGER NOT NULL) STRICT;
CREATE TABLE remedy_cases(remedy INTEGER NOT NULL REFERENCES remedies ON DELETE CASCADE, case_id TEXT NOT NULL,
  item TEXT NOT NULL, PRIMARY KEY(remedy, case_id, item)) STRICT, WITHOUT ROWID;
CREATE INDEX remedy_cases_by_case ON remedy_cases(case_id);
CREATE TABLE holds(kind TEXT NOT NULL, target TEXT NOT NULL, at INTEGER NOT NULL, who TEXT NOT NULL,
  reason TEXT NOT NULL, PRIMARY KEY(kind, target)) STRICT, WITHOUT ROWID;
CREATE TABLE closed_periods(through INTEGER PRIMARY KEY, at INTEGER NOT NULL, who TEXT NOT NULL,
  note TEXT NOT NULL) STRICT;
CREATE TABLE restatements(run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, case_id TEXT NOT NULL,
  through INTEGER NOT NULL, class_before TEXT NOT NULL, exposure_before TEXT NOT NULL, class_now TEXT NOT NULL,
  exposure_now TEXT NOT NULL, PRIMARY KEY(run, case_id)) STRICT, WITHOUT ROWID;
CREATE INDEX restatements_by_case ON restatements(case_id);
ALTER TABLE runs ADD COLUMN stripped INTEGER NOT NULL DEFAULT 0;
CREATE TABLE removals(removal INTEGER PRIMARY KEY, kind TEXT NOT NULL, at INTEGER NOT NULL, who TEXT NOT NULL,
  what TEXT NOT NULL, counts TEXT NOT NULL) STRICT;
)sql";

constexpr std::array kMigrations = {Migration{1, kFirstSchema},   Migration{2, kSecondSchema}, Migration{3, kThirdSchema},
                                    Migration{4, kHistorySchema}, Migration{5, kReviewSchema}, Migration{6, kUpkeepSchema}};

/// Nothing of ours runs code from the file: a trigger or view was put there by somebody else.
Result<> refuseForeignObjects(Database& database) {
  const auto count = database.integer("SELECT count(*) FROM sqlite_schema WHERE type IN ('trigger', 'view')");
  if (!count) return fail(count.error());
  if (count->value_or(0) == 0) return {};
  return fail(ErrorCode::StoreBroken, "the file holds triggers or views, which no store has; do not use it");
}

}  // namespace

std::span<const Migration> storeMigrations() {
  return kMigrations;
}

Result<SchemaState> inspectSchema(Database& database, std::span<const Migration> migrations) {
  const auto application = database.integer("PRAGMA application_id");
  if (!application) return fail(application.error());
  const auto version = database.integer("PRAGMA user_version");
  if (!version) return fail(version.error());
  const auto objects = database.integer("SELECT count(*) FROM sqlite_schema");
  if (!objects) return fail(objects.error());
  if (application->value_or(0) == 0 && version->value_or(0) == 0 && objects->value_or(0) == 0) {
    return SchemaState::Empty;
  }
  if (application->value_or(0) != kApplicationId) {
    return fail(ErrorCode::StoreBroken, "a SQLite file, but not a store of Counterfoil; it is left as it is");
  }
  const int newest = migrations.back().to;
  if (version->value_or(0) > newest) {
    return fail(ErrorCode::StoreTooNew,
                fmt::format("written by a later version of Counterfoil (store version {}, this program reads up to "
                            "{}); update the program", version->value_or(0), newest));
  }
  if (auto ok = refuseForeignObjects(database); !ok) return fail(ok.error());
  return version->value_or(0) == newest ? SchemaState::Current : SchemaState::Older;
}

Result<> migrate(Database& database, std::span<const Migration> migrations) {
  for (const Migration& migration : migrations) {
    auto transaction = Transaction::begin(database, Transaction::Kind::Write);
    if (!transaction) return fail(transaction.error());
    const auto version = database.integer("PRAGMA user_version");  // inside: another process may have been faster
    if (!version) return fail(version.error());
    if (version->value_or(0) >= migration.to) continue;
    if (auto ok = database.execute(migration.sql); !ok) return fail(ok.error().within("migration"));
    failpoint("migration");
    const std::string marks = fmt::format("PRAGMA application_id={}; PRAGMA user_version={}", kApplicationId, migration.to);
    if (auto ok = database.execute(marks); !ok) return ok;
    if (auto ok = transaction->commit(); !ok) return ok;
  }
  return {};
}

}  // namespace counterfoil
