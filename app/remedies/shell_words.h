// SPDX-License-Identifier: GPL-3.0-or-later
// Values of files as words of a POSIX shell: what stands in them is never run.
#pragma once

#include <string>
#include <string_view>

namespace counterfoil {

/// `word` in single quotes, those inside escaped; plain words stay as they are. Control characters (a line
/// feed would end the line that a person copies) make it none: blank.
[[nodiscard]] std::string shellWord(std::string_view word);

/// Whether a value may be given to a command as an id: no control characters, not empty, no leading dash.
[[nodiscard]] bool isPlainId(std::string_view word);

}  // namespace counterfoil
