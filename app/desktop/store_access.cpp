// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/store_access.h"

namespace counterfoil::desktop {

StoreAccess::StoreAccess(QObject* parent) : QObject(parent) {
  m_pool.setMaxThreadCount(1);
  m_pool.setExpiryTimeout(-1);   // SQLite's connection stays with one thread
}

StoreAccess::~StoreAccess() {
  {
    const std::lock_guard lock(m_mutex);
    m_closing = true;
    if (m_running != 0 && m_store) m_store->interrupt();
  }
  m_pool.waitForDone();
}

void StoreAccess::open(const QString& path, QObject* context, std::function<void(const Result<std::string>&)> done) {
  auto answer = std::make_shared<Result<std::string>>();
  const std::string file = path.toStdString();
  submit(
      context,
      [this, answer, file] {
        *answer = guarded<std::string>([&]() -> Result<std::string> {
          auto store = Store::openForReading(file);
          if (!store) return fail(store.error());
          std::string note = store->note();
          const std::lock_guard lock(m_mutex);   // interrupt() must not meet a store that is being changed
          m_store = std::move(*store);
          return note;
        });
      },
      [answer, done = std::move(done)] { done(*answer); });
}

Ticket StoreAccess::submit(QObject* context, std::function<void()> work, std::function<void()> deliver) {
  const Ticket ticket = ++m_last;
  m_questions[ticket] = {context, std::move(deliver)};
  if (m_questions.size() == 1) Q_EMIT busyChanged(true);
  m_pool.start([this, ticket, work = std::move(work)] {
    if (begin(ticket)) {
      work();
      end();
    }
    QMetaObject::invokeMethod(this, [this, ticket] { this->deliver(ticket); }, Qt::QueuedConnection);
  });
  return ticket;
}

bool StoreAccess::begin(Ticket ticket) {
  const std::lock_guard lock(m_mutex);
  if (m_closing || m_takenBack.erase(ticket) > 0) return false;
  m_running = ticket;
  return true;
}

void StoreAccess::end() {
  const std::lock_guard lock(m_mutex);
  m_running = 0;
}

void StoreAccess::deliver(Ticket ticket) {
  const auto at = m_questions.find(ticket);
  if (at == m_questions.end()) return;
  const Question question = std::move(at->second);
  m_questions.erase(at);
  if (question.context && question.deliver) question.deliver();
  if (m_questions.empty()) Q_EMIT busyChanged(false);
}

void StoreAccess::takeBack(Ticket ticket) {
  const auto at = m_questions.find(ticket);
  if (at == m_questions.end()) return;
  at->second.deliver = nullptr;
  const std::lock_guard lock(m_mutex);
  if (m_running == ticket) {
    if (m_store) m_store->interrupt();
  } else {
    m_takenBack[ticket] = true;
  }
}

}  // namespace counterfoil::desktop
