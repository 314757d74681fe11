// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "importers/readers/line_reader.h"
#include "row_collector.h"

using namespace counterfoil;
using namespace std::string_literals;

namespace {

std::vector<std::shared_ptr<const Pattern>> patternsOf(const std::vector<std::string>& texts) {
  std::vector<std::shared_ptr<const Pattern>> patterns;
  for (const std::string& text : texts) {
    Result<Pattern> pattern = Pattern::compile(text);
    if (pattern) patterns.push_back(std::make_shared<const Pattern>(std::move(*pattern)));
  }
  return patterns;
}

}  // namespace

class TstLines : public QObject {
  Q_OBJECT
 private slots:
  void jsonLinesAreRows() {
    RowCollector rows;
    const auto reader = makeNdjsonReader({{"id", "n.x"}, nullptr, {}}, "");
    const BlockOutcome outcome = parseAll(*reader, "{\"id\":1,\"n\":{\"x\":\"a\"}}\r\n\n  \n{\"id\":12345678901234567890123}\n\x1E{\"id\":null}\n", rows);
    QCOMPARE(QString::fromStdString(rows.text()), QString("1|a;12345678901234567890123|-;null|-"));
    QCOMPARE(rows.rows[0].types[0], FieldType::Number);
    QCOMPARE(rows.rows[1].offset, std::uint64_t{28});
    QVERIFY(!outcome.cutOff);
  }

