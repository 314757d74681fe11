// SPDX-License-Identifier: GPL-3.0-or-later
// Personal data in reports: customers and destinations, and e-mail addresses and phone numbers inside of
// other texts. A report goes to more people than the store does. Pure, thread-safe.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace counterfoil {

/// E-mail addresses as "a•••@•••", numbers in the international form ("+254 712 345 678") as "+•••78".
[[nodiscard]] std::string maskContacts(std::string_view text);

class Masker {
 public:
  enum class Show { Masked, Plain };
  explicit Masker(Show show) : m_plain(show == Show::Plain) {}
  [[nodiscard]] bool isPlain() const { return m_plain; }

  /// A customer or destination: all but its first and, of long ones, last characters.
  [[nodiscard]] std::string customer(std::string_view value) const;
  [[nodiscard]] std::string text(std::string_view value) const;
  /// Also hides these customers where they stand in the text.
  [[nodiscard]] std::string text(std::string_view value, const std::set<std::string>& customers) const;

 private:
  bool m_plain;
};

}  // namespace counterfoil
