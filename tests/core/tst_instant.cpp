// SPDX-License-Identifier: GPL-3.0-or-later
#include <rapidcheck.h>

#include <QtTest>
#include <limits>
#include <thread>

#include "core/base/instant.h"

using namespace counterfoil;
using namespace std::chrono_literals;

namespace {

Zone zoneOf(const char* name) {
  auto zone = Zone::named(name);
  if (!zone) qFatal("no zone %s", name);
  return *zone;
}

TimeForm formOf(const char* form, const char* zone = "UTC") {
  auto made = TimeForm::make(form, zoneOf(zone));
  if (!made) qFatal("%s", made.error().message.c_str());
  return *made;
}

Instant instant(const char* text) {
  const auto parsed = parseInstant(text);
  if (!parsed) qFatal("%s", parsed.error().message.c_str());
  return *parsed;
}

std::chrono::local_time<Duration> wall(const char* text) {  // "2026-03-29T02:30:00"
  return std::chrono::local_time<Duration>{
      instant((std::string(text) + "Z").c_str()).time_since_epoch()};
}

QString nameOf(std::optional<TimeFault> fault) {
  if (!fault) return "";
  switch (*fault) {
    case TimeFault::Empty:
      return "Empty";
    case TimeFault::NotATime:
      return "NotATime";
    case TimeFault::OutOfRange:
      return "OutOfRange";
    case TimeFault::NoSuchDate:
      return "NoSuchDate";
    case TimeFault::NonExistent:
      return "NonExistent";
    case TimeFault::NeedsOrder:
      return "NeedsOrder";
  }
  return "?";
}

/// The instant a text gives, or the name of its fault.
QString outcomeText(const TimeOutcome& outcome) {
  return outcome.fault ? nameOf(outcome.fault)
                       : QString::fromStdString(formatInstant(outcome.value.at));
}

}  // namespace

class TstInstant : public QObject {
  Q_OBJECT

 private slots:
  void formatsInstants() {
    QCOMPARE(formatInstant(Instant{}), std::string("1970-01-01T00:00:00Z"));
    QCOMPARE(formatInstant(Instant{1ms}), std::string("1970-01-01T00:00:00.001Z"));
    QCOMPARE(formatInstant(Instant{1us}), std::string("1970-01-01T00:00:00.000001Z"));
    QCOMPARE(formatInstant(Instant{-1us}), std::string("1969-12-31T23:59:59.999999Z"));
  }

  void instantsComeBack() {
    QVERIFY(rc::check([] {
      const Instant at{Duration{
          *rc::gen::inRange<std::int64_t>(-62'167'219'200'000'000, 253'402'300'799'999'999)}};
      const auto parsed = parseInstant(formatInstant(at));
      RC_ASSERT(parsed.has_value());
      RC_ASSERT(*parsed == at);
    }));
  }

