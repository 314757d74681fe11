// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/remedies/broker_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/remedies/shell_words.h"
#include "core/base/text.h"

namespace counterfoil {

namespace {

constexpr std::array<std::pair<std::string_view, Broker>, 6> kBrokers = {{{"sqs", Broker::Sqs},
                                                                          {"rabbitmq", Broker::RabbitMq},
                                                                          {"sidekiq", Broker::Sidekiq},
                                                                          {"bullmq", Broker::BullMq},
                                                                          {"bull", Broker::Bull},
                                                                          {"celery", Broker::Celery}}};

/// A comment for people; what stands in files cannot end its line.
std::string comment(std::string_view text) {
  return "# " + forTerminal(text) + "\n";
}

/// Ids a command line takes at once.
constexpr std::size_t kIdsALine = 50;

struct QueueLetters {
  std::vector<const RedriveLine*> all, safe;
  Broker broker = Broker::Unknown;
};

std::string_view idOf(const RedriveLine& line, Broker broker) {
  const bool byJob = broker == Broker::Sidekiq || broker == Broker::BullMq || broker == Broker::Bull ||
                     broker == Broker::Celery;
  if (byJob && !line.jobId.empty()) return line.jobId;
  return line.messageId.empty() ? std::string_view(line.jobId) : std::string_view(line.messageId);
}

class Script {
 public:
  explicit Script(const std::map<std::string, QueueOnHand>& onHand) : m_onHand(onHand) {}

  void add(const std::string& queue, const QueueLetters& letters) {
    text += comment(fmt::format("queue {}: {} of {} may be sent again", queue.empty() ? "(no name)" : queue,
                                letters.safe.size(), letters.all.size()));
    if (letters.safe.empty()) return;
    switch (letters.broker) {
      case Broker::Sqs:
      case Broker::RabbitMq: moveQueue(queue, letters); break;
      case Broker::Sidekiq:
        each(letters, "bundle exec ruby -r ./config/environment.rb -r sidekiq/api -e "
                      "'ARGV.each { |jid| job = Sidekiq::DeadSet.new.find_job(jid); job ? job.retry : warn(jid + \": not in the dead set\") }' --");
        break;
      case Broker::BullMq:
      case Broker::Bull: eachOfBull(queue, letters); break;
      case Broker::Celery:
        text += comment("needs result_extended: arguments are taken from the result; CELERY_APP names your application");
        each(letters, "python3 -c 'import sys; from celery.app.utils import find_app; app = find_app(sys.argv[1])\n"
                      "for i in sys.argv[2:]:\n"
                      "    r = app.AsyncResult(i); app.send_task(r.name, args=r.args, kwargs=r.kwargs, task_id=i, queue=r.queue)' "
                      "\"$CELERY_APP\"");
        break;
      case Broker::Unknown:
        text += comment("which broker it is is not known: give --broker");
        break;
    }
  }

  std::string text;

 private:
  void each(const QueueLetters& letters, std::string_view command) {
    std::string ids;
    std::size_t count = 0;
    const auto flush = [&] {
      if (count > 0) text += fmt::format("{}{}\n", command, ids);
      ids.clear();
      count = 0;
    };
    for (const RedriveLine* line : letters.safe) {
      const std::string_view id = idOf(*line, letters.broker);
      if (!isPlainId(id)) {
        text += comment(fmt::format("left out, its id is none that can be typed: case {}", line->caseId));
        continue;
      }
      ids += " " + shellWord(id);
      if (++count == kIdsALine) flush();
    }
    flush();
  }

  void eachOfBull(const std::string& queue, const QueueLetters& letters) {
    if (!isPlainId(queue)) {
      text += comment("the name of the queue cannot be typed");
      return;
    }
    const bool isMq = letters.broker == Broker::BullMq;
    const std::string open = isMq ? "const {Queue} = require(\"bullmq\"); const u = new URL(process.env.REDIS_URL || \"redis://127.0.0.1\"); "
                                    "const q = new Queue(name, {connection: {host: u.hostname, port: Number(u.port || 6379)}});"
                                  : "const Queue = require(\"bull\"); const q = new Queue(name, process.env.REDIS_URL || \"redis://127.0.0.1\");";
    each(letters, fmt::format("node -e '(async () => {{ const [name, ...ids] = process.argv.slice(1); {} "
                              "for (const id of ids) {{ const job = await q.getJob(id); if (job) await job.retry(); "
                              "else console.error(id + \": no such job\"); }} await q.close(); }})()' -- {}",
                              open, shellWord(queue)));
  }

