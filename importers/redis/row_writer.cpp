// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/redis/row_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/base/text.h"
#include "importers/redis/values.h"

namespace counterfoil::redis {

namespace {

constexpr std::size_t kMaxHashBytes = 16u << 20;
constexpr std::size_t kMaxPlacesBytes = 1u << 20;
constexpr std::size_t kDefectBytes = 2000;

std::string_view behindLastColon(std::string_view key) {
  return key.substr(key.rfind(':') + 1);
}

void appendMember(std::string& out, std::string_view name, std::string_view text) {
  out += fmt::format(",\"{}\":", name);
  appendQuoted(out, text);
}

}  // namespace

bool fitsKeys(const RedisLayout& layout, std::string_view key) {
  if (layout.keys.empty()) return true;
  const std::string_view base = baseOf(key);
  return std::any_of(layout.keys.begin(), layout.keys.end(), [&](const auto& match) {
    return match->fits(key) || (base.size() != key.size() && match->fits(base));
  });
}

RowWriter::RowWriter(const RedisLayout& layout, std::shared_ptr<const DumpIndex> index)
    : m_layout(layout), m_index(std::move(index)) {}

bool RowWriter::beginKey(const Key& key) {
  m_isInKey = true;
  m_isBroken = false;
  m_count = 0;
  m_least.clear();
  m_most.clear();
  m_fields.clear();
  m_isWanted = fits(key.name.text);
  if (m_index->isRepeated(m_number++) && m_isWanted) {
    m_isWanted = false;
    tell(key.line, "key", key.name.text,
         "the key comes twice in the dump, and which of the two holds cannot be told; take the "
         "dump again",
         rawOf(key));
  }
  m_isHash = key.type == KeyType::Hash;
  return m_isWanted && (m_layout.rows != RedisRows::Hashes || m_isHash);
}

void RowWriter::element(const Key& key, const Element& element) {
  ++m_count;
  if (!m_isWanted || key.type == KeyType::None) return;
  switch (m_layout.rows) {
    case RedisRows::Items:
      item(key, element);
      return;
    case RedisRows::Hashes:
      if (m_isHash) addToHash(element);
      return;
    case RedisRows::Keys:
      if (key.type == KeyType::Zset) addScore(element.score);
      if (key.type == KeyType::Count) m_fields = element.value.text;
      return;
  }
}

void RowWriter::addScore(const std::string& score) {
  if (m_least.empty() || isLess(score, m_least)) m_least = score;
  if (m_most.empty() || isLess(m_most, score)) m_most = score;
}

void RowWriter::addToHash(const Element& element) {
  if (m_fields.size() > kMaxHashBytes) return;
  if (!m_fields.empty()) m_fields += ',';
  const bool isText = element.field.kind == Value::Kind::Text;
  appendQuoted(m_fields, isText ? element.field.text : "base64:" + element.field.text);
  m_fields += ':';
  appendEmbedded(m_fields, element.value);
}

void RowWriter::endKey(const Key& key) {
  m_isInKey = false;
  if (!m_isWanted) return;
  if (m_layout.rows == RedisRows::Keys) keyRow(key);
  if (m_layout.rows == RedisRows::Hashes && m_isHash && !m_isBroken) hashRow(key);
}

void RowWriter::beginRow(std::uint64_t line) {
  m_rowBegin = m_text.size();
  m_rowLine = line;
  m_rowFault.clear();
  m_text += fmt::format("\x16{}\x1F{{", line);
}

void RowWriter::endRow() {
  m_text += "}\n";
  if (m_rowFault.empty()) return;
  const std::string raw = m_text.substr(m_rowBegin);
  m_text.resize(m_rowBegin);
  tell(m_rowLine, "", "", m_rowFault, raw.substr(std::min(raw.size(), raw.find('{'))));
}

/// {"db":0,"key":"a","base":"a","type":"list" of the row at hand.
void RowWriter::head(const Key& key) {
  if (!key.db.empty()) m_text += fmt::format("\"db\":{},", key.db);
  const bool isText = key.name.kind == Value::Kind::Text;
  const std::string name = isText ? key.name.text : toValidUtf8(key.name.content());
  m_text += "\"key\":";
  appendQuoted(m_text, name);
  if (!isText) appendMember(m_text, "key_base64", key.name.text);
  if (m_layout.rows != RedisRows::Hashes) appendMember(m_text, "base", baseOf(name));
  appendMember(m_text, "type", key.typeName);
  ttl(key);
}

void RowWriter::ttl(const Key& key) {
  if (!key.ttl.empty()) m_text += ",\"ttl\":" + key.ttl;
}

void RowWriter::item(const Key& key, const Element& element) {
  beginRow(element.line != 0 ? element.line : key.line);
  head(key);
  m_text += fmt::format(",\"index\":{}", m_count - 1);
  if (key.type == KeyType::Hash) {
    const bool isText = element.field.kind == Value::Kind::Text;
    appendMember(m_text, isText ? "field" : "field_base64", element.field.text);
  }
  if (!element.score.empty()) appendMember(m_text, "score", element.score);
  if (!element.id.empty()) appendMember(m_text, "id", element.id);
  if (element.value.kind == Value::Kind::Bytes) {
    appendMember(m_text, "base64", element.value.text);
  } else {
    m_text += ",\"value\":";
    appendEmbedded(m_text, element.value);
  }
  if (key.type == KeyType::Hash) places(m_index->placesOfField(key.db, element.field.content()));
  if (key.type == KeyType::String) places(m_index->placesOfText(key.db, key.name.content()));
  endRow();
}

void RowWriter::places(const MemberPlaces& found) {
  if (!m_layout.wantsPlaces) return;
  const std::size_t from = m_text.size();
  std::string names;
  m_text += ",\"places\":[";
  for (const MemberPlace& place : found.places) {
    const std::string_view name = behindLastColon(place.key);
    if (!names.empty()) m_text += ',';
    m_text += "{\"key\":";
    appendQuoted(m_text, place.key);
    appendMember(m_text, "name", name);
    if (!place.score.empty()) appendMember(m_text, "score", place.score);
    m_text += '}';
    names += (names.empty() ? "" : " ") + std::string(name);
    if (m_text.size() - from > kMaxPlacesBytes) break;
  }
  m_text += ']';
  appendMember(m_text, "place", names);
  if (found.tooMany || m_text.size() - from > kMaxPlacesBytes)
    m_rowFault = fmt::format(
        "more lists and sets than can be told have it as a member ({} and more)", kMaxPlaces);
}

void RowWriter::hashRow(const Key& key) {
  if (m_fields.size() > kMaxHashBytes) {
    tell(key.line, "key", key.name.text,
         fmt::format("a hash of more than {} bytes is too long for one row; read it with \"rows\": "
                     "\"items\"",
                     kMaxHashBytes),
         rawOf(key));
    return;
  }
  const HashName name = m_index->nameOfHash(key.db, key.name.text);
  beginRow(key.line);
  head(key);
  appendMember(m_text, "id", name.id);
  appendMember(m_text, "name", name.name);
  m_text += ",\"fields\":{" + m_fields + '}';
  places(name.places);
  endRow();
}

void RowWriter::keyRow(const Key& key) {
  std::uint64_t count = key.type == KeyType::None ? 0 : m_count;
  beginRow(key.line);
  if (key.type == KeyType::Count) {
    const auto parsed = std::from_chars(m_fields.data(), m_fields.data() + m_fields.size(), count);
    if (parsed.ec != std::errc() || parsed.ptr != m_fields.data() + m_fields.size() || m_count != 1)
      m_rowFault = "no number of elements";
  }
  head(key);
  m_text += fmt::format(",\"count\":{}", count);
  const std::string& name = key.name.text;
  if (baseOf(name).size() == name.size())
    m_text += fmt::format(",\"count_all\":{}", count + m_index->countBesides(key.db, name));
  const std::string_view by = m_index->namedBy(key.db, name);
  if (!by.empty()) appendMember(m_text, "named_by", by);
  if (!m_least.empty()) appendMember(m_text, "first_score", m_least);
  if (!m_most.empty()) appendMember(m_text, "last_score", m_most);
  endRow();
}

void RowWriter::defect(const Defect& defect) {
  const bool isElse = m_isInKey ? !m_isWanted : !defect.key.empty() && !fits(defect.key);
  if (defect.endsKey) {
    m_isInKey = false;
  } else {
    ++m_count;
    m_isBroken = true;
  }
  // The number of elements is right also where one of them is too long.
  const bool isCounted = m_layout.rows == RedisRows::Keys && !defect.endsKey;
  if (!isElse && !isCounted)
    tell(defect.line, defect.key.empty() ? "" : "key", defect.key, defect.reason, defect.raw);
}

void RowWriter::tell(std::uint64_t line, std::string_view column, std::string_view value,
                     std::string_view reason, std::string_view raw) {
  m_text += fmt::format("\x16{}\x1F\x15", line);
  for (const std::string_view part : {column, value, reason, raw}) {
    const std::string bounded = toValidUtf8(part.substr(0, kDefectBytes));
    for (const char c : bounded) m_text += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    m_text += '\x1F';
  }
  m_text += '\n';
}

void RowWriter::end() {
  if (m_layout.rows != RedisRows::Keys) return;
  for (const AbsentQueue& queue : m_index->absentQueues()) {
    if (!fits(queue.key)) continue;
    Key key;
    key.line = queue.line;
    key.db = queue.db;
    key.name = textValue(queue.key);
    key.type = KeyType::None;
    key.typeName = "none";
    m_count = 0;
    m_least.clear();
    m_most.clear();
    keyRow(key);
  }
}

}  // namespace counterfoil::redis
