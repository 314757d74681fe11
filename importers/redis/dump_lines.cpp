// SPDX-License-Identifier: GPL-3.0-or-later
// What redis-dump writes, and scripts in its manner:
// {"db":0,"key":"a","ttl":-1,"type":"list","value":[…]}, one a line, in an array, or printed over
// several lines.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/base/text.h"
#include "importers/redis/dump_reader.h"
#include "importers/redis/element_walk.h"
#include "importers/redis/memory_source.h"
#include "importers/redis/values.h"

namespace counterfoil::redis {

namespace {

constexpr std::size_t kMaxHeldBytes = 64u << 20;  // of a value that stands before its key or type
constexpr std::size_t kMaxHeadBytes = kMaxKeyBytes * 6 + 2;
constexpr std::size_t kRawBytes = 200;

bool isNumber(std::string_view text, std::size_t mostDigits) {
  if (!text.empty() && text.front() == '-') text.remove_prefix(1);
  return !text.empty() && text.size() <= mostDigits &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

class DumpLines final : public DumpReader {
 public:
  explicit DumpLines(std::unique_ptr<ByteSource> source)
      : m_source(std::move(source)), m_cursor(*m_source) {}

  Result<Event> next() override {
    while (true) {
      Result<std::optional<Event>> done = step();
      if (done && *done) return **done;
      if (!done) {
        const Result<Event> told = recover(done.error());
        if (!told) m_fault = told.error();
        return told;
      }
    }
  }
  void skipElements() override { m_skips = true; }
  [[nodiscard]] std::uint64_t passed() const override { return m_cursor.passed(); }

 private:
  enum class Stage : std::uint8_t { Start, Record, Value, Tail };

  using Step = Result<std::optional<Event>>;

  Step step() {
    if (m_fault) return fail(*m_fault);
    switch (m_stage) {
      case Stage::Start:
        return start();
      case Stage::Record:
        return record();
      case Stage::Value:
        return value();
      case Stage::Tail:
        return tail();
    }
    return fail(ErrorCode::Internal, "a dump in no state");
  }

  Step start() {
    const Result<std::optional<char>> first = m_cursor.peek();
    if (!first) return fail(first.error());
    m_stage = Stage::Record;
    m_isArray = *first && **first == '[';
    if (!m_isArray) return std::optional<Event>();
    m_cursor.skipOne();
    const Result<bool> closed = m_cursor.closesAtOnce(']');
    if (!closed) return fail(closed.error());
    m_isOver = *closed;
    return std::optional<Event>();
  }

  Step record() {
    m_cursor.setOneLine(false);
    const Result<std::optional<char>> first = m_isArray && !m_isOver ? needed() : m_cursor.peek();
    if (!first) return fail(first.error());
    m_isInRecord = false;
    m_raw = m_cursor.ahead(kRawBytes);
    m_line = m_cursor.line();
    if (!*first) return std::optional(Event::End);
    if (m_isArray && m_isOver) return fail(m_cursor.faultHere("more behind the end of the array"));
    m_isInRecord = true;
    if (**first == '\x1E') {  // the record separator of JSON text sequences
      m_cursor.skipOne();
      return std::optional<Event>();
    }
    m_isPretty = m_isClosed = m_hasKey = false;
    m_cursor.setOneLine(!m_isArray);
    if (const Result<> opened = m_cursor.take('{'); !opened) return fail(opened.error());
    if (const Result<> settled = settleLines(); !settled) return fail(settled.error());
    beginKey();
    const Result<bool> closed = m_cursor.closesAtOnce('}');
    if (!closed) return fail(closed.error());
    return members(!*closed);
  }

  Result<std::optional<char>> needed() {
    const Result<char> first = m_cursor.need();
    if (!first) return fail(first.error());
    return std::optional<char>(*first);
  }

  /// A record whose first member stands in a line of its own is printed over several lines; others
  /// end with theirs.
  Result<> settleLines() {
    const Result<std::optional<char>> next = m_cursor.peekInLine();
    if (!next) return fail(next.error());
    m_isPretty = *next && **next == '\n';
    m_cursor.setOneLine(!m_isArray && !m_isPretty);
    return {};
  }

  void beginKey() {
    key = Key();
    key.line = m_line;
    m_hasKey = m_hasType = m_hasTtl = m_hasDb = m_hasValue = false;
    m_isHeld = m_skips = m_isBegun = m_isClosed = false;
  }

  /// Members up to a value that can be read as it comes, or to the end of the record.
  Step members(bool more) {
    while (more) {
      if (const Result<> named = m_cursor.name(m_text, kMaxHeadBytes); !named)
        return fail(named.error());
      const std::optional<Value> name = nameValue(m_text);
      if (!name) return fail(m_cursor.faultHere("a member name that is not valid JSON"));
      if (name->text == "value") {
        if (m_hasValue) return fail(m_cursor.faultHere("a second \"value\""));
        m_hasValue = true;
        if (m_hasKey && m_hasType && m_hasTtl && m_hasDb) return beginValue(m_cursor);
        const Result<> held = m_cursor.value(m_held, kMaxHeldBytes);
        if (!held) return fail(held.error());
        m_isHeld = true;
      } else if (const Result<> taken = member(name->text); !taken) {
        return fail(taken.error());
      }
      const Result<bool> next = m_cursor.another('}');
      if (!next) return fail(next.error());
      more = *next;
    }
    return closed();
  }

  /// All members were read, and the value is held, or there is none.
  Step closed() {
    m_isClosed = true;
    if (!m_hasKey) return fail(m_cursor.faultHere("an object without a \"key\""));
    if (m_isHeld) {
      m_memory = std::make_unique<MemorySource>(m_held);
      m_heldCursor.emplace(*m_memory);
      return beginValue(*m_heldCursor);
    }
    if (key.type != KeyType::None) return fail(m_cursor.faultHere("an object without a \"value\""));
    m_skips = true;
    m_stage = Stage::Value;
    m_hasValue = false;
    return std::optional(Event::Key);
  }

  Result<> member(const std::string& name) {
    const bool isOurs = name == "key" || name == "type" || name == "ttl" || name == "db";
    if (!isOurs) return m_cursor.skipValue();
    if (const Result<> read = m_cursor.value(m_text, kMaxHeadBytes); !read) return read;
    std::optional<Value> value = valueOf(m_text);
    if (!value) return fail(m_cursor.faultHere(fmt::format("\"{}\" is not valid JSON", name)));
    const bool isText = value->kind == Value::Kind::Text;
    if (name == "key") {
      if (!isText && value->kind != Value::Kind::Bytes)
        return fail(m_cursor.faultHere("\"key\" is no text"));
      key.name = std::move(*value);
      m_hasKey = true;
    } else if (name == "type") {
      if (!isText) return fail(m_cursor.faultHere("\"type\" is no text"));
      key.typeName = toLowerAscii(value->text);
      key.type = keyTypeOf(key.typeName);
      m_hasType = true;
    } else if (name == "db") {
      if (!isText || !isNumber(value->text, 9))
        return fail(m_cursor.faultHere("\"db\" is no number"));
      key.db = value->text;
      m_hasDb = true;
    } else if (isText && isNumber(value->text, 18)) {
      key.ttl = value->text;
      m_hasTtl = true;
    }
    return {};
  }

  Step beginValue(ValueCursor& cursor) {
    m_stage = Stage::Value;
    m_valueCursor = &cursor;
    if (key.type == KeyType::None) m_skips = true;  // it had expired when its value was asked for
    if (key.type == KeyType::Unknown) {
      const Result<KeyType> type = beginWalk();
      if (!type) return fail(type.error());
      key.type = *type;
      key.typeName = std::string(nameOf(*type));
    }
    return std::optional(Event::Key);
  }

  Result<KeyType> beginWalk() {
    m_isBegun = true;
    return m_walk.begin(*m_valueCursor, key.type, ElementWalk::Guess::Rdb);
  }

  Step value() {
    if (m_skips) return skipped();
    if (!m_isBegun) {
      if (const Result<KeyType> type = beginWalk(); !type) return fail(type.error());
    }
    const Result<ElementWalk::Step> step = m_walk.next(element);
    if (!step) return fail(step.error());
    element.line = m_line;
    switch (*step) {
      case ElementWalk::Step::Element:
        return std::optional(Event::Element);
      case ElementWalk::Step::Defect:
        defect = {m_line, m_walk.defect(), rawOf(key), key.name.text, false};
        return std::optional(Event::Defect);
      case ElementWalk::Step::End:
        break;
    }
    m_stage = Stage::Tail;
    return std::optional<Event>();
  }

  /// Elements that nobody wants are passed without a look.
  Step skipped() {
    m_stage = Stage::Tail;
    if (m_isHeld || !m_hasValue) return std::optional<Event>();
    const Result<> passed = m_isBegun ? m_walk.skip() : m_cursor.skipValue();
    if (!passed) return fail(passed.error());
    return std::optional<Event>();
  }

  Step tail() {
    if (!m_isHeld && m_hasValue) {
      Result<bool> more = m_cursor.another('}');
      while (more && *more) {
        if (const Result<> named = m_cursor.name(m_text, kMaxHeadBytes); !named)
          return fail(named.error());
        const std::optional<Value> name = nameValue(m_text);
        if (name && name->text == "value") return fail(m_cursor.faultHere("a second \"value\""));
        if (const Result<> skipped = m_cursor.skipValue(); !skipped) return fail(skipped.error());
        more = m_cursor.another('}');
      }
      if (!more) return fail(more.error());
    }
    return endRecord();
  }

  Step endRecord() {
    m_isClosed = true;
    m_stage = Stage::Record;
    m_held.clear();
    if (m_isArray) {
      const Result<bool> more = m_cursor.another(']');
      if (!more) return fail(more.error());
      m_isOver = !*more;
    } else if (const Result<> ended = endLine(); !ended) {
      return fail(ended.error());
    }
    return std::optional(Event::KeyEnd);
  }

  /// Behind a record of one line comes its end.
  Result<> endLine() {
    const Result<std::optional<char>> next = m_cursor.peekInLine();
    if (!next) return fail(next.error());
    if (!*next || **next == '\n' || m_isPretty) return {};
    return fail(m_cursor.faultHere("more behind the end of the object"));
  }

  /// A line that is broken costs itself; where records are no lines, or the text itself is at
  /// fault, there is no going on.
  Result<Event> recover(const Error& error) {
    const bool isOfText = error.code == ErrorCode::Format || error.code == ErrorCode::Limit;
    if (!isOfText || m_isArray || m_fault || !m_isInRecord) return fail(error);
    m_cursor.setOneLine(false);
    Result<bool> ended = m_cursor.skipLine();
    while (ended && *ended && m_isPretty && !beginsRecord()) ended = m_cursor.skipLine();
    if (!ended) return fail(ended.error());
    if (!*ended && !m_isClosed && error.code == ErrorCode::Format) {
      return fail(ErrorCode::Format, fmt::format("cut off in line {}: {}", m_line, error.message));
    }
    m_stage = Stage::Record;
    defect = {m_line, "not a line of a Redis dump: " + error.message, std::move(m_raw),
              m_hasKey ? key.name.text : std::string(), true};
    return Event::Defect;
  }

  bool beginsRecord() {
    const Result<std::optional<char>> next = m_cursor.peekInLine();
    return !next || !*next || m_cursor.ahead(1) == "{";
  }

  std::unique_ptr<ByteSource> m_source;
  ValueCursor m_cursor;
  std::unique_ptr<ByteSource> m_memory;
  std::optional<ValueCursor> m_heldCursor;
  ElementWalk m_walk;
  ValueCursor* m_valueCursor = nullptr;
  Stage m_stage = Stage::Start;
  std::optional<Error> m_fault;
  bool m_isArray = false;
  bool m_isOver = false;  ///< the array is
  bool m_isInRecord = false;
  bool m_isPretty = false;  ///< the record at hand goes over several lines
  bool m_isClosed = false;  ///< the bracket of the record at hand was met
  bool m_isBegun = false;   ///< the walk is inside of its value
  bool m_isHeld = false;    ///< its value was read before it was known what it is
  bool m_hasKey = false, m_hasType = false, m_hasTtl = false, m_hasDb = false, m_hasValue = false;
  bool m_skips = false;
  std::uint64_t m_line = 0;  ///< where the record at hand begins
  std::string m_raw, m_text, m_held;
};

}  // namespace

std::unique_ptr<DumpReader> readDumpLines(std::unique_ptr<ByteSource> source) {
  return std::make_unique<DumpLines>(std::move(source));
}

}  // namespace counterfoil::redis