  /// These brokers move queues, not messages.
  void moveQueue(const std::string& queue, const QueueLetters& letters) {
    const auto known = m_onHand.find(queue);
    const std::int64_t depth = known == m_onHand.end() ? -1 : known->second.depth.value_or(-1);
    if (letters.safe.size() != letters.all.size()) {
      text += comment(fmt::format("{} others lie in it that must not be sent again or are to be looked at first, and this broker "
                                  "moves whole queues: no command", letters.all.size() - letters.safe.size()));
      text += comment("move them away by hand, run counterfoil again, or send these single messages:");
      for (const RedriveLine* line : letters.safe) text += comment("  " + std::string(idOf(*line, letters.broker)));
      return;
    }
    if (depth != static_cast<std::int64_t>(letters.all.size())) {
      text += comment(depth >= 0 ? fmt::format("the queue holds {} messages, {} were read: the others are not known to be safe; no command",
                                          depth, letters.all.size())
                            : std::string("how many messages the queue holds is not known (no queue depth): no command"));
      return;
    }
    if (!isPlainId(queue)) {
      text += comment("the name of the queue cannot be typed");
      return;
    }
    text += letters.broker == Broker::Sqs ? sqsMove(queue) : shovel(queue, letters);
  }

  static std::string sqsMove(const std::string& queue) {
    return fmt::format("url=$(aws sqs get-queue-url --queue-name {} --query QueueUrl --output text) &&\n"
                       "arn=$(aws sqs get-queue-attributes --queue-url \"$url\" --attribute-names QueueArn "
                       "--query Attributes.QueueArn --output text) &&\n"
                       "aws sqs start-message-move-task --source-arn \"$arn\"\n", shellWord(queue));
  }

  static std::string jsonText(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    return out + "\"";
  }

  std::string shovel(const std::string& queue, const QueueLetters& letters) const {
    const std::string& target = letters.safe.front()->target;
    if (!isPlainId(target)) {
      return comment("to which queue they go back is not known: set dead_letter_queue of that queue in the configuration");
    }
    const std::string value = fmt::format("{{\"src-protocol\":\"amqp091\",\"src-uri\":\"amqp://\",\"src-queue\":{},"
                                          "\"dest-protocol\":\"amqp091\",\"dest-uri\":\"amqp://\",\"dest-queue\":{},"
                                          "\"src-delete-after\":\"queue-length\"}}", jsonText(queue), jsonText(target));
    return fmt::format("rabbitmqctl set_parameter shovel {} {}\n", shellWord("counterfoil-" + queue), shellWord(value));
  }

  const std::map<std::string, QueueOnHand>& m_onHand;
};

}  // namespace

std::optional<Broker> brokerFromCode(std::string_view code) {
  for (const auto& [name, broker] : kBrokers) {
    if (name == code) return broker;
  }
  return {};
}

Broker brokerOfFormat(std::string_view format) {
  return brokerFromCode(format.substr(0, format.find('.'))).value_or(Broker::Unknown);
}

std::string brokerCommands(const std::vector<RedriveLine>& lines, std::uint64_t obsolete,
                           std::optional<Broker> given,
                           const std::map<std::string, QueueOnHand>& queues) {
  std::map<std::string, QueueLetters> byQueue;
  for (const RedriveLine& line : lines) {
    QueueLetters& letters = byQueue[line.queue];
    letters.all.push_back(&line);
    if (line.verdict == RedriveVerdict::Safe) letters.safe.push_back(&line);
    letters.broker = given.value_or(brokerOfFormat(line.format));
  }
  Script script(queues);
  script.text = "#!/bin/sh\n# Look at it, then run it. It sends messages again; it takes none away that is not sent.\n";
  if (obsolete > 0) {
    script.text += comment(fmt::format("{} more are obsolete: their work was done. Drop them; a queue that holds one is not moved.", obsolete));
  }
  for (const auto& [queue, letters] : byQueue) script.add(queue, letters);
  return script.text;
}

}  // namespace counterfoil
