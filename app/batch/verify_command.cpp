// SPDX-License-Identifier: GPL-3.0-or-later
// verify: the test of a kill-and-redeliver run in staging. Writes no store.
#include <fmt/format.h>

#include "app/batch/commands.h"
#include "app/batch/config_argument.h"
#include "app/batch/exit_codes.h"
#include "app/batch/print_to.h"
#include "app/batch/progress.h"
#include "app/batch/read_files.h"
#include "app/expect_once.h"
#include "app/machine.h"
#include "app/run_night.h"
#include "core/base/text.h"
#include "reports/json/json_writer.h"
#include "reports/junit/junit_writer.h"
#include "reports/text/text_style.h"

namespace counterfoil {

namespace {

constexpr std::size_t kFlushBytes = 1u << 16;

/// A run, its checks and their counts, to be printed.
struct Verified {
  const Config& config;
  const OnceChecks& checks;
  OnceCounts counts;
  std::vector<std::string> doubts;

  [[nodiscard]] int exitCode() const {
    if (!doubts.empty() || counts.pending > 0 || counts.total() == 0) return kExitIncomplete;
    return counts.failed > 0 ? kExitBreaks : kExitReconciled;
  }
};

Result<> flushIfFull(std::string& out, Sink& sink) {
  if (out.size() < kFlushBytes) return {};
  auto ok = sink.write(out);
  out.clear();
  return ok;
}

Result<> printText(const Verified& verified, Sink& sink, const TextStyle& style) {
  std::string out;
  const auto walked = verified.checks.forEach([&](const OnceCheck& check) -> Result<> {
    if (check.verdict == OnceVerdict::Pass) return {};
    const bool failed = check.verdict == OnceVerdict::Fail;
    out += fmt::format("{} {}  {}{}\n", paint(failed ? "FAIL   " : "PENDING", failed ? Ink::Red : Ink::Yellow, style),
                       forTerminal(check.key), check.unitClass.empty() ? "" : check.unitClass + "  ",
                       check.caseId.empty() ? "" : "case " + check.caseId);
    for (const std::string& line : wrapped("    " + forTerminal(check.reason), style.width)) out += line + "\n";
    return flushIfFull(out, sink);
  });
  if (!walked) return walked;
  const OnceCounts& counts = verified.counts;
  out += fmt::format("{}: {} checked, {} with exactly the expected effects, {} not, {} not to be judged yet\n",
                     verified.exitCode() == kExitReconciled ? paint("passed", Ink::Green, style) : paint("not passed", Ink::Red, style),
                     counts.total(), counts.passed, counts.failed, counts.pending);
  if (counts.total() == 0) out += "nothing was checked: no record has a key of the jobs\n";
  return sink.write(out);
}

Result<> printJUnit(const Verified& verified, Sink& sink) {
  std::string out;
  JUnitWriter writer(out);
  const std::uint64_t doubts = verified.doubts.size() + (verified.counts.total() == 0 ? 1 : 0);
  writer.begin(verified.config.name, {verified.counts.total() + doubts, verified.counts.failed, verified.counts.pending + doubts});
  const auto walked = verified.checks.forEach([&](const OnceCheck& check) -> Result<> {
    const std::string message = check.caseId.empty() ? check.reason : fmt::format("{} (case {})", check.reason, check.caseId);
    if (check.verdict == OnceVerdict::Pass) writer.passed(check.operation, check.key);
    if (check.verdict == OnceVerdict::Fail) writer.failed(check.operation, check.key, check.unitClass, message);
    if (check.verdict == OnceVerdict::Pending) writer.error(check.operation, check.key, check.unitClass, message);
    return flushIfFull(out, sink);
  });
  if (!walked) return walked;
  for (const std::string& doubt : verified.doubts) writer.error("run", "complete", "incomplete", doubt);
  if (verified.counts.total() == 0) writer.error("run", "keys", "empty", "nothing was checked");
  writer.end();
  return sink.write(out);
}

Result<> printJson(const Verified& verified, Sink& sink) {
  std::string out;
  JsonWriter json(out, 2);
  json.beginObject();
  json.key("passed");
  json.boolean(verified.exitCode() == kExitReconciled);
  json.integer("checked", static_cast<std::int64_t>(verified.counts.total()));
  json.integer("as_expected", static_cast<std::int64_t>(verified.counts.passed));
  json.integer("failed", static_cast<std::int64_t>(verified.counts.failed));
  json.integer("pending", static_cast<std::int64_t>(verified.counts.pending));
  json.list("incomplete_because", verified.doubts);
  json.key("not_passed");
  json.beginArray();
  const auto walked = verified.checks.forEach([&](const OnceCheck& check) -> Result<> {
    if (check.verdict == OnceVerdict::Pass) return {};
    json.beginObject();
    json.text("key", check.key);
    json.text("verdict", codeOf(check.verdict));
    json.text("operation", check.operation);
    json.text("class", check.unitClass);
    json.text("case", check.caseId);
    json.text("reason", check.reason);
    json.endObject();
    return flushIfFull(out, sink);
  });
  if (!walked) return walked;
  json.endArray();
  json.endObject();
  return sink.write(out + "\n");
}

class VerifyCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    using Count = OptionSpec::Count;
    static const CommandSpec spec = {
        "verify",
        "pass or fail for a test that kills workers: has every key exactly its expected effects?",
        {{"counterfoil verify staging.json --expect-once", "every key of the jobs; exit 0 only if all have"},
         {"counterfoil verify staging.json --expect-once --keys sent.txt --format junit --output once.xml",
          "the keys that the test sent, for the build server"}},
        {{"CONFIG", "the configuration file; its store is not touched", PositionalSpec::Count::One}},
        {{"--expect-once", "", "what is verified: one effect a key, as its operation expects", Count::Flag},
         {"--keys", "FILE", "these keys, one a line; one that no record carries fails. Default: every key of the jobs, and "
                            "effects that no job made"},
         {"--as-of", "TIME", "judge as of this instant; default: the configuration's, else now"},
         {"--format", "FORMAT", "text for people, junit for build servers, json for programs", Count::One, {"text", "junit", "json"}},
         {"--output", "FILE", "write the result there, whole or not at all"},
         {"--threads", "N", "threads to use; default: all processors"}},
        "Exit 0: all pass. 1: a key has not exactly its effects. 3: not everything could be judged (a file is missing, rows "
        "cannot be read, or it is too early); such a test is to be repeated, not believed."};
    return spec;
  }

