// SPDX-License-Identifier: GPL-3.0-or-later
// A mapping as parsed from JSON (a named format, or a source's own with `extends` resolved). Parsing
// checks words, types and expressions and reports line and column; compiling binds it to a file.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/record/record.h"
#include "importers/mapping/layout.h"

namespace counterfoil {

class JsonNode;   // importers/json/json_document.h: a JSON value that knows its line and column

class MappingSpec {
 public:
  virtual ~MappingSpec() = default;
  [[nodiscard]] virtual RecordKind record() const = 0;
  [[nodiscard]] virtual const Layout& layout() const = 0;
  [[nodiscard]] virtual const std::string& formatName() const = 0;   ///< "generic.attempts"; "" for a source's own
  /// Every column name the mapping looks for, for finding the header line and for identification.
  [[nodiscard]] virtual std::vector<std::string> knownColumns() const = 0;
  /// Of those, the ones that only such a file has: without any of them a file is not identified as this
  /// format, however many others fit ("told_by" of a format; a generic one goes without where the user said what
  /// the rows are).
  /// Empty: any columns will do.
  [[nodiscard]] virtual const std::vector<std::string>& toldBy() const = 0;
  /// Members of "names".
  [[nodiscard]] virtual std::vector<std::string> valueNames() const = 0;
  /// Whether the mapping says the task of a row.
  [[nodiscard]] virtual bool tellsTask() const = 0;
};

/// Error (Config): "file:line:column: unknown member 'colum', did you mean 'column'?".
[[nodiscard]] Result<std::shared_ptr<const MappingSpec>> parseMapping(const JsonNode& node);
/// The same where the mapping may extend a format of several mappings: one for each of them, each with the
/// members that are given here.
[[nodiscard]] Result<std::vector<std::shared_ptr<const MappingSpec>>> parseMappings(const JsonNode& node);
/// A format shipped with the program (or in the user's folder); error names the nearest known one.
[[nodiscard]] Result<std::vector<std::shared_ptr<const MappingSpec>>> namedFormat(std::string_view name);

}  // namespace counterfoil
