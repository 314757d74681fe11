// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/case_id.h"

#include <string>

#include "core/base/hash.h"

namespace counterfoil::judging {

CaseId caseIdOf(std::string_view scope, std::string_view operation, std::string_view key,
                std::string_view mark) {
  std::string bytes = "case";
  for (std::string_view part : {scope, operation, key, mark}) {
    bytes += '|';
    bytes += std::to_string(part.size());
    bytes += ':';
    bytes += part;
  }
  return sha256Hex(bytes).substr(0, 16);
}

}  // namespace counterfoil::judging
