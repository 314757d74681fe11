// SPDX-License-Identifier: GPL-3.0-or-later
// The text of a row as it is kept: bounded, and without card numbers wherever it is cut.
#include <QTest>

#include "importers/input/row_mapper.h"

using namespace counterfoil;

namespace {

constexpr std::size_t kBytes = 200;

bool hasDigits(const std::string& text, std::string_view digits) {
  return text.find(digits) != std::string::npos;
}

}  // namespace

class TstRawTexts : public QObject {
  Q_OBJECT

 private slots:
  void aCardNumberAtTheCutIsMasked() {
    for (std::size_t before = kBytes - 40; before <= kBytes + 5; ++before) {
      const std::string text =
          std::string(before, 'x') + " 4111 1111 1111 1111 " + std::string(500, 'y');
      const std::string kept = boundedText(text, kBytes);
      QVERIFY2(!hasDigits(kept, "4111 1"), kept.c_str());
      QVERIFY(kept.size() <= kBytes);
    }
  }

  void aBodyInBase64AtTheCutIsMasked() {
    // ["4111111111111111", "ord_1"]
    const std::string body = "WyI0MTExMTExMTExMTExMTExIiwgIm9yZF8xIl0=";
    for (std::size_t before = kBytes - 60; before <= kBytes + 5; ++before) {
      const std::string text = std::string(before, '.') + body + std::string(500, ',');
      const std::string kept = boundedText(text, kBytes);
      QVERIFY2(!hasDigits(kept, "MTExMTEx"), kept.c_str());
    }
  }

  void textThatFitsIsKeptWhole() {
    const QByteArray text = QByteArray(kBytes - 3, 'a') + "\xE2\x82\xAC";
    QCOMPARE(QByteArray::fromStdString(boundedText(text.toStdString(), kBytes)), text);
    const QByteArray longer = QByteArray(kBytes - 1, 'a') + "\xE2\x82\xAC";
    QCOMPARE(boundedText(longer.toStdString(), kBytes).size(), kBytes - 1);  // no half of a letter
    QCOMPARE(boundedText(std::string(5000, 'a'), kBytes).size(), kBytes);
  }
};

QTEST_APPLESS_MAIN(TstRawTexts)
#include "tst_raw_texts.moc"
