// SPDX-License-Identifier: GPL-3.0-or-later
#include <rapidcheck.h>

#include <QtTest>

#include "core/base/text.h"
#include "core/base/utf8.h"

using namespace counterfoil;

namespace {

/// Texts of letters that meet the rules: spaces, marks, zero-width characters, broken bytes.
std::string hostileText() {
  static const std::vector<std::string> pieces = {
      "a",      "Z",      "7",      "-",       "{",        "}",         " ",      "\t",
      "\u00A0", "\u200B", "\uFEFF", "e\u0301", "\u00E9",   "\u0323",    "\u0307", "\u212B",
      "\u1E9E", "\xFF",   "\xC3",   "\u202E",  "8e03978e", "\U0001F600"};
  std::string text;
  for (const std::string& piece :
       *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(pieces)))
    text += piece;
  return text;
}

}  // namespace

class TstText : public QObject {
  Q_OBJECT

 private slots:
  void normalKeys_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("key");
    const QByteArray uuid = "8e03978e40d543e889b21e0a1c8d3b7f";
    QTest::newRow("plain") << QByteArray("charge:4471") << QByteArray("charge:4471");
    QTest::newRow("case is kept") << QByteArray("Charge:A") << QByteArray("Charge:A");
    QTest::newRow("outer spaces") << QByteArray(" \t charge 1\r\n") << QByteArray("charge 1");
    QTest::newRow("NBSP outside") << QByteArray("\u00A0k\u00A01\u3000") << QByteArray("k\u00A01");
    QTest::newRow("zero width anywhere")
        << QByteArray("\uFEFFab\u200Bc\u200E") << QByteArray("abc");
    QTest::newRow("space beside zero width") << QByteArray("\u200B a \u200B") << QByteArray("a");
    QTest::newRow("space bared within") << QByteArray("é \u200B\u200B") << QByteArray("é");
    QTest::newRow("apostrophe is kept") << QByteArray("'0123") << QByteArray("'0123");
    QTest::newRow("NFC") << QByteArray("cafe\u0301") << QByteArray("caf\u00E9");
    QTest::newRow("Angstrom sign") << QByteArray("\u212B") << QByteArray("\u00C5");
    QTest::newRow("marks in order") << QByteArray("q\u0307\u0323") << QByteArray("q\u0323\u0307");
    QTest::newRow("invalid UTF-8")
        << QByteArray(" \xFFk\u200B\xC3 ") << QByteArray("\xFFk\u200B\xC3");
    QTest::newRow("dashed uuid") << QByteArray("8E03978E-40D5-43E8-89B2-1E0A1C8D3B7F") << uuid;
    QTest::newRow("lower-case uuid") << QByteArray("8e03978e-40d5-43e8-89b2-1e0a1c8d3b7f") << uuid;
    QTest::newRow("braced uuid") << QByteArray("{8e03978e-40d5-43e8-89b2-1e0a1c8d3b7f}") << uuid;
    QTest::newRow("urn uuid") << QByteArray("URN:UUID:8e03978e-40d5-43e8-89b2-1e0a1c8d3b7f")
                              << uuid;
    QTest::newRow("bare uuid") << QByteArray("8E03978E40D543E889B21E0A1C8D3B7F") << uuid;
    QTest::newRow("uuid with unseen mark")
        << QByteArray("\uFEFF8e03978e-40d5-43e8-89b2-1e0a1c8d3b7f") << uuid;
    QTest::newRow("uuid in a key") << QByteArray("a-8E03978E-40D5-43E8-89B2-1E0A1C8D3B7F")
                                   << QByteArray("a-8E03978E-40D5-43E8-89B2-1E0A1C8D3B7F");
    QTest::newRow("31 hex digits") << QByteArray("8E03978E40D543E889B21E0A1C8D3B7")
                                   << QByteArray("8E03978E40D543E889B21E0A1C8D3B7");
    QTest::newRow("dash out of place") << QByteArray("8E03978E4-0D5-43E8-89B2-1E0A1C8D3B7F")
                                       << QByteArray("8E03978E4-0D5-43E8-89B2-1E0A1C8D3B7F");
    QTest::newRow("blank") << QByteArray(" \u200B ") << QByteArray("");
  }
  void normalKeys() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, key);
    QCOMPARE(QByteArray::fromStdString(normalKey(text.toStdString())), key);
  }

  void normalKeyViewsTheTextWhereItCan() {
    std::string scratch;
    const std::string text = "  charge:4471 ";
    QVERIFY(normalKey(text, scratch).data() == text.data() + 2);
    const std::string uuid = "8e03978e40d543e889b21e0a1c8d3b7f";
    QVERIFY(normalKey(uuid, scratch).data() == uuid.data());
    QVERIFY(scratch.empty());
  }

  void normalKeyIsIdempotent() {
    QVERIFY(rc::check([] {
      const std::string once = normalKey(hostileText());
      RC_ASSERT(normalKey(once) == once);
    }));
  }

  void manyCombiningMarksAreLeftAlone() {
    std::string text = "a";
    for (int i = 0; i < 100'000; ++i) text += i % 2 == 0 ? "\u0307" : "\u0323";
    QVERIFY(normalKey(text) == text);
    QVERIFY(!keyFold(text).empty());
  }

  void noValues_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("none");
    for (const char* text :
         {"", " ", "null", "NULL", "None", "NaN", "nan", "undefined", "Undefined", "\u00A0", "#N/A", "#REF!", "#div/0!", " #VALUE!"}) {
      QTest::newRow(qPrintable(QString("[%1]").arg(text))) << QByteArray(text) << true;
    }
    for (const char* text : {"0", "nil", "n/a", "-", "nulls", "false", "nano", "#1", "#N", "#n/a1"}) {
      QTest::newRow(text) << QByteArray(text) << false;
    }
  }
  void noValues() {
    QFETCH(QByteArray, text);
    QFETCH(bool, none);
    QCOMPARE(isNoValue(text.toStdString()), none);
  }

  void spreadsheetDamageIsSeen_data() {
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<int>("damage");
    for (const char* key :
         {"4.68769E+18", "1.00E+03", "1E+05", "4,69E+18", "-1.5E+10", "1.00E-05", "1.2E+100"}) {
      QTest::newRow(key) << QByteArray(key) << int(SpreadsheetDamage::Number);
    }
    for (const char* key :
         {"03-Apr", "3-Apr", "Apr-03", "3-APR-26", "03-Apr-2026", "3/4/2026", "03/04/2026"}) {
      QTest::newRow(key) << QByteArray(key) << int(SpreadsheetDamage::Date);
    }
    for (const char* key :
         {"1e3", "73928e05", "1E3", "1E-05", "12.5E+10", "4.68769e+18", "4.68769E+1", "E+18",
          "1.E+05", "2026-04-03", "03-04-2026", "03-Foo", "Apr-2026", "003-Apr", "3-Apr-6",
          "charge:1E+05", "", "Apr", "3/4/26"}) {
      QTest::newRow(qPrintable(QString("no: %1").arg(key)))
          << QByteArray(key) << int(SpreadsheetDamage::None);
    }
  }
  void spreadsheetDamageIsSeen() {
    QFETCH(QByteArray, key);
    QFETCH(int, damage);
    QCOMPARE(int(spreadsheetDamage(key.toStdString())), damage);
    QCOMPARE(looksDamagedBySpreadsheet(key.toStdString()), damage != int(SpreadsheetDamage::None));
  }

  void keyTemplates_data() {
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("shape");
    const auto row = [](const char* key, const char* shape) {
      QTest::newRow(key) << QByteArray(key) << QByteArray(shape);
    };
    row("charge:4471", "charge:{n}");
    row("a-8e03978e-40d5-43e8-89b2-1e0a1c8d3b7f", "a-{uuid}");
    row("8e03978e40d543e889b21e0a1c8d3b7f", "{uuid}");
    row("a-8e03978e-40d5-43e8-89b2-1e0a1c8d3b7f-2", "a-{uuid}-{n}");
    row("8e03978e-40d5-43e8-89b2-1e0a1c8d3b7fa", "{hex}-{n}d{n}-{n}e{n}-{n}b{n}-{hex}");
    row("sub_9f86d081", "sub_{hex}");
    row("invoice20260401", "invoice{n}");
    row("added2026-04-01", "added{n}-{n}-{n}");
    row("abc123", "abc{n}");
    row("no digits", "no digits");
    row("", "");
    row("é7", "é{n}");
  }
  void keyTemplates() {
    QFETCH(QByteArray, key);
    QFETCH(QByteArray, shape);
    QCOMPARE(QByteArray::fromStdString(keyTemplate(key.toStdString())), shape);
  }

  void keyFolds_data() {
    QTest::addColumn<QByteArray>("a");
    QTest::addColumn<QByteArray>("b");
    QTest::addColumn<bool>("equal");
    QTest::newRow("case") << QByteArray("Charge:A1") << QByteArray("charge:a1") << true;
    QTest::newRow("punctuation") << QByteArray("order-4471") << QByteArray("ORDER_44 71") << true;
    QTest::newRow("en dash") << QByteArray("a–1") << QByteArray("A-1") << true;
    QTest::newRow("composed or not") << QByteArray("CAFE\u0301") << QByteArray("café") << true;
    QTest::newRow("sharp s") << QByteArray("STRASSE") << QByteArray("straße") << true;
    QTest::newRow("zero width") << QByteArray("ab\u200B") << QByteArray("ab") << true;
    QTest::newRow("leading zeros differ") << QByteArray("007") << QByteArray("7") << false;
    QTest::newRow("letters differ") << QByteArray("a1") << QByteArray("b1") << false;
    QTest::newRow("look-alikes differ") << QByteArray("\u0430") << QByteArray("a") << false;
    QTest::newRow("invalid bytes differ") << QByteArray("a\xFF") << QByteArray("a\xFE") << false;
  }
  void keyFolds() {
    QFETCH(QByteArray, a);
    QFETCH(QByteArray, b);
    QFETCH(bool, equal);
    QCOMPARE(keyFold(a.toStdString()) == keyFold(b.toStdString()), equal);
  }

  void foldsOfPunctuationAreBlank() { QCOMPARE(keyFold("--- \u2014"), std::string()); }

  void cardNumbers_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("masked");
    const auto row = [](const char* text, const char* masked) {
      QTest::newRow(text) << QByteArray(text) << QByteArray(masked);
    };
    row("4111111111111111", "************1111");
    row("card 4111 1111 1111 1111.", "card ************1111.");
    row("4111-1111-1111-1111", "************1111");
    row("378282246310005", "************0005");
    row("3782 822463 10005", "************0005");
    row("6304000000000000", "************0000");
    row("a=4111111111111111,b=5555555555554444", "a=************1111,b=************4444");
    row("2026-04-07 4111 1111 1111 1111", "2026-04-07 ************1111");
    row("4222222222222", "************2222");
    row("4111111111111112", "4111111111111112");                // fails Luhn
    row("41111111111111111111111", "41111111111111111111111");  // longer than a card
    row("{\"body\":\"WyI0MTExMTExMTExMTExMTExIiwgIm9yZF8xIl0=\"}",
        "{\"body\":\"WyIqKioqKioqKioqKioxMTExIiwgIm9yZF8xIl0=\"}");
    row("{\"body\":\"eFsiMzc4MjgyMjQ2MzEwMDA1Il0=\"}",
        "{\"body\":\"eFsiKioqKioqKioqKioqMDAwNSJd\"}");
    row("xWyI0MTExIDExMTEgMTExMSAxMTExIl0=",
        "xWyIqKioqKioqKioqKioxMTExIl0=");  // begins before the base64 does
    row("ZXlKallYSmtJam9pTlRVMU5UVTFOVFUxTlRVMU5EUTBOQ0lzSW00aU9qRXlmUT09",
        "ZXlKallYSmtJam9pS2lvcUtpb3FLaW9xS2lvcU5EUTBOQ0lzSW00aU9qRXlmUT09");  // twice
    row("Pz8-Pn5-NDExMTExMTExMTExMTExMX5-",
        "Pz8-Pn5-KioqKioqKioqKioqMTExMX5-");  // the other alphabet
    row("\\x633431313131313131313131313131313163",
        "\\x632a2a2a2a2a2a2a2a2a2a2a2a3131313163");
    row("b3JkZXIgNDQ3MSwgNDExMTExMTExMTExMTExMg==",
        "b3JkZXIgNDQ3MSwgNDExMTExMTExMTExMTExMg==");
    row("order 4471", "order 4471");
    row("2026-04-07 10:00:00", "2026-04-07 10:00:00");
    row("", "");
  }
  void cardNumbers() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, masked);
    QCOMPARE(QByteArray::fromStdString(maskCardNumbers(text.toStdString())), masked);
  }

  void terminalText_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("shown");
    QTest::newRow("plain") << QByteArray("Ünïcode 1") << QByteArray("Ünïcode 1");
    QTest::newRow("escape sequence") << QByteArray("\x1B[2J") << QByteArray("\\x1B[2J");
    QTest::newRow("line feed and tab") << QByteArray("a\n\tb") << QByteArray("a\\x0A\\x09b");
    QTest::newRow("NUL") << QByteArray("a\0b", 3) << QByteArray("a\\x00b");
    QTest::newRow("delete") << QByteArray("\x7F") << QByteArray("\\x7F");
    QTest::newRow("C1 control") << QByteArray("\u009B1m") << QByteArray("\\u{009B}1m");
    QTest::newRow("bidi override") << QByteArray("a\u202Eb") << QByteArray("a\\u{202E}b");
    QTest::newRow("bidi isolate") << QByteArray("\u2066\u2069") << QByteArray("\\u{2066}\\u{2069}");
    QTest::newRow("bidi mark") << QByteArray("\u200F") << QByteArray("\\u{200F}");
    QTest::newRow("invalid bytes") << QByteArray("a\xC3(\xFF") << QByteArray("a\\xC3(\\xFF");
    QTest::newRow("cut off") << QByteArray("\xE2\x82") << QByteArray("\\xE2\\x82");
    QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80") << QByteArray("\\xED\\xA0\\x80");
  }
  void terminalText() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, shown);
    QCOMPARE(QByteArray::fromStdString(forTerminal(text.toStdString())), shown);
  }

  void utf8_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("repaired");
    QTest::newRow("valid") << QByteArray("a\u00E9\u20AC\U0001F600")
                           << QByteArray("a\u00E9\u20AC\U0001F600");
    QTest::newRow("long ASCII, then broken")
        << QByteArray("0123456789abcdef\xFF") << QByteArray("0123456789abcdef\uFFFD");
    QTest::newRow("one for a cut sequence") << QByteArray("\xF0\x9F\x98z") << QByteArray("\uFFFDz");
    QTest::newRow("overlong") << QByteArray("\xC0\x80") << QByteArray("\uFFFD\uFFFD");
    QTest::newRow("overlong of three")
        << QByteArray("\xE0\x80\x80") << QByteArray("\uFFFD\uFFFD\uFFFD");
    QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80") << QByteArray("\uFFFD\uFFFD\uFFFD");
    QTest::newRow("too large") << QByteArray("\xF4\x90\x80\x80")
                               << QByteArray("\uFFFD\uFFFD\uFFFD\uFFFD");
  }
  void utf8() {
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, repaired);
    QCOMPARE(QByteArray::fromStdString(toValidUtf8(bytes.toStdString())), repaired);
    QCOMPARE(isValidUtf8(bytes.toStdString()), bytes == repaired);
  }

  void repairedTextIsValid() {
    QVERIFY(rc::check([](const std::string& bytes) {
      RC_ASSERT(isValidUtf8(toValidUtf8(bytes)));
      RC_ASSERT(!isValidUtf8(bytes) || toValidUtf8(bytes) == bytes);
    }));
  }

  void shownTextIsHarmless() {
    QVERIFY(rc::check([] {
      const std::string shown = forTerminal(hostileText() + *rc::gen::arbitrary<std::string>());
      RC_ASSERT(isValidUtf8(shown));
      for (const char c : shown) RC_ASSERT(static_cast<unsigned char>(c) >= 0x20 && c != 0x7F);
      RC_ASSERT(forTerminal(shown) == shown);
    }));
  }

  void codePointsComeBack() {
    QVERIFY(rc::check([] {
      const auto value = static_cast<char32_t>(*rc::gen::inRange(0, 0x110000));
      RC_PRE(value < 0xD800 || value > 0xDFFF);
      std::string text = "x";
      appendUtf8(text, value);
      const CodePoint forward = codePointAt(text, 1);
      const CodePoint backward = codePointBefore(text, text.size());
      RC_ASSERT(forward.valid && backward.valid);
      RC_ASSERT(forward.value == value && backward.value == value);
      RC_ASSERT(forward.length == text.size() - 1 && backward.length == forward.length);
    }));
  }

  void everythingTakesAnyBytes() {
    QVERIFY(rc::check([] {
      const std::string text = hostileText();
      RC_ASSERT(normalKey(text).size() <= 3 * text.size());
      RC_ASSERT(keyFold(text).size() <= 3 * text.size());
      RC_ASSERT(keyTemplate(text).size() <= 4 * text.size() + 8);
      RC_ASSERT(!isNoValue(text + "x"));
      RC_ASSERT(maskCardNumbers(text) == text || text.size() >= 13);
    }));
  }

  void asciiHelpers() {
    QVERIFY(trim(" \t a b\r\n") == "a b");
    QVERIFY(trim("  ").empty());
    QVERIFY(equalsIgnoreCase("AbC", "aBc"));
    QVERIFY(!equalsIgnoreCase("abc", "abcd"));
    QCOMPARE(toLowerAscii("ÀbC"), std::string("Àbc"));
  }

  void nearestWord_data() {
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("near");
    QTest::newRow("missing letter") << "amout"
                                    << "amount";
    QTest::newRow("swapped letters") << "amuont"
                                     << "amount";
    QTest::newRow("case") << "AMOUNT"
                          << "amount";
    QTest::newRow("first of equals") << "cat"
                                     << "car";
    QTest::newRow("far from all") << "zzzzzz"
                                  << "";
    QTest::newRow("blank") << ""
                           << "";
    QTest::newRow("a single letter is near nothing") << "x"
                                                     << "";
    QTest::newRow("endless") << QString(100'000, 'a') << "";
  }
  void nearestWord() {
    QFETCH(QString, word);
    QFETCH(QString, near);
    static constexpr std::string_view kKnown[] = {"amount", "account",  "car",
                                                  "cab",    "currency", "k"};
    QCOMPARE(QString::fromStdString(nearest(word.toStdString(), kKnown, std::size(kKnown))), near);
  }
};

QTEST_APPLESS_MAIN(TstText)
#include "tst_text.moc"
