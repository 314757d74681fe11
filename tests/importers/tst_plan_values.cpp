// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of rows becoming amounts and times.
#include "tests/importers/plan_fixture.h"

using namespace counterfoil;
using counterfoil::testing::mappingOf;
using counterfoil::testing::PlanUnderTest;
using counterfoil::testing::refusalOf;

namespace {

Instant at(const char* text) {
  return *parseInstant(text);
}

/// An effect mapping with one more or another field.
std::string effectWith(const std::string& fields, const std::string& more = {}) {
  return R"({"record": "effect", "fields": {"created": "t", "currency": {"value": "USD"})" +
         (fields.empty() ? "" : ", " + fields) + "}" + more + "}";
}

}  // namespace

class TstPlanValues : public QObject {
  Q_OBJECT

 private slots:
  void amounts_data() {
    QTest::addColumn<QByteArray>("how");
    QTest::addColumn<QByteArray>("amount");
    QTest::addColumn<QByteArray>("currency");
    QTest::addColumn<QByteArray>("result");
    const auto row = [](const char* name, const char* how, const char* amount, const char* currency,
                        const char* result) {
      QTest::newRow(name) << QByteArray(how) << QByteArray(amount) << QByteArray(currency)
                          << QByteArray(result);
    };
    row("major", "", "12.5", "USD", "1250 USD");
    row("major by default of a zero-decimal currency", "", "1500", "JPY", "1500 JPY");
    row("three decimals", "", "1.234", "KWD", "1234 KWD");
    row("minor", R"(, "unit": "minor")", "1250", "eur", "1250 EUR");
    row("minor with a zero fraction", R"(, "unit": "minor")", "1250.00", "EUR", "1250 EUR");
    row("provider's decimals", R"(, "unit": "minor", "decimals": {"ISK": 2, "UGX": 2})", "150000",
        "ISK", "1500 ISK");
    row("provider's decimals that do not fit", R"(, "unit": "minor", "decimals": {"ISK": 2})",
        "150050", "ISK", "too_many_decimals");
    row("provider's decimals of others", R"(, "unit": "minor", "decimals": {"ISK": 2})", "150050",
        "USD", "150050 USD");
    row("fewer decimals than the currency", R"(, "unit": "minor", "decimals": {"KWD": 2})", "150",
        "KWD", "1500 KWD");
    row("hundredths", R"(, "unit": "hundredths")", "150000", "JPY", "1500 JPY");
    row("hundredths of dinars", R"(, "unit": "hundredths")", "150", "KWD", "1500 KWD");
    row("currency beside the digits", "", "1,250.00 EUR", "", "125000 EUR");
    row("decimals of the currency beside the digits", "", "KWD 1.234", "", "1234 KWD");
    row("sign of several currencies", "", "$5.00", "CAD", "500 CAD");
    row("sign of several currencies alone", "", "$5.00", "", "missing_currency");
    row("currencies that differ", "", "5.00 EUR", "USD", "two_currencies");
    row("no currency", "", "5.00", "", "missing_currency");
    row("unknown currency", "", "5.00", "XYZ", "unknown_currency");
    row("blank amount", "", "", "", "none");
    row("null amount", "", "NULL", "USD", "none");
    row("too many decimals", "", "5.001", "USD", "too_many_decimals");
    row("not an amount", "", "five", "USD", "not_an_amount");
    row("overflow", "", "99999999999999999999", "USD", "amount_overflow");
    row("zero", "", "0", "USD", "0 USD");
  }

  void amounts() {
    QFETCH(QByteArray, how);
    QFETCH(QByteArray, amount);
    QFETCH(QByteArray, currency);
    QFETCH(QByteArray, result);
    PlanUnderTest plan(R"({"record": "attempt", "fields": {"key": "k", "end": "t", "currency": "c",
      "amount": {"column": "m")" +
                           how.toStdString() + "}}}",
                       {"k", "t", "m", "c"});
    const RowFate fate =
        plan.text({"k", "2026-04-07T10:00:00Z", amount.toStdString(), currency.toStdString()});
    std::string got = plan.fault().rule;
    if (fate == RowFate::Recorded) {
      const auto& money = plan.record<Attempt>().amount;
      got =
          money ? std::to_string(money->minor) + " " + money->currency.text() : std::string("none");
    }
    QCOMPARE(QByteArray::fromStdString(got), result);
  }

