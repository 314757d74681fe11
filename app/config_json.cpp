// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/config_json.h"

#include "reports/json/json_writer.h"

namespace counterfoil {

namespace {

std::string_view wordOf(Expect expect) {
  switch (expect) {
    case Expect::ExactlyOne:
      return "exactly_one";
    case Expect::Split:
      return "split";
    case Expect::ZeroOrOne:
      return "zero_or_one";
  }
  return "";
}

std::string_view wordOf(OtherPayload otherPayload) {
  switch (otherPayload) {
    case OtherPayload::Unknown:
      return "";
    case OtherPayload::Error:
      return "error";
    case OtherPayload::Replay:
      return "replay";
    case OtherPayload::NewEffect:
      return "new_effect";
  }
  return "";
}

std::string_view wordOf(CompareField field) {
  switch (field) {
    case CompareField::Amount:
      return "amount";
    case CompareField::Currency:
      return "currency";
    case CompareField::Customer:
      return "customer";
    case CompareField::OpRef:
      return "op_ref";
  }
  return "";
}

std::string_view wordOf(Secret::Kind kind) {
  switch (kind) {
    case Secret::Kind::File:
      return "file";
    case Secret::Kind::Credential:
      return "credential";
    case Secret::Kind::Env:
      return "env";
  }
  return "";
}

class Writer {
 public:
  std::string print(const Config& config) {
    m_json.beginObject();
    m_json.text("name", config.name);
    m_json.text("store", config.storePath);
    m_json.text("time_zone", config.zone);
    m_json.text("as_of", formatInstant(config.run.asOf));
    duration("clock_skew", config.policy.clockSkew);
    duration("open_limit", config.policy.openLimit);
    m_json.integer("max_quarantined", static_cast<std::int64_t>(config.run.maxQuarantined));
    m_json.list("accept_findings", config.run.acceptFindings);
    list("operations", config.policy.operations,
         [this](const Operation& operation) { write(operation); });
    list("providers", config.policy.providers,
         [this](const ProviderProfile& provider) { write(provider); });
    list("queues", config.policy.queues, [this](const QueueProfile& queue) { write(queue); });
    list("sources", config.sources, [this](const SourceSpec& source) { write(source); });
    list("reports", config.reports, [this](const ReportSpec& report) {
      constexpr std::string_view details[] = {"breaks", "notable", "all"};
      m_json.text("format", report.format);
      m_json.text("path", report.path);
      m_json.text("detail", details[static_cast<std::size_t>(report.detail)]);
      m_json.text("language", report.language);
      if (!report.title.empty()) m_json.text("title", report.title);
      if (report.period) duration("period", *report.period);
      if (report.format == "junit") m_json.text("split", report.splitByCase ? "case" : "class");
      m_json.key("unmask");
      m_json.boolean(report.unmask);
      m_json.key("index");
      m_json.boolean(report.index);
    });
    list("alerts", config.alerts, [this](const AlertSpec& alert) { write(alert); });
    m_json.endObject();
    m_out += '\n';
    return std::move(m_out);
  }

 private:
  template <class Values, class Write>
  void list(std::string_view name, const Values& values, const Write& write) {
    m_json.key(name);
    m_json.beginArray();
    for (const auto& value : values) {
      m_json.beginObject();
      write(value);
      m_json.endObject();
    }
    m_json.endArray();
  }

  void duration(std::string_view name, Duration value) {
    m_json.text(name, formatShortDuration(value));
  }
  void duration(std::string_view name, const std::optional<Duration>& value) {
    m_json.textOrNull(name, value ? std::optional(formatShortDuration(*value)) : std::nullopt);
  }
  void integer(std::string_view name, const std::optional<std::int64_t>& value) {
    m_json.integerOrNull(name, value);
  }

  void write(const Operation& operation) {
    m_json.text("name", operation.name);
    m_json.text("expect", wordOf(operation.expect));
    m_json.text("effect", operation.effect == OperationEffect::Forward ? "forward" : "reversal");
    m_json.text("direction", operation.direction == Direction::Outbound ? "outbound" : "inbound");
    m_json.text("provider", operation.provider);
    duration("max_runtime", operation.maxRuntime);
    duration("key_lifetime", operation.keyLifetime);
    std::vector<std::string> compared;
    for (const CompareField field : operation.compare) compared.emplace_back(wordOf(field));
    m_json.list("compare", compared);
    write(operation.tolerance);
    m_json.text("reversals", operation.reversalsRecordedLocally ? "local" : "provider");
    duration("intent_limit", operation.intentLimit);
    duration("probable_duplicate_within", operation.probableDuplicateWithin);
  }

  void write(const Tolerance& tolerance) {
    m_json.key("tolerance");
    m_json.beginObject();
    m_json.integer("minor", tolerance.minor);
    for (const auto& [currency, minor] : tolerance.minorByCurrency)
      m_json.integer(currency.text(), minor);
    m_json.integer("percent_millionths", tolerance.percentMillionths);
    m_json.endObject();
  }

  void write(const ProviderProfile& provider) {
    m_json.text("name", provider.name);
    duration("key_retention", provider.keyRetention);
    duration("statement_lag", provider.statementLag);
    duration("pending_limit", provider.pendingLimit);
    m_json.text("other_payload", wordOf(provider.otherPayload));
    integer("key_length", provider.keyLength
                              ? std::optional(static_cast<std::int64_t>(*provider.keyLength))
                              : std::nullopt);
  }

  void write(const QueueProfile& queue) {
    m_json.text("name", queue.name);
    duration("visibility_timeout", queue.visibilityTimeout);
    duration("retry_horizon", queue.retryHorizon);
    duration("dedupe_ttl", queue.dedupeTtl);
    duration("claim_ttl", queue.claimTtl);
    m_json.text("dead_letter_queue", queue.deadLetterQueue);
    integer("max_depth", queue.maxDepth);
    duration("dead_letter_retention", queue.deadLetterRetention);
  }

  void write(const SourceSpec& source) {
    m_json.text("name", source.name);
    m_json.text("path", source.path);
    m_json.text("format", source.format.empty()
                              ? source.mappings.empty() ? "(found by looking)" : "mapping"
                              : source.format);
    m_json.text("provider", source.provider);
    m_json.text("time_zone", source.zone);
    m_json.key("covers");
    if (source.covers) {
      m_json.beginObject();
      m_json.text("from", formatInstant(source.covers->from));
      m_json.text("to", formatInstant(source.covers->to));
      m_json.endObject();
    } else {
      m_json.null();
    }
    m_json.text("jobs", source.jobs);
    m_json.key("blind");
    m_json.boolean(source.blind);
    m_json.key("may_be_empty");
    m_json.boolean(source.mayBeEmpty);
  }

  void secret(std::string_view name, const std::optional<Secret>& value) {
    if (!value) return;
    m_json.key(name);
    m_json.beginObject();
    m_json.text(wordOf(value->kind), value->name);
    m_json.endObject();
  }

  void write(const AlertSpec& alert) {
    m_json.text("name", alert.name);
    m_json.text("when", alert.when);
    secret("webhook", alert.webhook);
    secret("slack", alert.slack);
    if (!alert.mail) return;
    m_json.key("mail");
    m_json.beginObject();
    m_json.text("server", alert.mail->server);
    m_json.text("from", alert.mail->from);
    m_json.list("to", alert.mail->to);
    secret("password", alert.mail->password);
    m_json.endObject();
  }

  std::string m_out;
  JsonWriter m_json{m_out, 2};
};

}  // namespace

std::string configJson(const Config& config) {
  return Writer().print(config);
}

}  // namespace counterfoil
