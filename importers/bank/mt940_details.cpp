// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/bank/mt940_details.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"

namespace counterfoil::bank {

namespace {

constexpr std::size_t kFullLine = 65;  // of an :86:
constexpr std::size_t kFullSubfield = 27;

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

void put(Row& row, Member member, std::string_view value) {
  value = trim(value);
  if (!value.empty() && row[member].empty()) row[member] = std::string(value);
}

/// Lines and subfields of full length were cut there, wherever that is in a word.
void joinWrapped(std::string& to, std::string_view part, std::size_t lastSize, std::size_t full) {
  if (!to.empty() && lastSize < full && to.back() != ' ' && !part.empty() && part.front() != ' ')
    to += ' ';
  to += part;
}

struct Tag {
  std::string_view name;
  Member member;
};

/// SEPA tags inside of the purpose of a numbered :86:. Row marks those that no member holds.
constexpr std::array<Tag, 14> kPlusTags = {{
    {"EREF+", Member::EndToEndId},
    {"KREF+", Member::InstructionId},
    {"MREF+", Member::MandateId},
    {"SVWZ+", Member::Remittance},
    {"PREF+", Member::PaymentId},
    {"RREF+", Member::TransactionId},
    {"RTRN+", Member::ReturnReason},
    {"IBAN+", Member::CounterpartyAccount},
    {"CRED+", Member::Row},
    {"DEBT+", Member::Row},
    {"COAM+", Member::Row},
    {"OAMT+", Member::Row},
    {"ABWA+", Member::Row},
    {"BIC+", Member::Row},
}};

const Tag* tagAt(std::string_view text, std::size_t at) {
  if (at > 0 && text[at - 1] != ' ' && text[at - 1] != '\n') return nullptr;
  for (const Tag& tag : kPlusTags) {
    if (text.substr(at, tag.name.size()) == tag.name) return &tag;
  }
  return nullptr;
}

/// `text`: subfields ?20 to ?29 and ?60 to ?63, a line feed before each that begins with a tag.
void readPurpose(std::string_view text, Row& row) {
  const Tag* tag = nullptr;
  std::size_t from = 0;
  const auto end = [&](std::size_t to) {
    if (tag != nullptr && tag->member == Member::Row) return;
    put(row, tag == nullptr ? Member::Remittance : tag->member, text.substr(from, to - from));
  };
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const Tag* const found = tagAt(text, at);
    if (found == nullptr) continue;
    if (tag != nullptr) end(at);
    if (tag == nullptr) plain = std::string(trim(text.substr(0, at)));
    tag = found;
    from = at + found->name.size();
  }
  end(text.size());
  put(row, Member::Remittance, plain);
}

/// "166?00SEPA…?20EREF+…?30BIC?31IBAN?32NAME": the sign is the file's own.
bool readNumbered(std::string_view text, Row& row) {
  if (text.size() < 6 || !isDigits(text.substr(0, 3)) || !isDigits(text.substr(4, 2))) return false;
  const char sign = text[3];
  const bool isSign = std::string_view("?>+!$%&*~^|@#").find(sign) != std::string_view::npos;
  if (!isSign) return false;
  put(row, Member::TypeProprietary, text.substr(0, 3));
  std::string purpose, name;
  std::size_t lastSize = 0;
  for (std::size_t at = 3; at < text.size();) {
    std::size_t end = at + 3;  // the next sign that two digits follow
    while (end < text.size() && !(text[end] == sign && end + 2 < text.size() &&
                                  isDigit(text[end + 1]) && isDigit(text[end + 2]))) {
      ++end;
    }
    const std::string_view number = text.substr(at + 1, 2);
    const std::string_view value =
        text.substr(std::min(at + 3, text.size()), end - std::min(at + 3, text.size()));
    if (number == "00") put(row, Member::Info, value);
    if (number == "31") put(row, Member::CounterpartyAccount, value);
    if (number == "32" || number == "33") name += value;
    if ((number >= "20" && number <= "29") || (number >= "60" && number <= "63")) {
      if (tagAt(value, 0) != nullptr && !purpose.empty()) {
        purpose += '\n';
        purpose += value;
      } else {
        joinWrapped(purpose, value, lastSize, kFullSubfield);
      }
      lastSize = value.size();
    }
    at = end;
  }
  readPurpose(purpose, row);
  put(row, Member::Counterparty, name);
  return true;
}

constexpr std::array<std::string_view, 26> kCodeWords = {
    "EREF", "PREF", "IREF", "KREF", "CREF", "REMI", "CNTP", "BENM", "ORDP",
    "NAME", "IBAN", "BIC",  "TRTP", "MARF", "CSID", "RTRN", "PURP", "ULTB",
    "ULTD", "ULTC", "EXCH", "CHGS", "BUSP", "ISDT", "TRCD", "ADDR"};

/// The code word that stands between two slashes at `at`; "" if none does.
std::string_view codeWordAt(std::string_view text, std::size_t at) {
  if (text[at] != '/') return {};
  for (const std::string_view word : kCodeWords) {
    if (text.substr(at + 1, word.size()) == word && text.substr(at + 1 + word.size(), 1) == "/")
      return word;
  }
  return {};
}

/// Counterparty as ING writes it: account/bank/name/town.
void readCounterparty(std::string_view value, Row& row) {
  const std::size_t first = value.find('/');
  put(row, Member::CounterpartyAccount, value.substr(0, first));
  if (first == std::string_view::npos) return;
  const std::size_t second = value.find('/', first + 1);
  if (second == std::string_view::npos) return;
  put(row, Member::Counterparty,
      value.substr(second + 1, value.find('/', second + 1) - second - 1));
}

void takeCodeWord(std::string_view word, std::string_view value, Row& row) {
  while (!value.empty() && (value.back() == '/' || value.back() == ' ')) value.remove_suffix(1);
  if (word == "EREF") put(row, Member::EndToEndId, value);
  if (word == "PREF") put(row, Member::PaymentId, value);
  if (word == "KREF" || word == "CREF") put(row, Member::InstructionId, value);
  if (word == "IREF") put(row, Member::TransactionId, value);
  if (word == "MARF") put(row, Member::MandateId, value);
  if (word == "RTRN") put(row, Member::ReturnReason, value);
  if (word == "TRTP") put(row, Member::Info, value);
  if (word == "NAME") put(row, Member::Counterparty, value);
  if (word == "IBAN") put(row, Member::CounterpartyAccount, value);
  if (word == "CNTP") readCounterparty(value, row);
  if (word == "RTRN" && row[Member::ReturnReason].empty()) row[Member::ReturnReason] = "returned";
  if (word != "REMI") return;
  if (value.substr(0, 6) == "USTD//") value.remove_prefix(6);
  if (value.substr(0, 5) == "STRD/") {
    put(row, Member::RemittanceReference, value.substr(value.rfind('/') + 1));
  } else {
    put(row, Member::Remittance, value);
  }
}

bool readCodeWords(std::string_view text, Row& row) {
  std::string_view word;
  std::size_t from = 0;
  bool any = false;
  for (std::size_t at = text.find('/'); at != std::string_view::npos; at = text.find('/', at + 1)) {
    const std::string_view found = codeWordAt(text, at);
    if (found.empty()) continue;
    if (any) takeCodeWord(word, text.substr(from, at - from), row);
    if (!any && at > 0) put(row, Member::Info, text.substr(0, at));
    any = true;
    word = found;
    from = at + found.size() + 2;
    at += found.size();
  }
  if (any) takeCodeWord(word, text.substr(std::min(from, text.size())), row);
  return any;
}

}  // namespace

void readDetails(const std::vector<std::string>& lines, Row& row) {
  std::string close, spaced;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    close += lines[i];
    joinWrapped(spaced, lines[i], i == 0 ? kFullLine : lines[i - 1].size(), kFullLine);
  }
  if (readNumbered(close, row) || readCodeWords(close, row)) return;
  put(row, Member::Remittance, spaced);
}

}  // namespace counterfoil::bank
