// SPDX-License-Identifier: GPL-3.0-or-later
// Pickles as data: what every protocol writes, and what is refused.
#include <QtTest>

#include "importers/mapping/decoders.h"

using namespace counterfoil;

namespace {

std::string compact(const JsonNode& node) {
  std::string out;
  bool isInText = false;
  for (const char c : printJson(node)) {
    if (c == '"') isInText = !isInText;
    if (isInText || (c != '\n' && c != ' ')) out += c;
  }
  return out;
}

std::string pickled(std::string_view bytes) {
  const auto node = parsePickle(bytes);
  return node ? compact(*node) : "error: " + node.error().message;
}

/// The values of pickles/python3.txt; protocols before 3 have no bytes of their own.
const std::map<std::string, std::string> kValues = {
    {"scalars", "[null,true,false,0,255,256,65536,-1,2147483648,-2147483648,1099511627776,-1099511627776,"
                "1267650600228229401496703205376,-1267650600228229401496703205376,1.5,-0.25,1e+300]"},
    {"texts", "[\"\",\"a\",\"\xC3\xA9\",\"\xF0\x9F\x98\x80\",\"" + std::string(300, 'x') +
                  "\",\"abc\",{\"base64\":\"/wA=\"},\"xy\"]"},
    {"containers", R"([[],[1],[1,2],[1,2,3],[1,2,3,4],[],[1],{},{"a":1,"b":[2,{"c":null}]}])"},
    {"sets", "[[7],[8]]"},
    {"shared", R"([["x"],["x"],{"k":["x"]}])"},
    {"known", R"(["2026-04-07T10:05:06.000789","2026-04-07T10:05:00.000000+00:00",)"
              R"("2026-04-07T10:05:00.000000-05:30","2026-04-07","25.00",)"
              R"("8e03978e-40d5-43e8-bc93-6894a57f9324","00000000-0000-0000-0000-000000000005"])"},
    {"ordered", R"({"a":1,"b":2})"},
    {"exception", R"({"r":{"__class__":"shop.errors.CardDeclined","args":["402 Your card was declined."]}})"},
    {"celery", R"({"status":"ok","charge_id":"ch_1","args":["ord_1",4900,"usd"],"skipped":true})"},
    {"keys", R"({"1":"a","2.5":"b","x":"c","null":"d"})"}};

std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

}  // namespace

class TstPickle : public QObject {
  Q_OBJECT

 private slots:
  void whatPythonWrites() {
    QFile file(TEST_SOURCE_DIR "/tests/importers/pickles/python3.txt");
    QVERIFY(file.open(QIODevice::ReadOnly));
    int count = 0;
    for (const QByteArray& line : file.readAll().split('\n')) {
      const auto words = line.split(' ');
      if (line.startsWith('#') || words.size() != 3) continue;
      const std::string bytes = QByteArray::fromBase64(words[2]).toStdString();
      const std::string name = words[0].toStdString();
      if (name == "object") continue;
      const std::string got = pickled(bytes);
      const std::string where = name + " of protocol " + words[1].toStdString() + ": " + got;
      QVERIFY2(got == kValues.at(name), where.c_str());
      // Cut anywhere it is no value, and never the beginning of one.
      for (std::size_t length = 0; length < bytes.size(); ++length)
        QVERIFY2(!parsePickle(bytes.substr(0, length)).has_value(), where.c_str());
      ++count;
    }
    QCOMPARE(count, 60);
  }

  /// An instance's class, arguments and state are data.
  void objectsAreDescribed() {
    QFile file(TEST_SOURCE_DIR "/tests/importers/pickles/python3.txt");
    QVERIFY(file.open(QIODevice::ReadOnly));
    for (const QByteArray& line : file.readAll().split('\n')) {
      if (!line.startsWith("object ")) continue;
      const auto node = parsePickle(QByteArray::fromBase64(line.split(' ')[2]).toStdString());
      QVERIFY2(node.has_value(), node ? "" : node.error().message.c_str());
      QCOMPARE(node->find("__class__")->text, std::string("shop.errors.Order"));
      QCOMPARE(compact(*node->find("state")), std::string(R"({"id":5})"));
    }
  }