  void feesBelowAMinorUnit() {
    PlanUnderTest plan(effectWith(R"("fee": "f", "amount": "m")"), {"t", "f", "m"});
    plan.text({"2026-04-07T10:00:00Z", "-0.3275", "10"});
    QVERIFY(plan.record<Effect>().fee == std::optional<std::int64_t>(32));
    QCOMPARE(plan.record<Effect>().feeMicro, 750'000);
    QVERIFY(plan.slim().needsJudge);
    plan.text({"2026-04-07T10:00:00Z", "0.30", "10"});
    QVERIFY(plan.record<Effect>().fee == std::optional<std::int64_t>(30));
    QVERIFY(!plan.slim().needsJudge);
  }

  void aSpreadsheetsErrorIsNoKeyAndNoBlankAmount() {
    PlanUnderTest plan(R"x({"record": "effect", "fields": {"created": "t", "key": "k", "op_ref": "o", "amount": "m",
                           "currency": {"value": "USD"}}})x", {"t", "k", "o", "m"});
    QCOMPARE(plan.text({"2026-04-07T10:00:00Z", "#N/A", "#REF!", "10"}), RowFate::Recorded);
    QCOMPARE(plan.record<Effect>().key, std::string());
    QCOMPARE(plan.record<Effect>().opRef, std::string());
    QCOMPARE(plan.text({"2026-04-07T10:00:00Z", "k", "o", "#N/A"}), RowFate::Quarantined);
    QCOMPARE(plan.fault().rule, std::string("not_an_amount"));
  }

  void signsOfFees() {
    const auto feeOf = [](const std::string& rule, const std::string& fee) {
      PlanUnderTest plan(effectWith(R"("amount": "m", "fee": {"column": "f")" + rule + "}"), {"t", "f", "m"});
      plan.text({"2026-04-07T10:00:00Z", fee, "10"});
      return plan.record<Effect>().fee.value_or(0);
    };
    QCOMPARE(feeOf("", "-0.30"), 30);
    QCOMPARE(feeOf(R"(, "negative": "returned")", "0.30"), 30);
    QCOMPARE(feeOf(R"(, "negative": "returned")", "-0.30"), -30);
    QCOMPARE(feeOf(R"(, "negative": "cost")", "-0.30"), 30);
    QCOMPARE(feeOf(R"(, "negative": "cost")", "0.30"), -30);
  }

  void feesOfAnotherCurrency() {
    PlanUnderTest plan(R"({"record": "effect", "fields": {"created": "t", "amount": "m", "currency": "c",
                           "fee": "f", "fee_currency": "fc"}})",
                       {"t", "m", "c", "f", "fc"});
    plan.text({"2026-04-07T10:00:00Z", "100", "JPY", "0.75", "USD"});
    QVERIFY(plan.record<Effect>().fee == std::optional<std::int64_t>(75));
    QCOMPARE(plan.record<Effect>().feeCurrency.text(), std::string("USD"));
    QCOMPARE(plan.record<Effect>().amount->currency.text(), std::string("JPY"));
    plan.text({"2026-04-07T10:00:00Z", "100", "JPY", "3", ""});
    QVERIFY(plan.record<Effect>().fee == std::optional<std::int64_t>(3));
    QVERIFY(plan.record<Effect>().feeCurrency.isNone());
    plan.text({"2026-04-07T10:00:00Z", "", "", "0.0075", "USD"});
    QVERIFY(!plan.record<Effect>().amount);
    QCOMPARE(plan.record<Effect>().feeCurrency.text(), std::string("USD"));
    QCOMPARE(plan.record<Effect>().feeMicro, 750'000);
  }

  void columnsAreAddedUp() {
    PlanUnderTest plan(effectWith(R"("amount": "m", "fee": {"sum": ["f", "g", {"column": "h", "negate": true}],
                                     "negative": "returned"})"),
                       {"t", "f", "m", "g", "h"});
    const auto fee = [&](std::vector<std::string> parts) {
      plan.text({"2026-04-07T10:00:00Z", parts[0], "10", parts[1], parts[2]});
      return plan.record<Effect>().fee;
    };
    QVERIFY(fee({"0.16", "0.05", ""}) == std::optional<std::int64_t>(21));
    QVERIFY(fee({"", "0.05", "0.01"}) == std::optional<std::int64_t>(4));
    QVERIFY(fee({"", "", "0.01"}) == std::optional<std::int64_t>(-1));
    QVERIFY(fee({"", "", ""}) == std::nullopt);
    QVERIFY(fee({"0.005", "0.005", "-0.01"}) == std::optional<std::int64_t>(2));
    const auto bad = plan.text({"2026-04-07T10:00:00Z", "0.01", "10", "five", ""});
    QCOMPARE(bad, RowFate::Quarantined);
    QCOMPARE(plan.fault().column, std::string("g"));
    QCOMPARE(plan.fault().rule, std::string("not_an_amount"));
  }

  void columnsWhoseSumIsTooLarge() {
    PlanUnderTest plan(effectWith(R"("amount": {"sum": ["m", "f"]})"), {"t", "f", "m"});
    const std::string most = "92233720368547758.07";
    QCOMPARE(plan.text({"2026-04-07T10:00:00Z", "0.01", most}), RowFate::Quarantined);
    QCOMPARE(plan.fault().rule, std::string("amount_overflow"));
    QCOMPARE(plan.text({"2026-04-07T10:00:00Z", "-0.01", most}), RowFate::Recorded);
  }

  void textsAreJoined() {
    PlanUnderTest plan(R"x({"record": "effect", "fields": {"created": "t", "effect_id": {"join": [
                           {"column": "m", "find": "^([^.]+)"}, {"column": "r", "decode": ["upper"]}], "with": "/"}}})x",
                       {"t", "m", "r"});
    plan.text({"2026-04-07T10:00:00Z", "abc.filter0", "x@y.de"});
    QCOMPARE(plan.record<Effect>().effectId, std::string("abc/X@Y.DE"));
    plan.text({"2026-04-07T10:00:00Z", "abc.filter0", ""});
    QCOMPARE(plan.record<Effect>().effectId, std::string());
  }

  void aNameThatEndsInADotIsNoPath() {
    PlanUnderTest plan(effectWith(R"("amount": "m", "effect_id": ["Receipt No.", "Receipt No"])"), {"t", "f", "m", "Receipt No"});
    QCOMPARE(plan.text({"2026-04-07T10:00:00Z", "", "10", "QAB1"}), RowFate::Recorded);
    QCOMPARE(plan.record<Effect>().effectId, std::string("QAB1"));
  }

  void decimalSignOfTheFile() {
    PlanOptions options;
    options.facts.decimal = {{"m", DecimalSign::Comma}};
    PlanUnderTest settled(effectWith(R"("amount": "m")"), {"t", "m"}, options);
    settled.text({"2026-04-07T10:00:00Z", "1.000"});
    QCOMPARE(settled.record<Effect>().amount->minor, std::int64_t(100000));
    PlanUnderTest declared(effectWith(R"("amount": "m")", R"(, "layout": {"decimal": ","})"),
                           {"t", "m"});
    declared.text({"2026-04-07T10:00:00Z", "1.234,56"});
    QCOMPARE(declared.record<Effect>().amount->minor, std::int64_t(123456));
    QCOMPARE(declared.evidence().columns.size(), std::size_t(1));  // the date's
    PlanUnderTest open(effectWith(R"("amount": "m")"), {"t", "m"});
    QCOMPARE(open.text({"2026-04-07T10:00:00Z", "1.234,56"}), RowFate::Quarantined);
    QCOMPARE(open.text({"2026-04-07T10:00:00Z", "12.50"}), RowFate::Recorded);
    const auto& columns = open.evidence().columns;
    const auto column =
        std::find_if(columns.begin(), columns.end(), [](const auto& c) { return c.name == "m"; });
    QVERIFY(column != columns.end());
    QCOMPARE(int(column->decimal), 3);
  }

  void numbersOfJsonHaveAPoint() {
    PlanOptions options;
    options.facts.decimal = {{"m", DecimalSign::Comma}};
    PlanUnderTest plan(effectWith(R"("amount": "m")"), {}, options);
    const auto fate = plan.row(
        {{"t", {FieldType::Text, "2026-04-07T10:00:00Z"}}, {"m", {FieldType::Number, "19.5"}}});
    QCOMPARE(fate, RowFate::Recorded);
    QCOMPARE(plan.record<Effect>().amount->minor, std::int64_t(1950));
  }

  void timesAndTheirZones() {
    PlanOptions options;
    options.defaultZone = "Africa/Nairobi";
    const auto createdOf = [&](const std::string& expression, const std::string& value,
                               const std::string& zone = {}) {
      PlanUnderTest plan(R"({"record": "effect", "fields": {"created": )" + expression + "}}",
                         {"t", "z"}, options);
      const RowFate fate = plan.text({value, zone});
      return fate == RowFate::Recorded ? formatInstant(plan.record<Effect>().created)
                                       : plan.fault().rule;
    };
    QCOMPARE(createdOf(R"("t")", "2026-04-07 10:00:00"), std::string("2026-04-07T07:00:00Z"));
    QCOMPARE(createdOf(R"("t")", "2026-04-07T10:00:00Z"), std::string("2026-04-07T10:00:00Z"));
    QCOMPARE(createdOf(R"({"column": "t", "zone": "UTC"})", "2026-04-07 10:00:00"),
             std::string("2026-04-07T10:00:00Z"));
    QCOMPARE(createdOf(R"({"column": "t", "form": "%d-%m-%Y %H:%M:%S", "zone": "UTC"})",
                       "07-04-2026 10:00:00"),
             std::string("2026-04-07T10:00:00Z"));
    QCOMPARE(createdOf(R"({"column": "t", "form": "unix"})", "1770800400"),
             std::string("2026-02-11T09:00:00Z"));
    QCOMPARE(createdOf(R"({"column": "t", "form": "unix_ms"})", "1770800400123"),
             std::string("2026-02-11T09:00:00.123Z"));
    QCOMPARE(createdOf(R"({"column": "t", "zone": {"column": "z"}})", "2026-04-07 10:00:00",
                       "Europe/Berlin"),
             std::string("2026-04-07T08:00:00Z"));
    QCOMPARE(createdOf(
                 R"({"column": "t", "zone": {"column": "z", "words": {"Europe/Berlin": ["CET"]}}})",
                 "2026-04-07 10:00:00", "cet"),
             std::string("2026-04-07T08:00:00Z"));
    QCOMPARE(createdOf(R"({"column": "t", "zone": {"column": "z"}})", "2026-04-07 10:00:00",
                       "Mars/Base"),
             std::string("unknown_time_zone"));
    QCOMPARE(createdOf(R"("t")", "2026-02-30"), std::string("impossible_time"));
    QCOMPARE(createdOf(R"("t")", "soon"), std::string("not_a_time"));
    QCOMPARE(createdOf(R"("t")", ""), std::string("missing_field"));
    QCOMPARE(createdOf(R"("t")", "03/04/2026"), std::string("date_order_unknown"));
  }

  void anUnknownZoneIsAFaultWhateverWasReadBefore() {
    const std::string mapping = R"({"record": "effect", "fields": {"effect_id": {"value": "1"},
      "created": {"column": "t", "zone": {"column": "z"}}}})";
    for (const char* time : {"2026-04-07T10:00:00Z", "2026-04-07T10:00:00.5Z"}) {
      PlanUnderTest plan(mapping, {"t", "z"});
      QVERIFY(plan.text({time, "Mars/Base"}) == RowFate::Quarantined);
      QVERIFY(plan.text({time, "Europe/Berlin"}) == RowFate::Recorded);
      QVERIFY(plan.text({time, "Mars/Base"}) == RowFate::Quarantined);
      QCOMPARE(plan.fault().rule, std::string("unknown_time_zone"));
    }
  }

  void netAmountsBecomeGross_data() {
    QTest::addColumn<QByteArray>("how");
    QTest::addColumn<QByteArray>("gross");
    QTest::addColumn<QByteArray>("net");
    QTest::addColumn<QByteArray>("fee");
    QTest::addColumn<QByteArray>("result");
    const auto row = [](const char* name, const char* how, const char* gross, const char* net, const char* fee,
                        const char* result) {
      QTest::newRow(name) << QByteArray(how) << QByteArray(gross) << QByteArray(net) << QByteArray(fee)
                          << QByteArray(result);
    };
    row("fees are costs", "plus", "", "9.70", "0.30", "forward 1000");
    row("fees are movements", "minus", "", "9.70", "-0.30", "forward 1000");
    row("no fee was taken", "plus", "", "9.70", "", "forward 970");
    row("a fee that was given back", "minus", "", "-9.70", "0.30", "reversal 1000");
    row("a refund that costs a fee", "minus", "", "-10.30", "-0.30", "reversal 1000");
    row("a refund that costs a fee, as a cost", "plus", "", "-10.30", "0.30", "reversal 1000");
    row("a fee above the amount", "plus", "", "-0.10", "0.30", "forward 20");
    row("the gross where it is given", "plus", "12.00", "9.70", "0.30", "forward 1200");
    row("a fee below a minor unit", "plus", "", "9.70", "0.3005", "too_many_decimals");
    row("beyond what an amount can hold", "plus", "", "92233720368547758.07", "0.01", "amount_overflow");
  }
  void netAmountsBecomeGross() {
    QFETCH(QByteArray, how);
    QFETCH(QByteArray, gross);
    QFETCH(QByteArray, net);
    QFETCH(QByteArray, fee);
    QFETCH(QByteArray, result);
    const std::string mapping = R"({"record": "effect", "fields": {"effect_id": {"value": "1"}, "created": "t",
      "currency": {"value": "USD"}, "fee": "fee",
      "amount": [{"column": "gross"}, {"column": "net", "negative": "reversal", "HOW": "fee"}]}})";
    PlanUnderTest plan(QString::fromStdString(mapping).replace("HOW", how).toStdString(), {"t", "gross", "net", "fee"});
    const RowFate fate =
        plan.text({"2026-04-07T10:00:00Z", gross.toStdString(), net.toStdString(), fee.toStdString()});
    if (fate != RowFate::Recorded) {
      QCOMPARE(plan.fault().rule, result.toStdString());
      return;
    }
    const auto& effect = plan.record<Effect>();
    const std::string kind = effect.kind == EffectKind::Reversal ? "reversal " : "forward ";
    QCOMPARE(kind + std::to_string(effect.amount->minor), result.toStdString());
  }

  void aTimeWithMillisecondsOfTheRowAdded() {
    PlanUnderTest plan(R"x({"record": "attempt", "fields": {"key": "k",
      "start": {"column": "t", "form": "unix_ms", "plus_ms": ["own", "delay"]}}})x", {"k", "t", "own", "delay"});
    QCOMPARE(plan.text({"k1", "1778569200000", "", "86400000"}), RowFate::Recorded);
    QCOMPARE(*plan.record<Attempt>().start, at("2026-05-13T07:00:00Z"));
    QCOMPARE(plan.text({"k1", "1778569200000", "-500", "86400000"}), RowFate::Recorded);
    QCOMPARE(*plan.record<Attempt>().start, at("2026-05-12T06:59:59.5Z"));
    QCOMPARE(plan.text({"k1", "1778569200000", "", ""}), RowFate::Recorded);
    QCOMPARE(*plan.record<Attempt>().start, at("2026-05-12T07:00:00Z"));
    for (const char* number : {"soon", "1.5", "99999999999999", "-99999999999999"}) {
      QCOMPARE(plan.text({"k1", "1778569200000", "", number}), RowFate::Quarantined);
      QCOMPARE(plan.fault().rule, std::string("not_a_number"));
    }
    const std::string refused = refusalOf(R"({"record": "attempt", "fields": {"key": {"column": "k", "plus_ms": "d"}}})");
    QVERIFY2(refused.find("'plus_ms' belongs to times") != std::string::npos, refused.c_str());
  }

  void aNetAmountNeedsItsFee() {
    const auto refused = [](const std::string& fields, const std::vector<std::string>& columns) {
      auto spec = mappingOf(R"({"record": "effect", "fields": {"created": "t", "currency": {"value": "USD"}, )" +
                            fields + "}}");
      const auto plan = Plan::compile(*spec, columns, {});
      return plan ? std::string("accepted") : plan.error().message;
    };
    const std::string net = R"("amount": {"column": "net", "plus": "fee"})";
    QVERIFY2(refused(net, {"t", "net"}).find("map 'fee'") != std::string::npos, refused(net, {"t", "net"}).c_str());
    QCOMPARE(refused(net + R"(, "fee": "fee")", {"t", "net", "fee"}), std::string("accepted"));
    const auto message = [](const std::string& amount) {
      return refusalOf(R"({"record": "effect", "fields": {"created": "t", "fee": "fee", "amount": )" + amount + "}}");
    };
    QVERIFY(message(R"({"column": "net", "plus": "tax"})").find("can only be \"fee\"") != std::string::npos);
    QVERIFY(message(R"({"column": "net", "plus": "fee", "minus": "fee"})").find("at once") != std::string::npos);
    auto attempt = mappingOf(R"({"record": "attempt", "fields": {"key": "k", "end": "t",
      "amount": {"column": "net", "plus": "fee"}}})");
    const auto plan = Plan::compile(*attempt, {"k", "t", "net", "fee"}, {});
    QVERIFY(!plan && plan.error().message.find("belong to the amount of an effect") != std::string::npos);
  }

  /// The day of the row before is remembered; no text may read otherwise for it.
  void aTimeReadsTheSameWhateverWasReadBefore() {
    const std::vector<std::string> texts = {
        "2026-04-07T10:00:00Z",        "2026-04-07T10:00:01.5Z",      "2026-04-07T10:00:01.123Z",
        "2026-04-07T10:00:01.123456Z", "2026-04-07T10:00:01.1234567Z", "2026-04-07T10:00:01.Z",
        "2026-04-07T10:00:01.12x4Z",   "2026-04-07T23:59:59.999999Z", "2026-04-07T23:59:60Z",
        "2026-04-07T24:00:00Z",        "2026-04-07T10:00:60Z",        "2026-04-07T10:60:00Z",
        "2026-04-07T1a:00:00Z",        "2026-04-07T10:00:00+02:00",   "2026-04-07T10:00:00.5+02:00",
        "2026-04-07T10:00:00",         "2026-04-07T10:00:00.25",      "2026-04-07 10:00:00.25Z",
        "2026-04-08T00:00:00.001Z",    "2026-04-07T10:00:00,5Z",      "2026-04-07T10:00:00.5Z Z",
        "2026-04-07T00:00:00Z"};
    const auto read = [](PlanUnderTest& plan, const std::string& text) {
      const RowFate fate = plan.text({text});
      return fate == RowFate::Recorded ? formatInstant(plan.record<Effect>().created) : plan.fault().rule;
    };
    const std::string mapping = R"({"record": "effect", "fields": {"created": "t", "effect_id": {"value": "1"}}})";
    for (const std::string& first : texts) {
      for (const std::string& text : texts) {
        PlanUnderTest fresh(mapping, {"t"});
        PlanUnderTest used(mapping, {"t"});
        read(used, first);
        QCOMPARE(read(used, text), read(fresh, text));
      }
    }
    PlanUnderTest plan(mapping, {"t"});
    QCOMPARE(read(plan, texts[0]), std::string("2026-04-07T10:00:00Z"));
    QCOMPARE(read(plan, "2026-04-07T10:00:01.5Z"), std::string("2026-04-07T10:00:01.500Z"));
    QCOMPARE(read(plan, "2026-04-07T23:59:59.000001Z"), std::string("2026-04-07T23:59:59.000001Z"));
  }

  void dateOrderOfTheFile() {
    PlanUnderTest open(effectWith(""), {"t"});
    open.text({"03/04/2026 10:00"});
    open.text({"25/04/2026 10:00"});
    QCOMPARE(int(open.evidence().columns[0].date),
             int(DateEvidence::DayMonth) | int(DateEvidence::Undecided));
    PlanOptions options;
    options.facts.dateOrder = {{"t", DateOrder::DayMonth}};
    PlanUnderTest settled(effectWith(""), {"t"}, options);
    QCOMPARE(settled.text({"03/04/2026 10:00"}), RowFate::Recorded);
    QVERIFY(settled.record<Effect>().created == at("2026-04-03T10:00:00Z"));
  }

  void aDayWithoutAClock() {
    PlanUnderTest plan(
        R"({"record": "effect", "fields": {"created": {"column": "t", "zone": "Europe/Berlin"}}})",
        {"t"});
    plan.text({"2026-03-29"});
    QVERIFY(plan.record<Effect>().created == at("2026-03-28T23:00:00Z"));
    QVERIFY(plan.record<Effect>().createdSpan == std::chrono::hours(23));
    QVERIFY(plan.slim().dayOnly);
  }

  void anEndBeforeItsStartTakesTheLaterHour() {
    PlanUnderTest plan(
        R"({"record": "attempt", "fields": {"key": "k", "start": {"column": "s", "zone": "Europe/Berlin"},
      "end": {"column": "e", "zone": "Europe/Berlin"}}})",
        {"k", "s", "e"});
    plan.text({"k", "2025-10-26 02:58:00", "2025-10-26 02:03:10"});
    QVERIFY(plan.record<Attempt>().start == std::optional(at("2025-10-26T00:58:00Z")));
    QVERIFY(plan.record<Attempt>().end == std::optional(at("2025-10-26T01:03:10Z")));
    QVERIFY(plan.slim().needsJudge);
    QCOMPARE(plan.slim().timeMicros, at("2025-10-26T01:03:10Z").time_since_epoch().count());
    plan.text({"k", "2025-10-26 02:15:00", "2025-10-26 02:15:03"});
    QVERIFY(plan.record<Attempt>().end == std::optional(at("2025-10-26T00:15:03Z")));
    plan.text({"k", "2025-10-26 10:15:00", "2025-10-26 10:15:03"});
    QVERIFY(!plan.slim().needsJudge);
  }

  void negativeAmounts() {
    const auto fateOf = [](const char* rule, const char* amount, const char* kind) {
      PlanUnderTest plan(
          effectWith(std::string(R"("kind": "k", "amount": {"column": "m")") + rule + "}"),
          {"t", "m", "k"});
      const RowFate fate = plan.text({"2026-04-07T10:00:00Z", amount, kind});
      if (fate == RowFate::Quarantined) return plan.fault().rule;
      const Effect& effect = plan.record<Effect>();
      return std::to_string(effect.amount->minor) +
             (effect.kind == EffectKind::Forward ? " forward" : " reversal");
    };
    QCOMPARE(fateOf("", "-5.00", "charge"), std::string("negative_amount"));
    QCOMPARE(fateOf("", "-5.00", "refund"), std::string("500 reversal"));
    QCOMPARE(fateOf("", "(5.00)", "refund"), std::string("500 reversal"));
    QCOMPARE(fateOf("", "-0.00", "charge"), std::string("0 forward"));
    QCOMPARE(fateOf(R"(, "negative": "reversal")", "-5.00", "charge"), std::string("500 reversal"));
    QCOMPARE(fateOf(R"(, "negative": "reversal")", "5.00", "charge"), std::string("500 forward"));
    QCOMPARE(fateOf(R"(, "negative": "drop")", "-5.00", "charge"), std::string("500 forward"));
  }

  void reversalByItsSignDoesNotStick() {
    PlanUnderTest plan(effectWith(R"("amount": {"column": "m", "negative": "reversal"})"),
                       {"t", "m"});
    plan.text({"2026-04-07T10:00:00Z", "-5.00"});
    QCOMPARE(plan.record<Effect>().kind, EffectKind::Reversal);
    plan.text({"2026-04-07T10:00:00Z", "5.00"});
    QCOMPARE(plan.record<Effect>().kind, EffectKind::Forward);
  }
};

QTEST_APPLESS_MAIN(TstPlanValues)
#include "tst_plan_values.moc"
