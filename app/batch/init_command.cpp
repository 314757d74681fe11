// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "app/batch/commands.h"
#include "app/batch/exit_codes.h"
#include "app/batch/print_to.h"
#include "app/batch/read_files.h"
#include "app/first_config.h"
#include "app/output_file.h"
#include "app/run_night.h"

namespace counterfoil {

namespace {

constexpr std::size_t kRecordsLookedAt =
    2000;  ///< of each file, for keys and the names of tasks and queues
constexpr std::size_t kMostNames = 12;

template <class Pick>
std::vector<std::string> namesIn(const InspectReport& report, const Pick& pick) {
  std::set<std::string> names;
  for (const auto& [line, record] : report.records) {
    const RecordHead* head = headOf(record);
    if (head != nullptr && !pick(*head).empty() && names.size() < kMostNames)
      names.insert(pick(*head));
  }
  return {names.begin(), names.end()};
}

FirstSource sourceOf(const FileLook& look) {
  FirstSource source;
  source.path = look.path;
  source.table = look.table;
  source.openTables = look.openTables;
  if (!look.report) {
    source.problem = look.error.message;
    source.several = look.error.code == ErrorCode::Ambiguous;
    return source;
  }
  const InspectReport& report = *look.report;
  source.format = report.format;
  source.rows = report.file.rows;
  source.from = report.file.from;
  source.to = report.file.to;
  for (const auto& [line, record] : report.records) {
    source.kinds.insert(kindOf(record));
    const RecordHead* head = headOf(record);
    if (head == nullptr) continue;
    ++source.records;
    if (!head->key.empty() || !head->opRef.empty()) ++source.withKey;
  }
  source.tasks =
      namesIn(report, [](const RecordHead& head) -> const std::string& { return head.task; });
  source.queues =
      namesIn(report, [](const RecordHead& head) -> const std::string& { return head.queue; });
  return source;
}

std::string workspaceName(const std::string& output) {
  const std::string stem = std::filesystem::path(output).stem().string();
  return stem.empty() ? "counterfoil" : stem;
}

/// Paths of a configuration are relative to its file.
std::vector<FirstSource> relativeTo(std::vector<FirstSource> sources, const std::string& output) {
  if (!isFileOutput(output)) return sources;
  std::error_code error;
  const auto folder = std::filesystem::absolute(output, error).parent_path();
  if (error) return sources;
  for (FirstSource& source : sources) {
    if (std::filesystem::path(source.path).is_absolute()) continue;
    const auto path = std::filesystem::absolute(source.path, error);
    if (!error)
      source.path = path.lexically_normal().lexically_relative(folder.lexically_normal()).string();
  }
  return sources;
}

/// Notes that people and exports leave beside the data.
bool isNote(const std::filesystem::path& path) {
  static const std::set<std::string> kNotes = {".md", ".html", ".pdf", ".png", ".sh", ".counterfoil"};
  const std::string name = path.filename().string();
  return name.front() == '.' || name.rfind("counterfoil.json", 0) == 0 || kNotes.count(path.extension().string()) > 0;
}

/// For a folder the files in it, in order of their names; those of folders inside it are not looked for.
std::vector<std::string> withoutFolders(const std::vector<std::string>& paths) {
  constexpr std::size_t kMostFiles = 1000;
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!std::filesystem::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    std::set<std::string> inside;
    std::filesystem::directory_iterator entry(path, error);
    for (; !error && entry != std::filesystem::directory_iterator() && inside.size() < kMostFiles;
         entry.increment(error)) {
      if (entry->is_regular_file(error) && !isNote(entry->path())) inside.insert(entry->path().string());
    }
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return files;
}

class InitCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    static const CommandSpec spec = {
        "init",
        "writes a first configuration from your files, and asks in comments what only you can know",
        {{"counterfoil init jobs.csv statement.csv --output counterfoil.json",
          "then: counterfoil match --config counterfoil.json"}},
        {{"FILE", "files of both sides, or folders of them; formats are found by looking",
          PositionalSpec::Count::Many}},
        {{"--output", "FILE",
          "write it there; default: standard output. A file that is there already stays as it "
          "is"}}};
    return spec;
  }

  Result<int> run(const Arguments& arguments, Session& session) const override {
    const auto specs = specsOf(withoutFolders(arguments.values("FILE")), "", session.log);
    if (!specs) return fail(specs.error());
    const auto looks = lookAt(*specs, session, kRecordsLookedAt);
    if (!looks) return fail(looks.error());
    std::vector<FirstSource> sources;
    for (const FileLook& look : *looks) {
      if (!look.report && look.error.code == ErrorCode::Missing) return fail(look.error);
      sources.push_back(sourceOf(look));
    }
    const bool nothingKnown =
        std::all_of(sources.begin(), sources.end(),
                    [](const FirstSource& source) { return !source.problem.empty(); });
    if (nothingKnown) {
      return fail(ErrorCode::Format,
                  fmt::format("no configuration written, no file is of a known format: {}",
                              sources.front().problem));
    }
    const std::string output = arguments.valueOr("--output", "");
    const bool toFile = isFileOutput(output);
    const std::string text =
        firstConfig(workspaceName(toFile ? output : ""), relativeTo(sources, output));
    const Result<> written = toFile ? writeNewFile(output, text) : session.console.out.write(text);
    if (!written) return fail(written.error());
    return report(sources, output, session);
  }

 private:
  static int report(const std::vector<FirstSource>& sources, const std::string& output,
                    Session& session) {
    bool whole = true;
    for (const FirstSource& source : sources) {
      if (source.problem.empty()) {
        session.log.info(fmt::format("{}: {}", source.path, source.format));
        continue;
      }
      whole = false;
      session.log.error("left out, see its comment in the configuration: " + source.problem);
    }
    if (isFileOutput(output))
      session.log.info(fmt::format("next: counterfoil match --config {}", output));
    return whole ? kExitReconciled : kExitIncomplete;
  }
};

}  // namespace

std::unique_ptr<const Command> makeInitCommand() {
  return std::make_unique<InitCommand>();
}

}  // namespace counterfoil
