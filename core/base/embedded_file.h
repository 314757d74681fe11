// SPDX-License-Identifier: GPL-3.0-or-later
// A file that was compiled into the program (formats, demo, schema, help pages).
#pragma once

#include <string_view>

namespace counterfoil {

struct EmbeddedFile {
  std::string_view name;  ///< without its folder
  std::string_view bytes;
};

}  // namespace counterfoil
