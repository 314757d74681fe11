// SPDX-License-Identifier: GPL-3.0-or-later
// Decisions of people as they make them: one by one, in bulk, in a spreadsheet; taken back; over nights; proved.
#include <QtTest>
#include <sstream>
#include <thread>

#include "core/store/sqlite.h"
#include "reports/xlsx/xlsx_book.h"
#include "tests/app/night_program.h"
#include "tests/app/test_console.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

constexpr int kKeys = 60;

std::string member(const std::string& line, const std::string& name) {
  const std::string mark = "\"" + name + "\": \"";
  const std::size_t at = line.find(mark);
  if (at == std::string::npos) return {};
  return line.substr(at + mark.size(), line.find('"', at + mark.size()) - at - mark.size());
}

}  // namespace

class TstReview : public QObject {
  Q_OBJECT

  std::unique_ptr<NightProgram> m_nights;
  TestConsole m_console;

  std::string store() const { return m_nights->path("store"); }
  int run(int day, const std::string& asOf = {}) {
    std::vector<std::string> words = {"run", m_nights->path("night-" + std::to_string(day) + ".json"), "--quiet", "--format", "json"};
    if (!asOf.empty()) words.insert(words.end(), {"--as-of", asOf});
    return m_console.run(words);
  }
  int review(std::vector<std::string> words) {
    words.insert(words.begin(), {"review", store()});
    return m_console.run(words);
  }
  std::vector<std::string> cases(std::vector<std::string> options = {}) {
    options.insert(options.begin(), {"cases", store(), "--format", "ndjson"});
    m_console.run(options);
    std::vector<std::string> lines;
    std::istringstream in(m_console.out());
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  }
  std::string caseOf(const std::string& unitClass, std::size_t index = 0) { return member(cases({"--class", unitClass}).at(index), "case"); }
  std::string stateOf(const std::string& id) {
    for (const std::string& line : cases({"--all"})) {
      if (member(line, "case") == id) return member(line, "state");
    }
    return "none";
  }
  std::int64_t number(const std::string& sql) const {
    auto database = Database::open(store(), OpenMode::ReadWrite);
    return database->integer(sql)->value_or(-1);
  }
  void execute(const std::string& sql) const {
    auto database = Database::open(store(), OpenMode::ReadWrite);
    QVERIFY(database->execute(sql).has_value());
  }
  int audit() { return m_console.run({"audit", store()}); }

 private slots:
  void init() {
    m_nights = std::make_unique<NightProgram>();
    m_console.variables["USER"] = "ada";
    m_nights->writeDay(1, kKeys, "store");
    QCOMPARE(run(1), 1);
  }

  void eachStepIsKeptWithWhoWhenAndWhy() {
    const std::string id = caseOf("duplicate_effect");
    QCOMPARE(review({id, "--assignee", "bob", "--note", "asked the bank"}), 0);
    QCOMPARE(stateOf(id), std::string("assigned"));
    QCOMPARE(review({id, "--state", "investigating"}), 0);
    QCOMPARE(review({id, "--state", "resolved"}), 2);   // needs a reason
    QVERIFY(m_console.err().find("--reason") != std::string::npos);
    QCOMPARE(review({id, "--state", "resolved", "--reason", "refunded", "--by", "eve"}), 0);
    QCOMPARE(review({id, "--history", "--format", "ndjson"}), 0);
    const std::string history = m_console.out();
    QVERIFY2(history.find("\"who\": \"eve\", \"action\": \"review\"") != std::string::npos, history.c_str());
    QVERIFY(history.find("2026-04-08T06:00:00Z") != std::string::npos && history.find("asked the bank") != std::string::npos);
    QCOMPARE(m_console.run({"show", store(), id}), 0);
    QVERIFY(m_console.out().find("refunded") != std::string::npos);
    QCOMPARE(audit(), 0);
  }

  void whatCannotBeIsRefusedAndChangesNothing_data() {
    QTest::addColumn<QStringList>("words");
    QTest::newRow("a state that is not there") << QStringList{"CASE", "--state", "lost"};
    QTest::newRow("what only a run decides") << QStringList{"CASE", "--state", "auto_cleared"};
    QTest::newRow("reopening what is open") << QStringList{"CASE", "--state", "reopened"};
    QTest::newRow("nobody to assign to") << QStringList{"CASE", "--state", "assigned"};
    QTest::newRow("no such case") << QStringList{"0000", "--state", "dismissed", "--reason", "x"};
    QTest::newRow("nothing asked for") << QStringList{"CASE"};
    QTest::newRow("a bulk without a filter") << QStringList{"--state", "dismissed", "--reason", "x", "--yes"};
    QTest::newRow("control characters in a reason") << QStringList{"CASE", "--state", "dismissed", "--reason", "a\x1b[2J"};
    QTest::newRow("an undo of nothing") << QStringList{"--undo", "77"};
    QTest::newRow("two things at once") << QStringList{"--undo", "1", "--undo-bulk", "1"};
  }

