// SPDX-License-Identifier: GPL-3.0-or-later
// Reports as files: those a nightly run writes, those asked for afterwards, and what happens where they cannot
// be written.
#include <QDir>
#include <QFile>
#include <QtTest>
#include <fstream>
#include <sstream>

#include "app/report_files.h"
#include "tests/app/night_program.h"
#include "tests/app/test_console.h"

using namespace counterfoil;
using namespace counterfoil::testing;

class TstReports : public QObject {
  Q_OBJECT

  std::unique_ptr<NightProgram> m_nights;
  TestConsole m_console;

  std::string path(const std::string& name) const { return m_nights->path(name); }
  std::string content(const std::string& name) const {
    std::ifstream in(path(name));
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
  }
  bool isThere(const std::string& name) const { return QFile::exists(QString::fromStdString(path(name))); }
  void writeDay(int day, const std::string& reports) const {
    m_nights->writeDay(day, 40, "store");
    m_nights->writeConfig(day, "store", "], \"reports\": [" + reports);
  }
  int run(int day) { return m_console.run("run " + path("night-" + std::to_string(day) + ".json") + " --quiet"); }

 private slots:
  void init() { m_nights = std::make_unique<NightProgram>(); }

  void aRunWritesItsReports() {
    writeDay(1, R"({"format": "html", "path": "out/{name}-{date}-{run}.html", "language": "ru", "index": true},
      {"format": "csv", "path": "out/all.csv", "detail": "all"}, {"format": "metrics", "path": "out/shop.prom"},
      {"format": "json", "path": "out/week.json", "period": "7d", "unmask": true}, {"format": "junit", "path": "out/x.xml", "split": "case"})");
    QCOMPARE(run(1), 1);
    QVERIFY2(isThere("out/shop-2026-04-02-1.html"), m_console.err().c_str());
    QVERIFY(content("out/shop-2026-04-02-1.html").find("lang=ru") != std::string::npos);
    QVERIFY(content("out/index.json").find("shop-2026-04-02-1.html") != std::string::npos);
    QVERIFY(isThere("out/index.html"));
    QVERIFY(content("out/all.csv").find(",matched,") != std::string::npos);
    QVERIFY(content("out/shop.prom").find("counterfoil_last_run_exit_code 1\n") != std::string::npos);
    QVERIFY(content("out/shop.prom").find("counterfoil_last_success_timestamp_seconds") != std::string::npos);
    QVERIFY(content("out/week.json").find("\"report\": \"period\"") != std::string::npos);
    QVERIFY(content("out/x.xml").find("classname=\"counterfoil.duplicate_effect\"") != std::string::npos);
  }

  void theSameNightGivesTheSameReport() {
    writeDay(1, R"({"format": "html", "path": "a.html"})");
    QCOMPARE(run(1), 1);
    const std::string once = content("a.html");
    QFile::remove(QString::fromStdString(path("a.html")));
    QCOMPARE(run(1), 1);
    QVERIFY(!once.empty() && content("a.html") == once);
  }

  void whatCannotBeWrittenIsExit4() {
    QVERIFY(QDir().mkpath(QString::fromStdString(path("taken.html"))));
    writeDay(1, R"({"format": "html", "path": "taken.html"}, {"format": "csv", "path": "good.csv"})");
    QCOMPARE(run(1), 4);
    QVERIFY(m_console.err().find("report html: cannot write") != std::string::npos);
    QVERIFY(isThere("good.csv"));                        // the others are written all the same
    QVERIFY(m_console.run("cases " + path("store")) == 0);   // and the night stands
  }

  void anIndexOfAnotherIsLeftAlone() {
    writeDay(1, R"({"format": "text", "path": "a.txt"})");
    QCOMPARE(run(1), 1);
    std::ofstream(path("index.json")) << "{\"mine\": true}";
    QCOMPARE(m_console.run("report " + path("store") + " --output " + path("b.html") + " --index"), 4);
    QVERIFY(m_console.err().find("no index of reports") != std::string::npos);
    QCOMPARE(content("index.json"), std::string("{\"mine\": true}"));
  }

  void anIndexForgetsWhatIsGone() {
    writeDay(1, R"({"format": "html", "path": "{run}.html", "index": true})");
    QCOMPARE(run(1), 1);
    writeDay(2, R"({"format": "html", "path": "{run}.html", "index": true})");
    QCOMPARE(run(2), 1);
    QVERIFY(content("index.json").find("1.html") != std::string::npos && content("index.json").find("2.html") != std::string::npos);
    QFile::remove(QString::fromStdString(path("1.html")));
    QCOMPARE(run(2), 1);
    QVERIFY(content("index.json").find("\"1.html\"") == std::string::npos);
  }

  void breaksOfOtherNightsAreNotForgotten() {
    writeDay(1, R"({"format": "html", "path": "1.html"})");
    QCOMPARE(run(1), 1);
    writeDay(2, R"({"format": "html", "path": "2.html"}, {"format": "csv", "path": "2.csv"}, {"format": "junit", "path": "2.xml"})");
    QCOMPARE(run(2), 1);
    QVERIFY(content("1.html").find("id=earlier") == std::string::npos);
    // The second night judged those of the first again: they are its own.
    for (const char* name : {"2.html", "2.csv", "2.xml"}) {
      QVERIFY2(content(name).find("charge:1-") != std::string::npos && content(name).find("charge:2-") != std::string::npos, name);
    }
    QVERIFY(content("2.html").find("id=earlier") == std::string::npos);
    // A source that has another name cannot be read as evidence: its cases stand as they were.
    writeDay(3, R"({"format": "html", "path": "3.html"}, {"format": "csv", "path": "3.csv"}, {"format": "junit", "path": "3.xml"})");
    QByteArray config = readAll(QString::fromStdString(path("night-3.json")));
    writeAll(QString::fromStdString(path("night-3.json")), config.replace("\"name\": \"jobs\"", "\"name\": \"work\""));
    QCOMPARE(run(3), 1);
    QVERIFY(content("3.html").find("id=earlier") != std::string::npos);
    QVERIFY(content("3.csv").find("charge:1-") != std::string::npos && content("3.csv").find("charge:3-") != std::string::npos);
    QVERIFY(content("3.xml").find("breaks of other nights stand") != std::string::npos);
  }

  void pathsStayInTheirFolder() {
    ReportFacts facts;
    facts.name = "../etc/pass\nwd";
    facts.run = 7;
    facts.asOf = std::chrono::sys_days{std::chrono::year{2026} / 4 / 8};
    QCOMPARE(filledReportPath("r/{name}/{date}-{run}-{other}.html", facts), std::string("r/_..-etc-pass-x0Awd/2026-04-08-7-{other}.html"));
  }
};

QTEST_APPLESS_MAIN(TstReports)
#include "tst_reports.moc"
