// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/redis/redis_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "importers/redis/memory_source.h"
#include "importers/redis/row_writer.h"
#include "importers/redis/value_cursor.h"
#include "importers/redis/values.h"

namespace counterfoil {

namespace {

using namespace redis;

constexpr std::size_t kStepBytes = 64u << 10;    // of rows that are made at once
constexpr std::uint64_t kHeadBytes = 64u << 20;  // of a dump that is only looked at
constexpr std::size_t kNamesLookedAt = 200;

/// Names of keys that only a Redis server has.
constexpr std::array<std::string_view, 7> kKeyStarts = {
    "queue:", "stat:", "bull:", "arq:", "dramatiq:", "celery-task-meta-", "_kombu.binding."};

bool startsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

/// Whether the object at hand has what redis-dump writes, as far as the text goes.
bool isDumpRecord(ValueCursor& cursor) {
  bool hasKey = false, hasType = false, hasNumber = false;
  if (!cursor.take('{') || cursor.closesAtOnce('}').value_or(true)) return false;
  std::string text;
  for (bool more = true; more;) {
    if (!cursor.name(text, kMaxKeyBytes)) return false;
    const std::optional<Value> name = nameValue(text);
    if (!name) return false;
    if (name->text == "value" && hasKey && hasType && hasNumber) return true;
    if (!cursor.value(text, kHeadBytes)) return false;  // it goes on behind the head
    const std::optional<Value> value = valueOf(text);
    if (!value) return false;
    if (name->text == "key")
      hasKey = value->kind == Value::Kind::Text || value->kind == Value::Kind::Bytes;
    if (name->text == "type")
      hasType = isRedisType(toLowerAscii(value->text)) || value->text == "none";
    if (name->text == "db" || name->text == "ttl")
      hasNumber = hasNumber || value->text.find_first_not_of("-0123456789") == std::string::npos;
    more = cursor.another('}').value_or(false);
  }
  return false;
}

/// Whether the members of the object at hand have names of keys, as far as the text goes.
bool holdsKeys(ValueCursor& cursor, bool anyColon) {
  if (!cursor.take('{') || cursor.closesAtOnce('}').value_or(true)) return false;
  std::string text;
  for (std::size_t i = 0; i < kNamesLookedAt; ++i) {
    if (!cursor.name(text, kMaxKeyBytes)) return false;
    const std::optional<Value> name = nameValue(text);
    if (!name) return false;
    if (anyColon && name->text.find(':') != std::string::npos) return true;
    for (const std::string_view start : kKeyStarts) {
      if (startsWith(name->text, start)) return true;
    }
    if (!cursor.skipValue() || !cursor.another('}').value_or(false)) return false;
  }
  return false;
}

std::unique_ptr<DumpReader> readerOf(const RedisLayout& layout, std::unique_ptr<ByteSource> source,
                                     const NumberHashes& hashes, KeyType type) {
  switch (layout.form) {
    case RedisForm::DumpLines:
      return readDumpLines(std::move(source));
    case RedisForm::RdbJson:
      return readRdbJson(std::move(source), hashes);
    case RedisForm::CliJson:
      return readCliJson(std::move(source), layout.key, type);
    case RedisForm::CliText:
      return readCliText(std::move(source), layout.key, type);
  }
  return nullptr;
}

bool isCli(RedisForm form) {
  return form == RedisForm::CliJson || form == RedisForm::CliText;
}

/// Makes rows as they are asked for.
class RedisSource final : public ByteSource {
 public:
  RedisSource(const RedisLayout& layout, FileNature nature, RedisIndex index)
      : m_nature(std::move(nature)),
        m_index(std::move(index)),
        m_rows(layout, m_index),
        m_mostBytes(layout.headOnly ? kHeadBytes : UINT64_MAX) {
    m_nature.seekable = false;
  }
  void setOver() { m_isOver = true; }
  void setReader(std::unique_ptr<DumpReader> reader) { m_reader = std::move(reader); }

  [[nodiscard]] const FileNature& nature() const override { return m_nature; }
  Result<std::size_t> readAt(std::uint64_t, char*, std::size_t) const override {
    return fail(ErrorCode::Internal, "readAt on a file that is read as a stream");
  }
  Result<std::size_t> read(std::string& out, std::size_t count) override {
    std::string& made = m_rows.text();
    if (m_given == made.size() && count > 0) make(std::min(count, kStepBytes));
    const std::size_t size = std::min(count, made.size() - m_given);
    out.append(made, m_given, size);
    m_given += size;
    if (size == 0 && count > 0 && m_fault) return fail(*m_fault);
    return size;
  }

 private:
  void make(std::size_t bytes) {
    m_rows.text().clear();
    m_given = 0;
    while (!m_isOver && !m_fault && m_rows.text().size() < bytes) {
      m_isOver = m_reader->passed() > m_mostBytes;
      if (m_isOver) return;
      const Result<Event> event = m_reader->next();
      if (!event) {
        m_fault = event.error();
      } else {
        take(*event);
      }
    }
  }

  void take(Event event) {
    switch (event) {
      case Event::Key:
        if (!m_rows.beginKey(m_reader->key)) m_reader->skipElements();
        return;
      case Event::Element:
        m_rows.element(m_reader->key, m_reader->element);
        return;
      case Event::KeyEnd:
        m_rows.endKey(m_reader->key);
        return;
      case Event::Defect:
        m_rows.defect(m_reader->defect);
        return;
      case Event::End:
        m_rows.end();
        m_isOver = true;
        return;
    }
  }