  Result<int> run(const Arguments& arguments, Session& session) const override {
    if (!arguments.has("--expect-once")) return fail(ErrorCode::Usage, "verify needs --expect-once: it is what is verified");
    std::vector<std::string> wanted;
    if (const auto path = arguments.value("--keys")) {
      auto keys = readKeys(*path);
      if (!keys) return fail(keys.error());
      wanted = std::move(*keys);
    }
    std::optional<Instant> asOf;
    if (const auto text = arguments.value("--as-of")) {
      const auto at = parseInstant(*text);
      if (!at) return fail(ErrorCode::Usage, "--as-of: " + at.error().message);
      asOf = *at;
    }
    const auto config = loadNamedConfig(arguments.valueOr("CONFIG", ""), asOf, asOfNow(session.console));
    if (!config) return fail(config.error());
    tellLeftOut(*config, session.log);
    const auto night = runOnce(*config, arguments, session);
    if (!night) return fail(night.error());
    const OnceChecks checks(night->outcome, config->policy, std::move(wanted));
    const auto counts = checks.count();
    if (!counts) return fail(counts.error());
    const Verified verified{*config, checks, *counts, doubtsOf(night->outcome)};
    for (const std::string& doubt : verified.doubts) session.log.error("incomplete: " + doubt);
    if (auto ok = print(verified, arguments, session); !ok) return fail(ok.error());
    return verified.exitCode();
  }

 private:
  static Result<NightRun> runOnce(const Config& config, const Arguments& arguments, Session& session) {
    NightOptions options;
    options.detail = Detail::All;
    options.memoryBytes = defaultMemoryBytes();
    options.threads = defaultThreadCount();
    options.wantDigests = false;
    options.cancel = &session.console.interrupt.token;
    if (const auto text = arguments.value("--threads")) {
      if (text->empty() || text->size() > 3 || text->find_first_not_of("0123456789") != std::string::npos || *text == "0") {
        return fail(ErrorCode::Usage, fmt::format("--threads takes a number from 1, not '{}'", forTerminal(*text)));
      }
      options.threads = static_cast<unsigned>(std::stoul(*text));
    }
    const bool show = session.console.errIsTerminal && !session.quiet;
    Progress progress(session.console, show ? Progress::Show::Yes : Progress::Show::No);
    options.progress = [&progress](std::string_view stage, std::uint64_t done, std::uint64_t total) {
      progress.update(stage, done, total);
    };
    auto night = runNight(config, options);
    progress.clear();
    return night;
  }

  static Result<> print(const Verified& verified, const Arguments& arguments, Session& session) {
    const std::string format = arguments.valueOr("--format", "text");
    return printTo(arguments.valueOr("--output", ""), session, [&](Sink& sink, const TextStyle& style) -> Result<> {
      if (format == "junit") return printJUnit(verified, sink);
      if (format == "json") return printJson(verified, sink);
      return printText(verified, sink, style);
    });
  }
};

}  // namespace

std::unique_ptr<const Command> makeVerifyCommand() { return std::make_unique<VerifyCommand>(); }

}  // namespace counterfoil