  void whatCannotBeIsRefusedAndChangesNothing() {
    QFETCH(QStringList, words);
    const std::string dump = m_nights->dump("store"), id = caseOf("duplicate_effect");
    std::vector<std::string> arguments;
    for (const QString& word : words) arguments.push_back(word == "CASE" ? id : word.toStdString());
    QCOMPARE(review(arguments), 2);
    QVERIFY(!m_console.err().empty());
    QVERIFY(m_nights->dump("store") == dump);
  }

  void notADuplicateSticksUntilTheRecordsChange() {
    const std::string id = caseOf("duplicate_effect");
    const std::int64_t before = number("SELECT breaks FROM runs WHERE run = 1");
    QCOMPARE(review({id, "--state", "dismissed", "--reason", "two orders"}), 0);
    QCOMPARE(run(1), 1);   // the same night again: the object of then
    QCOMPARE(number("SELECT count(*) FROM runs"), std::int64_t{1});
    QCOMPARE(run(1, "2026-04-02T09:00:00Z"), 1);
    QCOMPARE(number("SELECT breaks FROM runs WHERE run = 2"), before - 1);
    QCOMPARE(number("SELECT count FROM run_tallies WHERE run = 2 AND kind = 'class' AND code = 'dismissed'"), std::int64_t{1});
    QCOMPARE(stateOf(id), std::string("dismissed"));
    QCOMPARE(number("SELECT sum(unexplained_minor) FROM proof"), std::int64_t{0});
    // A third charge under its key comes with the next night.
    const std::string key = member(cases({"--class", "dismissed"}).at(0), "key");
    m_nights->writeDay(2, kKeys, "store");
    QFile statement(QString::fromStdString(m_nights->path("statement-2.csv")));
    QVERIFY(statement.open(QIODevice::Append));
    statement.write(("ch_third,charge,succeeded,7.00,USD,2026-04-02T11:00:00Z," + key + "\n").c_str());
    statement.close();
    QCOMPARE(run(2), 1);
    QCOMPARE(stateOf(id), std::string("reopened"));
    QCOMPARE(audit(), 0);
  }

  void oneDecisionIsTakenBackWithoutTouchingOthers() {
    const std::string a = caseOf("duplicate_effect", 0), b = caseOf("duplicate_effect", 1);
    QCOMPARE(review({a, "--assignee", "bob"}), 0);
    QCOMPARE(review({a, "--state", "resolved", "--reason", "r"}), 0);
    QCOMPARE(review({b, "--state", "dismissed", "--reason", "r"}), 0);
    QCOMPARE(review({"--undo", "2"}), 0);
    QCOMPARE(stateOf(a), std::string("assigned"));
    QCOMPARE(stateOf(b), std::string("dismissed"));
    QCOMPARE(review({"--undo", "2"}), 2);   // once
    QCOMPARE(review({"--undo", "1"}), 0);
    QCOMPARE(stateOf(a), std::string("open"));
    QCOMPARE(audit(), 0);
  }

  void aBulkSaysItsNumberFirst() {
    const std::size_t count = cases({"--class", "duplicate_effect"}).size();
    QCOMPARE(review({"--class", "duplicate_effect", "--state", "dismissed", "--reason", "test data"}), 0);
    QVERIFY2(m_console.out().starts_with(std::to_string(count) + " cases would change"), m_console.out().c_str());
    QCOMPARE(number("SELECT count(*) FROM decisions"), std::int64_t{0});
    QCOMPARE(review({"--class", "duplicate_effect", "--state", "dismissed", "--reason", "test data", "--expect", "1"}), 2);
    QCOMPARE(number("SELECT count(*) FROM decisions"), std::int64_t{0});
    QCOMPARE(review({"--class", "duplicate_effect", "--state", "dismissed", "--reason", "test data", "--expect", std::to_string(count)}), 0);
    QCOMPARE(cases({"--state", "dismissed"}).size(), count);
    QVERIFY(cases({"--class", "duplicate_effect"}).empty());
    QCOMPARE(review({"--undo-bulk", "1"}), 0);
    QCOMPARE(cases({"--class", "duplicate_effect"}).size(), count);
    QCOMPARE(audit(), 0);
  }