  FileNature m_nature;
  RedisIndex m_index;
  RowWriter m_rows;
  std::unique_ptr<DumpReader> m_reader;
  std::uint64_t m_mostBytes;
  std::size_t m_given = 0;
  bool m_isOver = false;
  std::optional<Error> m_fault;
};

Result<RedisIndex> indexOf(const RedisLayout& layout, const SourceOpener& open) {
  Result<std::unique_ptr<ByteSource>> source = open();
  if (!source) return fail(source.error());
  const NumberHashes none;
  const auto reader = readerOf(layout, std::move(*source), none, KeyType::Unknown);
  const bool wantsPlaces = layout.wantsPlaces || layout.rows == RedisRows::Hashes;
  return DumpIndex::make(*reader, {wantsPlaces, layout.headOnly ? kHeadBytes : UINT64_MAX});
}

/// What the first reading has to find, unless it was found before.
Result<> settleIndex(const RedisLayout& layout, const SourceOpener& open, RedisIndex& index) {
  if (index != nullptr) {
    const DumpLook& look = index->look();
    const bool wantsPlaces = layout.wantsPlaces || layout.rows == RedisRows::Hashes;
    const bool isWhole = look.maxBytes == UINT64_MAX;
    if ((look.wantsPlaces || !wantsPlaces) && (isWhole || layout.headOnly)) return {};
  }
  Result<RedisIndex> made = indexOf(layout, open);
  if (!made) return fail(made.error());
  index = std::move(*made);
  return {};
}

Result<KeyType> cliTypeOf(const RedisLayout& layout, const SourceOpener& open) {
  if (!layout.type.empty() || layout.form == RedisForm::CliJson) return keyTypeOf(layout.type);
  const Result<std::unique_ptr<ByteSource>> source = open();
  if (!source) return fail(source.error());
  return typeOfCliText(**source);
}

/// A head without any key that is wanted need not be read again: formats are asked about it one by
/// one.
bool hasNothing(const RedisLayout& layout, const DumpIndex& index) {
  if (!layout.headOnly || !index.headKeys()) return false;
  const auto isWanted = [&](const std::string& key) { return fitsKeys(layout, key); };
  return std::none_of(index.headKeys()->begin(), index.headKeys()->end(), isWanted) &&
         std::none_of(index.absentQueues().begin(), index.absentQueues().end(),
                      [&](const AbsentQueue& queue) { return isWanted(queue.key); });
}

}  // namespace

std::optional<RedisForm> redisFormOf(std::string_view head) {
  const std::size_t start = std::min(head.find_first_not_of(" \t\r\n\x1E"), head.size());
  head.remove_prefix(start);
  if (head.empty() || (head.front() != '{' && head.front() != '[')) return std::nullopt;
  const bool isArray = head.front() == '[';
  if (isArray) head.remove_prefix(1);
  MemorySource lines(head);
  ValueCursor record(lines);
  if (isDumpRecord(record)) return RedisForm::DumpLines;
  MemorySource values(head);
  ValueCursor database(values);
  const bool isWrittenSo = startsWith(head, "{\r\n\"");  // as rdb-tools breaks its lines
  if (isArray && holdsKeys(database, isWrittenSo)) return RedisForm::RdbJson;
  return std::nullopt;
}

Result<RedisForm> cliFormOf(const SourceOpener& open) {
  const Result<std::unique_ptr<ByteSource>> source = open();
  if (!source) return fail(source.error());
  ValueCursor cursor(**source);
  const Result<std::optional<char>> first = cursor.peek();
  if (!first) return fail(first.error());
  if (!*first || std::string_view("[{\"").find(**first) == std::string_view::npos)
    return RedisForm::CliText;
  const Result<> passed = cursor.skipValue();
  if (!passed && passed.error().code != ErrorCode::Format) return fail(passed.error());
  const Result<std::optional<char>> behind = cursor.peek();
  if (!behind) return fail(behind.error());
  // A first line that is JSON, and more behind it: lines that are JSON each. What is cut off is one
  // value.
  return passed && *behind ? RedisForm::CliText : RedisForm::CliJson;
}

bool isRedisType(std::string_view name) {
  const KeyType type = keyTypeOf(name);
  return type != KeyType::Unknown && type != KeyType::Other && type != KeyType::None;
}

Result<std::unique_ptr<ByteSource>> transcodeRedis(const RedisLayout& layout,
                                                   const SourceOpener& open, RedisIndex& index) {
  KeyType type = KeyType::Unknown;
  RedisIndex used = std::make_shared<const DumpIndex>();
  if (isCli(layout.form)) {
    const Result<KeyType> found = cliTypeOf(layout, open);
    if (!found) return fail(found.error());
    type = *found;
  } else {
    if (const Result<> settled = settleIndex(layout, open, index); !settled)
      return fail(settled.error());
    used = index;
  }
  Result<std::unique_ptr<ByteSource>> source = open();
  if (!source) return fail(source.error());
  FileNature nature = (*source)->nature();
  auto rows = std::make_unique<RedisSource>(layout, std::move(nature), used);
  if (hasNothing(layout, *used)) rows->setOver();
  rows->setReader(readerOf(layout, std::move(*source), used->numberHashes(), type));
  return rows;
}

}  // namespace counterfoil
