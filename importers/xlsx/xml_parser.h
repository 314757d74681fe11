// SPDX-License-Identifier: GPL-3.0-or-later
// XML as it comes, by Expat, with bounds for hostile files: no document types (and so no entities
// of their own), no deep nesting, no endless tags.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "importers/source/byte_stage.h"

namespace counterfoil {

/// Attributes of one element; valid while it is handled.
class XmlAttributes {
 public:
  explicit XmlAttributes(const char** pairs) : m_pairs(pairs) {}
  /// By name without prefix ("id" finds r:id); nothing if it is not there.
  [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const;
  [[nodiscard]] std::string_view get(std::string_view name) const {
    return find(name).value_or(std::string_view());
  }

 private:
  const char** m_pairs;
};

/// Names come without their prefix.
class XmlHandler {
 public:
  virtual ~XmlHandler() = default;
  virtual void onStart(std::string_view name, const XmlAttributes& attributes) = 0;
  virtual void onEnd(std::string_view name) = 0;
  virtual void onText(std::string_view text) = 0;  ///< in pieces
  /// Set by the handler: parsing stops there.
  std::optional<Error> fault;
};

class XmlParser {
 public:
  explicit XmlParser(XmlHandler& handler);
  ~XmlParser();
  XmlParser(const XmlParser&) = delete;
  XmlParser& operator=(const XmlParser&) = delete;
  /// Error Format with the line, or the handler's fault. After an Error nothing more may be fed.
  Result<> feed(std::string_view bytes, bool isLast);
  [[nodiscard]] std::uint64_t line() const;   ///< of what is handled, from 1

 private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

/// All of a stage.
[[nodiscard]] Result<> parseXml(ByteStage& stage, XmlHandler& handler);

}  // namespace counterfoil
