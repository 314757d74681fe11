// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/open_input.h"

#include "importers/input/file_input.h"

namespace counterfoil {

Result<std::unique_ptr<Input>> openInput(const Config& config) {
  return makeFileInput(config.sources, config.operations.get());
}

}  // namespace counterfoil
