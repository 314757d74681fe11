// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "app/batch/progress.h"

using namespace counterfoil;
using namespace std::chrono_literals;

class TstProgress : public QObject {
  Q_OBJECT
 private slots:
  void saysStagePercentRateAndTimeLeft() {
    StringSink out, err;
    Interrupt interrupt;
    Instant clock{};
    Console console{out,
                    err,
                    interrupt,
                    false,
                    true,
                    100,
                    [](std::string_view) { return std::nullopt; },
                    [&] { return clock; }};
    {
      Progress progress(console, Progress::Show::Yes);
      progress.update("reading", 0, 400000000);
      clock += 2s;
      progress.update("reading", 100000000, 400000000);
      clock += 10ms;
      progress.update("reading", 101000000, 400000000);  // too soon to draw again
      progress.update("matching", 5, 0);
    }
    QCOMPARE(QString::fromStdString(err.text()),
             QStringLiteral("\r\x1b[Kreading     0 %"
                            "\r\x1b[Kreading    25 %  50 MB/s  6 s left"
                            "\r\x1b[Kmatching "
                            "\r\x1b[K"));
    QVERIFY(out.text().empty());
  }

  void isSilentWithoutATerminal() {
    StringSink out, err;
    Interrupt interrupt;
    Console console{out,
                    err,
                    interrupt,
                    false,
                    false,
                    100,
                    [](std::string_view) { return std::nullopt; },
                    [] { return Instant{}; }};
    {
      Progress progress(console, Progress::Show::No);
      progress.update("reading", 1, 2);
      progress.clear();
    }
    QVERIFY(err.text().empty());
  }

  void survivesMoreThanTheTotal() {
    StringSink out, err;
    Interrupt interrupt;
    Console console{out,
                    err,
                    interrupt,
                    false,
                    true,
                    100,
                    [](std::string_view) { return std::nullopt; },
                    [] { return Instant{}; }};
    Progress progress(console, Progress::Show::Yes);
    progress.update("judging", UINT64_MAX, 3);
    QVERIFY(err.text().find("100 %") != std::string::npos);
  }
};

QTEST_APPLESS_MAIN(TstProgress)
#include "tst_progress.moc"