  void parsesInstants_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("instant");
    QTest::newRow("Z") << "2026-04-08T06:00:00Z"
                       << "2026-04-08T06:00:00Z";
    QTest::newRow("offset") << "2026-04-08T06:00:00+03:00"
                            << "2026-04-08T03:00:00Z";
    QTest::newRow("short offset, a space") << "2026-04-08 06:00:00.5-02"
                                           << "2026-04-08T08:00:00.500Z";
    QTest::newRow("no seconds") << "2026-04-08T06:00Z"
                                << "2026-04-08T06:00:00Z";
    QTest::newRow("beyond microseconds") << "2026-04-08T06:00:00.123456789Z"
                                         << "2026-04-08T06:00:00.123456Z";
    QTest::newRow("no offset") << "2026-04-08T06:00:00"
                               << "";
    QTest::newRow("date alone") << "2026-04-08"
                                << "";
    QTest::newRow("no such day") << "2026-02-29T00:00:00Z"
                                 << "";
    QTest::newRow("rest behind") << "2026-04-08T06:00:00Z!"
                                 << "";
    QTest::newRow("blank") << ""
                           << "";
    QTest::newRow("offset too large") << "2026-04-08T06:00:00+25:00"
                                      << "";
  }
  void parsesInstants() {
    QFETCH(QString, text);
    QFETCH(QString, instant);
    const auto parsed = parseInstant(text.toStdString());
    QCOMPARE(parsed.has_value(), !instant.isEmpty());
    if (parsed) {
      QCOMPARE(QString::fromStdString(formatInstant(*parsed)), instant);
    } else {
      QVERIFY(parsed.error().code == ErrorCode::Format);
      QVERIFY(parsed.error().message.find(text.toStdString()) != std::string::npos);
    }
  }

  void durations_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("micros");  // -1: no duration, -2: too long
    QTest::newRow("seconds") << "30s" << qint64(30'000'000);
    QTest::newRow("minutes") << "5m" << qint64(300'000'000);
    QTest::newRow("hours") << "24h" << qint64(86'400'000'000);
    QTest::newRow("days") << "7d" << qint64(604'800'000'000);
    QTest::newRow("two units") << "1h30m" << qint64(5'400'000'000);
    QTest::newRow("zero") << "0s" << qint64(0);
    QTest::newRow("milliseconds") << "250ms" << qint64(250'000);
    QTest::newRow("without unit") << "30" << qint64(-1);
    QTest::newRow("blank") << "" << qint64(-1);
    QTest::newRow("unit alone") << "h" << qint64(-1);
    QTest::newRow("wrong order") << "30m1h" << qint64(-1);
    QTest::newRow("twice") << "1h1h" << qint64(-1);
    QTest::newRow("sign") << "-5m" << qint64(-1);
    QTest::newRow("fraction") << "1.5h" << qint64(-1);
    QTest::newRow("unknown unit") << "3 weeks" << qint64(-1);
    QTest::newRow("too long") << "999999999999d" << qint64(-2);
    QTest::newRow("too many digits") << "99999999999999999999s" << qint64(-2);
  }
  void durations() {
    QFETCH(QString, text);
    QFETCH(qint64, micros);
    const auto parsed = parseDuration(text.toStdString());
    QCOMPARE(parsed.has_value(), micros >= 0);
    if (parsed) {
      QCOMPARE(qint64(parsed->count()), micros);
    } else {
      QVERIFY(parsed.error().code == (micros == -2 ? ErrorCode::Overflow : ErrorCode::Format));
      QVERIFY(parsed.error().message.find(text.toStdString()) != std::string::npos);
    }
  }

  void durationsForPeople_data() {
    QTest::addColumn<qint64>("micros");
    QTest::addColumn<QString>("people");
    QTest::addColumn<QString>("exact");
    QTest::addColumn<QString>("age");
    const auto row = [](const char* name, Duration d, const char* people, const char* exact,
                        const char* age) {
      QTest::newRow(name) << qint64(d.count()) << QString::fromUtf8(people) << exact << age;
    };
    row("zero", 0s, "0 s", "0s", "0s");
    row("850 ms", 850ms, "850 ms", "850ms", "850ms");
    row("90 s", 90s, "1 min 30 s", "90s", "90s");
    row("5 min", 5min, "5 min", "5m", "5m");
    row("a day", 24h, "24 h", "1d", "24h");
    row("26 h", 26h, "26 h", "26h", "26h");
    row("a day and ten minutes", 24h + 10min, "24 h 10 min", "1450m", "24h");
    row("26 h and bits", 26h + 13min + 5s, "26 h 13 min", "94385s", "26h");
    row("three days four hours", 76h + 59min, "3 d 4 h", "4619m", "3d");
    row("a week", 168h, "7 d", "7d", "7d");
    row("microseconds", 1500us, "1 ms 500 µs", "1500us", "1500us");
    row("negative", -5min, "-5 min", "-5m", "-5m");
  }
  void durationsForPeople() {
    QFETCH(qint64, micros);
    QFETCH(QString, people);
    QFETCH(QString, exact);
    QFETCH(QString, age);
    QCOMPARE(QString::fromStdString(formatDuration(Duration{micros})), people);
    QCOMPARE(QString::fromStdString(formatShortDuration(Duration{micros})), exact);
    QCOMPARE(QString::fromStdString(formatAge(Duration{micros})), age);
  }

  void shortDurationsComeBack() {
    QVERIFY(rc::check([] {
      const Duration duration{
          *rc::gen::inRange<std::int64_t>(0, std::numeric_limits<std::int64_t>::max())};
      const auto parsed = parseDuration(formatShortDuration(duration));
      RC_ASSERT(parsed.has_value());
      RC_ASSERT(*parsed == duration);
    }));
  }

  void namedZones_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("noonInJuly");  // UTC; blank: unknown
    QTest::newRow("UTC") << "UTC"
                         << "2026-07-01T12:00:00Z";
    QTest::newRow("Nairobi") << "Africa/Nairobi"
                             << "2026-07-01T09:00:00Z";
    QTest::newRow("Berlin, summer") << "Europe/Berlin"
                                    << "2026-07-01T10:00:00Z";
    QTest::newRow("New York, summer") << "America/New_York"
                                      << "2026-07-01T16:00:00Z";
    QTest::newRow("half hours") << "Asia/Kolkata"
                                << "2026-07-01T06:30:00Z";
    QTest::newRow("fixed") << "+03:00"
                           << "2026-07-01T09:00:00Z";
    QTest::newRow("fixed west") << "-0530"
                                << "2026-07-01T17:30:00Z";
    QTest::newRow("abbreviation") << "PDT"
                                  << "2026-07-01T19:00:00Z";
    QTest::newRow("wrong case") << "europe/berlin"
                                << "";
    QTest::newRow("misspelt") << "Europe/Berln"
                              << "";
    QTest::newRow("ambiguous abbreviation") << "IST"
                                            << "";
    QTest::newRow("blank") << ""
                           << "";
    QTest::newRow("a path") << "../../etc/passwd"
                            << "";
  }
  void namedZones() {
    QFETCH(QString, name);
    QFETCH(QString, noonInJuly);
    const auto zone = Zone::named(name.toStdString());
    QCOMPARE(zone.has_value(), !noonInJuly.isEmpty());
    if (!zone) {
      QVERIFY(zone.error().code == ErrorCode::Config);
      QVERIFY(zone.error().message.find(name.toStdString()) != std::string::npos);
      return;
    }
    const auto local = zone->resolve(wall("2026-07-01T12:00:00"));
    QVERIFY(local.exists);
    QVERIFY(!local.ambiguous());
    QCOMPARE(QString::fromStdString(formatInstant(local.earlier)), noonInJuly);
    QVERIFY(zone->wallClock(local.earlier) == wall("2026-07-01T12:00:00"));
  }

  void misspeltZoneNamesTheNearest() {
    const auto zone = Zone::named("Europe/Berln");
    QVERIFY(!zone.has_value());
    QVERIFY(zone.error().message.find("\"Europe/Berlin\"") != std::string::npos);
  }

  void springGapDoesNotExist() {
    const auto local = zoneOf("Europe/Berlin").resolve(wall("2026-03-29T02:30:00"));
    QVERIFY(!local.exists);
    QVERIFY(!local.ambiguous());
    QCOMPARE(formatInstant(local.earlier), std::string("2026-03-29T01:00:00Z"));
    QVERIFY(local.later == local.earlier);
  }

  void autumnHourComesTwice() {
    const auto local = zoneOf("Europe/Berlin").resolve(wall("2026-10-25T02:30:00"));
    QVERIFY(local.exists);
    QVERIFY(local.ambiguous());
    QCOMPARE(formatInstant(local.earlier), std::string("2026-10-25T00:30:00Z"));
    QCOMPARE(formatInstant(local.later), std::string("2026-10-25T01:30:00Z"));
  }

  void summerTimeGoesOnBeyondTheListsOfTheDatabase() {
    const Zone berlin = zoneOf("Europe/Berlin");
    QCOMPARE(formatInstant(berlin.resolve(wall("2050-07-01T12:00:00")).earlier),
             std::string("2050-07-01T10:00:00Z"));
    QCOMPARE(formatInstant(berlin.resolve(wall("2050-01-01T12:00:00")).earlier),
             std::string("2050-01-01T11:00:00Z"));
    // The last Sundays of March 2040 and October 2040 are the 25th and the 28th.
    QVERIFY(!berlin.resolve(wall("2040-03-25T02:30:00")).exists);
    QCOMPARE(formatInstant(berlin.resolve(wall("2040-03-25T02:30:00")).earlier),
             std::string("2040-03-25T01:00:00Z"));
    QVERIFY(berlin.resolve(wall("2040-10-28T02:30:00")).ambiguous());
    QVERIFY(berlin.wallClock(instant("2100-07-01T10:00:00Z")) == wall("2100-07-01T12:00:00"));
    QVERIFY(zoneOf("Africa/Nairobi").resolve(wall("2100-07-01T12:00:00")).earlier ==
            instant("2100-07-01T09:00:00Z"));
  }

  void wallClockAndResolveAgree_data() {
    QTest::addColumn<QString>("name");
    for (const char* name :
         {"UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo",
          "Africa/Casablanca", "Pacific/Apia", "America/Asuncion", "Asia/Kathmandu", "-03:30"}) {
      QTest::newRow(name) << name;
    }
  }
  void wallClockAndResolveAgree() {
    QFETCH(QString, name);
    const Zone zone = zoneOf(name.toUtf8().constData());
    QVERIFY(rc::check([&zone] {
      const Instant at{
          std::chrono::minutes{*rc::gen::inRange<std::int64_t>(0, 121'000'000)}};  // to 2200
      const auto local = zone.resolve(zone.wallClock(at));
      RC_ASSERT(local.exists);
      RC_ASSERT(local.earlier == at || local.later == at);
    }));
  }

  void aRememberedOffsetIsThatOfItsZone() {
    const Zone berlin = zoneOf("Europe/Berlin");
    const Zone newYork = zoneOf("America/New_York");
    for (const int month : {1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12}) {  // in March they differ
      const std::string text =
          "2026-" + std::string(month < 10 ? "0" : "") + std::to_string(month) + "-15T12:00:00";
      const bool summer = month >= 4 && month <= 10;
      QVERIFY(berlin.resolve(wall(text.c_str())).earlier ==
              instant((text + (summer ? "+02:00" : "+01:00")).c_str()));
      QVERIFY(newYork.resolve(wall(text.c_str())).earlier ==
              instant((text + (summer ? "-04:00" : "-05:00")).c_str()));
    }
  }

  void automatic_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("outcome");  // read in Europe/Berlin without an order
    const auto row = [](const char* text, const char* outcome) {
      QTest::newRow(text) << text << outcome;
    };
    row("2026-04-07T10:00:00Z", "2026-04-07T10:00:00Z");
    row("2026-04-07t10:00Z", "2026-04-07T10:00:00Z");
    row("2026-04-07T10:00:00+02:00", "2026-04-07T08:00:00Z");
    row("2026-04-07 10:00:00.123+02", "2026-04-07T08:00:00.123Z");
    row("2026-04-07 10:00:00,123", "2026-04-07T08:00:00.123Z");
    row("2026-04-07 10:00:00 +0200", "2026-04-07T08:00:00Z");
    row("2026-04-07 10:00:00 UTC", "2026-04-07T10:00:00Z");
    row("2026-04-07 10:00:00.1234567", "2026-04-07T08:00:00.123456Z");
    row("2026-04-07 10:00", "2026-04-07T08:00:00Z");
    row("2026-04-07 9:05", "2026-04-07T07:05:00Z");
    row(" 2026-04-07 01:00:00 PM ", "2026-04-07T11:00:00Z");
    row("2026-04-07T24:00:00", "2026-04-07T22:00:00Z");
    row("2026-04-07T23:59:60Z", "2026-04-07T23:59:59.999999Z");
    row("20260407T100000Z", "2026-04-07T10:00:00Z");
    row("20260407T1000", "2026-04-07T08:00:00Z");
    row("20260407 10:00:00", "2026-04-07T08:00:00Z");
    row("20260407100000", "2026-04-07T08:00:00Z");
    row("202604071000", "2026-04-07T08:00:00Z");
    row("20260407", "2026-04-06T22:00:00Z");
    row("2026-04-07", "2026-04-06T22:00:00Z");
    row("2026/04/07 10:00", "2026-04-07T08:00:00Z");
    row("2026-4-7 10:00", "2026-04-07T08:00:00Z");
    row("25/04/2026 10:00", "2026-04-25T08:00:00Z");
    row("04/25/2026 10:00", "2026-04-25T08:00:00Z");
    row("25.04.2026", "2026-04-24T22:00:00Z");
    row("25/04/26, 10:00:00", "2026-04-25T08:00:00Z");
    row("4/25/2026 1:05:22 PM", "2026-04-25T11:05:22Z");
    row("04/04/2026 10:00", "2026-04-04T08:00:00Z");
    row("7 Apr 2026 10:00", "2026-04-07T08:00:00Z");
    row("07-Apr-2026 10:00:00", "2026-04-07T08:00:00Z");
    row("07-Apr-26", "2026-04-06T22:00:00Z");
    row("Apr 7, 2026, 1:05 PM", "2026-04-07T11:05:00Z");
    row("April 7, 2026", "2026-04-06T22:00:00Z");
    row("Tue, 07 Apr 2026 10:00:00 +0000", "2026-04-07T10:00:00Z");
    row("Tue, 07 Apr 2026 10:00:00 GMT", "2026-04-07T10:00:00Z");
    row("Tue Apr  7 10:00:00 2026", "2026-04-07T08:00:00Z");
    row("2026-10-25 02:30:00", "2026-10-25T00:30:00Z");
    row("1775556000", "2026-04-07T10:00:00Z");
    row("1775556000.25", "2026-04-07T10:00:00.250Z");
    row("1775556000.1234567", "2026-04-07T10:00:00.123456Z");
    row("1775556000123", "2026-04-07T10:00:00.123Z");
    row("1775556000123456", "2026-04-07T10:00:00.123456Z");
  }
  void automaticFaults_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("outcome");
    const auto row = [](const char* text, const char* outcome) {
      QTest::newRow(text) << text << outcome;
    };
    row("", "Empty");
    row("  ", "Empty");
    row("soon", "NotATime");
    row("10:00", "NotATime");
    row("2026-04", "NotATime");
    row("2026-04-07T", "NotATime");
    row("2026-04-07T10", "NotATime");
    row("2026-04-07T10:00:00X", "NotATime");
    row("2026-04-07 10:00:00 PDT", "NotATime");  // abbreviations only where a pattern says so
    row("2026-04-07T10:00:00+2", "NotATime");
    row("2026-04-07T10:00:0", "NotATime");
    row("1.7e9", "NotATime");
    row("1.2.3", "NotATime");
    row("12:00:00 2026", "NotATime");
    row(".", "NotATime");
    row("-", "NotATime");
    row("2026-02-29", "NoSuchDate");
    row("2026-13-01", "NoSuchDate");
    row("2026-04-00", "NoSuchDate");
    row("2026-04-07T25:00:00Z", "NoSuchDate");
    row("2026-04-07T24:00:01Z", "NoSuchDate");
    row("2026-04-07T10:60:00Z", "NoSuchDate");
    row("2026-04-07T10:00:61Z", "NoSuchDate");
    row("2026-04-07T10:15:60Z", "NoSuchDate");  // no leap second there
    row("31/04/2026", "NoSuchDate");
    row("25/25/2026", "NoSuchDate");
    row("20261307100000", "NoSuchDate");
    row("1969-12-31", "OutOfRange");
    row("2201-01-01T00:00:00Z", "OutOfRange");
    row("2026", "OutOfRange");
    row("46119.5", "OutOfRange");  // a spreadsheet's day number
    row("0", "OutOfRange");
    row("-1775556000", "OutOfRange");
    row("99999999999", "OutOfRange");
    row("1775556000123456789", "OutOfRange");  // nanoseconds
    row("99999999999999999999999", "OutOfRange");
    row("03/04/2026 10:00", "NeedsOrder");
    row("2026-03-29 02:30:00", "NonExistent");
  }
  void automatic() {
    QFETCH(QString, text);
    QFETCH(QString, outcome);
    QCOMPARE(outcomeText(formOf("", "Europe/Berlin").parse(text.toStdString())), outcome);
  }

  void automaticFaults() { automatic(); }

  void orderDecidesDates_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("monthFirst");
    QTest::addColumn<QString>("outcome");
    QTest::addColumn<int>("evidence");
    const auto row = [](const char* name, const char* text, bool monthFirst, const char* outcome,
                        DateEvidence e) {
      QTest::newRow(name) << text << monthFirst << outcome << int(e);
    };
    row("day first", "03/04/2026", false, "2026-04-03T00:00:00Z", DateEvidence::Undecided);
    row("month first", "03/04/2026", true, "2026-03-04T00:00:00Z", DateEvidence::Undecided);
    row("decided by itself", "25/04/2026", false, "2026-04-25T00:00:00Z", DateEvidence::DayMonth);
    row("against the order", "25/04/2026", true, "NoSuchDate", DateEvidence::DayMonth);
    row("against the other order", "04/25/2026", false, "NoSuchDate", DateEvidence::MonthDay);
    row("equal either way", "05/05/2026", true, "2026-05-05T00:00:00Z", DateEvidence::None);
    row("points", "04.07.2026", false, "2026-07-04T00:00:00Z", DateEvidence::Undecided);
  }
  void orderDecidesDates() {
    QFETCH(QString, text);
    QFETCH(bool, monthFirst);
    QFETCH(QString, outcome);
    QFETCH(int, evidence);
    const auto parsed = TimeForm().parse(text.toStdString(),
                                         monthFirst ? DateOrder::MonthDay : DateOrder::DayMonth);
    QCOMPARE(outcomeText(parsed), outcome);
    QCOMPARE(int(parsed.value.evidence), evidence);
  }

  void undecidedDateSaysSo() {
    QVERIFY(TimeForm().parse("03/04/2026").value.evidence == DateEvidence::Undecided);
  }

  void aDayIsAsLongAsItIsInItsZone() {
    const TimeForm berlin = formOf("", "Europe/Berlin");
    QVERIFY(berlin.parse("2026-04-07").value.span == Duration{24h});
    QVERIFY(berlin.parse("2026-03-29").value.span == Duration{23h});
    QVERIFY(berlin.parse("2026-10-25").value.span == Duration{25h});
    QVERIFY(berlin.parse("2026-04-07 10:00").value.span == Duration{0});
    // Cairo's clocks go from 0:00 to 1:00 on the last Friday of April: the day begins at 1:00.
    const auto cairo = formOf("", "Africa/Cairo").parse("2026-04-24");
    QCOMPARE(outcomeText(cairo), QString("2026-04-23T22:00:00Z"));
    QVERIFY(cairo.value.span == Duration{23h});
  }

  void aTimeThatComesTwiceKeepsBoth() {
    const TimeForm form = formOf("", "Europe/Berlin");
    const auto twice = form.parse("2026-10-25 02:30:00");
    QCOMPARE(formatInstant(twice.value.later), std::string("2026-10-25T01:30:00Z"));
    QVERIFY(form.parse("2026-10-25 04:30:00").value.later == instant("2026-10-25T03:30:00Z"));
  }

  void aRowsOwnZoneWins() {
    const TimeForm form = formOf("", "Europe/Berlin");
    QCOMPARE(outcomeText(form.parseInZone("2026-04-07 10:00", zoneOf("Africa/Nairobi"))),
             QString("2026-04-07T07:00:00Z"));
    QCOMPARE(outcomeText(form.parseInZone("2026-04-07 10:00Z", zoneOf("Africa/Nairobi"))),
             QString("2026-04-07T10:00:00Z"));
  }

  void patterns_data() {
    QTest::addColumn<QString>("form");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("outcome");  // read in Africa/Nairobi
    const auto row = [](const char* form, const char* text, const char* outcome) {
      QTest::newRow(qPrintable(QString(form) + " of " + text)) << form << text << outcome;
    };
    row("%d-%m-%Y %H:%M:%S", "07-04-2026 10:00:00", "2026-04-07T07:00:00Z");
    row("%d-%m-%Y %H:%M:%S", "07-04-2026 10:00:00.5", "2026-04-07T07:00:00.500Z");
    row("%d-%m-%Y %H:%M:%S", "07-04-2026", "NotATime");
    row("%d-%m-%Y %H:%M:%S", "07-04-2026 10:00:00 x", "NotATime");
    row("%d-%m-%Y %H:%M:%S", "07/04/2026 10:00:00", "NotATime");
    row("%d-%m-%Y %H:%M:%S", "32-04-2026 10:00:00", "NoSuchDate");
    row("%d-%m-%Y %H:%M:%S", "", "Empty");
    row("%d/%m/%y", "07/04/26", "2026-04-06T21:00:00Z");
    row("%d/%m/%y", "07/04/70", "1970-04-06T21:00:00Z");
    row("%m/%d/%Y %I:%M %p", "04/07/2026 12:05 AM", "2026-04-06T21:05:00Z");
    row("%m/%d/%Y %I:%M %p", "04/07/2026 1:05 pm", "2026-04-07T10:05:00Z");
    row("%m/%d/%Y %I:%M %p", "04/07/2026 13:05 PM", "NoSuchDate");
    row("%d %b %Y", "7 apr 2026", "2026-04-06T21:00:00Z");
    row("%d %B %Y", "7 September 2026", "2026-09-06T21:00:00Z");
    row("%d %b %Y", "7 Avr 2026", "NotATime");
    row("%F %T%z", "2026-04-07 10:00:00+02:00", "2026-04-07T08:00:00Z");
    row("%F %T %Z", "2026-04-07 10:00:00 PDT", "2026-04-07T17:00:00Z");
    row("%F %T %Z", "2026-04-07 10:00:00 XYZ", "NotATime");
    row("%Y%m%d%H%M%S", "20260407100000", "2026-04-07T07:00:00Z");
    row("%Y-%j", "2026-097", "2026-04-06T21:00:00Z");
    row("%Y-%j", "2026-366", "NoSuchDate");
    row("%Y-%j", "2028-366", "2028-12-30T21:00:00Z");
    row("100%% %F", "100% 2026-04-07", "2026-04-06T21:00:00Z");
    row("%F", "2300-01-01", "OutOfRange");
    row("unix", "1775556000", "2026-04-07T10:00:00Z");
    row("unix", "86400", "1970-01-02T00:00:00Z");
    row("unix", "1775556000123", "OutOfRange");
    row("unix", "-1", "OutOfRange");
    row("unix", "x", "NotATime");
    row("unix", "1775556000.", "NotATime");
    row("unix_ms", "1775556000123", "2026-04-07T10:00:00.123Z");
    row("unix_ms", "1775556000123.25", "2026-04-07T10:00:00.123250Z");
    row("unix_us", "1775556000123456", "2026-04-07T10:00:00.123456Z");
  }
  void patterns() {
    QFETCH(QString, form);
    QFETCH(QString, text);
    QFETCH(QString, outcome);
    const TimeForm made = formOf(form.toUtf8().constData(), "Africa/Nairobi");
    QCOMPARE(outcomeText(made.parse(text.toStdString())), outcome);
  }

  void wrongPatterns_data() {
    QTest::addColumn<QString>("form");
    QTest::addColumn<QString>("named");
    QTest::newRow("unknown letter") << "%Y-%m-%d %Q"
                                    << "%Q";
    QTest::newRow("single percent") << "%Y-%m-%d %"
                                    << "%";
    QTest::newRow("no date") << "%H:%M"
                             << "whole date";
    QTest::newRow("no day") << "%Y-%m"
                            << "whole date";
    QTest::newRow("12 hours without half") << "%F %I:%M"
                                           << "%I and %p";
    QTest::newRow("both hours") << "%F %H %I %p"
                                << "%H and %I";
    QTest::newRow("minutes without hours") << "%F :%M"
                                           << "%M and %S";
    QTest::newRow("a word") << "iso8601"
                            << "whole date";
  }
  void wrongPatterns() {
    QFETCH(QString, form);
    QFETCH(QString, named);
    const auto made = TimeForm::make(form.toStdString(), Zone());
    QVERIFY(!made.has_value());
    QVERIFY(made.error().code == ErrorCode::Config);
    QVERIFY(made.error().message.find(named.toStdString()) != std::string::npos);
  }

  void anyBytesAreSafe() {
    const TimeForm automatic = formOf("", "Europe/Berlin");
    const TimeForm pattern = formOf("%d %b %y %I:%M:%S %p %Z", "Europe/Berlin");
    QVERIFY(rc::check([&](const std::string& text) {
      RC_ASSERT(automatic.parse(text).fault.has_value() || text.size() >= 8);
      RC_ASSERT(pattern.parse(text).fault.has_value() || text.size() >= 12);
    }));
    QVERIFY(rc::check([&] {
      const auto text =
          *rc::gen::container<std::string>(rc::gen::elementOf(std::string("0123456789-:./ TZ+")));
      const auto outcome = automatic.parse(text, DateOrder::DayMonth);
      RC_ASSERT(outcome.fault || outcome.value.at <= instant("2201-01-01T18:00:00Z"));
    }));
  }

  void zonesAreSharedByThreads() {
    const TimeForm form = formOf("", "Europe/Berlin");
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&form, &wrong] {
        for (int month = 1; month <= 9; ++month) {
          const std::string text = "2026-0" + std::to_string(month) + "-15 12:00:00";
          const Duration offset = month >= 4 ? 2h : 1h;
          const auto outcome = form.parse(text);
          if (outcome.fault || outcome.value.at != instant((text + "Z").c_str()) - offset) ++wrong;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    QCOMPARE(wrong.load(), 0);
  }

  void intervals() {
    const Interval day{instant("2026-04-07T00:00:00Z"), instant("2026-04-08T00:00:00Z")};
    QVERIFY(day.contains(day.from));
    QVERIFY(!day.contains(day.to));
  }
};

QTEST_APPLESS_MAIN(TstInstant)
#include "tst_instant.moc"
