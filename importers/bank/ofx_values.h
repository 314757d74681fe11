// SPDX-License-Identifier: GPL-3.0-or-later
// Values of OFX elements. Internal to importers/bank.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace counterfoil::bank {

/// "20240102", "20240102120000", "20240102120000.123[-5:EST]" as ISO text. A day alone stays a day;
/// a time without an offset is UTC, as OFX says. Nothing if it is no time.
[[nodiscard]] std::optional<std::string> isoTime(std::string_view text);

/// &amp; &lt; &gt; &quot; &apos; &nbsp; and numbers; what is none of them stays.
[[nodiscard]] std::string withoutEntities(std::string_view text);

}  // namespace counterfoil::bank
