// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/redis/element_walk.h"

#include <fmt/format.h>

#include "importers/readers/json_row.h"
#include "importers/redis/values.h"

namespace counterfoil::redis {

namespace {

constexpr std::size_t kMaxStreamFields = 4096;

bool isNumber(std::string_view written) {
  if (written == "Infinity") return true;  // as rdb-tools writes the largest score
  return !written.empty() &&
         (written.front() == '-' || (written.front() >= '0' && written.front() <= '9'));
}

bool isContainer(char c) {
  return c == '{' || c == '[';
}

/// An entry's fields, {"f": "v"} or ["f", "v"], as a JSON object of texts. Nothing: they are
/// neither.
std::optional<Value> entryFields(std::string_view written) {
  if (written.empty() || !isContainer(written.front())) return std::nullopt;
  const bool isObject = written.front() == '{';
  const std::vector<JsonElement> parts = jsonElements(written, kMaxStreamFields);
  if (parts.size() == kMaxStreamFields || (!isObject && parts.size() % 2 != 0)) return std::nullopt;
  Value fields{Value::Kind::Json, "{", {}};
  for (std::size_t i = 0; i < parts.size(); i += isObject ? 1 : 2) {
    const std::optional<Value> name =
        isObject ? nameValue('"' + std::string(parts[i].key) + '"') : valueOf(parts[i].value);
    const std::optional<Value> value = valueOf(parts[isObject ? i : i + 1].value);
    if (!name || !value || name->kind != Value::Kind::Text) return std::nullopt;
    if (i > 0) fields.text += ',';
    appendQuoted(fields.text, name->text);
    fields.text += ':';
    appendEmbedded(fields.text, *value);
  }
  fields.text += '}';
  return fields;
}

}  // namespace

Result<KeyType> ElementWalk::begin(ValueCursor& cursor, KeyType type, Guess guess) {
  *this = ElementWalk();
  m_cursor = &cursor;
  m_type = type;
  const Result<char> first = cursor.need();
  if (!first) return fail(first.error());
  m_line = cursor.line();
  const bool holdsOne = type == KeyType::String || type == KeyType::Other ||
                        type == KeyType::None || type == KeyType::Count;
  if (holdsOne || !isContainer(*first)) {
    m_isSingle = true;
    m_more = true;
    if (type != KeyType::Unknown) {
      if (!holdsOne) return fail(notOfType());
      return m_type;
    }
    m_type = KeyType::String;
    if (*first == 'n') m_type = KeyType::None;
    return m_type;
  }
  m_isObject = *first == '{';
  cursor.skipOne();
  const Result<bool> closed = cursor.closesAtOnce(m_isObject ? '}' : ']');
  if (!closed) return fail(closed.error());
  m_more = !*closed;
  if (*closed && guess == Guess::Cli) m_type = KeyType::None;  // what is empty does not exist
  if (m_type == KeyType::Unknown) {
    if (const Result<> looked = look(guess); !looked) return fail(looked.error());
  }
  return m_type;
}

/// The type by the first element.
Result<> ElementWalk::look(Guess guess) {
  m_type = m_isObject ? KeyType::Hash : KeyType::List;
  if (!m_more) return {};
  const Result<Load> loaded = load();
  if (!loaded) return fail(loaded.error());
  if (*loaded == Load::TooLong) return fail(ErrorCode::Limit, m_defect);
  m_isPending = true;
  if (m_isObject) {
    if (guess == Guess::Rdb && isNumber(m_value)) m_type = KeyType::Zset;
    return {};
  }
  if (m_value.front() != '[') return {};
  if (!valueOf(m_value)) return fail(m_cursor->faultHere("an element that is not valid JSON"));
  const std::vector<JsonElement> pair = jsonElements(m_value, 3);
  if (pair.size() != 2) return {};
  if (isNumber(pair[1].value)) m_type = KeyType::Zset;
  if (isContainer(pair[1].value.front())) m_type = KeyType::Stream;
  return {};
}

/// Reads the next name and value as they are written.
Result<ElementWalk::Load> ElementWalk::load() {
  if (m_isPending) {
    m_isPending = false;
    return Load::Loaded;
  }
  if (!m_more) return Load::End;
  Load load = Load::Loaded;
  const Result<char> first = m_cursor->need();
  if (!first) return fail(first.error());
  m_line = m_cursor->line();
  if (m_isObject) {
    if (const Result<> named = m_cursor->name(m_name, kMaxElementBytes); !named)
      return fail(named.error());
  }
  Result<> read = m_cursor->value(m_value, kMaxElementBytes);
  if (!read && read.error().code == ErrorCode::Limit) {
    load = Load::TooLong;
    m_defect = fmt::format("an element of more than {} bytes", kMaxElementBytes);
    read = m_cursor->skipValue();
  }
  if (!read) return fail(read.error());
  m_allNumbers = m_allNumbers && load == Load::Loaded && isNumber(m_value);
  if (m_isSingle) {
    m_more = false;
    return load;
  }
  const Result<bool> more = m_cursor->another(m_isObject ? '}' : ']');
  if (!more) return fail(more.error());
  m_more = *more;
  return load;
}

Result<ElementWalk::Step> ElementWalk::next(Element& element) {
  const Result<Load> loaded = load();
  if (!loaded) return fail(loaded.error());
  if (*loaded == Load::End) return Step::End;
  element = Element();
  element.line = m_line;
  if (*loaded == Load::TooLong) return Step::Defect;
  return shape(element);
}

Result<> ElementWalk::skip() {
  while (true) {
    const Result<Load> loaded = load();
    if (!loaded) return fail(loaded.error());
    if (*loaded == Load::End) return {};
  }
}

Result<ElementWalk::Step> ElementWalk::shape(Element& element) {
  switch (m_type) {
    case KeyType::Unknown:
    case KeyType::String:
    case KeyType::Other:
    case KeyType::None:
    case KeyType::Count:
      return oneValue(element);
    case KeyType::List:
    case KeyType::Set:
      if (m_isObject) return fail(notOfType());
      return oneValue(element);
    case KeyType::Zset:
    case KeyType::Hash:
    case KeyType::Stream:
      return m_isObject ? shapeMember(element) : shapePair(element);
  }
  return fail(notOfType());
}

Result<ElementWalk::Step> ElementWalk::oneValue(Element& element) {
  std::optional<Value> value = valueOf(m_value);
  if (!value) return fail(m_cursor->faultHere("an element that is not valid JSON"));
  element.value = std::move(*value);
  return Step::Element;
}

Result<ElementWalk::Step> ElementWalk::shapeMember(Element& element) {
  std::optional<Value> name = nameValue(m_name);
  if (!name) return fail(m_cursor->faultHere("a member name that is not valid JSON"));
  if (m_type == KeyType::Zset) return setScored(element, m_name, m_value);
  if (m_type == KeyType::Stream) {
    element.id = name->text;
    return setEntry(element, m_value);
  }
  element.field = std::move(*name);
  return oneValue(element);
}

/// [member, score], [field, value], [id, fields], or two elements one behind the other.
Result<ElementWalk::Step> ElementWalk::shapePair(Element& element) {
  if (m_value.front() == '[') {
    if (!valueOf(m_value)) return fail(m_cursor->faultHere("an element that is not valid JSON"));
    const std::vector<JsonElement> pair = jsonElements(m_value, 3);
    if (pair.size() != 2) return defective("an element that is no pair");
    m_name = std::string(pair[0].value);
    m_other = std::string(pair[1].value);
  } else {
    m_name = m_value;
    const Result<Load> loaded = load();
    if (!loaded) return fail(loaded.error());
    if (*loaded == Load::TooLong) return Step::Defect;
    if (*loaded == Load::End)
      return fail(m_cursor->faultHere("the last element has no value beside it"));
    m_other = m_value;
  }
  if (m_type == KeyType::Zset) return setScored(element, m_name, m_other);
  std::optional<Value> name = valueOf(m_name);
  if (!name) return fail(m_cursor->faultHere("an element that is not valid JSON"));
  if (m_type == KeyType::Stream) {
    element.id = name->text;
    return setEntry(element, m_other);
  }
  element.field = std::move(*name);
  m_value.swap(m_other);
  return oneValue(element);
}

Result<ElementWalk::Step> ElementWalk::setEntry(Element& element, std::string_view written) {
  if (!valueOf(written)) return fail(m_cursor->faultHere("an entry that is not valid JSON"));
  std::optional<Value> fields = entryFields(written);
  if (!fields)
    return defective("an entry whose fields are neither an object nor names and values in turn");
  element.value = std::move(*fields);
  return Step::Element;
}

Result<ElementWalk::Step> ElementWalk::setScored(Element& element, std::string_view member,
                                                 std::string_view score) {
  std::optional<Value> name = nameValue(member);
  // rdb-tools writes the largest doubles as words that are no JSON.
  const bool isWord = score == "Infinity" || score == "-Infinity";
  const std::optional<Value> written = isWord ? textValue(score) : valueOf(score);
  if (!name || !written) return fail(m_cursor->faultHere("an element that is not valid JSON"));
  const std::optional<std::string> plain =
      written->kind == Value::Kind::Text ? plainScore(written->text) : std::nullopt;
  if (!plain) return defective("a score that is no number");
  element.value = std::move(*name);
  element.score = *plain;
  return Step::Element;
}

ElementWalk::Step ElementWalk::defective(std::string reason) {
  m_defect = std::move(reason);
  return Step::Defect;
}

Error ElementWalk::notOfType() {
  return m_cursor->faultHere(fmt::format("the value is not what a {} is written as",
                                         nameOf(m_type).empty() ? "key" : nameOf(m_type)));
}

}  // namespace counterfoil::redis
