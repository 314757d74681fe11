// SPDX-License-Identifier: GPL-3.0-or-later
// CAMT.052, .053 and .054 of any version, read as they come: no tree is built. A DTD is refused, so
// that entities cannot grow.
#include <expat.h>
#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "importers/bank/bank_rows.h"
#include "importers/bank/camt_entry.h"

namespace counterfoil::bank {

namespace {

constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kMaxAttributes = 32;
constexpr std::size_t kMaxTokenBytes = 1u << 20;  // of a tag or comment: expat holds it in whole

constexpr std::array<std::pair<std::string_view, Fact>, 20> kFactPaths = {{
    {"Id", Fact::Id},
    {"ElctrncSeqNb", Fact::Number},
    {"LglSeqNb", Fact::Number},
    {"CreDtTm", Fact::Created},
    {"FrToDt/FrDtTm", Fact::From},
    {"FrToDt/ToDtTm", Fact::To},
    {"Acct/Id/IBAN", Fact::Account},
    {"Acct/Id/Othr/Id", Fact::Account},
    {"Acct/Id/PrtryAcct/Id", Fact::Account},
    {"Acct/Ccy", Fact::Currency},
    {"Acct/Ownr/Nm", Fact::Owner},
    {"Acct/Ownr/Pty/Nm", Fact::Owner},
    {"Acct/Svcr/FinInstnId/BIC", Fact::Bank},
    {"Acct/Svcr/FinInstnId/BICFI", Fact::Bank},
    {"TxsSummry/TtlNtries/NbOfNtries", Fact::DeclaredEntries},
    {"TxsSummry/TtlNtries/Sum", Fact::DeclaredTotal},
    {"TxsSummry/TtlCdtNtries/Sum", Fact::DeclaredCredits},
    {"TxsSummry/TtlDbtNtries/Sum", Fact::DeclaredDebits},
    {"Acct/Id/BBAN", Fact::Account},
    {"Acct/Id/UPIC", Fact::Account},
}};

std::string_view localName(const char* name) {
  const std::string_view whole(name);
  const std::size_t colon = whole.rfind(':');
  return colon == std::string_view::npos ? whole : whole.substr(colon + 1);
}

bool isMessage(std::string_view name) {
  return name == "BkToCstmrStmt" || name == "BkToCstmrAcctRpt" || name == "BkToCstmrDbtCdtNtfctn";
}

bool isStatement(std::string_view name) {
  return name == "Stmt" || name == "Rpt" || name == "Ntfctn";
}

class CamtTranscoder final : public Transcoder {
 public:
  CamtTranscoder() : m_parser(XML_ParserCreate("UTF-8")), m_entry(rows) {
    if (m_parser == nullptr) return;
    XML_SetUserData(m_parser, this);
    XML_SetElementHandler(
        m_parser,
        [](void* self, const XML_Char* name, const XML_Char** attributes) {
          of(self).start(name, attributes);
        },
        [](void* self, const XML_Char* name) { of(self).stop(name); });
    XML_SetCharacterDataHandler(m_parser, [](void* self, const XML_Char* text, int size) {
      of(self).characters({text, static_cast<std::size_t>(size)});
    });
    XML_SetStartDoctypeDeclHandler(m_parser, [](void* self, const XML_Char*, const XML_Char*,
                                                const XML_Char*, int) {
      of(self).halt(ErrorCode::Format,
                    "a document type declaration: bank statements have none, and it is not read");
    });
  }
  ~CamtTranscoder() override { XML_ParserFree(m_parser); }
  CamtTranscoder(const CamtTranscoder&) = delete;
  CamtTranscoder& operator=(const CamtTranscoder&) = delete;

  Result<> feed(std::string_view text) override {
    if (m_parser == nullptr)
      return fail(ErrorCode::Internal, "the XML parser could not be started");
    const XML_Status status =
        XML_Parse(m_parser, text.data(), static_cast<int>(text.size()), XML_FALSE);
    m_fedBytes += text.size();
    if (status != XML_STATUS_OK) return fail(m_fault ? *m_fault : malformed());
    const XML_Index at = XML_GetCurrentByteIndex(m_parser);
    if (at >= 0 && m_fedBytes - static_cast<std::uint64_t>(at) > kMaxTokenBytes) {
      halt(ErrorCode::Limit, fmt::format("a tag or comment of more than {} bytes", kMaxTokenBytes));
      return fail(*m_fault);
    }
    return {};
  }

