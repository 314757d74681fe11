// SPDX-License-Identifier: GPL-3.0-or-later
#include <rapidcheck.h>

#include <QtTest>
#include <limits>

#include "core/base/money.h"

using namespace counterfoil;

namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

Currency currency(std::string_view code) {
  return Currency::parse(code).value_or(Currency());
}

AmountStyle styleOf(char sign, int exponent = 2) {
  return {sign == '.' ? DecimalSign::Point : DecimalSign::Comma, exponent, false};
}

QString nameOf(DecimalEvidence evidence) {
  return evidence == DecimalEvidence::None    ? "none"
         : evidence == DecimalEvidence::Point ? "point"
                                              : "comma";
}

QString nameOf(std::optional<AmountFault> fault) {
  if (!fault) return "";
  switch (*fault) {
    case AmountFault::Empty:
      return "Empty";
    case AmountFault::NotANumber:
      return "NotANumber";
    case AmountFault::TooManyDecimals:
      return "TooManyDecimals";
    case AmountFault::BadGrouping:
      return "BadGrouping";
    case AmountFault::Overflow:
      return "Overflow";
    case AmountFault::WrongDecimalSign:
      return "WrongDecimalSign";
    case AmountFault::TwoCurrencies:
      return "TwoCurrencies";
  }
  return "?";
}

}  // namespace

class TstMoney : public QObject {
  Q_OBJECT

 private slots:
  void currencyExponents_data() {
    QTest::addColumn<QString>("code");
    QTest::addColumn<int>("exponent");
    for (const char* code :
         {"USD", "EUR", "KES", "CHF", "INR", "ZWG", "XCG", "HUF", "DEM", "HRK", "MRO", "CUC"}) {
      QTest::newRow(code) << QString(code) << 2;
    }
    for (const char* code :
         {"BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF",
          "UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF", "BYR", "TRL", "ITL"}) {
      QTest::newRow(code) << QString(code) << 0;
    }
    for (const char* code : {"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"}) {
      QTest::newRow(code) << QString(code) << 3;
    }
    for (const char* code : {"CLF", "UYW"}) QTest::newRow(code) << QString(code) << 4;
  }
  void currencyExponents() {
    QFETCH(QString, code);
    QFETCH(int, exponent);
    const auto parsed = Currency::parse(code.toStdString());
    QVERIFY(parsed.has_value());
    QCOMPARE(parsed->text(), code.toStdString());
    QCOMPARE(parsed->exponent(), exponent);
    QVERIFY(Currency::fromPacked(parsed->packed()) == *parsed);
  }

