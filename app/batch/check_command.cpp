// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "app/batch/commands.h"
#include "app/batch/config_argument.h"
#include "app/batch/exit_codes.h"
#include "app/batch/print_to.h"
#include "app/batch/read_files.h"
#include "app/report_files.h"
#include "core/base/text.h"
#include "importers/input/path_expansion.h"
#include "reports/text/run_words.h"
#include "reports/text/text_table.h"

namespace counterfoil {

namespace {

struct Checked {
  std::string what;     ///< "source jobs", "secret", "store"
  std::string subject;  ///< path, place
  std::string state;    ///< what was found, or what is wrong
  int exitCode = kExitReconciled;
};

/// True if a file could be made in the folder of `path`.
bool folderIsWritable(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return ::access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) == 0;
}

/// The same of a report, whose folders are made: the nearest one that is there counts.
bool reportCanBeWritten(const std::string& path) {
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  while (!folder.empty() && folder != folder.parent_path() && !std::filesystem::exists(folder, error)) folder = folder.parent_path();
  return ::access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) == 0;
}

class Checks {
 public:
  Checks(const Config& config, Session& session) : m_config(config), m_session(session) {}

  Result<std::vector<Checked>> run() {
    if (Result<> read = checkSources(); !read) return fail(read.error());
    checkStore();
    for (const ReportSpec& report : m_config.reports) checkReport(report);
    checkSecrets();
    return std::move(m_checked);
  }

 private:
  void add(std::string what, std::string subject, std::string state,
           int exitCode = kExitReconciled) {
    m_checked.push_back({std::move(what), std::move(subject), std::move(state), exitCode});
  }

  Result<> checkSources() {
    for (const SourceSpec& source : m_config.sources) {
      const auto paths = expandPath(source.path, "", source.zone);
      if (!paths) {
        const bool wrongConfig = paths.error().code == ErrorCode::Config;
        add("source " + source.name, source.path, paths.error().message,
            wrongConfig ? kExitUsage : kExitIncomplete);
        continue;
      }
      tellLeftOut(*paths, m_session.log);
      std::vector<SourceSpec> files;
      for (const ExpandedPath& path : *paths) {
        files.push_back(source);
        files.back().path = path.path;
      }
      const auto looks = lookAt(files, m_session, 1);
      if (!looks) return fail(looks.error());
      for (const FileLook& look : *looks) checkFile(source.name, look);
    }
    return {};
  }

  void checkFile(const std::string& source, const FileLook& look) {
    if (!look.report) {
      const ErrorCode code = look.error.code;
      const bool wrongConfig = code == ErrorCode::Ambiguous || code == ErrorCode::Config;
      add("source " + source, look.path, look.error.message,
          wrongConfig ? kExitUsage : kExitIncomplete);
      return;
    }
    const FileReport& report = look.report->file;
    std::string state =
        fmt::format("{}, {}", look.report->format, counted(report.rows, "row", "rows"));
    if (report.from && report.to) state += ", " + spanWords(*report.from, *report.to);
    int code = kExitReconciled;
    if (report.quarantined > m_config.run.maxQuarantined) {
      state += fmt::format("; {} cannot be read", counted(report.quarantined, "row", "rows"));
      if (!look.report->quarantined.empty()) {
        const QuarantinedRow& row = look.report->quarantined.front();
        state += fmt::format(" (line {}: {})", row.line, row.reason);
      }
      code = kExitIncomplete;
    }
    if (!report.complete) {
      state += "; " + report.problem;
      code = kExitIncomplete;
    }
    add("source " + source, look.path, std::move(state), code);
  }

  void checkStore() {
    if (m_config.storePath == ":memory:") {
      add("store", ":memory:", "nothing is kept");
      return;
    }
    std::error_code error;
    if (!std::filesystem::exists(m_config.storePath, error)) {
      checkFolder("store", m_config.storePath);
      return;
    }
    const bool writable = ::access(m_config.storePath.c_str(), R_OK | W_OK) == 0 &&
                          folderIsWritable(m_config.storePath);
    add("store", m_config.storePath, writable ? "is there and can be written" : "cannot be written",
        writable ? kExitReconciled : kExitUsage);
  }

