// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of files that are no export.
#include <QTest>

#include "importers/formats/refusals.h"

using namespace counterfoil;

class TstRefusals : public QObject {
  Q_OBJECT

 private slots:
  void whatAFileIs_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("words");  // blank: nothing is known of it
    const auto row = [](const char* name, const char* text, const char* words) {
      QTest::newRow(name) << QByteArray(text) << QByteArray(words);
    };
    row("metrics of Flower",
        "flower_events_total{task=\"shop.pay\",type=\"task-sent\",worker=\"gen1@web\"} 7.0\n",
        "GET /api/tasks");
    row("metrics of something else", "http_requests_total{code=\"200\"} 7.0\n", "");
    row("overview of RabbitMQ",
        "{\"management_version\":\"3.10.8\",\"queue_totals\":{\"messages\":4}}", "GET /api/queues");
    row("an HTTP answer", "HTTP/1.1 404 Not Found\r\n\r\n{}", "404 Not Found");
    row("nothing", "", "");
    row("a table", "a,b\n1,2\n", "");
  }
  void whatAFileIs() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, words);
    const QByteArray told = QByteArray::fromStdString(whatElseText(text.toStdString()));
    QVERIFY2(words.isEmpty() ? told.isEmpty() : told.contains(words), told);
  }
};

QTEST_APPLESS_MAIN(TstRefusals)
#include "tst_refusals.moc"
