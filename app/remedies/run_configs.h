// SPDX-License-Identifier: GPL-3.0-or-later
// The configurations of stored runs, each read once: what a remedy needs to know of operations and providers.
#pragma once

#include <map>
#include <memory>

#include "app/config.h"
#include "core/store/store.h"

namespace counterfoil {

class RunConfigs {
 public:
  explicit RunConfigs(const Store& store) : m_store(store) {}
  /// Of the run; nothing where it does not read (then nothing that depends on it is called safe).
  Result<std::shared_ptr<const Config>> of(RunNumber run);

 private:
  const Store& m_store;
  std::map<RunNumber, std::shared_ptr<const Config>> m_configs;
};

/// By name; a name that the configuration does not know gives nothing.
[[nodiscard]] const Operation* operationOf(const Config* config, const Unit& unit);
/// Name of the provider of an effect's source; "" where the configuration does not say.
[[nodiscard]] std::string providerName(const Config* config, const RecordHead& effect);

}  // namespace counterfoil
