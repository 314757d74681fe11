// SPDX-License-Identifier: GPL-3.0-or-later
// Texts from files made harmless for markup. Control characters, bidi controls and invalid bytes become
// visible escapes first (forTerminal), then what the markup reads as its own is escaped. Pure.
#pragma once

#include <string>
#include <string_view>

namespace counterfoil {

/// For HTML and XML, in content and in quoted attributes. Characters that XML does not allow are replaced.
void appendMarkup(std::string_view text, std::string& out);
[[nodiscard]] std::string forMarkup(std::string_view text);
/// For Markdown: nothing in it is a link, emphasis, markup or the end of a table's cell.
[[nodiscard]] std::string forMarkdown(std::string_view text);
/// At most `bytes` of it, cut between characters, with an ellipsis.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t bytes);

}  // namespace counterfoil