  void checkFolder(const std::string& what, const std::string& path) {
    const bool writable = folderIsWritable(path);
    add(what, path, writable ? "can be written" : "its folder is not there or cannot be written",
        writable ? kExitReconciled : kExitUsage);
  }

  void checkReport(const ReportSpec& report) {
    const bool known = reportFormatOf(report.format) != nullptr, writable = known && reportCanBeWritten(report.path);
    add("report " + report.format, report.path,
        writable ? "can be written" : known ? "its folder cannot be made or written" : "this program cannot write the format",
        writable ? kExitReconciled : kExitUsage);
  }

  void checkSecret(const std::string& what, const std::optional<Secret>& secret) {
    if (!secret) return;
    const auto text = readSecret(*secret);
    add(what, secret->name, text ? "can be read" : text.error().message,
        text ? kExitReconciled : kExitUsage);
  }

  void checkSecrets() {
    for (const AlertSpec& alert : m_config.alerts) {
      checkSecret("webhook of an alert", alert.webhook);
      checkSecret("slack of an alert", alert.slack);
      if (alert.mail) checkSecret("mail password", alert.mail->password);
    }
    checkSecret("ping at the start", m_config.pings.start);
    checkSecret("ping of success", m_config.pings.success);
    checkSecret("ping of failure", m_config.pings.failure);
  }

  const Config& m_config;
  Session& m_session;
  std::vector<Checked> m_checked;
};

class CheckCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    static const CommandSpec spec = {
        "check",
        "validates a configuration, its files and its secrets; changes nothing",
        {{"counterfoil check counterfoil.json",
          "what it would read and what it takes each file to be"}},
        {{"CONFIG", "configuration file"}},
        {},
        "Ends with 0, with 2 if the configuration is wrong, with 3 if a file is missing or cannot "
        "be read whole."};
    return spec;
  }

  Result<int> run(const Arguments& arguments, Session& session) const override {
    const auto config =
        loadNamedConfig(arguments.valueOr("CONFIG", ""), std::nullopt, asOfNow(session.console));
    if (!config) return fail(config.error());
    const auto checked = Checks(*config, session).run();
    if (!checked) return fail(checked.error());
    if (Result<> written = session.console.out.write(tableOf(*checked, session.outStyle));
        !written) {
      return fail(written.error());
    }
    // A wrong configuration weighs more than a file that is not there yet.
    for (const int code : {kExitUsage, kExitIncomplete}) {
      const auto wrong =
          std::find_if(checked->begin(), checked->end(),
                       [code](const Checked& check) { return check.exitCode == code; });
      if (wrong == checked->end()) continue;
      session.log.error(fmt::format("counterfoil: {}: {}", wrong->what, wrong->state));
      return code;
    }
    return kExitReconciled;
  }

 private:
  static std::string tableOf(const std::vector<Checked>& checked, const TextStyle& style) {
    TextTable table({{"", TextColumn::Align::Left, TextColumn::Fit::Whole},
                     {"", TextColumn::Align::Left, TextColumn::Fit::Whole, 0, Ink::Bold},
                     {"", TextColumn::Align::Left, TextColumn::Fit::Middle, 16, Ink::Blue},
                     {"", TextColumn::Align::Left, TextColumn::Fit::Wrap}});
    for (const Checked& check : checked) {
      const bool good = check.exitCode == kExitReconciled;
      table.add({{good ? "ok" : "wrong", good ? Ink::Green : Ink::Red},
                 {forTerminal(check.what)},
                 {forTerminal(check.subject)},
                 {forTerminal(check.state)}});
    }
    std::string out;
    table.print(style, false, out);
    return out;
  }
};

}  // namespace

std::unique_ptr<const Command> makeCheckCommand() {
  return std::make_unique<CheckCommand>();
}

}  // namespace counterfoil
