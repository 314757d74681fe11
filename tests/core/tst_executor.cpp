// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/base/executor.h"

using namespace counterfoil;

class TstExecutor : public QObject {
  Q_OBJECT

 private slots:
  void everyIndexIsWorkedOnce_data() {
    QTest::addColumn<unsigned>("threads");
    QTest::addColumn<int>("count");
    QTest::newRow("one thread") << 1u << 1000;
    QTest::newRow("four threads") << 4u << 1000;
    QTest::newRow("more threads than work") << 8u << 3;
    QTest::newRow("no work") << 4u << 0;
  }
  void everyIndexIsWorkedOnce() {
    QFETCH(unsigned, threads);
    QFETCH(int, count);
    Executor executor(threads);
    QCOMPARE(executor.threadCount(), threads);
    for (int round = 0; round < 20; ++round) {
      std::vector<std::atomic<int>> worked(static_cast<std::size_t>(count));
      std::atomic<bool> strangeWorker{false};
      executor.forEach(worked.size(), [&](std::size_t index, unsigned worker) {
        ++worked[index];
        if (worker >= threads) strangeWorker = true;
      });
      for (const auto& times : worked) QCOMPARE(times.load(), 1);
      QVERIFY(!strangeWorker);
    }
  }

  void oneThreadIsTheCaller() {
    Executor executor(1);
    const auto caller = std::this_thread::get_id();
    std::vector<std::size_t> order;
    bool elsewhere = false;
    executor.forEach(5, [&](std::size_t index, unsigned worker) {
      order.push_back(index);
      elsewhere = elsewhere || worker != 0 || std::this_thread::get_id() != caller;
    });
    QVERIFY(!elsewhere);
    QVERIFY(order == std::vector<std::size_t>({0, 1, 2, 3, 4}));
  }

  void aWorkerIsNeverTwoThreadsAtOnce() {
    Executor executor(4);
    std::vector<std::atomic<int>> inside(4);
    std::atomic<bool> met{false};
    executor.forEach(2000, [&](std::size_t, unsigned worker) {
      if (inside[worker].fetch_add(1) != 0) met = true;
      std::this_thread::yield();
      inside[worker].fetch_sub(1);
    });
    QVERIFY(!met);
  }

  void anExceptionStopsAndComesOut_data() {
    QTest::addColumn<unsigned>("threads");
    QTest::newRow("one thread") << 1u;
    QTest::newRow("four threads") << 4u;
  }
  void anExceptionStopsAndComesOut() {
    QFETCH(unsigned, threads);
    Executor executor(threads);
    constexpr std::size_t kCount = 1'000'000;
    std::atomic<std::size_t> worked{0};
    bool thrown = false;
    try {
      executor.forEach(kCount, [&](std::size_t index, unsigned) {
        ++worked;
        if (index == 10) throw std::runtime_error("ten");
      });
    } catch (const std::runtime_error& error) {
      thrown = std::string(error.what()) == "ten";
    }
    QVERIFY(thrown);
    QVERIFY(worked < kCount);
    std::atomic<int> again{0};
    executor.forEach(7, [&](std::size_t, unsigned) { ++again; });
    QCOMPARE(again.load(), 7);
  }

  void cancelIsSeen() {
    CancelToken token;
    QVERIFY(!token.isCancelled());
    std::thread([&token] { token.cancel(); }).join();
    QVERIFY(token.isCancelled());
  }
};

QTEST_APPLESS_MAIN(TstExecutor)
#include "tst_executor.moc"