  void nothingIsCalled() {
    QCOMPARE(pickled("cos\nsystem\n(S'rm -rf /'\ntR."),
             std::string(R"({"__class__":"os.system","args":["rm -rf /"]})"));
    QCOMPARE(pickled("(S'ls'\nios\nsystem\n."), std::string(R"({"__class__":"os.system","args":["ls"]})"));
    QCOMPARE(pickled("(cos\nsystem\nS'ls'\no."), std::string(R"({"__class__":"os.system","args":["ls"]})"));
    QCOMPARE(pickled("cos\nsystem\n."), std::string(R"({"__class__":"os.system"})"));
  }

  void refusals_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("message");
    const auto row = [](const char* name, const QByteArray& bytes, const char* message) {
      QTest::newRow(name) << bytes << QByteArray(message);
    };
    row("nothing", "", "the pickle is cut off");
    row("no opcode", "{\"a\": 1}", "not a pickle: an unknown opcode 0x7b");
    row("a text", "ord_1", "not a pickle: a mark is missing");
    row("persistent id", "Pid\n.", "the pickle holds a reference to something outside of it");
    row("persistent id of a value", "NQ.", "the pickle holds a reference to something outside of it");
    row("extension", QByteArray("\x82\x01.", 3), "the pickle holds an extension code");
    row("buffer", QByteArray("\x97.", 2), "the pickle holds a buffer outside of it");
    row("protocol 6", QByteArray("\x80\x06N.", 4), "not a pickle: a protocol above 5");
    row("more after the end", "N.N", "not a pickle: more bytes after its end");
    row("two values", "NN.", "not a pickle: it does not end in one value");
    row("open mark", "(N.", "not a pickle: it does not end in one value");
    row("no mark", "Nt.", "not a pickle: a mark is missing");
    row("value below the mark", "N(a.", "not a pickle: a value is missing");
    row("append to none", "a.", "not a pickle: a value is missing");
    row("half a member", "}(Nu.", "not a pickle: elements of something else");
    row("half a dict", "(Nd.", "not a pickle: a dict with half a member");
    row("dict in place of list", "}Na.", "not a pickle: elements of something else");
    row("memo that is not kept", QByteArray("h\x05.", 3), "not a pickle: a value is named that was not kept");
    row("memo of nothing", QByteArray("q\x05.", 3), "not a pickle: a value is missing");
    row("reduce of a value", "N)R.", "the pickle holds a call of something that is no class");
    row("reduce without tuple", "cos\nsystem\nNR.", "not a pickle: arguments that are no tuple");
    row("call of a result", "cos\nf\n)R)R.", "the pickle holds a call of something that is no class");
    row("state of a value", "NNb.", "the pickle holds a plain value that is filled like an object");
    row("object that is a dict", "cshop\nD\n)R(NNu.", "the pickle holds an object that is filled like a list or a dict");
    row("class without name", QByteArray("NN\x93.", 4), "not a pickle: a class without a name");
    row("key that is a tuple", "}()Nu.", "the pickle holds a dict with a key that is no text");
    row("text that is not UTF-8", QByteArray("\x8c\x01\xff.", 4), "the pickle holds a text that is not UTF-8");
    row("half a surrogate", "V\\ud800\n.", "not a pickle: a text that is not written as one");
    row("unquoted text", "Sabc\n.", "not a pickle: a text that is not written as one");
    row("bad number", "I1x\n.", "not a pickle: a number that is none");
    row("bad float", "F1,5\n.", "not a pickle: a number that is none");
    row("long number", QByteArray("\x8a\xff", 2) + QByteArray(255, '\x01') + ".",
        "the pickle holds a number of more than 128 bytes");
    row("endless size", QByteArray("\x8e\xff\xff\xff\xff\xff\xff\xff\xff.", 10), "the pickle is cut off");
    row("frame beyond the end", QByteArray("\x80\x04\x95\xff\x00\x00\x00\x00\x00\x00\x00N.", 13), "the pickle is cut off");
    row("list in itself", QByteArray("]q\x00h\x00" "a.", 7), "the pickle is nested too deep");
    row("deep", QByteArray(100, ']') + QByteArray(99, 'a') + ".", "the pickle is nested too deep");
  }
  void refusals() {
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, message);
    QCOMPARE(QByteArray::fromStdString(pickled(bytes.toStdString())), "error: " + message);
  }

  void numbersThatJsonLacksAreNull() {
    QCOMPARE(pickled("Fnan\n."), std::string("null"));
    QCOMPARE(pickled(std::string("G\x7f\xf0\0\0\0\0\0\0.", 10)), std::string("null"));
    QCOMPARE(pickled("I01\n."), std::string("true"));
    QCOMPARE(pickled("L-12L\n."), std::string("-12"));
    QCOMPARE(pickled("I-007\n."), std::string("-7"));
    QCOMPARE(pickled("L-000L\n."), std::string("0"));
    QCOMPARE(pickled(std::string("\x8a\x00.", 3)), std::string("0"));
  }

  /// A time whose zone is not known is no time that could be read in another one.
  void timesOfUnknownZonesAreNoText() {
    std::string bytes("cdatetime\ndatetime\n(C\x0a\x07\xea\x04\x07\x0a\x05\0\0\0\0", 32);
    bytes += "cshop\nEast\n)RtR.";
    const auto node = parsePickle(bytes);
    QVERIFY2(node.has_value(), node ? "" : node.error().message.c_str());
    QCOMPARE(node->type, JsonNode::Type::Object);
    QCOMPARE(node->find("__class__")->text, std::string("datetime.datetime"));
  }

  /// A few bytes that name a value again and again: doubling lists, long texts, many sets of one list.
  void bombsAreBounded() {
    std::string doubling = "]q0";
    for (int i = 0; i < 60; ++i)
      doubling += "]q" + std::string(1, static_cast<char>('1' + i)) + "h" + std::string(1, static_cast<char>('0' + i)) + "ah" +
                  std::string(1, static_cast<char>('0' + i)) + "a";
    QCOMPARE(pickled(repeated("0", 0) + "(" + doubling + "l."), std::string("error: the pickle comes to more than can be held"));
    const std::string text(1u << 20, 'm');
    const std::string size("\x00\x00\x10\x00", 4);
    // One long text as the module of ten thousand classes, and in ten thousand lists.
    QCOMPARE(pickled("(X" + size + text + "q0" + repeated("h0h0\x93", 10'000) + "l."),
             std::string("error: the pickle holds a class with an endless name"));
    QCOMPARE(pickled("(X" + size + text + "q0" + repeated("h0", 10'000) + "l."),
             std::string("error: the pickle comes to more than can be held"));
    const std::string latin = "c_codecs\nencode\nq1";
    QCOMPARE(pickled("(X" + size + text + "q0" + latin + repeated(std::string("h1h0X\x06\0\0\0latin1\x86R", 17), 1000) + "l."),
             std::string("error: the pickle holds more values than can be held"));
    const std::string list = "(" + repeated("N", 50'000) + "lq0";
    QCOMPARE(pickled("(" + list + repeated("cbuiltins\nset\nh0\x85R", 1000) + "l."),
             std::string("error: the pickle holds more values than can be held"));
    QCOMPARE(pickled("(" + repeated("N", 300'000) + "l."), std::string("error: the pickle holds more values than can be held"));
    QCOMPARE(pickled(repeated("(", 2'000'000)), std::string("error: the pickle holds more values than can be held"));
  }
};

QTEST_APPLESS_MAIN(TstPickle)
#include "tst_pickle.moc"
