// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of a log that come in pieces, and logs that are read block by block.
#include <QTest>

#include "importers/log/log_reader.h"
#include "row_collector.h"

using namespace counterfoil;
using namespace std::string_literals;

namespace {

std::unique_ptr<TextReader> readerOf(const std::vector<std::string>& wanted) {
  LogOptions options;
  options.givesEveryLine = true;
  return makeLogReader({wanted, nullptr, {}}, options);
}

std::string cri(const std::string& stream, char kind, const std::string& text) {
  return "2026-03-02T10:00:01.5Z " + stream + " " + kind + " " + text + "\n";
}

std::string docker(const std::string& stream, const std::string& text) {
  return "{\"log\":\"" + text + "\",\"stream\":\"" + stream + "\",\"time\":\"2026-03-02T10:00:01.5Z\"}\n";
}

/// Blocks of at most `step` bytes, as a stream gives them.
RowCollector readInSteps(const TextReader& reader, const std::string& text, std::size_t step) {
  RowCollector rows;
  const auto scratch = reader.makeScratch();
  std::string held;
  std::size_t given = 0, base = 0;
  while (true) {
    const bool last = given == text.size();
    const BlockOutcome outcome = reader.parse({held, base, held.size(), last}, rows, *scratch);
    held.erase(0, outcome.consumed);
    base += outcome.consumed;
    if (last) return rows;
    const std::size_t size = std::min(step, text.size() - given);
    held.append(text, given, size);
    given += size;
  }
}

QString shown(const std::string& text) { return QString::fromStdString(text); }

}  // namespace

class TstLogBlocks : public QObject {
  Q_OBJECT
 private slots:
  void piecesAreJoined_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("messages");
    QTest::newRow("of cri") << QByteArray::fromStdString(cri("stdout", 'P', "{\"msg\":\"pa") + cri("stdout", 'P', "id k1\",") +
                                                         cri("stdout", 'F', "\"n\":1}") + cri("stdout", 'F', "next"))
                            << "paid k1;next";
    QTest::newRow("with another stream between them")
        << QByteArray::fromStdString(cri("stdout", 'P', "a1") + cri("stderr", 'F', "b") + cri("stderr", 'P', "c1") +
                                     cri("stdout", 'F', "a2") + cri("stdout", 'F', "d") + cri("stderr", 'F', "c2") + cri("stdout", 'F', "e"))
        << "a1a2;b;c1c2;d;e";
    QTest::newRow("not ended") << QByteArray::fromStdString(cri("stdout", 'P', "a1") + cri("stdout", 'P', "a2")) << "a1a2";
    const std::string half(16u << 10, 'x');
    QTest::newRow("of docker") << QByteArray::fromStdString(docker("stdout", half) + docker("stdout", "y\\n") + docker("stdout", "next\\n"))
                               << QString::fromStdString(half + "y;next");
    QTest::newRow("docker's frame, written by another") << QByteArray::fromStdString(docker("stdout", "one") + docker("stdout", "two")) << "one;two";
    QTest::newRow("a backslash and an n at docker's end")
        << QByteArray::fromStdString(docker("stdout", half + "\\\\n") + docker("stdout", "y\\\\\\n")) << QString::fromStdString(half + "\\ny\\");
  }
  void piecesAreJoined() {
    QFETCH(QByteArray, text);
    QFETCH(QString, messages);
    RowCollector rows;
    parseAll(*readerOf({"message"}), text.toStdString(), rows);
    QCOMPARE(shown(rows.text()), messages);
    for (const std::size_t step : {1u, 7u, 1000u, 30000u}) {
      if (step < 1000 && text.size() > 1000) continue;
      QCOMPARE(shown(readInSteps(*readerOf({"message"}), text.toStdString(), step).text()), messages);
    }
  }

  void eachRowIsFoundAgainAtItsPlace() {
    const std::string text = cri("stdout", 'F', "z") + cri("stdout", 'P', "a1") + cri("stderr", 'F', "b") + cri("stderr", 'P', "c1") +
                             cri("stdout", 'F', "a2") + cri("stderr", 'F', "c2");
    const auto reader = readerOf({"message"});
    RowCollector all;
    parseAll(*reader, text, all);
    QCOMPARE(all.rows.size(), std::size_t{4});
    for (const RowCollector::Row& row : all.rows) {
      RowCollector one;
      one.stopAfter = 1;
      const auto scratch = reader->makeScratch();
      const std::string_view rest = std::string_view(text).substr(row.offset);
      reader->parse({rest, row.offset, 1, true}, one, *scratch);
      QCOMPARE(one.rows.at(0).fields, row.fields);
      QCOMPARE(one.rows.at(0).offset, row.offset);
    }
  }

  void chunksOfAFileGiveEachRowOnce() {
    const std::string text = cri("stdout", 'F', "z") + cri("stdout", 'P', "a1") + cri("stderr", 'F', "b") + cri("stderr", 'P', "c1") +
                             cri("stdout", 'F', "a2") + cri("stderr", 'F', "c2") + cri("stdout", 'F', "y");
    const auto reader = readerOf({"message"});
    for (std::size_t limit = 1; limit < text.size(); ++limit) {
      RowCollector rows;
      const auto scratch = reader->makeScratch();
      const std::size_t next = reader->parse({text, 0, limit, true}, rows, *scratch).consumed;
      QVERIFY(next >= limit);
      reader->parse({std::string_view(text).substr(next), next, text.size(), true}, rows, *scratch);
      QCOMPARE(shown(rows.text()), QString("z;a1a2;b;c1c2;y"));
    }
  }

  void whatIsJoinedIsBounded() {
    std::string text;
    const std::string piece(100'000, 'x');
    for (int i = 0; i < 30; ++i) text += cri("stdout", 'P', piece);
    text += cri("stdout", 'F', "end") + cri("stdout", 'F', "next");
    RowCollector rows;
    parseAll(*readerOf({"message"}), text, rows);
    QVERIFY(rows.rows.size() >= 3);
    for (const RowCollector::Row& row : rows.rows) QVERIFY(row.fields[0].size() <= (1u << 20) + piece.size());
    QCOMPARE(shown(rows.rows.back().fields[0]), QString("next"));
  }

  void manyPiecesAreBounded() {
    std::string text;
    for (int i = 0; i < 10'000; ++i) text += cri("stdout", 'P', "x");
    RowCollector rows;
    parseAll(*readerOf({"message"}), text, rows);
    QCOMPARE(rows.rows.size(), std::size_t{3});
    QCOMPARE(rows.rows[0].fields[0].size(), std::size_t{4096});
  }

  void aLineWithoutEndIsBounded() {
    const std::string text(70u << 20, 'x');
    RowCollector rows;
    const auto reader = readerOf({"message"});
    const auto scratch = reader->makeScratch();
    const BlockOutcome outcome = reader->parse({text, 0, text.size(), false}, rows, *scratch);
    QCOMPARE(shown(rows.rules()), QString("row_too_long"));
    QVERIFY(outcome.cutOff);
  }
};

QTEST_APPLESS_MAIN(TstLogBlocks)
#include "tst_log_blocks.moc"