  void aSpreadsheetIsAppliedRowByRow() {
    QCOMPARE(m_console.run({"report", store(), "--format", "csv", "--class", "duplicate_effect", "--output", m_nights->path("out.csv")}), 0);
    QStringList lines = QString(readAll(QString::fromStdString(m_nights->path("out.csv")))).split('\n');
    const QStringList head = lines[0].trimmed().split(',');
    // The blank columns decision and decision_reason stand at the end.
    QVERIFY(head.indexOf("decision") == head.size() - 2);
    const auto filled = [&](int row, const QString& decision, const QString& reason) {
      QString line = lines[row];
      while (line.endsWith('\r')) line.chop(1);
      QVERIFY(line.endsWith(",,"));
      line.chop(2);
      lines[row] = line + "," + decision + "," + reason;
    };
    filled(1, "resolved", "\"refunded, \"\"all\"\" of it\"");
    filled(2, "shrugged", "no such word");
    filled(3, "dismissed", "changed since");
    const std::string changed = member(cases({"--class", "duplicate_effect"}).at(2), "case");
    execute("UPDATE cases SET records_digest = 'ff" + std::string(62, '0') + "' WHERE case_id = '" + changed + "'");
    writeAll(QString::fromStdString(m_nights->path("edited.csv")), lines.join('\n').toUtf8());
    QCOMPARE(review({"--from", m_nights->path("edited.csv"), "--format", "ndjson"}), 3);
    QVERIFY2(m_console.out().find("shrugged") != std::string::npos && m_console.out().find("\"row\": 4") != std::string::npos &&
                 m_console.out().find("changed since") != std::string::npos, m_console.out().c_str());
    QCOMPARE(number("SELECT count(*) FROM decisions"), std::int64_t{1});
    QCOMPARE(number("SELECT count(*) FROM decisions WHERE reason = 'refunded, \"all\" of it'"), std::int64_t{1});
    QCOMPARE(review({"--from", m_nights->path("edited.csv")}), 3);   // again: nothing new
    QCOMPARE(number("SELECT count(*) FROM decisions"), std::int64_t{1});
    writeAll(QString::fromStdString(m_nights->path("other.csv")), "a,b\n1,2\n");
    QVERIFY(review({"--from", m_nights->path("other.csv")}) > 1);
    QVERIFY(m_console.err().find("case and decision") != std::string::npos);
  }

  void aWorkbookComesBack_data() {
    QTest::addColumn<QString>("language");
    for (const char* language : {"en", "ru"}) QTest::newRow(language) << QString(language);
  }

  void aWorkbookComesBack() {   // as report writes it, two cells filled in
    QFETCH(QString, language);
    const std::string id = caseOf("duplicate_effect"), file = m_nights->path("list.xlsx");
    QCOMPARE(m_console.run({"report", store(), "--format", "xlsx", "--lang", language.toStdString(), "--output", file}), 0);
    QCOMPARE(review({"--from", file}), 0);
    QCOMPARE(number("SELECT count(*) FROM decisions"), std::int64_t{0});   // nothing was filled in
    const Words words(language == "ru" ? Language::Russian : Language::English);
    auto book = XlsxBook::create(file);
    std::vector<XlsxColumn> columns;
    std::vector<CellValue> row;
    const auto shown = Store::openForReading(store());
    const auto unit = shown->unitOf(1, id, false);
    for (const CaseColumn& column : caseColumns()) {
      columns.push_back({std::string(words(column.title)), 10});
      row.push_back(column.code == "case"              ? CellValue(id)
                    : column.code == "case_version"    ? CellValue(caseVersionOf((*unit)->recordsDigest))
                    : column.code == "decision"        ? CellValue(std::string("dismissed"))
                    : column.code == "decision_reason" ? CellValue(std::string("two orders"))
                                                       : CellValue());
    }
    book->addSheet("Summary", {{"x", 10}});
    book->addSheet("Breaks", columns);
    book->addRow(row);
    QVERIFY(book->finish().has_value());
    QCOMPARE(review({"--from", file}), 0);
    QCOMPARE(stateOf(id), std::string("dismissed"));
    QCOMPARE(number("SELECT count(*) FROM decisions WHERE reason = 'two orders'"), std::int64_t{1});
  }

