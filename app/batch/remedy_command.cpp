// SPDX-License-Identifier: GPL-3.0-or-later
// remedy: lists to act on. It moves no money and sends no message; the store keeps what was handed out.
#include <fmt/format.h>

#include "app/batch/acting_person.h"
#include "app/batch/commands.h"
#include "app/batch/list_options.h"
#include "app/batch/remedy_tables.h"
#include "app/batch/store_options.h"
#include "app/remedies/broker_commands.h"
#include "app/remedies/refund_forms.h"
#include "core/base/text.h"
#include "reports/text/run_words.h"

namespace counterfoil {

namespace {

constexpr FilterSet kFilters = {false, true, true, false, {}};

std::vector<OptionSpec> remedyOptions() {
  using Count = OptionSpec::Count;
  std::vector<OptionSpec> options = {
      {"--severity", "SEVERITY", "only these: critical, high, medium, low", Count::Many},
      {"--key", "KEY", "only this key"},
      {"--operation", "NAME", "only this operation"},
      {"--queue", "NAME", "redrive: only this queue"},
      {"--since", "TIME", "only what happened at or after this instant"},
      {"--limit", "COUNT", "at most so many lines"},
      {"--provider-form", "NAME", "refunds: in a form that a provider takes, such as stripe or mercadopago"},
      {"--commands", "", "redrive: the broker's commands, ready to copy", Count::Flag},
      {"--broker", "NAME", "redrive: whose commands; default: by the format of the dead letters", Count::One,
       {"sqs", "rabbitmq", "sidekiq", "bullmq", "bull", "celery"}},
      {"--as-of", "TIME", "safe at this instant; default: now"},
      {"--dry-run", "", "do not note in the store that the list was handed out", Count::Flag},
      actingPersonSpec(),
  };
  for (const OptionSpec& option : listOptionSpecs()) options.push_back(option);
  return options;
}

/// What one call works with.
struct Request {
  const Arguments& arguments;
  Session& session;
  const Store& store;
  ListFilter filter;
  Instant now;
  std::string kind;
  EarlierExports earlier;
};

/// Handed out is what may be acted on; the rest of a list is for people to look at.
template <class Line>
Result<> noteExport(const Request& request, const std::vector<Line>& lines) {
  RemedyExport made;
  made.kind = request.kind;
  made.at = asOfNow(request.session.console);
  made.who = actingPerson(request.arguments, request.session.console);
  for (const Line& line : lines) {
    if (isToActOn(line)) made.items.push_back(itemOf(line));
  }
  if (made.items.empty() || request.arguments.has("--dry-run")) return {};
  made.digest = digestOf(made.items);
  const std::string path = request.arguments.valueOr("STORE", "");
  if (!isWritableStore(path)) {
    request.session.log.warning(path + ": can only be read; that this list was handed out is not noted");
    return {};
  }
  auto file = StoreFile::openForChange(path);
  if (!file) return fail(file.error());
  return recordRemedy(*file, made);
}

template <class Line>
void tell(const Request& request, const RemedyList<Line>& list) {
  std::uint64_t safe = 0, before = 0;
  for (const Line& line : list.lines) {
    safe += isToActOn(line) ? 1 : 0;
    before += isToActOn(line) && !line.exportedBefore.empty() ? 1 : 0;
  }
  std::string text = fmt::format("{} to act on, {} to look at first", safe, list.lines.size() - safe);
  if (list.obsolete > 0) text += fmt::format(", {} obsolete (the work was done)", list.obsolete);
  if (list.decided > 0) text += ", " + counted(list.decided, "decided case", "decided cases") + " left out";
  if (before > 0) text += fmt::format("; {} of them were handed out before", before);
  request.session.log.info(text);
}

template <class Line>
Result<> printAndNote(const Request& request, const RemedyList<Line>& list) {
  if (auto ok = printList(listChoicesOf(request.arguments), request.session, list.lines); !ok) return ok;
  tell(request, list);
  return noteExport(request, list.lines);
}

Result<> printText(const Request& request, const std::string& text) {
  return printTo(request.arguments.valueOr("--output", ""), request.session,
                 [&](Sink& sink, const TextStyle&) { return sink.write(text); });
}

/// What happened since the last night is in no list: a refund by hand, a job that ran after all.
Result<> warnOfOldNight(const Store& store, Instant now, Session& session) {
  using namespace std::chrono_literals;
  const auto latest = store.latestAsOf();
  if (!latest) return fail(latest.error());
  if (*latest && now - **latest > 36h) {
    session.log.warning(fmt::format("the last night is of {}, {} ago: what happened since is not known; run first",
                                    formatInstant(**latest), formatDuration(now - **latest)));
  }
  return {};
}

Result<> refunds(const Request& request) {
  const auto list = refundsOf(request.store, request.filter, request.earlier);
  if (!list) return fail(list.error());
  const auto name = request.arguments.value("--provider-form");
  if (!name) return printAndNote(request, *list);
  const auto form = refundForm(*name, list->lines);
  if (!form) return fail(form.error());
  if (auto ok = printText(request, form->text); !ok) return ok;
  for (const std::string& sentence : form->leftOut) request.session.log.warning(sentence);
  tell(request, *list);
  return noteExport(request, form->given);
}

Result<> redrive(const Request& request) {
  const auto list = redrivesOf(request.store, request.filter, request.now, request.earlier);
  if (!list) return fail(list.error());
  if (!request.arguments.has("--commands")) return printAndNote(request, *list);
  const auto broker = brokerFromCode(request.arguments.valueOr("--broker", ""));
  std::map<std::string, QueueOnHand> queues;
  const auto last = request.store.lastRun();
  if (!last) return fail(last.error());
  if (*last) {
    const auto run = request.store.run(**last);
    if (!run) return fail(run.error());
    for (const auto& queue : run->result.queues) queues[queue.queue].depth = queue.depth;
  }
  if (auto ok = printText(request, brokerCommands(list->lines, list->obsolete, broker, queues)); !ok) return ok;
  tell(request, *list);
  return noteExport(request, list->lines);
}

Result<> rerun(const Request& request) {
  const auto list = rerunsOf(request.store, request.filter, request.now, request.earlier);
  if (!list) return fail(list.error());
  return printAndNote(request, *list);
}

class RemedyCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    static const CommandSpec spec = {
        "remedy",
        "lists to act on: what to give back, which dead letters to send again, what to run again",
        {{"counterfoil remedy shop.counterfoil refunds --format csv --output refunds.csv", "every effect that is one too many"},
         {"counterfoil remedy shop.counterfoil redrive --commands", "commands of the broker, only for what is safe"},
         {"counterfoil remedy shop.counterfoil rerun", "missing effects, and until when their keys protect"}},
        {storePositional(), {"KIND", "which list", PositionalSpec::Count::One, {"refunds", "redrive", "rerun"}}},
        remedyOptions(),
        "It moves no money and sends nothing. The same list twice has the same idempotency keys. The store notes which cases "
        "were handed out, by whom and when; later lists and `show` say so."};
    return spec;
  }