  Result<> finish() override {
    if (XML_Parse(m_parser, "", 0, XML_TRUE) == XML_STATUS_OK) return {};
    if (m_fault) return fail(*m_fault);
    if (m_open.empty()) return fail(malformed());
    const Open& open = m_open.back();
    return fail(formatError(
        line(), fmt::format("cut off: the file ends inside of <{}>, which begins in line {}",
                            shown(open.name), open.line)));
  }

 private:
  enum class Level : std::uint8_t { Outside, Message, Statement, Entry, Transaction };
  struct Open {
    std::string name;
    std::uint64_t line;
    Level levelBefore;
    std::size_t pathBefore;  ///< size
  };
  struct Balance {
    std::string code, amount, currency, indicator, date;
  };

  static CamtTranscoder& of(void* self) { return *static_cast<CamtTranscoder*>(self); }
  [[nodiscard]] std::uint64_t line() const { return XML_GetCurrentLineNumber(m_parser); }

  void halt(ErrorCode code, std::string_view what) {
    if (!m_fault) m_fault = Error{code, fmt::format("line {}: {}", line(), what)};
    XML_StopParser(m_parser, XML_FALSE);
  }

  Error malformed() const {
    return formatError(line(), fmt::format("no well-formed XML (column {}): {}",
                                           XML_GetCurrentColumnNumber(m_parser) + 1,
                                           XML_ErrorString(XML_GetErrorCode(m_parser))));
  }

  void start(const char* tag, const char** attributes) {
    if (m_fault) return;
    const std::string_view name = localName(tag);
    if (m_open.size() >= kMaxDepth)
      return halt(ErrorCode::Limit, fmt::format("elements nested deeper than {}", kMaxDepth));
    m_currency.clear();
    for (std::size_t i = 0; attributes[i] != nullptr; i += 2) {
      if (i / 2 >= kMaxAttributes)
        return halt(ErrorCode::Limit, fmt::format("more than {} attributes", kMaxAttributes));
      if (localName(attributes[i]) == "Ccy")
        m_currency = std::string(trim(attributes[i + 1])).substr(0, 16);
      if (m_level == Level::Outside) takeVersion(attributes[i + 1]);
    }
    m_open.push_back({std::string(name.substr(0, 80)), line(), m_level, m_path.size()});
    m_text.clear();
    m_isLeaf = true;
    enter(name);
  }

  void enter(std::string_view name) {
    const bool isTop = m_path.size() == m_base;
    if (m_level == Level::Outside && isMessage(name)) return setLevel(Level::Message);
    if (m_level == Level::Message && isStatement(name)) {
      rows.beginStatement(m_version.empty() ? std::string_view("camt")
                                            : std::string_view(m_version));
      return setLevel(Level::Statement);
    }
    if (m_level == Level::Statement && isTop && name == "Ntry") {
      m_entry.begin(line());
      return setLevel(Level::Entry);
    }
    const std::string_view below = std::string_view(m_path).substr(m_base);
    if (m_level == Level::Entry && name == "TxDtls" && below == "NtryDtls") {
      m_entry.beginTransaction(line());
      return setLevel(Level::Transaction);
    }
    if (m_level == Level::Statement && isTop && name == "Bal") m_balance = {};
    if (m_level == Level::Transaction && isTop && name == "RtrInf")
      m_entry.transaction().isReturn = true;
    if (m_level == Level::Outside || m_level == Level::Message) return;
    if (!isTop) m_path += '/';
    m_path += name;
  }

  /// Paths count from the element that the level begins with.
  void setLevel(Level level) {
    m_level = level;
    m_bases.push_back(m_base);
    m_base = m_path.size();
  }

  void stop(const char*) {
    if (m_fault || m_open.empty()) return;
    const Open open = std::move(m_open.back());
    m_open.pop_back();
    if (m_level != open.levelBefore) {
      leave();
      m_level = open.levelBefore;
      m_base = m_bases.back();
      m_bases.pop_back();
    } else if (m_level >= Level::Statement) {
      const std::string_view path = std::string_view(m_path).substr(m_base);
      if (m_isLeaf) setValue(path, trim(m_text));
      if (m_level == Level::Statement && path == "Bal") takeBalance();
    }
    m_path.resize(open.pathBefore);
    m_isLeaf = false;
    m_text.clear();
  }

