// SPDX-License-Identifier: GPL-3.0-or-later
// The command line as a whole: help, version, mistyped words, completion.
#include <QtTest>
#include <set>

#include "app/batch/command_table.h"
#include "tests/app/test_console.h"

using namespace counterfoil;
using namespace counterfoil::testing;

class TstProgram : public QObject {
  Q_OBJECT
 private slots:
  void mistakesExitWithTwo_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("message");
    QTest::newRow("no command") << ""
                                << "counterfoil: which command? counterfoil --help lists them\n";
    QTest::newRow("mistyped command")
        << "mach"
        << "counterfoil: 'mach' is no command; did you mean 'match'?\n";
    QTest::newRow("unknown command")
        << "zzzzzzzz"
        << "counterfoil: 'zzzzzzzz' is no command; counterfoil --help lists them\n";
    QTest::newRow("mistyped option")
        << "match --as-off now"
        << "counterfoil: '--as-off' is no option; did you mean '--as-of'?\n";
    QTest::newRow("mistyped option with value")
        << "match --fromat=csv"
        << "counterfoil: '--fromat' is no option; did you mean '--format'?\n";
    QTest::newRow("unknown option")
        << "demo x --zzzzzz"
        << "counterfoil: '--zzzzzz' is no option; see counterfoil demo --help\n";
    QTest::newRow("wrong choice")
        << "match --format xml"
        << "counterfoil: --format takes table, json, ndjson, csv, not 'xml'\n";
    QTest::newRow("mistyped choice") << "match --format jsn"
                                     << "counterfoil: --format takes table, json, ndjson, csv, not "
                                        "'jsn'; did you mean 'json'?\n";
    QTest::newRow("missing argument")
        << "demo"
        << "counterfoil: demo needs DIR; see counterfoil demo --help\n";
    QTest::newRow("one argument too many")
        << "demo a b"
        << "counterfoil: 'b' is one argument too many; see counterfoil demo --help\n";
    QTest::newRow("unknown shell")
        << "completion csh"
        << "counterfoil: SHELL takes bash, zsh, fish, not 'csh'; did you mean 'zsh'?\n";
    QTest::newRow("help of nothing")
        << "help mtach"
        << "counterfoil: 'mtach' is no command; did you mean 'match'?\n";
    QTest::newRow("escape in a word")
        << "\x1b[31m"
        << "counterfoil: '\\x1B[31m' is no command; counterfoil --help lists them\n";
  }
  void mistakesExitWithTwo() {
    QFETCH(QString, line);
    QFETCH(QString, message);
    TestConsole console;
    QCOMPARE(console.run(line.toStdString()), 2);
    QCOMPARE(QString::fromStdString(console.err()), message);
    QVERIFY(console.out().empty());
  }

  void missingValuesExitWithTwo() {
    TestConsole console;
    QCOMPARE(console.run("match --as-of"), 2);
    QVERIFY(console.err().find("--as-of") != std::string::npos);
  }

  void versionIsOneLine() {
    TestConsole console;
    QCOMPARE(console.run("--version"), 0);
    QCOMPARE(QString::fromStdString(console.out()), QStringLiteral("counterfoil 0.1.0\n"));
    QVERIFY(console.err().empty());
  }

  void helpStartsWithExamplesAndListsExitCodes_data() {
    QTest::addColumn<QString>("line");
    QTest::newRow("program") << "--help";
    QTest::newRow("short") << "-h";
    QTest::newRow("help") << "help";
    for (const auto& command : allCommands()) {
      const QString name = QString::fromUtf8(command->spec().name.data(),
                                             static_cast<qsizetype>(command->spec().name.size()));
      QTest::addRow("%s --help", qPrintable(name)) << name + QStringLiteral(" --help");
      QTest::addRow("help %s", qPrintable(name)) << QStringLiteral("help ") + name;
    }
  }
  void helpStartsWithExamplesAndListsExitCodes() {
    QFETCH(QString, line);
    TestConsole console;
    QCOMPARE(console.run(line.toStdString()), 0);
    const QString help = QString::fromStdString(console.out());
    QVERIFY(help.startsWith(QStringLiteral("Examples:\n  ")));
    for (const char* code : {"  0 ", "  1 ", "  2 ", "  3 ", "  4 ", "  75 ", "  130, 143"}) {
      QVERIFY2(help.contains(QStringLiteral("\n") + QString::fromLatin1(code)), code);
    }
    for (const QString& text : help.split(u'\n')) QVERIFY2(text.size() <= 100, qPrintable(text));
    QVERIFY(console.err().empty());
  }

  void everyOptionStandsInHelpAndCompletion() {
    TestConsole console;
    for (const auto& command : allCommands()) {
      const std::string name(command->spec().name);
      QCOMPARE(console.run("help " + name), 0);
      for (const OptionSpec& option : command->spec().options) {
        QVERIFY2(console.out().find(std::string(option.name)) != std::string::npos,
                 option.name.data());
      }
    }
    for (const char* shell : {"bash", "zsh", "fish"}) {
      QCOMPARE(console.run(std::string("completion ") + shell), 0);
      for (const auto& command : allCommands()) {
        QVERIFY(console.out().find(std::string(command->spec().name)) != std::string::npos);
        for (const OptionSpec& option : command->spec().options) {
          QVERIFY2(console.out().find(std::string(option.name.substr(2))) != std::string::npos,
                   option.name.data());
        }
      }
    }
  }

  void specsAreWellFormed() {
    std::set<std::string_view> names;
    for (const auto& command : allCommands()) {
      const CommandSpec& spec = command->spec();
      QVERIFY2(names.insert(spec.name).second, spec.name.data());
      QVERIFY2(!spec.examples.empty(), spec.name.data());
      QVERIFY(!spec.summary.ends_with('.'));
      std::set<std::string_view> options;
      for (const OptionSpec& option : spec.options) {
        QVERIFY(option.name.starts_with("--"));
        QVERIFY2(options.insert(option.name).second, option.name.data());
        QCOMPARE(option.count == OptionSpec::Count::Flag, option.value.empty());
      }
    }
  }

  void colourObeysTheTerminal_data() {
    QTest::addColumn<bool>("terminal");
    QTest::addColumn<QString>("variable");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("line");
    QTest::addColumn<bool>("coloured");
    QTest::newRow("terminal") << true << "TERM"
                              << "xterm"
                              << "--help" << true;
    QTest::newRow("pipe") << false << "TERM"
                          << "xterm"
                          << "--help" << false;
    QTest::newRow("NO_COLOR") << true << "NO_COLOR"
                              << "1"
                              << "--help" << false;
    QTest::newRow("blank NO_COLOR") << true << "NO_COLOR"
                                    << ""
                                    << "--help" << true;
    QTest::newRow("dumb") << true << "TERM"
                          << "dumb"
                          << "--help" << false;
    QTest::newRow("--no-color") << true << "TERM"
                                << "xterm"
                                << "--help --no-color" << false;
    QTest::newRow("--no-color before the command") << true << "TERM"
                                                   << "xterm"
                                                   << "--no-color help match" << false;
  }
  void colourObeysTheTerminal() {
    QFETCH(bool, terminal);
    QFETCH(QString, variable);
    QFETCH(QString, value);
    QFETCH(QString, line);
    QFETCH(bool, coloured);
    TestConsole console;
    console.outIsTerminal = terminal;
    console.variables[variable.toStdString()] = value.toStdString();
    QCOMPARE(console.run(line.toStdString()), 0);
    QCOMPARE(console.out().find('\x1b') != std::string::npos, coloured);
  }

  void theJournalGetsLevels() {
    TestConsole console;
    console.variables["JOURNAL_STREAM"] = "8:1";
    QCOMPARE(console.run("mach"), 2);
    QVERIFY(console.err().starts_with("<3>counterfoil: "));
  }
};

QTEST_APPLESS_MAIN(TstProgram)
#include "tst_program.moc"
