// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/carried_input.h"

#include <algorithm>
#include <map>
#include <memory>

namespace counterfoil {

namespace {

constexpr std::size_t kBatch = 1024;

/// Tonight's operation by the number that an earlier run's configuration gave it.
using OperationNumbers = std::vector<std::optional<OperationId>>;

/// An operation is the same as long as it keeps its name.
OperationNumbers numbersOf(const Store& store, RunNumber run, const std::vector<std::string>& tonight) {
  OperationNumbers numbers;
  const auto stored = store.run(run);
  if (!stored) return numbers;
  const auto config = parseConfig(stored->config, "the configuration of run " + std::to_string(run), stored->identity.asOf,
                                  stored->identity.asOf);
  if (!config) return numbers;
  for (const Operation& operation : config->policy.operations) {
    const auto known = std::find(tonight.begin(), tonight.end(), operation.name);
    if (known == tonight.end()) {
      numbers.emplace_back();
    } else {
      numbers.emplace_back(OperationId{static_cast<std::int16_t>(known - tonight.begin())});
    }
  }
  return numbers;
}

}  // namespace

Result<> scanCarried(const CarriedRecords& carried, const Policy& policy, const KeyedHash& hash, ScanSink& sink,
                     const CancelToken* cancel) {
  SlimBatch batch;
  auto ok = carried.forEach([&](AnyRecord&& record, const RecordRef& ref) -> Result<> {
    SlimRecord slim = slimOf(record, hash, policy.jobSpaceOf(headOf(record)->place.source));
    slim.ref = ref;
    batch.push_back(slim);
    if (batch.size() < kBatch) return {};
    if (cancel != nullptr && cancel->isCancelled()) return fail(ErrorCode::Cancelled, "stopped");
    auto taken = sink.accept(batch, 0);
    batch.clear();
    return taken;
  });
  if (!ok || batch.empty()) return ok;
  return sink.accept(batch, 0);
}

Result<> fetchWithCarried(const Input& own, const CarriedRecords& carried, std::span<const RecordRef> refs,
                          const std::function<void(std::size_t, AnyRecord&&)>& fn) {
  std::vector<RecordRef> tonights, earlier;
  std::vector<std::size_t> ofTonight, ofEarlier;
  for (std::size_t i = 0; i < refs.size(); ++i) {
    const bool isCarried = refs[i].file >= carried.list().firstFile;
    (isCarried ? earlier : tonights).push_back(refs[i]);
    (isCarried ? ofEarlier : ofTonight).push_back(i);
  }
  auto ok = own.fetch(tonights, [&](std::size_t i, AnyRecord&& record) { fn(ofTonight[i], std::move(record)); });
  if (!ok) return ok;
  return carried.fetch(earlier, [&](std::size_t i, AnyRecord&& record) { fn(ofEarlier[i], std::move(record)); });
}

CarryRules carryRulesOf(const Store& store, const Policy& policy, Instant asOf) {
  CarryRules rules;
  rules.asOf = asOf;
  rules.commonLinkValueLimit = policy.thresholds.commonLinkValueLimit;
  for (std::size_t i = 0; i < policy.sources.size(); ++i) {
    rules.sources.push_back(policy.sources[i].name);
    rules.jobSpaces.push_back(policy.jobSpaceOf(SourceId{static_cast<std::uint16_t>(i)}));
  }
  std::vector<std::string> names;
  for (const Operation& operation : policy.operations) names.push_back(operation.name);
  // Read when a run's first record needs them: most nights need few runs.
  auto known = std::make_shared<std::map<RunNumber, OperationNumbers>>();
  rules.operationOf = [&store, names, known](RunNumber run, OperationId operation) -> std::optional<OperationId> {
    const auto found = known->find(run);
    const OperationNumbers& numbers =
        found != known->end() ? found->second : known->emplace(run, numbersOf(store, run, names)).first->second;
    const auto number = static_cast<std::size_t>(operation.value);
    return number < numbers.size() ? numbers[number] : std::nullopt;
  };
  return rules;
}

}  // namespace counterfoil