  void aBrokenJsonLineIsOneDefect_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("rules");
    QTest::addColumn<QString>("rows");
    QTest::addColumn<bool>("cutOff");
    QTest::newRow("a wrong word") << QByteArray("{\"id\":tru}\n{\"id\":2}\n") << "not_json" << "2" << false;
    QTest::newRow("not closed") << QByteArray("{\"id\":1\n{\"id\":2}\n") << "not_json" << "2" << false;
    QTest::newRow("invalid utf-8") << QByteArray("{\"id\":\"\xFF\"}\n{\"id\":2}\n") << "invalid_encoding" << "2" << false;
    QTest::newRow("no json at all") << QByteArray("hello\n{\"id\":2}") << "not_json" << "2" << false;
    QTest::newRow("the last line is cut") << QByteArray("{\"id\":2}\n{\"id\":") << "cut_off" << "2" << true;
  }
  void aBrokenJsonLineIsOneDefect() {
    QFETCH(QByteArray, text);
    QFETCH(QString, rules);
    QFETCH(QString, rows);
    QFETCH(bool, cutOff);
    RowCollector found;
    const auto reader = makeNdjsonReader({{"id"}, nullptr, {}}, "");
    const BlockOutcome outcome = parseAll(*reader, text.toStdString(), found);
    QCOMPARE(QString::fromStdString(found.rules()), rules);
    QCOMPARE(QString::fromStdString(found.text()), rows);
    QCOMPARE(outcome.cutOff, cutOff);
  }

  void aLineThatIsAListMakesARowOfEachElement() {
    RowCollector rows;
    const auto reader = makeNdjsonReader({{"id", "$value"}, nullptr, {}}, "");
    parseAll(*reader, "[{\"id\":1},{\"id\":2},7]\n{\"id\":3}\n[]\n[{\"id\":4}\n", rows);
    QCOMPARE(QString::fromStdString(rows.text()), QString("1|{\"id\":1};2|{\"id\":2};-|7;3|{\"id\":3}"));
    QCOMPARE(QString::fromStdString(rows.rules()), QString("not_json"));
  }

  void aRowMayLieInAText() {
    RowCollector rows;
    const auto reader = makeNdjsonReader({{"id", "Type"}, nullptr, {}}, JsonNesting({}, "Message"));
    parseAll(*reader, "{\"Type\":\"Notification\",\"Message\":\"{\\\"id\\\":\\\"a\\\\u0041\\\"}\\n\"}" "\n"
                      "{\"id\":\"bare\"}" "\n" "{\"id\":\"x\",\"Message\":\"hello\"}" "\n"
                      "{\"Type\":\"N\",\"Message\":\"{\\\"id\\\":\"}" "\n", rows);
    QCOMPARE(QString::fromStdString(rows.text()), QString("aA|Notification;bare|-;x|-"));
    QCOMPARE(QString::fromStdString(rows.rules()), QString("not_json"));
  }

  void theFirstListThatIsThereMakesTheRows() {
    RowCollector rows;
    const auto reader = makeNdjsonReader({{"mail", "to"}, nullptr, {}}, JsonNesting({"bounce.list", "list"}, ""));
    parseAll(*reader, "{\"mail\":\"m\",\"list\":[{\"to\":\"a\"}],\"bounce\":{\"list\":[{\"to\":\"b\"},{\"to\":\"c\"}]}}" "\n"
                      "{\"mail\":\"n\",\"list\":[{\"to\":\"a\"}]}" "\n" "{\"mail\":\"o\"}" "\n", rows);
    QCOMPARE(QString::fromStdString(rows.text()), QString("m|b;m|c;n|a"));
  }

  void elementsOfALineAreRows() {
    RowCollector rows;
    const auto reader = makeNdjsonReader({{"order", "sku"}, nullptr, {}}, "items");
    parseAll(*reader, "{\"order\":1,\"items\":[{\"sku\":\"a\"},{\"sku\":\"b\",\"order\":9}]}\n{\"order\":2}\n", rows);
    QCOMPARE(QString::fromStdString(rows.text()), QString("1|a;9|b"));
    QCOMPARE(rows.rows[1].element, 1u);
  }

  void theFirstPatternThatFitsMakesTheRow() {
    RowCollector rows;
    const auto patterns = patternsOf({"^(?<time>\\S+) skip key=(?<key>\\S+)(?: why=(?<why>\\S+))?", "key (?<key>[a-z0-9]+)"});
    QCOMPARE(patternColumns(patterns), (std::vector<std::string>{"time", "key", "why", "line"}));
    const auto reader = makePatternReader({{"key", "why", "time", "line", "none"}, nullptr, {}}, patterns, false);
    parseAll(*reader, "10:00 skip key=k1 why=done\nstarted\n10:01 skip key=k2\r\nkey k3 again\n", rows);
    QCOMPARE(QString::fromStdString(rows.text()),
             QString("k1|done|10:00|10:00 skip key=k1 why=done|-;k2|-|10:01|10:01 skip key=k2|-;k3|-|-|key k3 again|-"));
    QCOMPARE(rows.unmatched, std::vector<std::string>{"started"});
  }

  void unmatchedLinesMayBeQuarantined() {
    RowCollector rows;
    const auto reader = makePatternReader({{"key"}, nullptr, {}}, patternsOf({"key=(?<key>\\S+)"}), true);
    parseAll(*reader, "hello\nkey=1\n", rows);
    QCOMPARE(QString::fromStdString(rows.rules()), QString("unmatched_line"));
    QCOMPARE(QString::fromStdString(rows.text()), QString("1"));
  }

  void brokenBytesCanBeReplaced() {
    LineOptions options{{"id", "$repaired"}, nullptr, {}, true};
    RowCollector rows;
    parseAll(*makeNdjsonReader(options, ""), "{\"id\":\"\xFFz\xC3\"}\n{\"id\":\"\xC3\xA9\"}\n{}\xFF\n {\"id\":2}\n{ \xFF}\n", rows);
    QCOMPARE(QString::fromStdString(rows.text()), QString("\xEF\xBF\xBDz\xEF\xBF\xBD|true;\xC3\xA9|-;2|-"));
    QCOMPARE(QString::fromStdString(rows.rules()), QString("not_json;not_json"));
    RowCollector fitted;
    const auto patterns = patternsOf({"^(?<id>[a-z]+) "});
    parseAll(*makePatternReader(options, patterns, false), "ab \xFF\ncd e\n", fitted);
    QCOMPARE(QString::fromStdString(fitted.text()), QString("ab|true;cd|-"));
    RowCollector logged;
    parseAll(*makeLogfmtReader(options, false), "id=a x=\xFF\nid=b\n", logged);
    QCOMPARE(QString::fromStdString(logged.text()), QString("a|true;b|-"));
  }

  void invalidBytesOutsideOfRowsDoNotMatter() {
    RowCollector rows;
    const auto reader = makePatternReader({{"key"}, nullptr, {}}, patternsOf({"key=(?<key>\\S+)"}), false);
    parseAll(*reader, "junk \xFF\xFE\nkey=\xFF\nkey=1\n", rows);
    QCOMPARE(QString::fromStdString(rows.rules()), QString("invalid_encoding"));
    QCOMPARE(QString::fromStdString(rows.text()), QString("1"));
    QCOMPARE(rows.unmatched.size(), std::size_t{1});
  }

  void otherEncodingsAreConverted() {
    RowCollector rows;
    const auto reader = makePatternReader({{"key"}, nullptr, SingleByteTable::make("windows-1252")}, patternsOf({"key=(?<key>\\S+)"}), false);
    parseAll(*reader, "key=M\xF6" "bel\n", rows);
    QCOMPARE(QString::fromStdString(rows.text()), QString("Möbel"));
  }

  void logfmtIsRead_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("fields");
    QTest::newRow("plain") << "level=info msg=started key=k1" << "info|started|k1|-";
    QTest::newRow("quoted") << "level=info msg=\"already done\" key=\"k \\\"1\\\"\"" << "info|already done|k \"1\"|-";
    QTest::newRow("a flag") << "level=info done key=k1" << "info|-|k1|true";
    QTest::newRow("a blank value") << "level= key=k1" << "|-|k1|-";
    QTest::newRow("an equal sign in a value") << "key=a=b level=x" << "x|-|a=b|-";
    QTest::newRow("the last of equal keys wins") << "key=a key=b" << "-|-|b|-";
    QTest::newRow("a quote that is not closed") << "key=k1 msg=\"abc" << "-|\"abc|k1|-";
    QTest::newRow("an escape at the end") << "key=k1 msg=\"abc\\" << "-|\"abc\\|k1|-";
    QTest::newRow("no pairs") << "a line of words" << "";
  }
  void logfmtIsRead() {
    QFETCH(QString, line);
    QFETCH(QString, fields);
    RowCollector rows;
    const auto reader = makeLogfmtReader({{"level", "msg", "key", "done"}, nullptr, {}}, false);
    parseAll(*reader, line.toStdString() + "\n", rows);
    QCOMPARE(QString::fromStdString(rows.text()), fields);
    QCOMPARE(rows.unmatched.size(), fields.isEmpty() ? std::size_t{1} : std::size_t{0});
  }

  void aBlockEndsWhereItsLinesEnd() {
    const auto reader = makeLogfmtReader({{"a"}, nullptr, {}}, false);
    const auto scratch = reader->makeScratch();
    RowCollector rows;
    const std::string text = "a=1\na=2\na=3";
    BlockOutcome outcome = reader->parse({text, 0, text.size(), false}, rows, *scratch);
    QCOMPARE(outcome.consumed, std::size_t{8});
    QVERIFY(outcome.needMore);
    outcome = reader->parse({text, 0, 4, false}, rows, *scratch);
    QCOMPARE(outcome.consumed, std::size_t{4});
    QVERIFY(!outcome.needMore);
    QCOMPARE(reader->likelyRowStart(text, 4), std::size_t{4});
    QCOMPARE(reader->likelyRowStart(text, 5), std::size_t{8});
    QCOMPARE(reader->likelyRowStart(text, 9), text.size());
  }
};

QTEST_APPLESS_MAIN(TstLines)
#include "tst_lines.moc"