  Result<int> run(const Arguments& arguments, Session& session) const override {
    auto filter = filterOf(arguments, kFilters);
    if (!filter) return fail(filter.error());
    filter->queue = arguments.valueOr("--queue", "");
    Instant now = asOfNow(session.console);
    if (const auto text = arguments.value("--as-of")) {
      const auto at = parseInstant(*text);
      if (!at) return fail(ErrorCode::Usage, "--as-of: " + at.error().message);
      now = *at;
    }
    const auto store = openStore(arguments, session);
    if (!store) return fail(store.error());
    if (auto ok = warnOfOldNight(*store, now, session); !ok) return fail(ok.error());
    const std::string kind = arguments.valueOr("KIND", "");
    Request request{arguments, session, *store, *filter, now, kind, {}};
    auto file = StoreFile::openForReading(arguments.valueOr("STORE", ""));
    if (!file) return fail(file.error());
    auto earlier = exportedBefore(*file, kind);
    if (!earlier) return fail(earlier.error());
    request.earlier = std::move(*earlier);
    const Result<> done = kind == "refunds" ? refunds(request) : kind == "redrive" ? redrive(request) : rerun(request);
    if (!done) return fail(done.error());
    return 0;
  }
};

}  // namespace

std::unique_ptr<const Command> makeRemedyCommand() { return std::make_unique<RemedyCommand>(); }

}  // namespace counterfoil
