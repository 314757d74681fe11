// SPDX-License-Identifier: GPL-3.0-or-later
// What leaves a run: reports, alerts, pings; how long its runs are kept; and reading secrets.
#include <fmt/format.h>
#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "app/config_members.h"

namespace counterfoil {

namespace {

using Ctx = ConfigContext;

constexpr std::size_t kMaxSecretBytes = 64u << 10;
constexpr std::string_view kReportFormats[] = {"html",   "pdf",  "xlsx",     "csv",   "json",
                                               "ndjson", "text", "markdown", "junit", "metrics"};
constexpr std::string_view kDetails[] = {"breaks", "notable", "all"};
constexpr std::string_view kLanguages[] = {"en", "ru"};
constexpr std::string_view kSplits[] = {"class", "case"};

constexpr MemberRule<ReportSpec> kReportRules[] = {
    {"format",
     [](const JsonNode& n, ReportSpec& r, const Ctx&) -> Result<> {
       auto index = readChoice(n, kReportFormats);
       if (!index) return fail(index.error());
       r.format = n.text;
       return {};
     }},
    {"path",
     [](const JsonNode& n, ReportSpec& r, const Ctx& c) -> Result<> {
       if (auto ok = readText(n, r.path); !ok) return ok;
       r.path = resolvePath(r.path, c);
       return {};
     }},
    {"detail",
     [](const JsonNode& n, ReportSpec& r, const Ctx&) -> Result<> {
       auto index = readChoice(n, kDetails);
       if (!index) return fail(index.error());
       r.detail = static_cast<Detail>(*index);
       return {};
     }},
    {"language",
     [](const JsonNode& n, ReportSpec& r, const Ctx&) -> Result<> {
       if (auto index = readChoice(n, kLanguages); !index) return fail(index.error());
       r.language = n.text;
       return {};
     }},
    {"title", [](const JsonNode& n, ReportSpec& r, const Ctx&) { return readText(n, r.title); }},
    {"unmask", [](const JsonNode& n, ReportSpec& r, const Ctx&) { return readFlag(n, r.unmask); }},
    {"index", [](const JsonNode& n, ReportSpec& r, const Ctx&) { return readFlag(n, r.index); }},
    {"split",
     [](const JsonNode& n, ReportSpec& r, const Ctx&) -> Result<> {
       auto index = readChoice(n, kSplits);
       if (!index) return fail(index.error());
       r.splitByCase = *index == 1;
       return {};
     }},
    {"period",
     [](const JsonNode& n, ReportSpec& r, const Ctx&) { return readDuration(n, r.period); }},
};

constexpr MemberRule<MailSpec> kMailRules[] = {
    {"server", [](const JsonNode& n, MailSpec& m, const Ctx&) { return readText(n, m.server); }},
    {"from", [](const JsonNode& n, MailSpec& m, const Ctx&) { return readText(n, m.from); }},
    {"to", [](const JsonNode& n, MailSpec& m, const Ctx&) { return readTexts(n, m.to); }},
    {"user", [](const JsonNode& n, MailSpec& m, const Ctx&) { return readText(n, m.user); }},
    {"password",
     [](const JsonNode& n, MailSpec& m, const Ctx& c) { return readSecretNode(n, c, m.password); }},
};

Result<> readMail(const JsonNode& node, AlertSpec& alert, const Ctx& context) {
  MailSpec mail;
  if (auto ok = readMembers<MailSpec>(node, kMailRules, mail, context); !ok) return ok;
  if (mail.server.empty() || mail.from.empty() || mail.to.empty()) {
    return failAt(node, "'mail' needs \"server\", \"from\" and \"to\"");
  }
  alert.mail = std::move(mail);
  return {};
}

constexpr MemberRule<AlertSpec> kAlertRules[] = {
    {"name", [](const JsonNode& n, AlertSpec& a, const Ctx&) { return readText(n, a.name); }},
    {"when", [](const JsonNode& n, AlertSpec& a, const Ctx&) { return readText(n, a.when); }},
    {"webhook",
     [](const JsonNode& n, AlertSpec& a, const Ctx& c) { return readSecretNode(n, c, a.webhook); }},
    {"slack",
     [](const JsonNode& n, AlertSpec& a, const Ctx& c) { return readSecretNode(n, c, a.slack); }},
    {"mail", readMail},
};

constexpr MemberRule<PingSpec> kPingRules[] = {
    {"start",
     [](const JsonNode& n, PingSpec& p, const Ctx& c) { return readSecretNode(n, c, p.start); }},
    {"success",
     [](const JsonNode& n, PingSpec& p, const Ctx& c) { return readSecretNode(n, c, p.success); }},
    {"failure",
     [](const JsonNode& n, PingSpec& p, const Ctx& c) { return readSecretNode(n, c, p.failure); }},
};

constexpr MemberRule<RetentionSpec> kRetentionRules[] = {
    {"runs",
     [](const JsonNode& n, RetentionSpec& r, const Ctx&) { return readDuration(n, r.runs); }},
    {"raw_text",
     [](const JsonNode& n, RetentionSpec& r, const Ctx&) { return readDuration(n, r.rawText); }},
};

Result<std::string> readSecretFile(const std::string& path, const std::string& where,
                                   bool checkMode) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return fail(ErrorCode::Config,
                fmt::format("{}: the secret's file {} is not there", where, path));
  }
  if (checkMode && (status.st_mode & 077) != 0) {
    return fail(ErrorCode::Config,
                fmt::format("{}: others may read {}; say chmod 600", where, path));
  }
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rbe"));
  if (!file) return fail(ErrorCode::Config, fmt::format("{}: {} cannot be read", where, path));
  std::string text(kMaxSecretBytes + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  if (std::ferror(file.get()) != 0)
    return fail(ErrorCode::Config, fmt::format("{}: {} cannot be read", where, path));
  if (text.size() > kMaxSecretBytes) {
    return fail(ErrorCode::Config, fmt::format("{}: {} is larger than 64 KiB", where, path));
  }
  return text;
}

Result<std::string> readAnySecret(const Secret& secret) {
  switch (secret.kind) {
    case Secret::Kind::File:
      return readSecretFile(secret.name, secret.where, true);
    case Secret::Kind::Env: {
      const char* value = std::getenv(secret.name.c_str());
      if (value != nullptr && *value != '\0') return std::string(value);
      return fail(ErrorCode::Config,
                  fmt::format("{}: the variable {} is not set", secret.where, secret.name));
    }
    case Secret::Kind::Credential:
      break;
  }
  const char* folder = std::getenv("CREDENTIALS_DIRECTORY");
  if (folder == nullptr || *folder == '\0') {
    return fail(ErrorCode::Config,
                fmt::format("{}: credential '{}' needs systemd's LoadCredential (no "
                            "CREDENTIALS_DIRECTORY)",
                            secret.where, secret.name));
  }
  return readSecretFile(std::string(folder) + "/" + secret.name, secret.where, false);
}

}  // namespace

