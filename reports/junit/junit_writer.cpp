// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/junit/junit_writer.h"

#include <fmt/format.h>

#include "reports/writers/escape.h"

namespace counterfoil {

void JUnitWriter::begin(std::string_view suite, const JUnitCounts& counts) {
  m_out += fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
                       "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\">\n",
                       forMarkup(suite), counts.tests, counts.failures, counts.errors);
}

void JUnitWriter::passed(std::string_view group, std::string_view name) {
  m_out += fmt::format("    <testcase classname=\"{}\" name=\"{}\"/>\n", forMarkup(group), forMarkup(name));
}

void JUnitWriter::failed(std::string_view group, std::string_view name, std::string_view type, std::string_view message) {
  testCase(group, name, "failure", type, message);
}

void JUnitWriter::error(std::string_view group, std::string_view name, std::string_view type, std::string_view message) {
  testCase(group, name, "error", type, message);
}

void JUnitWriter::testCase(std::string_view group, std::string_view name, std::string_view element, std::string_view type,
                           std::string_view message) {
  m_out += fmt::format("    <testcase classname=\"{}\" name=\"{}\">\n      <{} type=\"{}\" message=\"{}\"/>\n    </testcase>\n",
                       forMarkup(group), forMarkup(name), element, forMarkup(type), forMarkup(message));
}

void JUnitWriter::end() {
  m_out += "  </testsuite>\n</testsuites>\n";
}

}  // namespace counterfoil
