// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that put dead letters back, ready to copy. What stands in files is quoted or left out; a command
// that moves a whole queue is given only where every message of it is known to be safe.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/remedies/redrives.h"

namespace counterfoil {

enum class Broker : std::uint8_t { Unknown, Sqs, RabbitMq, Sidekiq, BullMq, Bull, Celery };
/// "sqs", "rabbitmq", "sidekiq", "bullmq", "bull", "celery".
[[nodiscard]] std::optional<Broker> brokerFromCode(std::string_view code);
/// By the name of a format: "sqs.dead_letters"; Unknown for others.
[[nodiscard]] Broker brokerOfFormat(std::string_view format);

/// What is known of a queue as a whole.
struct QueueOnHand {
  std::optional<std::int64_t> depth;   ///< none: nobody counted its messages
};

/// A shell script of comments and commands. `lines` are the dead letters of every verdict but the `obsolete`
/// ones, which a command that moves a queue would send again too; `given`: instead of
/// the broker that a line's format tells.
[[nodiscard]] std::string brokerCommands(const std::vector<RedriveLine>& lines, std::uint64_t obsolete,
                                         std::optional<Broker> given,
                                         const std::map<std::string, QueueOnHand>& queues);

}  // namespace counterfoil
