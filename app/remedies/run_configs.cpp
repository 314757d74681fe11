// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/remedies/run_configs.h"

namespace counterfoil {

Result<std::shared_ptr<const Config>> RunConfigs::of(RunNumber number) {
  const auto known = m_configs.find(number);
  if (known != m_configs.end()) return known->second;
  const auto run = m_store.run(number);
  if (!run) return fail(run.error());
  auto config = parseConfig(run->config, "the configuration of run " + std::to_string(number), run->identity.asOf,
                            run->identity.asOf);
  std::shared_ptr<const Config> shared = config ? std::make_shared<const Config>(std::move(*config)) : nullptr;
  return m_configs.emplace(number, std::move(shared)).first->second;
}

const Operation* operationOf(const Config* config, const Unit& unit) {
  if (config == nullptr) return nullptr;
  for (const Operation& operation : config->policy.operations) {
    if (operation.name == unit.operationName) return &operation;
  }
  return nullptr;
}

std::string providerName(const Config* config, const RecordHead& effect) {
  if (config == nullptr || effect.place.source.value >= config->policy.sources.size()) return {};
  return config->policy.sources[effect.place.source.value].provider;
}

}  // namespace counterfoil