  void aRuleHidesItsKindUntilItEnds() {
    const std::int64_t before = number("SELECT breaks FROM runs WHERE run = 1");
    const auto hidden = static_cast<std::int64_t>(cases({"--class", "duplicate_effect"}).size());
    QCOMPARE(m_console.run({"ignore", store(), "add", "--class", "duplicate_effect", "--key", "charge:*", "--until", "2026-04-05T00:00:00Z",
                            "--reason", "load test"}), 0);
    QVERIFY(m_console.out().find("hides " + std::to_string(hidden) + " cases") != std::string::npos);
    QVERIFY(cases({"--class", "duplicate_effect"}).empty());
    QCOMPARE(run(1, "2026-04-02T09:00:00Z"), 1);   // other breaks stand
    QCOMPARE(number("SELECT breaks FROM runs WHERE run = 2"), before - hidden);
    QCOMPARE(m_console.run({"ignore", store(), "list", "--format", "ndjson"}), 0);
    QVERIFY2(m_console.out().find("\"hides\": " + std::to_string(hidden)) != std::string::npos, m_console.out().c_str());
    QCOMPARE(run(1, "2026-04-05T09:00:00Z"), 1);   // the rule has ended
    QCOMPARE(number("SELECT breaks FROM runs WHERE run = 3"), before);
    QCOMPARE(static_cast<std::int64_t>(cases({"--class", "duplicate_effect"}).size()), hidden);
    QCOMPARE(m_console.run({"ignore", store(), "remove", "1", "--reason", "over"}), 0);
    QCOMPARE(m_console.run({"ignore", store(), "add", "--reason", "all"}), 2);   // a rule names its classes
    QCOMPARE(audit(), 0);
  }

  void aChainThatWasTouchedIsTold_data() {
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("said");
    QTest::newRow("changed") << "UPDATE decisions SET reason = 'other' WHERE id = 2" << "decision 2 was changed";
    QTest::newRow("taken out") << "DELETE FROM decisions WHERE id = 2" << "decision 2 is missing";
    QTest::newRow("cut at the end") << "DELETE FROM decisions WHERE id = 3" << "missing";
    QTest::newRow("moved") << "UPDATE decisions SET id = 9 WHERE id = 2; UPDATE decisions SET id = 2 WHERE id = 3; UPDATE decisions SET id = 3 WHERE id = 9"
                           << "decision";
    QTest::newRow("a case without a decision") << "UPDATE cases SET state = 'dismissed' WHERE state = 'open'" << "no decision says so";
  }

  void aChainThatWasTouchedIsTold() {
    QFETCH(QString, sql);
    QFETCH(QString, said);
    for (std::size_t i = 0; i < 3; ++i) QCOMPARE(review({caseOf("duplicate_effect"), "--state", "dismissed", "--reason", "r" + std::to_string(i)}), 0);
    QCOMPARE(audit(), 0);
    const std::string seal = m_console.out().substr(m_console.out().find("seal ") + 5, 64);
    QCOMPARE(m_console.run({"audit", store(), "--seal", seal}), 0);
    QCOMPARE(m_console.run({"audit", store(), "--seal", std::string(64, 'a')}), 4);
    execute(sql.toStdString());
    QCOMPARE(audit(), 4);
    QVERIFY2(m_console.err().find(said.toStdString()) != std::string::npos, m_console.err().c_str());
  }

  void aDecisionMadeWhileARunComputesIsNeitherLostNorBlocked() {
    if (!m_nights->isBuilt()) QSKIP("the program is not built");
    const std::string id = caseOf("duplicate_effect");
    m_nights->writeDay(2, 20'000, "store");
    Ended ended;
    std::thread night([&] { ended = m_nights->run(2); });
    int tries = 0;
    while (!QFile::exists(QString::fromStdString(store() + ".lock")) && ++tries < 500) QTest::qSleep(2);
    QElapsedTimer clock;
    clock.start();
    const int code = review({id, "--state", "dismissed", "--reason", "seen meanwhile"});
    const qint64 waited = clock.elapsed();
    night.join();
    QCOMPARE(code, 0);
    QVERIFY2(waited < 60'000, std::to_string(waited).c_str());
    QCOMPARE(ended.code, 1);
    QCOMPARE(stateOf(id), std::string("dismissed"));
    QCOMPARE(number("SELECT count(*) FROM decisions"), std::int64_t{1});
    QCOMPARE(audit(), 0);
  }

  void killedAroundADecision_data() {
    QTest::addColumn<QString>("place");
    QTest::addColumn<int>("decisions");
    QTest::newRow("before it is kept") << "decide" << 0;
    QTest::newRow("after it is kept") << "decided" << 1;
  }

  void killedAroundADecision() {
    if (!m_nights->isBuilt()) QSKIP("the program is not built");
    QFETCH(QString, place);
    QFETCH(int, decisions);
    const std::string id = caseOf("duplicate_effect");
    const std::vector<std::string> words = {"review", "store", id, "--state", "dismissed", "--reason", "r"};
    QCOMPARE(m_nights->start(words, place.toStdString()).code, -SIGKILL);
    QCOMPARE(number("SELECT count(*) FROM decisions"), std::int64_t{decisions});
    QCOMPARE(audit(), 0);
    QCOMPARE(m_nights->start(words).code, 0);
    QCOMPARE(number("SELECT count(*) FROM decisions"), std::int64_t{1});
    QCOMPARE(stateOf(id), std::string("dismissed"));
  }
};

QTEST_APPLESS_MAIN(TstReview)
#include "tst_review.moc"
