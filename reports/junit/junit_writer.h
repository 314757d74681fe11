// SPDX-License-Identifier: GPL-3.0-or-later
// Results of single checks in the JUnit form that build servers read. (Reports of a run: reports/writers.)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace counterfoil {

struct JUnitCounts {
  std::uint64_t tests = 0, failures = 0, errors = 0;
};

class JUnitWriter {
 public:
  explicit JUnitWriter(std::string& out) : m_out(out) {}

  void begin(std::string_view suite, const JUnitCounts& counts);
  void passed(std::string_view group, std::string_view name);
  /// `type`: the class of the fault; `message`: one sentence.
  void failed(std::string_view group, std::string_view name, std::string_view type, std::string_view message);
  /// What could not be judged: not a failure, and never a pass.
  void error(std::string_view group, std::string_view name, std::string_view type, std::string_view message);
  void end();

 private:
  void testCase(std::string_view group, std::string_view name, std::string_view element, std::string_view type,
                std::string_view message);
  std::string& m_out;
};

}  // namespace counterfoil
