// SPDX-License-Identifier: GPL-3.0-or-later
// The configuration file (contract.md §2): read, checked and turned into what the engine and the
// readers take. Every member is checked; an unknown one, a wrong word or a wrong type is an Error
// (Config) that begins "path:line:column:" and names the nearest known word. Nothing is opened but
// the file itself and the formats it names: whether sources are there is for the run and for
// `check` to find out.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/instant.h"
#include "core/base/result.h"
#include "core/policy/policy.h"
#include "core/run/run.h"
#include "importers/input/source_spec.h"
#include "importers/mapping/operation_matcher.h"

namespace counterfoil {

/// Where a secret is kept; the configuration never holds one itself.
struct Secret {
  enum class Kind : std::uint8_t { File, Credential, Env };
  Kind kind = Kind::File;
  std::string name;   ///< path (resolved), name of a systemd credential, or of a variable
  std::string where;  ///< "counterfoil.json:12:7", for messages
};

/// Reads a secret; the last line end is taken off. Error (Config): the file is readable by others
/// than its owner (mode 0600 is asked for), is not there, is larger than 64 KiB, or the variable is
/// not set.
[[nodiscard]] Result<std::string> readSecret(const Secret& secret);

struct ReportSpec {
  std::string format;  ///< html, pdf, xlsx, csv, json, ndjson, text, markdown, junit, metrics
  std::string path;    ///< resolved; may hold {date}, {run} and {name}
  Detail detail = Detail::BreaksAndOpen;
  std::string language = "en";
  std::string title;                  ///< blank: made from the kind of report
  bool unmask = false;                ///< shows personal data
  bool index = false;                 ///< keeps index.html and index.json of the folder's reports
  bool splitByCase = false;           ///< junit: a test a case instead of a class
  std::optional<Duration> period;     ///< the runs of so long before the as-of instead of the one run
};

struct MailSpec {
  std::string server;  ///< "smtps://mail.example.com:465"
  std::string from;
  std::vector<std::string> to;
  std::string user;
  std::optional<Secret> password;
};

struct AlertSpec {
  std::string name;
  std::string when = "new_breaks > 0";  ///< condition as written; the alerting side reads it
  std::optional<Secret> webhook;        ///< POST of the run object
  std::optional<Secret> slack;          ///< Slack-compatible message
  std::optional<MailSpec> mail;
  std::string where;
};

/// Dead man's switch: requests at the start, the end and on failure of a run.
struct PingSpec {
  std::optional<Secret> start, success, failure;
};

/// How long whole runs and the raw text of their units are kept; none: for ever.
struct RetentionSpec {
  std::optional<Duration> runs;
  std::optional<Duration> rawText;
};

struct Config {
  std::string path;  ///< of the file, as given; blank for one made in memory
  std::string name = "counterfoil";
  std::string storePath = ":memory:";  ///< resolved; ":memory:" for none
  std::string zone = "UTC";            ///< of timestamps without an offset and of relative times
  std::optional<Instant> asOf;         ///< as written in the file; `run.asOf` is the one that holds
  Policy policy;                       ///< `policy.sources` by SourceId, in the order of `sources`
  std::vector<SourceSpec> sources;
  std::shared_ptr<const OperationMatcher> operations;  ///< rules in the order of policy.operations
  /// What the file says of the run: asOf (override, else file, else `now`), maxQuarantined,
  /// acceptFindings, mayBeEmpty, declared, mustReach, declaredCoverage. The rest is at its default.
  RunOptions run;
  std::vector<ReportSpec> reports;
  std::vector<AlertSpec> alerts;
  PingSpec pings;
  RetentionSpec retention;
};

/// `asOfOverride` is --as-of. `now` stands in where neither it nor the file says. Relative times of
/// `covers` and `must_reach` ("-1d@00:00", "-2h") are resolved with the as-of in the
/// configuration's zone. Errors: Missing (no such file), Io, Config.
[[nodiscard]] Result<Config> loadConfig(const std::string& path,
                                        std::optional<Instant> asOfOverride, Instant now);

/// The same of a text; `path` stands in messages, relative paths are resolved against its folder.
[[nodiscard]] Result<Config> parseConfig(std::string_view text, const std::string& path,
                                         std::optional<Instant> asOfOverride, Instant now);

/// "-1d@00:00" (days from the as-of's own day, at a clock time), "-2h" (from the as-of itself), or
/// an instant in ISO 8601. A clock time that the zone skips is the instant the gap ends; one that
/// comes twice is the earlier.
[[nodiscard]] Result<Instant> resolveTime(std::string_view text, Instant asOf, const Zone& zone);

}  // namespace counterfoil
