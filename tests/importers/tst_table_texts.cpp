// SPDX-License-Identifier: GPL-3.0-or-later
// Tables as terminals print them, Django's dumpdata, answers of SQS in XML.
#include <QTest>

#include "importers/tables/aligned_table.h"
#include "importers/tables/django_rows.h"
#include "importers/tables/sqs_xml.h"
#include "table_rows.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

std::string aligned(const std::string& text, std::size_t step = 1u << 20) {
  return shownRows(*transcodeAlignedTable(std::make_unique<TextPieces>(text, step)));
}
std::string dumpdata(const std::string& text, const std::string& model, std::size_t step = 1u << 20) {
  return shownRows(*transcodeDumpdata(std::make_unique<TextPieces>(text, step), model));
}
std::string sqs(const std::string& text, std::size_t step = 1u << 20) {
  return shownRows(*transcodeSqsXml(std::make_unique<TextPieces>(text, step)));
}
std::string modelsOf(const std::string& text) {
  TextPieces source(text, 4096);
  const auto models = djangoModels(source);
  if (!models) return "error: " + models.error().message;
  std::string all;
  for (const DjangoModel& model : *models) {
    all += (all.empty() ? "" : " ") + model.name + "(";
    for (const std::string& column : model.columns) all += (all.back() == '(' ? "" : " ") + column;
    all += ")";
  }
  return all;
}

const std::string kPsql =
    "shop=> select * from keys;\n"
    " id |    key    |  the note  \n"
    "----+-----------+------------\n"
    "  1 | charge:1  | a | b      \n"
    "  2 | caf\xC3\xA9:2    | \n"
    "  3 | charge:3+ | first     +\n"
    "    |           | second+\n"
    "(3 rows)\n\n";

const std::string kDumpdata =
    "[\n{\"model\": \"shop.order\", \"pk\": 7, \"fields\": {\"total\": \"5.00\", \"meta\": {\n\"a\": [1]}}},\n"
    "{\"model\": \"shop.payment\", \"pk\": \"p1\", \"fields\": {\"id\": \"own\", \"order\": 7}},\n"
    "{\"model\": \"shop.order\", \"fields\": {\"total\": \"6.00\"}}\n]\n";

}  // namespace

class TstTableTexts : public QObject {
  Q_OBJECT

 private slots:
  void rowsOfPsql() {
    const std::string expected =
        "4 {\"id\":\"1\",\"key\":\"charge:1\",\"the note\":\"a | b\"}\n"
        "5 {\"id\":\"2\",\"key\":\"caf\xC3\xA9:2\",\"the note\":\"\"}\n"
        "6 {\"id\":\"3\",\"key\":\"charge:3+\",\"the note\":\"first\\u000asecond+\"}\n";
    QCOMPARE(aligned(kPsql), expected);
    QCOMPARE(aligned(kPsql, 1), expected);
    QCOMPARE(alignedColumns(kPsql), (std::vector<std::string>{"id", "key", "the note"}));
  }

  void rowsOfMysql() {
    const std::string text =
        "+----+----------+\n| id | key      |\n+----+----------+\n|  1 | charge:1 |\n|  2 | NULL     |\n"
        "+----+----------+\n2 rows in set (0.00 sec)\n";
    QCOMPARE(aligned(text), std::string("4 {\"id\":\"1\",\"key\":\"charge:1\"}\n5 {\"id\":\"2\",\"key\":\"NULL\"}\n"));
    QCOMPARE(aligned(text.substr(0, text.size() - 40)).substr(0, 29), std::string("4 {\"id\":\"1\",\"key\":\"charge:1\"}"));
    QVERIFY(aligned("+----+\n| id |\n+----+\n|  1 |\n").find("!cut off: the table has no line below it") != std::string::npos);
  }