Result<std::string> readSecret(const Secret& secret) {
  auto text = readAnySecret(secret);
  if (!text) return text;
  if (!text->empty() && text->back() == '\n') text->pop_back();
  if (!text->empty() && text->back() == '\r') text->pop_back();
  if (text->empty())
    return fail(ErrorCode::Config,
                fmt::format("{}: the secret '{}' is empty", secret.where, secret.name));
  return text;
}

Result<> readReports(const JsonNode& node, Config& config, const ConfigContext& context) {
  if (auto ok = readList<ReportSpec>(node, kReportRules, config.reports, context); !ok) return ok;
  for (std::size_t i = 0; i < config.reports.size(); ++i) {
    if (config.reports[i].format.empty() || config.reports[i].path.empty()) {
      return failAt(node.items[i], "a report needs \"format\" and \"path\"");
    }
  }
  return {};
}

Result<> readAlerts(const JsonNode& node, Config& config, const ConfigContext& context) {
  if (auto ok = readList<AlertSpec>(node, kAlertRules, config.alerts, context); !ok) return ok;
  for (std::size_t i = 0; i < config.alerts.size(); ++i) {
    AlertSpec& alert = config.alerts[i];
    alert.where = node.items[i].where();
    if (!alert.webhook && !alert.slack && !alert.mail) {
      return failAt(node.items[i], "an alert needs one of \"webhook\", \"slack\" and \"mail\"");
    }
  }
  return {};
}

Result<> readPings(const JsonNode& node, Config& config, const ConfigContext& context) {
  return readMembers<PingSpec>(node, kPingRules, config.pings, context);
}

Result<> readRetention(const JsonNode& node, Config& config, const ConfigContext& context) {
  return readMembers<RetentionSpec>(node, kRetentionRules, config.retention, context);
}

}  // namespace counterfoil
