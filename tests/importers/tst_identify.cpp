// SPDX-License-Identifier: GPL-3.0-or-later
// What a file is taken for, and what a look at it says.
#include <QTemporaryDir>
#include <QTest>

#include "importers/input/inspect.h"
#include "tests/importers/scanned_files.h"

using namespace counterfoil;
using namespace counterfoil::testing;
using namespace std::string_literals;

class TstIdentify : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;
  std::string write(const std::string& name, const std::string& bytes) {
    return writeFile(m_folder.path().toStdString(), name, bytes);
  }

 private slots:
  void theFormatIsFoundByLooking() {
    const auto effects =
        scanned({sourceOf(write("f1.csv",
                                "txn_id,created_utc,type,status,amount,currency,idempotency_"
                                "key\nt1,2026-04-07T10:00:00Z,charge,succeeded,5.00,USD,k1\n"),
                          "")});
    QCOMPARE(effects->reports.at(0).problem, ""s);
    QCOMPARE(effects->reports.at(0).format, "generic.effects"s);
    QCOMPARE(effects->keys(), "k1:500"s);
    const auto attempts = scanned({sourceOf(
        write("f2.csv",
              "job_id,idempotency_key,queue,task,status,amount,currency,started_at,finished_at\nj1,"
              "k1,pay,charge,done,5.00,USD,2026-04-07T10:00:00Z,2026-04-07T10:00:01Z\n"),
        "")});
    QCOMPARE(attempts->reports.at(0).problem, ""s);
    QCOMPARE(attempts->reports.at(0).format, "generic.attempts"s);
    QCOMPARE(attempts->sink.queues.size(), std::size_t{1});
    QCOMPARE(attempts->sink.queues.begin()->second, "pay"s);
    const auto empty = scanned({sourceOf(write("rabbitmq_get_pay.dlq.json", "[]\n"), "")});
    QCOMPARE(empty->reports.at(0).format, "rabbitmq.messages"s);
    QVERIFY2(empty->reports.at(0).complete, empty->reports.at(0).problem.c_str());
    const auto nothing = scanned({sourceOf(write("f3.csv", "a,b\n1,2\n"), "")});
    QVERIFY(!nothing->reports.at(0).complete);
    QVERIFY(nothing->reports.at(0).problem.find("no known format fits") != std::string::npos);
    QVERIFY(nothing->reports.at(0).problem.find("its columns: a, b") != std::string::npos);
    const std::string dashboard =
        "id,Created (UTC),Amount,Amount Refunded,Currency,Status,Customer ID,Failure Reason,Order "
        "Number\n";
    const auto charges = scanned({sourceOf(
        write("f4.csv", dashboard + "ch_1,2026-04-07 10:00:00,5.00,0.00,usd,Paid,c,,o-1\n"), "")});
    QVERIFY2(charges->reports.at(0).format != "generic.dead_letters",
             "no queue and no receive count tells a dead letter");
  }

  /// A night that got an error in place of an export must not take it for an empty queue.
  void anErrorIsNoEmptyExport() {
    const std::pair<const char*, const char*> answers[] = {
        {"rabbitmq.messages", "{\"error\":\"not_authorised\",\"reason\":\"Login failed\"}"},
        {"rabbitmq.queues", "{\"error\":\"Object Not Found\",\"reason\":\"Not Found\"}"},
        {"rabbitmq.messages", "<html>502 Bad Gateway</html>"},
        {"sqs.messages", "{\"__type\":\"com.amazonaws.sqs#QueueDoesNotExist\",\"message\":\"no such queue\"}"},
        {"sidekiq.sets", "(error) NOAUTH Authentication required."},
        {"sidekiq.sets", "{\"error\":\"not found\"}"},
        {"bullmq.jobs", "{\"error\":\"not found\"}"},
        {"bull.jobs", "Error: connect ECONNREFUSED"},
    };
    for (const auto& [format, text] : answers) {
      const auto read = scanned({sourceOf(write("answer.json", text), format)});
      const auto& report = read->reports.at(0);
      QVERIFY2(!report.complete || report.quarantined > 0, format);
      QCOMPARE(report.recorded, std::uint64_t{0});
    }
    const auto empty = scanned({sourceOf(write("answer.json", "[]"), "sidekiq.sets")});
    QVERIFY(empty->reports.at(0).complete && empty->reports.at(0).quarantined == 0);
  }

  void aKindThatIsSaidNeedsNoTellingColumn() {
    SourceSpec source =
        sourceOf(write("plain.csv", "id,key,amount,currency,created_at,status\no-1,charge:1,15.00,USD,2026-04-07T09:59:00Z,done\n"), "");
    source.expectedKinds = {RecordKind::Intent};
    QCOMPARE(scanned({source})->reports.at(0).format, "generic.intents"s);
    source.expectedKinds = {};
    QVERIFY(scanned({source})->reports.at(0).format != "generic.intents");
  }

  void whatOnlyTheWholeFileDecidesIsNoReasonAgainstAFormat() {
    const std::string header = "txn_id;created_at;amount;fee;currency;idempotency_key\n";
    const auto commas = scanned({sourceOf(
        write("commas.csv", header + "t1;2026-04-07T10:00:00Z;1234,50;18,77;EUR;k1\nt2;2026-04-07T10:00:00Z;12,50;0,77;EUR;k2\n"), "")});
    QCOMPARE(commas->reports.at(0).problem, ""s);
    QCOMPARE(commas->keys(), "k1:123450 k2:1250"s);
    QCOMPARE(*std::get<Effect>(commas->records.at(0)).fee, 1877);
    const auto days = scanned({sourceOf(
        write("days.csv", header + "t1;05/04/2026 10:00;1;0;EUR;k1\nt2;25/04/2026 10:00;1;0;EUR;k2\n"), "")});
    QCOMPARE(days->reports.at(0).problem, ""s);
    QCOMPARE(days->records.size(), std::size_t{2});
  }

  void undecidedDatesAreNotGuessedBesideOtherOpenColumns() {
    const auto refused = [&](const char* name, const std::string& text) {
      const auto read = scanned({sourceOf(write(name, text))});
      return read->records.empty() && read->reports.at(0).problem.find("may be 3 April or March 4") != std::string::npos;
    };
    const std::string header = "txn_id,created,amount,currency,idempotency_key\n";
    QVERIFY(refused("comma-dates.csv", header + "t1,2/1/2026 11:05,\"49,37\",EUR,k1\nt2,3/1/2026 12:00,\"28,82\",EUR,k2\n"));
    QVERIFY(refused("two-dates.csv", "txn_id,created,effective,amount,currency,idempotency_key\n"
                                     "t1,2/1/2026 11:05,3/1/2026,49.37,EUR,k1\n"));
    const auto same = scanned({sourceOf(write("same-dates.csv", header + "t1,2/2/2026 11:05,\"49,37\",EUR,k1\n"))});
    QCOMPARE(same->reports.at(0).problem, ""s);
    QCOMPARE(same->records.size(), std::size_t{1});
  }

  void rowsThatAreLeftOutDecideWithTheOthers() {
    const auto mixed = scanned({sourceOf(
        write("left-out.csv", "txn_id,type,created_at,amount,currency,idempotency_key\nt1,charge,05/04/2026 10:00,1,EUR,k1\n"
                              "t2,fee,25/04/2026 10:00,1,EUR,k2\n"))});
    QCOMPARE(mixed->reports.at(0).problem, ""s);
    QCOMPARE(mixed->records.size(), std::size_t{1});
    QCOMPARE(formatInstant(std::get<Effect>(mixed->records.at(0)).created), "2026-04-05T10:00:00Z"s);
  }

  void aFileOfAnotherEncodingIsIdentified() {
    const auto pounds = scanned({sourceOf(
        write("pounds.csv", "txn_id,created_at,amount,currency,idempotency_key\nt1,2026-04-07T10:00:00Z,\xA3" "18.00,GBP,k1\n"), "")});
    QCOMPARE(pounds->reports.at(0).problem, ""s);
    QCOMPARE(pounds->keys(), "k1:1800"s);
  }

  void aProvidersExportIsNoGenericFile() {
    const std::string page =
        R"({"object": "list", "url": "/v1/balance_transactions", "has_more": false, "data": [{"id": "txn_1", "object": "balance_transaction",
            "amount": 1500, "currency": "usd", "created": 1775556000, "available_on": 1775556000, "fee": 30, "net": 1470, "reporting_category": "charge",
            "source": "ch_1", "status": "available", "type": "charge", "description": null}]})";
    const auto read = scanned({sourceOf(write("page.json", page), "")});
    QCOMPARE(read->reports.at(0).format, "stripe.balance_transactions"s);
    QCOMPARE(headOf(read->records.at(0))->amount->minor, 1500);
    SourceSpec plain = sourceOf(write("plain-effects.csv", "id,created_at,amount,currency\ne1,2026-04-07T10:00:00Z,5.00,USD\n"), "");
    plain.expectedKinds = {RecordKind::Effect};
    QCOMPARE(scanned({plain})->reports.at(0).format, "generic.effects"s);
  }

  void aTableOfOnesOwnIsNotAProvidersExportForOneColumn() {
    const std::string rows = "1,charge:1,ord-1,c-1,15.00,USD,2026-04-07T09:59:00Z,paid,0.00\n";
    for (const char* marked : {"amount_refunded", "receipt", "message_id", "sid", "mail", "order_receipt"}) {
      SourceSpec source = sourceOf(
          write(marked + ".csv"s, "id,idempotency_key,order_id,customer_id,amount,currency,created_at,status,"s + marked + "\n" + rows), "");
      source.expectedKinds = {RecordKind::Effect};
      const auto read = scanned({source});
      QVERIFY2(read->reports.at(0).problem.empty(), read->reports.at(0).problem.c_str());
      QVERIFY2(read->reports.at(0).format.rfind("generic.", 0) == 0, read->reports.at(0).format.c_str());
      QCOMPARE(headOf(read->records.at(0))->amount->minor, 1500);
    }
  }

  void columnsAreRatedByTheirKeys() {
    const std::string csv =
        write("rates.csv", "id,order,note\n1,o-1,x\n2,o-2,o-1\n3,o-3,\n3,o-3,\n");
    SourceSpec source = sourceOf(csv, "");
    source.mappings.push_back(
        mappingOf("{\"record\":\"attempt\",\"fields\":{\"job_id\":\"id\",\"op_ref\":\"order\","
                  "\"start\":{\"value\":\"2026-04-07T10:00:00Z\"}}}"));
    QVERIFY(source.mappings.back() != nullptr);
    const auto read = scanned({source});
    QCOMPARE(read->error, ""s);
    const KeyedHash hash(7);
    std::vector<Hash128> keys;
    for (const char* key : {"o-1", "o-2", "o-3", "o-4"})
      keys.push_back(hash(key, static_cast<std::uint32_t>(HashSpace::Key)));
    const auto rates = read->input->columnRates(SourceId{0}, hash, keys);
    QVERIFY(rates.has_value());
    QCOMPARE(rates->size(), std::size_t{2});
    QCOMPARE(rates->at(0).column, "order"s);
    QCOMPARE(rates->at(0).distinctMatches, std::uint64_t{3});
    QCOMPARE(rates->at(1).column, "note"s);
    QCOMPARE(rates->at(1).distinctMatches, std::uint64_t{1});
  }

  void aFileIsInspected() {
    std::string text = "\xEF\xBB\xBFReport of May\n" + kHeader;
    for (int i = 0; i < 8; ++i) text += effectRow(i, "2.50");
    text += "t9,never,1,USD,k9,\n";
    SourceSpec source = sourceOf(write("inspect.csv", text), "");
    Executor executor(1);
    const SourceSpec either =
        sourceOf(write("either.csv",
                       "key,handled_at,claimed_at\nk1,2026-04-07T10:00:00Z,2026-04-07T10:00:00Z\n"),
                 "");
    const Result<InspectReport> ambiguous = inspectFile(either, executor);
    QVERIFY(!ambiguous.has_value());
    QCOMPARE(ambiguous.error().code, ErrorCode::Ambiguous);
    QVERIFY(ambiguous.error().message.find("generic.claims, generic.processed_events") !=
            std::string::npos);
    source.expectedKinds = {RecordKind::Effect};
    const Result<InspectReport> report = inspectFile(source, executor);
    QVERIFY2(report.has_value(), report ? "" : report.error().message.c_str());
    QCOMPARE(report->format, "generic.effects"s);
    QCOMPARE(report->layout, "csv, delimiter ',', header in line 2, encoding utf-8"s);
    QCOMPARE(report->file.rows, std::uint64_t{9});
    QCOMPARE(report->quarantined.size(), std::size_t{1});
    QCOMPARE(report->records.size(), std::size_t{5});
    QCOMPARE(report->records[0].first, std::uint64_t{3});
    QCOMPARE(report->totals.size(), std::size_t{1});
    QCOMPARE(report->totals[0].kind, "forward"s);
    QCOMPARE(report->totals[0].amount.minor, std::int64_t{2000});
    QCOMPARE(report->totals[0].count, std::uint64_t{8});
  }
};

QTEST_APPLESS_MAIN(TstIdentify)
#include "tst_identify.moc"
