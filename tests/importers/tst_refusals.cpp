// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of files that come out of queues and brokers and are no export.
#include <QtTest>

#include "importers/formats/refusals.h"

using namespace counterfoil;

class TstRefusals : public QObject {
  Q_OBJECT

 private slots:
  void words_data() {
    QTest::addColumn<QByteArray>("head");
    QTest::addColumn<QByteArray>("words");
    const auto row = [](const char* name, const char* head, const char* words) {
      QTest::newRow(name) << QByteArray(head) << QByteArray(words);
    };
    row("an HTTP error with JSON",
        "HTTP/1.1 400 Bad Request\r\nContent-Type: application/x-amz-json-1.0\r\n\r\n"
        "{\"__type\": \"com.amazonaws.sqs#QueueDoesNotExist\", \"message\": \"no\"}",
        "it is an error and no export: QueueDoesNotExist (400 Bad Request)");
    row("an HTTP error with XML",
        "HTTP/1.1 403 Forbidden\n\n<ErrorResponse xmlns=\"x\"><Error><Type>Sender</Type><Code>AccessDenied</Code></Error></ErrorResponse>",
        "it is an error and no export: AccessDenied (403 Forbidden)");
    row("another HTTP error", "HTTP/2 502 \r\n\r\n<html>", "it is an error and no export: 502");
    row("an HTTP answer", "HTTP/1.1 200 OK\r\n\r\n[{}]", "save the body alone");
    row("an error alone", "{\"__type\":\"com.amazon.coral.service#AccessDenied\"}", "it is an error and no export: AccessDenied");
    row("an error alone in XML", "<?xml version=\"1.0\"?>\n<ErrorResponse><Error><Code>Throttling</Code>", "no export: Throttling");
    row("an error of RabbitMQ", "{\"error\":\"not_authorised\",\"reason\":\"Login failed\"}", "no export: not_authorised");
    row("an error of Redis", "(error) NOAUTH Authentication required.\n", "no export: NOAUTH Authentication required.");
    row("RabbitMQ's overview", "{\"management_version\": \"3.10\", \"queue_totals\": {}}", "it is RabbitMQ's overview");
    row("a list of queues", "{\"QueueUrls\": [\"http://q\"]}", "it is a list of SQS queues");
    row("an answer to a message", "[{\"MD5OfMessageBody\": \"1\", \"MessageId\": \"2\"}]", "to a message that was sent");
    row("metadata of Kafka", "Metadata for all topics (from broker 1: b:9092/1):\n 1 brokers:\n", "it is Kafka's metadata");
    row("lines of kcat -f", "1778569200000 pay.dlq[3]@17 key=k headers= {}", "lines of kcat -f");
    row("an empty list", " [\n\n] ", "it is an empty list");
    row("members and scores", "[[\"6\",1778569200000],[\"7\",1778569200001]]", "does not hold the key's name");
    row("a hash", "{\"stc\":\"3\",\"ats\":\"4\"}", "does not hold the key's name");
    row("a hash in lines", "stc\n3\nats\n4\nname\nmail\n", "does not hold the key's name");
    row("a count", "7\n", "does not hold the key's name");
    row("metrics of Flower", "flower_events_total{task=\"shop.pay\",type=\"task-sent\"} 7.0\n", "GET /api/tasks");
    row("metrics of something else", "http_requests_total{code=\"200\"} 7.0\n", "");
    row("a table", "a,b\n1,2\n", "");
    row("an object", "{\"id\": 7, \"data\": {}}", "");
    row("a bracket", "[", "");
    row("nothing", "", "");
    row("a terminal's own bytes", "HTTP/1.1 500 \x1B[31mred\n\n", "it is an error and no export: 500");
  }
  void words() {
    QFETCH(QByteArray, head);
    QFETCH(QByteArray, words);
    const std::string said = whatElseText(std::string_view(head.constData(), static_cast<std::size_t>(head.size())));
    QVERIFY2(words.isEmpty() ? said.empty() : said.find(words.toStdString()) != std::string::npos, said.c_str());
    QVERIFY2(said.find('\x1B') == std::string::npos, said.c_str());
  }

  void emptyLists() {
    QVERIFY(isEmptyList("[]"));
    QVERIFY(isEmptyList(" [ \n ]\n"));
    for (const char* other : {"", "[", "]", "[0]", "[[]]", "{}", "[] []"}) QVERIFY2(!isEmptyList(other), other);
  }
};

QTEST_APPLESS_MAIN(TstRefusals)
#include "tst_refusals.moc"