  void tablesBehindEachOther() {
    const std::string one = " a | b \n---+---\n 1 | 2\n(1 row)\n\n";
    QCOMPARE(aligned(one + one), std::string("3 {\"a\":\"1\",\"b\":\"2\"}\n8 {\"a\":\"1\",\"b\":\"2\"}\n"));
    QVERIFY(aligned(one + " a | c \n---+---\n 1 | 2\n(1 row)\n").find("a second table with other columns") != std::string::npos);
    QCOMPARE(aligned(" a | b \n---+---\n 1 | 2\n\nTime: 3 ms\n"), std::string("3 {\"a\":\"1\",\"b\":\"2\"}\n"));
  }

  void theCountHasToAgree() {
    QCOMPARE(aligned(" a | b \n---+---\n 1 | 2\n(3 rows)\n"),
             std::string("3 {\"a\":\"1\",\"b\":\"2\"}\n!line 4: it says that there are 3 rows, but 1 could be read"));
    QCOMPARE(aligned(" a | b \n---+---\n(0 Zeilen)\n"), std::string());
    QVERIFY(aligned(" a | b \n---+---\n 1 ; 2\n(1 row)\n").find("3! ||a line whose cells cannot be told apart| 1 ; 2") == 0);
    QCOMPARE(aligned("nothing\nhere\n"), std::string("!no table as psql or mysql print it"));
  }

  void alignedTablesAreKnownByTheirText() {
    QVERIFY(looksLikeAlignedTable(kPsql));
    QVERIFY(looksLikeAlignedTable("+---+---+\n| a | b |\n+---+---+\n"));
    QVERIFY(!looksLikeAlignedTable("Title\n-----\ntext\n"));
    QVERIFY(!looksLikeAlignedTable("| a | b |\n|---|---|\n| 1 | 2 |\n"));
    QVERIFY(!looksLikeAlignedTable("a,b\n--,--\n"));
    QVERIFY(!looksLikeAlignedTable(""));
  }

  void rowsOfDumpdata() {
    const std::string expected =
        "2 {\"model\":\"shop.order\",\"pk\":7,\"id\":7,\"fields\":{\"total\": \"5.00\", \"meta\": { \"a\": [1]}},\"total\":\"5.00\",\"meta\":{ \"a\": [1]}}\n"
        "5 {\"model\":\"shop.order\",\"pk\":null,\"id\":null,\"fields\":{\"total\": \"6.00\"},\"total\":\"6.00\"}\n";
    QCOMPARE(dumpdata(kDumpdata, "shop.order"), expected);
    QCOMPARE(dumpdata(kDumpdata, "shop.order", 3), expected);
    QCOMPARE(dumpdata(kDumpdata, "shop.payment"),
             std::string("4 {\"model\":\"shop.payment\",\"pk\":\"p1\",\"fields\":{\"id\": \"own\", \"order\": 7},\"id\":\"own\",\"order\":7}\n"));
    QCOMPARE(dumpdata("{\"model\":\"a.b\",\"pk\":1,\"fields\":{}}\n{\"model\":\"a.b\",\"pk\":2,\"fields\":{}}\n", "a.b"),
             std::string("1 {\"model\":\"a.b\",\"pk\":1,\"id\":1,\"fields\":{}}\n2 {\"model\":\"a.b\",\"pk\":2,\"id\":2,\"fields\":{}}\n"));
  }

  void modelsOfDumpdata() {
    QCOMPARE(modelsOf(kDumpdata), std::string("shop.order(pk total meta) shop.payment(pk id order)"));
    TextPieces source(kDumpdata, 4096);
    const auto models = djangoModels(source);
    QCOMPARE(*djangoModelNamed(*models, "shop_order"), std::string("shop.order"));
    QCOMPARE(*djangoModelNamed(*models, "payment"), std::string("shop.payment"));
    QVERIFY(djangoModelNamed(*models, "refund").error().message.find("models: shop.order, shop.payment") != std::string::npos);
    QCOMPARE(djangoModelNamed({{"a.x", {}}, {"b.x", {}}}, "x").error().code, ErrorCode::Ambiguous);
  }

