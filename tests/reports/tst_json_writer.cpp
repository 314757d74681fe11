// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include "reports/json/json_writer.h"

using namespace counterfoil;

class TstJsonWriter : public QObject {
  Q_OBJECT
 private slots:
  void escapesStrings_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("plain") << QByteArray("charge:4471") << QByteArray("\"charge:4471\"");
    QTest::newRow("empty") << QByteArray("") << QByteArray("\"\"");
    QTest::newRow("quote and backslash") << QByteArray("a\"b\\c") << QByteArray("\"a\\\"b\\\\c\"");
    QTest::newRow("named controls")
        << QByteArray("\b\f\n\r\t") << QByteArray("\"\\b\\f\\n\\r\\t\"");
    QTest::newRow("other controls")
        << QByteArray("\x01\x1b[31m\x7f") << QByteArray("\"\\u0001\\u001b[31m\\u007f\"");
    QTest::newRow("NUL") << QByteArray("a\0b", 3) << QByteArray("\"a\\u0000b\"");
    QTest::newRow("UTF-8 stays") << QByteArray("Zürich €") << QByteArray("\"Zürich €\"");
    QTest::newRow("C1 control") << QByteArray(
                                       "\xC2\x9B"
                                       "31m")
                                << QByteArray("\"\\u009b31m\"");
    QTest::newRow("bidi override") << QByteArray(
                                          "a\xE2\x80\xAE"
                                          "b")
                                   << QByteArray("\"a\\u202eb\"");
    QTest::newRow("line separator") << QByteArray("\xE2\x80\xA8") << QByteArray("\"\\u2028\"");
    QTest::newRow("script end") << QByteArray("</script>") << QByteArray("\"</script>\"");
    QTest::newRow("four bytes") << QByteArray("\xF0\x9F\x92\xB6")
                                << QByteArray("\"\xF0\x9F\x92\xB6\"");
  }
  void escapesStrings() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, json);
    std::string out;
    appendJsonString({text.data(), static_cast<std::size_t>(text.size())}, out);
    QCOMPARE(QByteArray::fromStdString(out), json);
  }

  void invalidBytesBecomeReplacementCharacters() {
    std::string out;
    appendJsonString("a\xFF\xC0z", out);
    QJsonParseError error{};
    const auto document =
        QJsonDocument::fromJson(QByteArray::fromStdString("[" + out + "]"), &error);
    QCOMPARE(error.error, QJsonParseError::NoError);
    const QString text = document.array().at(0).toString();
    QVERIFY(text.startsWith(u'a'));
    QVERIFY(text.endsWith(u'z'));
    QVERIFY(text.contains(QChar(0xFFFD)));
  }

  void writesOneLine() {
    std::string out;
    JsonWriter json(out);
    json.beginObject();
    json.text("a", "x");
    json.integerOrNull("b", std::nullopt);
    json.list("c", {"1", "2"});
    json.money("d", {{-1500, *Currency::parse("USD")}});
    json.list("e", {});
    json.key("f");
    json.boolean(true);
    json.endObject();
    QCOMPARE(QString::fromStdString(out),
             QStringLiteral(R"({"a": "x", "b": null, "c": ["1", "2"], )"
                            R"("d": [{"currency": "USD", "minor": -1500}], "e": [], "f": true})"));
  }

  void breaksOuterLevels() {
    std::string out;
    JsonWriter json(out, 2);
    json.beginObject();
    json.list("a", {"1", "2"});
    json.key("b");
    json.beginArray();
    json.endArray();
    json.endObject();
    QCOMPARE(QString::fromStdString(out),
             QStringLiteral("{\n  \"a\": [\n    \"1\",\n    \"2\"\n  ],\n  \"b\": []\n}"));
  }

  void writesTheWholeIntegerRange() {
    std::string out;
    JsonWriter json(out);
    json.beginArray();
    json.number(INT64_MIN);
    json.number(INT64_MAX);
    json.endArray();
    QCOMPARE(QString::fromStdString(out),
             QStringLiteral("[-9223372036854775808, 9223372036854775807]"));
  }
};

QTEST_APPLESS_MAIN(TstJsonWriter)
#include "tst_json_writer.moc"
