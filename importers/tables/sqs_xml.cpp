// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/tables/sqs_xml.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "importers/readers/text_reader.h"
#include "importers/tables/row_lines.h"
#include "importers/xlsx/xml_parser.h"

namespace counterfoil {

namespace {

constexpr std::size_t kFeedBytes = 16u << 10;
constexpr std::size_t kMaxMembers = 256;   ///< attributes of a queue or message

using Members = std::vector<std::pair<std::string, std::string>>;   ///< names with their values as JSON

std::string jsonText(std::string_view text) {
  std::string json;
  tables::appendJsonText(json, text);
  return json;
}

std::string objectOf(const Members& members) {
  std::string json = "{";
  for (const auto& [name, value] : members) {
    if (json.size() > 1) json += ',';
    tables::appendJsonText(json, name);
    json += ':' + value;
  }
  return json + '}';
}

/// Elements by their place: the names of those around them joined by '/'.
class Answer final : public tables::RowMaker, public XmlHandler {
 public:
  explicit Answer(ByteSource& source) : m_source(source), m_parser(*this) {}

  Result<bool> step() override {
    if (m_ended) return false;
    m_block.clear();
    const Result<std::size_t> got = m_source.read(m_block, kFeedBytes);
    if (!got) return fail(got.error());
    m_ended = *got == 0;
    if (Result<> fed = m_parser.feed(m_block, m_ended); !fed) return fail(fed.error());
    rows.blank();
    return true;
  }

  void onStart(std::string_view name, const XmlAttributes&) override {
    if (m_depth.empty()) {
      const bool isOne = name == "GetQueueAttributesResponse" || name == "ReceiveMessageResponse" || name == "ErrorResponse";
      if (!isOne) return stop(fmt::format("an answer of SQS that is neither GetQueueAttributes nor ReceiveMessage: {}", tables::shown(name)));
    }
    m_depth.emplace_back(name);
    m_text.clear();
    if (name == "GetQueueAttributesResult" || name == "Message") {
      m_attributes.clear();
      m_messageAttributes.clear();
      m_members.clear();
      m_line = m_parser.line();
    }
    if (name == "Attribute" || name == "MessageAttribute") {
      m_name.clear();
      m_value.clear();
      m_typed.clear();
    }
  }

  void onText(std::string_view text) override {
    if (m_text.size() + text.size() > kMaxFieldBytes) return stop("a value that is too long");
    m_text += text;
  }

  void onEnd(std::string_view name) override {
    m_depth.pop_back();
    const std::string around = m_depth.empty() ? std::string() : m_depth.back();
    if (around == "Message") {
      member(name);
    } else if (around == "Attribute" || around == "MessageAttribute") {
      if (name == "Name") m_name = m_text;
      if (name == "Value") m_value = m_text;
    } else if (around == "Value") {
      if (m_typed.size() < kMaxMembers) m_typed.emplace_back(std::string(name), jsonText(m_text));
    } else if (around == "Error") {
      if (name == "Code") m_code = m_text;
      if (name == "Message") m_fault = m_text;
    }
    if (name == "Attribute") add(m_attributes, jsonText(m_value));
    if (name == "MessageAttribute") add(m_messageAttributes, objectOf(m_typed));
    if (name == "GetQueueAttributesResult") row({{"Attributes", objectOf(m_attributes)}});
    if (name == "Message" && around == "ReceiveMessageResult") endMessage();
    if (name == "ErrorResponse") stop(fmt::format("SQS answered with an error: {} {}", tables::shown(m_code), tables::shown(m_fault)));
    m_text.clear();
  }

 private:
  void stop(std::string message) {
    if (!fault) fault = Error{ErrorCode::Format, std::move(message)};
  }

  /// ReceiptHandle lets whoever has it delete the message: it goes nowhere.
  void member(std::string_view name) {
    if (name == "Attribute" || name == "MessageAttribute" || name == "ReceiptHandle") return;
    if (m_members.size() < kMaxMembers) m_members.emplace_back(std::string(name), jsonText(m_text));
  }

  void add(Members& to, std::string value) {
    if (to.size() >= kMaxMembers) return stop("more attributes than any answer of SQS has");
    to.emplace_back(m_name, std::move(value));
  }

  void endMessage() {
    if (!m_attributes.empty()) m_members.emplace_back("Attributes", objectOf(m_attributes));
    if (!m_messageAttributes.empty()) m_members.emplace_back("MessageAttributes", objectOf(m_messageAttributes));
    row(m_members);
  }

  void row(const Members& members) {
    rows.beginRow(m_line);
    rows.text() += objectOf(members);
    rows.endRow();
  }

  ByteSource& m_source;
  XmlParser m_parser;
  std::string m_block, m_text, m_name, m_value, m_code, m_fault;
  std::vector<std::string> m_depth;
  Members m_attributes, m_messageAttributes, m_members, m_typed;
  std::uint64_t m_line = 1;
  bool m_ended = false;
};

}  // namespace

bool looksLikeSqsXml(std::string_view head) {
  head = trim(head);
  if (head.substr(0, 5) == "<?xml") head = trim(head.substr(std::min(head.size(), head.find("?>") + 2)));
  const bool isAnswer = head.substr(0, 27) == "<GetQueueAttributesResponse" || head.substr(0, 23) == "<ReceiveMessageResponse" ||
                        (head.substr(0, 14) == "<ErrorResponse" && head.substr(0, 200).find("queue.amazonaws.com") != std::string_view::npos);
  return isAnswer;
}

std::unique_ptr<ByteSource> transcodeSqsXml(std::unique_ptr<ByteSource> source) {
  return tables::sourceOfRows(std::move(source), [](ByteSource& text) -> std::unique_ptr<tables::RowMaker> {
    return std::make_unique<Answer>(text);
  });
}

}  // namespace counterfoil
