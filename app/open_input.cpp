// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/open_input.h"

#include <algorithm>

#include "importers/input/file_input.h"

namespace counterfoil {

namespace {

constexpr std::uint64_t kPayloadBytesMost = 64ull << 20;   ///< more gains nothing: the rest goes to a file
constexpr std::uint64_t kPayloadBytesLeast = 2ull << 20;

}  // namespace

Result<std::unique_ptr<Input>> openInput(const Config& config, std::uint64_t memoryBytes) {
  FileInputOptions options;
  options.payloadMemoryBytes = std::clamp(memoryBytes / 16, kPayloadBytesLeast, kPayloadBytesMost);
  return makeFileInput(config.sources, config.operations.get(), options);
}

}  // namespace counterfoil
