// SPDX-License-Identifier: GPL-3.0-or-later
// What readers of configurations and mappings ask of a JSON value. All errors are Config and begin
// with the value's place.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "importers/json/json_document.h"

namespace counterfoil {

/// An error at the place of a node: "counterfoil.json:12:7: message".
[[nodiscard]] tl::unexpected<Error> failAt(const JsonNode& node, std::string_view message);
/// ", did you mean 'column'?", or "" where nothing is near.
[[nodiscard]] std::string didYouMean(std::string_view word, const std::string_view* known,
                                     std::size_t count);
/// "unknown member 'colum', did you mean 'column'?" for the first member that is not among `known`.
[[nodiscard]] Result<> checkMembers(const JsonNode& node, const std::string_view* known,
                                    std::size_t count);
/// The text of a string node; error names the member otherwise.
[[nodiscard]] Result<std::string> textOf(const JsonNode& node, std::string_view member);
/// A string, number or boolean as text, or a list of them.
[[nodiscard]] Result<std::vector<std::string>> textsOf(const JsonNode& node,
                                                       std::string_view member);

}  // namespace counterfoil
