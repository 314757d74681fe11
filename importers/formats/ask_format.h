// SPDX-License-Identifier: GPL-3.0-or-later
// One format's answer to a file. Internal to importers/formats.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "importers/formats/identify.h"
#include "importers/mapping/named_formats.h"

namespace counterfoil {

struct FormatQuestion {
  bool isKindKnown = false;   ///< the user said what the rows are, so nothing has to tell a generic format
  bool isPart = false;        ///< the format reads a part of a file: a row of it is enough, wherever it stands
  std::string name;           ///< of the file without folder and ending, or of the table
};

[[nodiscard]] bool isGeneric(const std::string& name);

/// Reads the head of the file, of a part's format up to 64 MiB. What is wrong with the file is no fault here: it is
/// told when the file is read in earnest.
[[nodiscard]] FormatAnswer askFormat(const NamedFormat& format,
                                     const std::vector<std::shared_ptr<const MappingSpec>>& mappings,
                                     const FilePlace& place, const std::string& zone, const FormatQuestion& question,
                                     const CancelToken* cancel);

/// The answers of `mappingsOf` all formats (blank: not asked), best first.
using MappingsOf = std::function<std::vector<std::shared_ptr<const MappingSpec>>(const NamedFormat&)>;
[[nodiscard]] Result<std::vector<FormatAnswer>> collectAnswers(const FilePlace& place, const std::string& zone,
                                                               const FormatQuestion& question,
                                                               const MappingsOf& mappingsOf,
                                                               const CancelToken* cancel);
/// Those that are as good as the first one.
[[nodiscard]] std::vector<std::string> equalToBest(const std::vector<FormatAnswer>& answers);

}  // namespace counterfoil
