// SPDX-License-Identifier: GPL-3.0-or-later
// JUnit's XML for build servers: a test for each class of break (it fails where there are breaks), or a test for
// each case. Whether the result is whole and the proof holds are tests of their own.
#include <fmt/format.h>

#include <algorithm>

#include "reports/writers/buffer.h"
#include "reports/writers/escape.h"
#include "reports/writers/report_format.h"

namespace counterfoil {
namespace {

constexpr std::size_t kLongest = 2000;      // of a sentence: fields of files may be a megabyte
constexpr std::size_t kCasesOfClass = 10;

struct Tally {
  std::uint64_t tests = 0, failures = 0, errors = 0, skipped = 0;
};

bool holds(const ReportFacts& facts) {
  return std::all_of(facts.proof.begin(), facts.proof.end(), [](const ProofLine& line) { return line.unexplainedMinor == 0; });
}

std::string joined(const std::vector<std::string>& sentences) {
  std::string out;
  for (const std::string& sentence : sentences) out += (out.empty() ? "" : "\n") + sentence;
  return out;
}

class Junit {
 public:
  Junit(const ReportModel& model, Sink& sink) : m_model(model), m_facts(model.facts()), m_words(model.words()), m_buffer(sink) {}

  Result<> write(JunitSplit split) {
    Tally tally{3, 0, (m_facts.complete ? 0u : 1u) + (holds(m_facts) ? 0u : 1u), m_facts.earlierBreaks > 0 ? 1u : 0u};
    if (auto ok = split == JunitSplit::Class ? readClasses(tally) : countCases(tally); !ok) return ok;
    open(tally);
    writeOverall();
    if (auto ok = split == JunitSplit::Class ? writeClasses() : writeCases(); !ok) return ok;
    m_buffer << "  </testsuite>\n</testsuites>\n";
    return m_buffer.finish();
  }

 private:
  void open(const Tally& tally) {
    const std::string counts = fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"0\"", tally.tests,
                                           tally.failures, tally.errors, tally.skipped);
    m_buffer << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"" << forMarkup(m_facts.title) << "\" " << counts
             << ">\n  <testsuite name=\"" << forMarkup(m_facts.name.empty() ? "counterfoil" : m_facts.name) << "\" " << counts
             << " timestamp=\"" << formatInstant(m_facts.asOf).substr(0, 19) << "\">\n";
  }

  void begin(std::string_view className, std::string_view name) {
    m_buffer << "    <testcase classname=\"" << forMarkup(className) << "\" name=\"" << forMarkup(name) << "\" time=\"0\"";
  }
  void pass() { m_buffer << "/>\n"; }
  void end(std::string_view element, std::string_view type, std::string_view message, std::string_view text) {
    m_buffer << ">\n      <" << element << " type=\"" << forMarkup(type) << "\" message=\"" << forMarkup(shortened(message, kLongest))
             << "\">";
    std::size_t from = 0;
    while (from < text.size()) {   // line ends stay: they part the cases
      const std::size_t to = std::min(text.find('\n', from), text.size());
      m_buffer << forMarkup(text.substr(from, to - from));
      if (to < text.size()) m_buffer << "\n";
      from = to + 1;
    }
    m_buffer << "</" << element << ">\n    </testcase>\n";
  }

  void skip(std::string_view message) {
    m_buffer << ">\n      <skipped message=\"" << forMarkup(shortened(message, kLongest)) << "\"/>\n    </testcase>\n";
  }

  void writeOverall() {
    begin("counterfoil", "complete");
    if (m_facts.complete) {
      pass();
    } else {
      end("error", "incomplete", m_words(Word::IncompleteBecause), joined(m_facts.incompleteBecause));
    }
    begin("counterfoil", "proof");
    if (holds(m_facts)) {
      pass();
    } else {
      end("error", "proof_not_zero", m_words(Word::ProofBroken), "");
    }
    begin("counterfoil", "earlier_nights");   // not of this run, but not to be forgotten over it
    if (m_facts.earlierBreaks == 0) {
      pass();
    } else {
      skip(m_words.count(Counted::EarlierBreak, m_facts.earlierBreaks));
    }
  }

  std::string lineOf(const ReportCase& line) const {
    std::string out = line.caseId;
    if (!line.key.empty()) out += " " + shortened(line.key, 200);
    if (!line.exposure.empty()) out += " " + m_words.money(line.exposure);
    return out + ": " + shortened(line.reason, kLongest);
  }

  Result<> readClasses(Tally& tally) {
    for (std::size_t i = 0; i < kClassCount; ++i) {
      const auto unitClass = static_cast<Class>(i);
      if (groupOf(unitClass) == ClassGroup::Break) m_examples[unitClass];
    }
    tally.tests += m_examples.size();
    auto ok = m_model.forEachCase(CaseSet::Breaks, [&](const ReportCase& line) -> Result<> {
      std::vector<std::string>& lines = m_examples[line.unitClass];
      if (lines.size() < kCasesOfClass) lines.push_back(lineOf(line));
      return {};
    });
    for (const ClassRow& row : m_facts.classes) {
      if (row.group == ClassGroup::Break && row.count > 0) ++tally.failures;
    }
    return ok;
  }

  Result<> writeClasses() {
    for (const auto& [unitClass, lines] : m_examples) {
      const auto row = std::find_if(m_facts.classes.begin(), m_facts.classes.end(),
                                    [c = unitClass](const ClassRow& each) { return each.unitClass == c; });
      begin("counterfoil.breaks", codeOf(unitClass));
      if (row == m_facts.classes.end() || row->count == 0) {
        pass();
        continue;
      }
      std::string message = fmt::format("{}: {}", row->label, m_words.count(Counted::Case, row->count));
      if (!row->exposure.empty()) message += ", " + m_words.money(row->exposure);
      end("failure", codeOf(unitClass), message, joined(lines));
      if (auto ok = m_buffer.pass(); !ok) return ok;
    }
    return {};
  }

  Result<> countCases(Tally& tally) {
    return m_model.forEachCase(CaseSet::Listed, [&](const ReportCase& line) -> Result<> {
      ++tally.tests;
      if (line.group == ClassGroup::Break) ++tally.failures;
      if (line.group == ClassGroup::Open) ++tally.skipped;
      return {};
    });
  }

  Result<> writeCases() {
    return m_model.forEachCase(CaseSet::Listed, [&](const ReportCase& line) {
      begin(std::string("counterfoil.") + std::string(codeOf(line.unitClass)),
            line.caseId + (line.key.empty() ? "" : " " + shortened(line.key, 200)));
      if (line.group == ClassGroup::Closed) {
        pass();
      } else if (line.group == ClassGroup::Break) {
        end("failure", codeOf(line.unitClass), fmt::format("{} {}", line.label, m_words.money(line.exposure)), line.reason);
      } else {
        skip(line.reason);
      }
      return m_buffer.pass();
    });
  }

  const ReportModel& m_model;
  const ReportFacts& m_facts;
  const Words& m_words;
  Buffer m_buffer;
  std::map<Class, std::vector<std::string>> m_examples;
};

}  // namespace

Result<> writeJunit(const ReportModel& model, const WriterOptions& options, Sink& sink) {
  return Junit(model, sink).write(options.split);
}

}  // namespace counterfoil