  void currencyText_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("code");
    QTest::newRow("lower case") << "usd"
                                << "USD";
    QTest::newRow("mixed case, spaces") << " eUr\t"
                                        << "EUR";
    QTest::newRow("not assigned") << "XYZ"
                                  << "";
    QTest::newRow("no currency") << "XXX"
                                 << "";
    QTest::newRow("test code") << "XTS"
                               << "";
    QTest::newRow("gold") << "XAU"
                          << "";
    QTest::newRow("OMN is no code") << "OMN"
                                    << "";
    QTest::newRow("four letters") << "USDT"
                                  << "";
    QTest::newRow("two letters") << "US"
                                 << "";
    QTest::newRow("digits") << "840"
                            << "";
    QTest::newRow("blank") << ""
                           << "";
    QTest::newRow("not ASCII") << QString::fromUtf8("€") << "";
  }
  void currencyText() {
    QFETCH(QString, text);
    QFETCH(QString, code);
    const auto parsed = Currency::parse(text.toStdString());
    QCOMPARE(parsed.has_value(), !code.isEmpty());
    QCOMPARE(parsed.value_or(Currency()).text(), code.toStdString());
  }

  void currenciesSortByCode() {
    QVERIFY(currency("AED") < currency("EUR"));
    QVERIFY(currency("EUR") < currency("USD"));
    QVERIFY(Currency() < currency("AED"));
    QVERIFY(Currency().isNone());
    QCOMPARE(Currency().exponent(), 2);
  }

  void formats_data() {
    QTest::addColumn<qint64>("minor");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("plain");
    QTest::addColumn<QString>("people");
    QTest::newRow("thousands") << qint64(125000) << "USD"
                               << "1250.00"
                               << "USD 1,250.00";
    QTest::newRow("below one") << qint64(-5) << "USD"
                               << "-0.05"
                               << "USD -0.05";
    QTest::newRow("no decimals") << qint64(1500) << "JPY"
                                 << "1500"
                                 << "JPY 1,500";
    QTest::newRow("three decimals") << qint64(1234567) << "KWD"
                                    << "1234.567"
                                    << "KWD 1,234.567";
    QTest::newRow("four decimals") << qint64(1) << "CLF"
                                   << "0.0001"
                                   << "CLF 0.0001";
    QTest::newRow("zero") << qint64(0) << "EUR"
                          << "0.00"
                          << "EUR 0.00";
    QTest::newRow("no currency") << qint64(100000000) << ""
                                 << "1000000.00"
                                 << "1,000,000.00";
    QTest::newRow("hundreds get no comma") << qint64(-99999) << "EUR"
                                           << "-999.99"
                                           << "EUR -999.99";
    QTest::newRow("largest") << qint64(kMost) << "JPY"
                             << "9223372036854775807"
                             << "JPY 9,223,372,036,854,775,807";
    QTest::newRow("least") << qint64(kLeast) << "USD"
                           << "-92233720368547758.08"
                           << "USD -92,233,720,368,547,758.08";
  }
  void formats() {
    QFETCH(qint64, minor);
    QFETCH(QString, code);
    QFETCH(QString, plain);
    QFETCH(QString, people);
    const Money money{minor, currency(code.toStdString())};
    QCOMPARE(QString::fromStdString(formatPlain(money)), plain);
    QCOMPARE(QString::fromStdString(formatForPeople(money)), people);
  }

  void amounts_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QChar>("decimal");
    QTest::addColumn<int>("exponent");
    QTest::addColumn<qint64>("minor");
    QTest::addColumn<bool>("negative");
    QTest::addColumn<QString>("evidence");
    QTest::addColumn<QString>("code");
    const auto row = [](const char* text, char sign, int exponent, qint64 minor,
                        const char* evidence, const char* code = "", bool negative = false) {
      const QString name =
          QString::fromUtf8(text) + " read with " + sign + " and " + QString::number(exponent);
      QTest::newRow(name.toUtf8().constData()) << QString::fromUtf8(text) << QChar(sign) << exponent
                                               << minor << negative << evidence << code;
    };
    row("1250", '.', 2, 125000, "none");
    row("1250.5", '.', 2, 125050, "point");
    row("12.50", '.', 2, 1250, "point");
    row("12.500", '.', 2, 1250, "none");  // zeros beyond the exponent are no digits lost
    row("0.123", '.', 3, 123, "point");
    row("1.234", '.', 3, 1234, "none");
    row("1234.567", '.', 3, 1234567, "point");
    row("1250", ',', 2, 125000, "none");
    row("12,5", ',', 2, 1250, "comma");
    row("1.000", ',', 2, 100000, "none");  // a thousand
    row("1,000", '.', 2, 100000, "none");
    row("1500", '.', 0, 1500, "none");
    row("1500.00", '.', 0, 1500, "point");
    row("  7 ", '.', 2, 700, "none");
    row("007", '.', 2, 700, "none");
    row("1,250.00", '.', 2, 125000, "point");
    row("1.250,00", ',', 2, 125000, "comma");
    row("1 250,00", ',', 2, 125000, "comma");
    row("1\u00A0250,00", ',', 2, 125000, "comma");
    row("1\u2009250,00", ',', 2, 125000, "comma");
    row("1\u202F250\u202F000,00", ',', 2, 125000000, "comma");
    row("1'234.50", '.', 2, 123450, "point");
    row("1\u2019234.50", '.', 2, 123450, "point");
    row("12,34,567.00", '.', 2, 123456700, "point");
    row("12,34,567", '.', 2, 123456700, "point");
    row("1,234,567", '.', 2, 123456700, "point");
    row("1.234.567", ',', 2, 123456700, "comma");
    row("1 234,567", ',', 3, 1234567, "comma");
  }
  void signedAndMarkedAmounts_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QChar>("decimal");
    QTest::addColumn<int>("exponent");
    QTest::addColumn<qint64>("minor");
    QTest::addColumn<bool>("negative");
    QTest::addColumn<QString>("evidence");
    QTest::addColumn<QString>("code");
    const auto row = [](const char* text, char sign, int exponent, qint64 minor,
                        const char* evidence, const char* code = "", bool negative = false) {
      const QString name =
          QString::fromUtf8(text) + " read with " + sign + " and " + QString::number(exponent);
      QTest::newRow(name.toUtf8().constData()) << QString::fromUtf8(text) << QChar(sign) << exponent
                                               << minor << negative << evidence << code;
    };
    row("(12.50)", '.', 2, 1250, "point", "", true);
    row("12.50-", '.', 2, 1250, "point", "", true);
    row("-12.50", '.', 2, 1250, "point", "", true);
    row("\u221212", '.', 2, 1200, "none", "", true);
    row("\u201312", '.', 2, 1200, "none", "", true);
    row("- 12", '.', 2, 1200, "none", "", true);
    row("+5", '.', 2, 500, "none");
    row("-0.00", '.', 2, 0, "point");  // zero has no sign
    row("(0)", '.', 2, 0, "none");
    row(".5", '.', 2, 50, "point");
    row("5.", '.', 2, 500, "point");
    row("$1,250.00", '.', 2, 125000, "point", "USD");
    row("$1,149.00 ", '.', 2, 114900, "point", "USD");
    row("1.355,90 €", ',', 2, 135590, "comma", "EUR");
    row("1.355,90\u00A0€", ',', 2, 135590, "comma", "EUR");
    row("($30.00)", '.', 2, 3000, "point", "USD", true);
    row("$(30.00)", '.', 2, 3000, "point", "USD", true);
    row("-$0.95", '.', 2, 95, "point", "USD", true);
    row("$-0.95", '.', 2, 95, "point", "USD", true);
    row("£5", '.', 2, 500, "none", "GBP");
    row("¥1,500", '.', 0, 1500, "none", "JPY");
    row("₹12,34,567", '.', 2, 123456700, "point", "INR");
    row("₽ 100", '.', 2, 10000, "none", "RUB");
    row("₩5000", '.', 0, 5000, "none", "KRW");
    row("₪5", '.', 2, 500, "none", "ILS");
    row("₺5", '.', 2, 500, "none", "TRY");
    row("KSh1,000", '.', 2, 100000, "none", "KES");
    row("Ksh 1,000.00", '.', 2, 100000, "point", "KES");
    row("R$ 1.250,00", ',', 2, 125000, "comma", "BRL");
    row("R 250", '.', 2, 25000, "none", "ZAR");
    row("USD 5", '.', 2, 500, "none", "USD");
    row("USD5", '.', 2, 500, "none", "USD");
    row("5 usd", '.', 2, 500, "none", "USD");
    row("-5.00 EUR", '.', 2, 500, "point", "EUR", true);
    row("USD -5.00", '.', 2, 500, "point", "USD", true);
    row("US$5", '.', 2, 500, "none", "USD");
    row("$5 USD", '.', 2, 500, "none", "USD");
    row("$5 CAD", '.', 2, 500, "none", "CAD");
    row("CAD $5", '.', 2, 500, "none", "CAD");
    row("1 250,00 zł", ',', 2, 125000, "comma", "PLN");
    row("99 kr", '.', 2, 9900, "none", "");
    row("99 kr SEK", '.', 2, 9900, "none", "SEK");
    row("1e2", '.', 2, 10000, "none");
    row("1.5E3", '.', 2, 150000, "point");
    row("1.5e+3", '.', 0, 1500, "point");
    row("125e-1", '.', 2, 1250, "none");
    row("0e99999", '.', 2, 0, "none");
    row("-1e0", '.', 2, 100, "none", "", true);
    row("92233720368547758.07", '.', 2, kMost, "point");
    row("9223372036854775807", '.', 0, kMost, "none");
    row("12.34000000000000000000000000000000", '.', 2, 1234, "point");
  }
  void amounts() {
    QFETCH(QString, text);
    QFETCH(QChar, decimal);
    QFETCH(int, exponent);
    QFETCH(qint64, minor);
    QFETCH(bool, negative);
    QFETCH(QString, evidence);
    QFETCH(QString, code);
    const auto outcome = parseAmount(text.toStdString(), styleOf(decimal.toLatin1(), exponent));
    QCOMPARE(nameOf(outcome.fault), QString());
    QCOMPARE(qint64(outcome.value.minor), minor);
    QCOMPARE(outcome.value.negative, negative);
    QCOMPARE(nameOf(outcome.value.evidence), evidence);
    QCOMPARE(nameOf(decimalEvidence(text.toStdString())), evidence);
    QCOMPARE(QString::fromStdString(outcome.value.currency.text()), code);
    QCOMPARE(outcome.value.microMinor, 0);
  }

  void signedAndMarkedAmounts() { amounts(); }

  void amountFaults_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QChar>("decimal");
    QTest::addColumn<QString>("fault");
    const auto row = [](const char* text, char sign, const char* fault) {
      const QString name = QString::fromUtf8(text) + " read with " + sign;
      QTest::newRow(name.toUtf8().constData()) << QString::fromUtf8(text) << QChar(sign) << fault;
    };
    row("", '.', "Empty");
    row(" \t", '.', "Empty");
    row("\u00A0", '.', "Empty");
    row("-", '.', "NotANumber");
    row("$", '.', "NotANumber");
    row("()", '.', "NotANumber");
    row(".", '.', "NotANumber");
    row("abc", '.', "NotANumber");
    row("NaN", '.', "NotANumber");
    row("12a", '.', "NotANumber");
    row("1e", '.', "NotANumber");
    row("e5", '.', "NotANumber");
    row("1e5e5", '.', "NotANumber");
    row("1e2.5", '.', "NotANumber");
    row("0x10", '.', "NotANumber");
    row("--5", '.', "NotANumber");
    row("-5-", '.', "NotANumber");
    row("(-5)", '.', "NotANumber");
    row("(5", '.', "NotANumber");
    row("5)", '.', "NotANumber");
    row("5 5-5", '.', "NotANumber");
    row("12%", '.', "NotANumber");
    row("\u0661\u0662", '.', "NotANumber");  // Arabic digits
    row("\uFF11\uFF12", '.', "NotANumber");  // full width
    row("1\n5", '.', "NotANumber");
    row("1.234", '.', "TooManyDecimals");
    row("0.001", '.', "TooManyDecimals");
    row("1e-3", '.', "TooManyDecimals");
    row("1e-99999", '.', "TooManyDecimals");
    row("1.234,56", '.', "WrongDecimalSign");
    row("12,50", '.', "WrongDecimalSign");
    row("1.234.567", '.', "WrongDecimalSign");
    row("0,123", '.', "WrongDecimalSign");
    row("12.50", ',', "WrongDecimalSign");
    row("1,234.56", ',', "WrongDecimalSign");
    row("1,234,567", ',', "WrongDecimalSign");
    row("12,34,56", '.', "BadGrouping");
    row("1,2345,678", '.', "BadGrouping");
    row("1,23,4567", '.', "BadGrouping");
    row("1 23", '.', "BadGrouping");
    row("1234 567", '.', "BadGrouping");
    row("1 234,567.00", '.', "BadGrouping");
    row("1.2.3", '.', "BadGrouping");
    row("12.345.67", ',', "BadGrouping");
    row("1.234 5", '.', "BadGrouping");
    row("1,234e2", '.', "BadGrouping");
    row("92233720368547758.08", '.', "Overflow");
    row("99999999999999999999999", '.', "Overflow");
    row("1e400", '.', "Overflow");
    row("1e99999999999", '.', "Overflow");
    row("USD 5 EUR", '.', "TwoCurrencies");
    row("$5 EUR", '.', "TwoCurrencies");
    row("€5$", '.', "TwoCurrencies");
  }
  void amountFaults() {
    QFETCH(QString, text);
    QFETCH(QChar, decimal);
    QFETCH(QString, fault);
    const auto outcome = parseAmount(text.toStdString(), styleOf(decimal.toLatin1()));
    QCOMPARE(nameOf(outcome.fault), fault);
    QVERIFY(!describe(*outcome.fault).empty());
  }

  void amountTooLongIsNoNumber() {
    QCOMPARE(nameOf(parseAmount(std::string(100'000, '1'), styleOf('.')).fault),
             QString("NotANumber"));
  }

  void minorUnits_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("minor");
    QTest::addColumn<QString>("fault");
    QTest::newRow("whole") << "1500" << qint64(1500) << "";
    QTest::newRow("zero fraction") << "1500.0" << qint64(1500) << "";
    QTest::newRow("fraction") << "15.5" << qint64(0) << "TooManyDecimals";
    QTest::newRow("negative") << "-1500" << qint64(1500) << "";
    QTest::newRow("exponent") << "1.5e3" << qint64(1500) << "";
  }
  void minorUnits() {
    QFETCH(QString, text);
    QFETCH(qint64, minor);
    QFETCH(QString, fault);
    AmountStyle style = styleOf('.');
    style.minorUnits = true;
    const auto outcome = parseAmount(text.toStdString(), style);
    QCOMPARE(nameOf(outcome.fault), fault);
    QCOMPARE(qint64(outcome.value.minor), minor);
  }

  void fees_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("minor");
    QTest::addColumn<int>("micro");
    QTest::addColumn<bool>("negative");
    QTest::addColumn<QString>("fault");
    QTest::newRow("tenth of a cent") << "0.123" << qint64(12) << 300000 << false << "";
    QTest::newRow("three below the cent") << "1.23456" << qint64(123) << 456000 << false << "";
    QTest::newRow("only below") << "-0.00005" << qint64(0) << 5000 << true << "";
    QTest::newRow("none") << "0.30" << qint64(30) << 0 << false << "";
    QTest::newRow("six below the cent") << "0.00000001" << qint64(0) << 1 << false << "";
    QTest::newRow("seven below the cent")
        << "0.000000001" << qint64(0) << 0 << false << "TooManyDecimals";
  }
  void fees() {
    QFETCH(QString, text);
    QFETCH(qint64, minor);
    QFETCH(int, micro);
    QFETCH(bool, negative);
    QFETCH(QString, fault);
    const auto outcome = parseAmount(text.toStdString(), styleOf('.'), true);
    QCOMPARE(nameOf(outcome.fault), fault);
    QCOMPARE(qint64(outcome.value.minor), minor);
    QCOMPARE(int(outcome.value.microMinor), micro);
    QCOMPARE(outcome.value.negative, negative);
  }

  void feesAsText() {
    const Currency usd = *Currency::parse("USD");
    const Currency yen = *Currency::parse("JPY");
    QCOMPARE(formatPlain({8022, usd}, 447200), std::string("80.224472"));
    QCOMPARE(formatPlain({0, usd}, -750000), std::string("-0.0075"));
    QCOMPARE(formatPlain({-12, usd}, 0), std::string("-0.12"));
    QCOMPARE(formatPlain({3, yen}, 500000), std::string("3.5"));
  }

  void sharedSymbols() {
    QVERIFY(parseAmount("$5", styleOf('.')).value.sharedSymbol);
    QVERIFY(!parseAmount("US$5", styleOf('.')).value.sharedSymbol);
    QVERIFY(!parseAmount("$5 CAD", styleOf('.')).value.sharedSymbol);
    QVERIFY(!parseAmount("5 €", styleOf('.')).value.sharedSymbol);
    QVERIFY(!parseAmount("5", styleOf('.')).value.sharedSymbol);
  }

  void evidenceOfText_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("evidence");
    QTest::newRow("not a number") << "1.2.3"
                                  << "none";
    QTest::newRow("a word") << "Rs.abc"
                            << "none";
    QTest::newRow("blank") << ""
                           << "none";
    QTest::newRow("three digits behind") << "123,456"
                                         << "none";
    QTest::newRow("apostrophes group, so the comma is decimal") << "1'234,567"
                                                                << "comma";
    QTest::newRow("more before than a group") << "1234,567"
                                              << "comma";
    QTest::newRow("the point of a symbol is none") << "Rs. 1.234"
                                                   << "none";
    QTest::newRow("grouped after the decimal sign") << "1,234.567,89"
                                                    << "none";
  }
  void evidenceOfText() {
    QFETCH(QString, text);
    QFETCH(QString, evidence);
    QCOMPARE(nameOf(decimalEvidence(text.toStdString())), evidence);
  }

  void whatIsFormattedIsReadBack() {
    QVERIFY(rc::check([](std::int64_t minor) {
      static const std::vector<std::string> codes = {"USD", "JPY", "KWD", "CLF"};
      const Money money{minor, currency(*rc::gen::elementOf(codes))};
      if (minor == kLeast) return true;  // its magnitude is no amount
      const AmountStyle style = styleOf('.', money.currency.exponent());
      for (const std::string& text : {formatPlain(money), formatForPeople(money)}) {
        const auto outcome = parseAmount(text, style);
        // Grouped digits without decimals can look like those of the other sign only in other
        // styles.
        if (outcome.fault || outcome.value.negative != (minor < 0)) return false;
        if (outcome.value.minor != (minor < 0 ? -minor : minor)) return false;
      }
      return true;
    }));
  }

  void fastAndFullReadingAgree() {
    QVERIFY(rc::check([] {
      const auto text =
          *rc::gen::container<std::string>(rc::gen::elementOf(std::string("0123456789.,-")));
      const AmountStyle style = styleOf(*rc::gen::element('.', ','), *rc::gen::inRange(0, 5));
      const auto fast = parseAmount(text, style);
      const auto full = parseAmount(text + " USD", style);  // an affix keeps it off the fast way
      const bool blank = fast.fault == AmountFault::Empty;
      RC_ASSERT(fast.fault == full.fault || (blank && full.fault == AmountFault::NotANumber));
      if (fast.fault) return;
      RC_ASSERT(fast.value.minor == full.value.minor);
      RC_ASSERT(fast.value.negative == full.value.negative);
      RC_ASSERT(fast.value.evidence == full.value.evidence);
    }));
  }

  void anyBytesAreSafe() {
    QVERIFY(rc::check([](const std::string& text) {
      const auto outcome = parseAmount(text, styleOf('.'), true);
      RC_ASSERT(outcome.value.minor >= 0);
      RC_ASSERT(outcome.value.microMinor >= 0 && outcome.value.microMinor < 1'000'000);
    }));
  }

  void checkedArithmetic() {
    QVERIFY(addChecked(2, 3) == 5);
    QVERIFY(!addChecked(kMost, 1));
    QVERIFY(!addChecked(kLeast, -1));
    QVERIFY(subtractChecked(2, 3) == -1);
    QVERIFY(!subtractChecked(kLeast, 1));
    QVERIFY(!subtractChecked(0, kLeast));
  }

  void sumsAreKeptByCurrency() {
    MoneySum sum;
    QVERIFY(sum.add({100, currency("USD")}).has_value());
    QVERIFY(sum.add({5, currency("EUR")}).has_value());
    QVERIFY(sum.add({-40, currency("USD")}).has_value());
    QVERIFY(sum.add({7, currency("JPY")}).has_value());
    QVERIFY(sum.add({-7, currency("JPY")}).has_value());
    const std::vector<Money> expected = {{5, currency("EUR")}, {60, currency("USD")}};
    QVERIFY(sum.values() == expected);
  }

  void sumOverflowNamesTheCurrencyAndKeepsTheSum() {
    MoneySum sum;
    QVERIFY(sum.add({kMost, currency("KES")}).has_value());
    const auto result = sum.add({1, currency("KES")});
    QVERIFY(!result.has_value());
    QVERIFY(result.error().code == ErrorCode::Overflow);
    QVERIFY(result.error().message.find("KES") != std::string::npos);
    QVERIFY(sum.values() == std::vector<Money>({{kMost, currency("KES")}}));
  }
};

QTEST_APPLESS_MAIN(TstMoney)
#include "tst_money.moc"