  void leave() {
    switch (m_level) {
      case Level::Statement:
        return rows.endStatement(line(), RowWriter::Entries::All);
      case Level::Entry:
        return m_entry.end();
      case Level::Transaction:
        return m_entry.endTransaction();
      case Level::Outside:
      case Level::Message:
        return;
    }
  }

  void characters(std::string_view text) {
    if (m_fault || !m_isLeaf || m_level < Level::Statement) return;
    if (m_text.size() + text.size() > kMaxValueBytes) {
      return halt(ErrorCode::Limit, fmt::format("<{}> holds more than {} bytes",
                                                shown(m_open.back().name), kMaxValueBytes));
    }
    m_text += text;
  }

  void takeVersion(std::string_view attribute) {
    const std::size_t at = attribute.find("camt.05");
    if (at == std::string_view::npos || !m_version.empty()) return;
    const std::size_t end = attribute.find_first_not_of("camt.0123456789", at);
    m_version = std::string(attribute.substr(at, end - at)).substr(0, 20);
  }

  void setValue(std::string_view path, std::string_view text) {
    if (text.empty() && m_level != Level::Transaction) return;
    if (m_level == Level::Statement) return setFact(path, text);
    CamtPart& part = m_level == Level::Entry ? m_entry.entry() : m_entry.transaction();
    if (!part.set(path, text, m_currency)) {
      halt(ErrorCode::Limit,
           fmt::format("the texts of <{}> hold more than {} bytes", shown(path), kMaxValueBytes));
    }
  }

  void setFact(std::string_view path, std::string_view text) {
    if (path.substr(0, 4) == "Bal/") return setBalance(path.substr(4), text);
    for (const auto& [known, fact] : kFactPaths) {
      if (known != path || !rows.facts[fact].empty()) continue;
      const Result<> set = rows.setFact(fact, text);
      if (!set) halt(set.error().code, set.error().message);
      return;
    }
  }

  void setBalance(std::string_view path, std::string_view text) {
    if (path == "Tp/CdOrPrtry/Cd" || path == "Tp/CdOrPrtry/Prtry" || path == "Tp/Cd")
      m_balance.code = std::string(text);
    if (path == "CdtDbtInd") m_balance.indicator = std::string(text);
    if (path == "Dt/Dt" || path == "Dt/DtTm") m_balance.date = std::string(text);
    if (path != "Amt") return;
    m_balance.amount = std::string(text);
    m_balance.currency = m_currency;
  }

  /// The first opening and the last closing balance; others say nothing of the entries.
  void takeBalance() {
    const std::string amount = (m_balance.indicator == "DBIT" ? "-" : "") + m_balance.amount;
    const std::string& code = m_balance.code;
    Result<> set;
    if ((code == "OPBD" || code == "PRCD") &&
        (rows.facts[Fact::Opening].empty() || code == "OPBD")) {
      set = setAll({{Fact::Opening, amount},
                    {Fact::OpeningCurrency, m_balance.currency},
                    {Fact::OpeningDate, m_balance.date}});
    } else if (code == "CLBD") {
      set = setAll({{Fact::Closing, amount},
                    {Fact::ClosingCurrency, m_balance.currency},
                    {Fact::ClosingDate, m_balance.date}});
    } else if (code == "CLAV") {
      set = setAll({{Fact::Available, amount}, {Fact::AvailableDate, m_balance.date}});
    }
    if (!set) halt(set.error().code, set.error().message);
  }

  Result<> setAll(std::initializer_list<std::pair<Fact, std::string_view>> values) {
    for (const auto& [fact, value] : values) {
      const Result<> set = rows.setFact(fact, value);
      if (!set) return set;
    }
    return {};
  }

  XML_Parser m_parser;
  CamtEntry m_entry;
  std::vector<Open> m_open;
  Level m_level = Level::Outside;
  std::string m_path;      ///< of the element at hand, below the message
  std::size_t m_base = 0;  ///< where the part of m_path below the level's element begins
  std::vector<std::size_t> m_bases;
  std::string m_text, m_currency, m_version;
  bool m_isLeaf = false;
  Balance m_balance;
  std::uint64_t m_fedBytes = 0;
  std::optional<Error> m_fault;
};

}  // namespace

std::unique_ptr<Transcoder> makeCamtTranscoder() {
  return std::make_unique<CamtTranscoder>();
}

}  // namespace counterfoil::bank
