// SPDX-License-Identifier: GPL-3.0-or-later
// Ids of jobs, messages and outbox rows that mean the same thing in every source.
#pragma once

#include <string_view>

namespace counterfoil {

/// Whether no two systems give this id twice: a UUID, a ULID, or 20 and more random hexadecimal digits (a Celery task,
/// a Sidekiq jid, an SQS message). It then names one job in a result table, a log and a dead-letter queue alike.
/// Ids that count ("41", "payments:41") or that people make mean something in their own source only: two servers count
/// alike.
[[nodiscard]] bool isSharedId(std::string_view id);

}  // namespace counterfoil
