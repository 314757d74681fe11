// SPDX-License-Identifier: GPL-3.0-or-later
// Values that stand in the lines around the rows, as fields of each row.
#include <QTemporaryDir>
#include <QTest>

#include "tests/importers/packed_bytes.h"
#include "tests/importers/scanned_files.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

const std::string kRows =
    "id,at,amount\n"
    "e1,2026-04-07T10:00:00Z,10.00\n"
    "e2,2026-04-07T10:01:00Z,20.00\n";

std::string mappingWith(const std::string& account, const std::string& more = "") {
  return R"j({"record": "effect", "layout": {"decimal": ".", "footer": "re:^Total"},
    "fields": {"effect_id": "id", "created": "at", "kind": {"value": "forward"}, "status": {"value": "live"},
      "amount": "amount", "currency": {"value": "KES"}, "account": )j" +
         account + "}" + more + "}";
}

}  // namespace

class TstAroundRows : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir m_folder;
  int m_files = 0;

  std::unique_ptr<Scanned> scan(const std::string& bytes, const std::string& mapping) {
    const std::string name = "f" + std::to_string(++m_files) + ".csv";
    SourceSpec source = sourceOf(writeFile(m_folder.path().toStdString(), name, bytes), "");
    auto spec = testing::mappingOf(mapping);
    if (spec == nullptr) qFatal("a mapping that is refused");
    source.mappings = {spec};
    return scanned({source});
  }
  /// The accounts of all records.
  std::string accounts(const std::string& bytes, const std::string& account) {
    const auto read = scan(bytes, mappingWith(account));
    if (!read->error.empty()) return read->error;
    std::string all = read->reports.at(0).problem;
    for (const AnyRecord& record : read->records)
      all += (all.empty() ? "" : " ") + headOf(record)->account;
    return all;
  }

 private slots:
  void aLineBeforeTheHeader() {
    const std::string account = R"j({"line": "^Short Code[^0-9]*([0-9]+)"})j";
    QCOMPARE(accounts("Organization Name,SAUTI LTD\nShort Code:,600123\n\n" + kRows, account),
             "600123 600123"s);
    QCOMPARE(accounts("\xEF\xBB\xBFShort Code:,600123\r\n" + kRows, account), "600123 600123"s);
    QCOMPARE(accounts(kRows, account), ""s);  // nowhere: blank
  }

  void aLineBehindTheRows() {
    QCOMPARE(accounts(kRows + "Total,till 7,30.00\nTotal,till 8,30.00\n",
                      R"j({"line": "^Total,(till [0-9])"})j"),
             "till 8 till 8"s);
  }

  void packedFilesAndOtherEncodings() {
    const std::string bytes = "Konto,K\xF6ln 7\n" + kRows;
    const std::string account = R"j({"line": "^Konto,(.*)$"})j";
    QCOMPARE(accounts(bytes, account), "K\xC3\xB6ln 7 K\xC3\xB6ln 7"s);
    QCOMPARE(accounts(gzipped("Konto,7\n" + kRows), account), "7 7"s);
  }

  void withTheRestOfAnExpression() {
    const std::string bytes = "Till 600123 (LIVE)\n" + kRows;
    QCOMPARE(accounts(bytes, R"j({"line": "^Till (.*)$", "find": "^[0-9]{3}"})j"), "600 600"s);
    QCOMPARE(accounts(bytes,
                      R"j(["missing", {"line": "[(]([A-Z]+)[)]", "words": {"real": ["live"]}}])j"),
             "real real"s);
    QCOMPARE(accounts(bytes, R"j({"join": [{"line": "^Till ([0-9]+)"}, "id"], "with": "/"})j"),
             "600123/e1 600123/e2"s);
  }

  void asACondition() {
    const std::string mapping = mappingWith(
        R"j({"value": "x"})j", R"j(, "exclude": [{"line": "^Mode: (.*)$", "is": "test"}])j");
    QCOMPARE(scan("Mode: test\n" + kRows, mapping)->records.size(), std::size_t{0});
    QCOMPARE(scan("Mode: live\n" + kRows, mapping)->records.size(), std::size_t{2});
    QCOMPARE(scan(kRows, mapping)->records.size(), std::size_t{2});
  }
};

QTEST_APPLESS_MAIN(TstAroundRows)
#include "tst_around_rows.moc"
