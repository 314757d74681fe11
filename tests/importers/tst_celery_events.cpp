// SPDX-License-Identifier: GPL-3.0-or-later
// Events of Celery joined to runs.
#include <QTest>
#include <set>

#include "importers/celery/celery_events.h"
#include "importers/celery/event_line.h"
#include "importers/celery/event_runs.h"
#include "table_rows.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

SourceOpener opener(const std::string& text, std::size_t step = 1u << 20) {
  return [&text, step]() -> Result<std::unique_ptr<ByteSource>> {
    return Result<std::unique_ptr<ByteSource>>(std::make_unique<TextPieces>(text, step));
  };
}

std::string runs(const std::string& text, std::size_t heldBytes = 1u << 20,
                 std::size_t step = 1u << 20) {
  const auto source = transcodeCeleryEventsWithin(opener(text, step), false, heldBytes);
  return source ? shownRows(**source) : "error: " + source.error().message;
}

std::string told(const std::string& type, int task, const std::string& time,
                 const std::string& host = "w1", const std::string& more = "") {
  return R"({"type": "task-)" + type + R"(", "uuid": "t)" + std::to_string(task) +
         R"(", "timestamp": )" + time + R"(, "hostname": ")" + host + R"(", "pid": 7, "clock": 3)" +
         (more.empty() ? "" : ", " + more) + "}\n";
}

std::string turnedRound(const std::string& text) {  // in the other order
  std::string turned;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    turned.insert(0, text.substr(at, end - at));
    at = end;
  }
  return turned;
}

/// Without the numbers of lines.
std::string unnumbered(const std::string& shown) {
  std::string out;
  for (std::size_t at = 0; at < shown.size();) {
    const std::size_t end = shown.find('\n', at) + 1;
    const std::size_t blank = shown.find(' ', at) + 1;
    out += shown.substr(blank, end - blank);
    at = end;
  }
  return out;
}

std::string manyTasks(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    const std::string second = std::to_string(1'788'400'000 + i);
    text += told("received", i, second + ".25", "w1",
                 R"("name": "pay", "args": "['ord-)" + std::to_string(i) + R"(']")");
    text += told("started", i, second + ".5");
    text += told("succeeded", i, second + ".75", "w1", R"("result": "'ch'")");
  }
  return text;
}

}  // namespace

class TstCeleryEvents : public QObject {
  Q_OBJECT

 private slots:
  void timesAreExact() {
    using celery::nanosOf;
    QCOMPARE(*nanosOf("1795953630.9949594"), std::int64_t(1'795'953'630'994'959'400));
    QCOMPARE(*nanosOf("1795953630"), std::int64_t(1'795'953'630'000'000'000));
    QCOMPARE(*nanosOf("0.123456789123"), std::int64_t(123'456'789));
    for (const char* text : {"", "-1", "1e9", "1.", ".5", "99999999999", "12x", "1.2.3", "NaN",
                             "1795953630.99495940000000000000000"})
      QVERIFY2(!nanosOf(text), text);
  }

  void aRunIsItsEvents() {
    QCOMPARE(
        runs(told("received", 1, "100.5", "w1", R"("name": "pay", "args": "['a']", "retries": 0)") +
             told("started", 1, "101") +
             told("succeeded", 1, "102.25", "w1", R"("result": "None", "runtime": 1.2)")),
        std::string(
            R"(3 {"uuid":"t1","state":"succeeded","run":1,"runs":1,"name":"pay","args":"['a']","retries":0,"hostname":"w1",)"
            R"("pid":7,"received":100.5,"started":101,"ended":102.25,"result":"None","runtime":1.2})"
            "\n"));
  }

  void anotherProcessIsAnotherRun() {
    const std::string text = told("started", 1, "101") + told("started", 1, "150", "w2") +
                             told("failed", 1, "151", "w2");
    QCOMPARE(runs(text), std::string("1 "
                                     "{\"uuid\":\"t1\",\"state\":\"started\",\"run\":1,\"runs\":2,"
                                     "\"hostname\":\"w1\",\"pid\":7,\"started\":101}\n"
                                     "3 "
                                     "{\"uuid\":\"t1\",\"state\":\"failed\",\"run\":2,\"runs\":2,"
                                     "\"hostname\":\"w2\",\"pid\":7,\"started\":150,"
                                     "\"ended\":151}\n"));
  }

  void theOrderOfLinesDoesNotCount() {
    const std::string text = manyTasks(40) + told("started", 3, "1788400100") +
                             told("sent", 3, "1788400099", "web") +
                             told("rejected", 5, "1788400101", "w2", "\"requeue\": true");
    QCOMPARE(unnumbered(runs(turnedRound(text))), unnumbered(runs(text)));
    QCOMPARE(runs(text + text), runs(text));  // the same events again are repeats
  }

  void sizeOfPiecesDoesNotCount() {
    const std::string text = manyTasks(40) + "broken\n" + told("started", 3, "1788400100");
    QCOMPARE(runs(text, 1u << 20, 5), runs(text));
  }

  void moreThanIsHeldIsReadAgain() {
    const std::string text = manyTasks(400) + "broken\n";
    const std::string whole = runs(text, 16u << 20);
    const std::string parts = runs(text, 24u << 10);
    const auto sorted = [](const std::string& shown) {
      std::multiset<std::string> all;
      for (std::size_t at = 0; at < shown.size(); at = shown.find('\n', at) + 1)
        all.insert(shown.substr(at, shown.find('\n', at) - at));
      return all;
    };
    QVERIFY(whole != parts);  // tasks come part by part
    QVERIFY(sorted(whole) == sorted(parts));
    QCOMPARE(sorted(whole).size(), std::size_t(401));
  }

  void oneTaskWithTooManyEventsIsTold() {
    std::string text;
    for (int i = 0; i < 2000; ++i) text += told("started", 1, std::to_string(100 + i));
    const std::string shown = runs(text, 24u << 10);
    QVERIFY2(shown.find("!events of a few tasks take more than") != std::string::npos,
             shown.substr(0, 300).c_str());
  }

  void aLineThatIsTooLongIsTold() {
    const std::string shown =
        runs("{\"type\": \"" + std::string(9u << 20, 'x') + "\"}\n" + told("started", 1, "5"),
             1u << 20, 4096);
    QVERIFY(shown.find("1! ||a line that is too long for an event|") == 0);
    QVERIFY(shown.find("\n2 {\"uuid\":\"t1\",\"state\":\"started\"") != std::string::npos);
  }

  void whatIsNoEventStream() {
    QVERIFY(
        !looksLikeCeleryEvents(R"({"type": "charge.succeeded", "id": "evt_1", "hostname": "a"})"));
    QVERIFY(!looksLikeCeleryEvents("a,b\n1,2\n"));
    QVERIFY(!looksLikeCeleryEvents(""));
    QVERIFY(!looksLikeCeleryEvents(R"({"type": "task-sent", "uuid": "1", "timestamp": 5})"));
    QVERIFY(looksLikeCeleryEvents("broken\n" + told("sent", 1, "5")));
    QVERIFY(looksLikeCeleryEvents(
        R"({"type": "worker-heartbeat", "hostname": "w", "timestamp": 5.5})"));
  }
};

QTEST_APPLESS_MAIN(TstCeleryEvents)
#include "tst_celery_events.moc"
