// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/run_night.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <set>

#include "app/machine.h"
#include "app/open_input.h"
#include "app/spill_files.h"

namespace counterfoil {

namespace {

class ConfigOfFiles {
 public:
  explicit ConfigOfFiles(Instant asOf) {
    m_config.asOf = asOf;
    m_config.run.asOf = asOf;
  }

  void add(const std::vector<std::string>& paths, const std::set<RecordKind>& kinds,
           std::string_view provider = {}) {
    for (const std::string& path : paths) {
      SourceSpec source;
      source.name = nameFor(path);
      source.path = path;
      source.provider = provider;
      source.zone = m_config.zone;
      source.expectedKinds = kinds;
      m_config.policy.sources.push_back({source.name, source.provider, false, kinds});
      m_config.sources.push_back(std::move(source));
    }
  }

  Config take() { return std::move(m_config); }

 private:
  std::string nameFor(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    const std::string file = path.substr(slash == std::string::npos ? 0 : slash + 1);
    const int count = ++m_taken[file];
    return count == 1 ? file : fmt::format("{} ({})", file, count);
  }

  Config m_config;
  std::map<std::string, int> m_taken;
};

}  // namespace

std::string spillFolderOf(const Config& config) {
  if (config.storePath == ":memory:") return {};
  const std::string folder = std::filesystem::path(config.storePath).parent_path().string();
  const char* path = folder.empty() ? "." : folder.c_str();
  return ::access(path, W_OK | X_OK) == 0 ? path : std::string();
}

bool AdHocFiles::isEmpty() const {
  return local.empty() && provider.empty() && skips.empty() && claims.empty() && intents.empty() &&
         outbox.empty() && deadLetters.empty() && queueDepths.empty();
}

Config configOfFiles(const AdHocFiles& files, Instant asOf) {
  using Kind = RecordKind;
  ConfigOfFiles config(asOf);
  config.add(files.local, {Kind::Attempt});
  config.add(files.skips, {Kind::Skip});
  config.add(files.claims, {Kind::Claim, Kind::ProcessedEvent});
  config.add(files.intents, {Kind::Intent});
  config.add(files.outbox, {Kind::Outbox});
  config.add(files.deadLetters, {Kind::DeadLetter});
  config.add(files.queueDepths, {Kind::QueueDepth});
  config.add(files.provider, {Kind::Effect}, "provider");
  return config.take();
}

Result<NightRun> runNight(const Config& config, const NightOptions& options) {
  NightRun night;
  auto input = openInput(config, options.memoryBytes);
  if (!input) return fail(input.error());
  night.input = std::move(*input);
  night.spill = std::make_unique<SpillFiles>(spillFolderOf(config));
  RunOptions run = config.run;
  run.detail = options.detail;
  run.memoryBytes = engineMemoryBytes(options.memoryBytes);
  run.wantDigests = options.wantDigests;
  run.cancel = options.cancel;
  run.progress = options.progress;
  Executor executor(options.threads);
  auto outcome = runEngine(*night.input, config.policy, run, executor, *night.spill);
  if (!outcome) return fail(outcome.error());
  night.outcome = std::move(*outcome);
  return night;
}

}  // namespace counterfoil