  void brokenDumpdataIsTold() {
    QVERIFY(dumpdata("[{\"model\":\"a.b\",\"pk\":1,\"fields\":{}},{\"pk\":2}]", "a.b").find("1! ||no object with") != std::string::npos);
    QVERIFY(dumpdata("[{\"model\":\"a.b\",\"pk\":1,\"fields\":{}},{\"mo", "a.b").find("!") != std::string::npos);
    QVERIFY(dumpdata("[{\"model\":\"a.b\",\"pk\":1,\"fields\":{}}] x", "a.b").find("more after the end") != std::string::npos);
    QVERIFY(looksLikeDumpdata(kDumpdata));
    QVERIFY(looksLikeDumpdata("{\"model\":\"a.b\",\"pk\":1,\"fields\":{}}\n"));
    QVERIFY(!looksLikeDumpdata("[{\"id\":1,\"model\":\"T\",\"fields\":{}}]"));
    QVERIFY(!looksLikeDumpdata("[]"));
  }

  void attributesOfSqs() {
    const std::string text =
        "<?xml version=\"1.0\"?>\n<GetQueueAttributesResponse xmlns=\"http://queue.amazonaws.com/doc/2012-11-05/\">\n<GetQueueAttributesResult>"
        "<Attribute><Name>ApproximateNumberOfMessages</Name><Value>4</Value></Attribute>\n"
        "<Attribute><Name>RedrivePolicy</Name><Value>{&quot;maxReceiveCount&quot;:3}</Value></Attribute></GetQueueAttributesResult>"
        "<ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></GetQueueAttributesResponse>";
    const std::string expected =
        "3 {\"Attributes\":{\"ApproximateNumberOfMessages\":\"4\",\"RedrivePolicy\":\"{\\\"maxReceiveCount\\\":3}\"}}\n";
    QCOMPARE(sqs(text), expected);
    QCOMPARE(sqs(text, 5), expected);
    QVERIFY(looksLikeSqsXml(text));
  }

  void messagesOfSqs() {
    const std::string text =
        "<ReceiveMessageResponse><ReceiveMessageResult><Message><MessageId>m1</MessageId><ReceiptHandle>secret</ReceiptHandle>"
        "<Body>{&quot;a&quot;:1}</Body><Attribute><Name>ApproximateReceiveCount</Name><Value>4</Value></Attribute>"
        "<MessageAttribute><Name>Key</Name><Value><StringValue>k &amp; 1</StringValue><DataType>String</DataType></Value></MessageAttribute>"
        "</Message>\n<Message><MessageId>m2</MessageId><Body/></Message></ReceiveMessageResult></ReceiveMessageResponse>";
    const std::string expected =
        "1 {\"MessageId\":\"m1\",\"Body\":\"{\\\"a\\\":1}\",\"Attributes\":{\"ApproximateReceiveCount\":\"4\"},"
        "\"MessageAttributes\":{\"Key\":{\"StringValue\":\"k & 1\",\"DataType\":\"String\"}}}\n"
        "2 {\"MessageId\":\"m2\",\"Body\":\"\"}\n";
    QCOMPARE(sqs(text), expected);
    QCOMPARE(sqs(text, 3), expected);
  }

  void otherAnswersOfSqsAreTold() {
    QVERIFY(sqs("<ErrorResponse><Error><Code>NoQueue</Code><Message>it is not there</Message></Error></ErrorResponse>")
                .find("!SQS answered with an error: NoQueue it is not there") == 0);
    QVERIFY(sqs("<ListQueuesResponse/>").find("neither GetQueueAttributes nor ReceiveMessage") != std::string::npos);
    QVERIFY(sqs("<ReceiveMessageResponse><ReceiveMessageResult><Message>").find("!") == 0);
    QVERIFY(!looksLikeSqsXml("<Document/>"));
  }
};

QTEST_GUILESS_MAIN(TstTableTexts)
#include "tst_table_texts.moc"
