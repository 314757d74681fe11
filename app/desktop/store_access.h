// SPDX-License-Identifier: GPL-3.0-or-later
// The store of the window, on a thread of its own: the window asks, goes on, and is told later. Lives on
// the thread of the window; everything here is called there, and every answer arrives there.
#pragma once

#include <QObject>
#include <QPointer>
#include <QThreadPool>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "core/store/store.h"

namespace counterfoil::desktop {

/// Names a question, so that it can be taken back. 0 names none.
using Ticket = std::uint64_t;

class StoreAccess final : public QObject {
  Q_OBJECT

 public:
  explicit StoreAccess(QObject* parent = nullptr);
  ~StoreAccess() override;   ///< stops what is running and waits for it

  /// Opens the store for reading; `done` gets its note. Only when that works, the store before is let go.
  void open(const QString& path, QObject* context, std::function<void(const Result<std::string>&)> done);

  /// `job` runs on the store's thread, `done` gets its result here, unless the context is gone by then or
  /// the question was taken back. Without a store `done` gets Missing.
  template <class T>
  Ticket ask(QObject* context, std::function<Result<T>(const Store&)> job,
             std::function<void(const Result<T>&)> done) {
    auto answer = std::make_shared<Result<T>>(fail(ErrorCode::Missing, "no store is open"));
    return submit(
        context,
        [this, answer, job = std::move(job)] {
          if (m_store) *answer = guarded<T>([&] { return job(*m_store); });
        },
        [answer, done = std::move(done)] { done(*answer); });
  }

  /// The answer is not wanted any more; what is running for it stops.
  void takeBack(Ticket ticket);
  /// Questions that have no answer yet.
  [[nodiscard]] std::size_t waiting() const { return m_questions.size(); }

 Q_SIGNALS:
  void busyChanged(bool busy);

 private:
  struct Question {
    QPointer<QObject> context;
    std::function<void()> deliver;
  };

  /// What other libraries throw (no memory) ends as an error in the window, not as the end of it.
  template <class T, class Fn>
  static Result<T> guarded(Fn&& fn) {
    try {
      return fn();
    } catch (const std::exception& thrown) {
      return fail(ErrorCode::Internal, thrown.what());
    }
  }

  Ticket submit(QObject* context, std::function<void()> work, std::function<void()> deliver);
  bool begin(Ticket ticket);
  void end();
  void deliver(Ticket ticket);

  QThreadPool m_pool;                        ///< one thread
  std::map<Ticket, Question> m_questions;
  Ticket m_last = 0;
  std::optional<Store> m_store;              ///< changed on the store's thread, under m_mutex

  std::mutex m_mutex;
  Ticket m_running = 0;
  std::map<Ticket, bool> m_takenBack;        ///< queued questions that are not to run
  bool m_closing = false;
};

}  // namespace counterfoil::desktop
