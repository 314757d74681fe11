// SPDX-License-Identifier: GPL-3.0-or-later
// What `rdb --command json` of redis-rdb-tools writes: [{"key":value,…},…], an object a database.
// It tells neither types nor times to live. And what `redis-cli --json` answers for one key.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "importers/redis/dump_reader.h"
#include "importers/redis/element_walk.h"
#include "importers/redis/values.h"

namespace counterfoil::redis {

namespace {

constexpr std::size_t kMaxNameBytes = kMaxKeyBytes * 6 + 2;

/// Values one after the other, each of a key. Not a line, but the whole text is at fault where it
/// breaks.
class KeyedValues : public DumpReader {
 public:
  KeyedValues(std::unique_ptr<ByteSource> source, ElementWalk::Guess guess)
      : m_guess(guess), m_source(std::move(source)), m_cursor(*m_source) {}

  Result<Event> next() final {
    if (m_fault) return fail(*m_fault);
    Result<Event> event = m_isInValue ? nextElement() : nextKey();
    if (!event) m_fault = event.error();
    return event;
  }
  void skipElements() final { m_skips = true; }
  [[nodiscard]] std::uint64_t passed() const final { return m_cursor.passed(); }

 protected:
  /// Goes to the next value. False: there is none.
  virtual Result<bool> toKey() = 0;
  /// Behind a value.
  virtual Result<> behindValue() = 0;
  /// The type the value at hand is known to be of.
  [[nodiscard]] virtual KeyType knownType() const = 0;
  /// Of a type that an object of numbers turned out not to be.
  virtual void settleType(bool /*allNumbers*/) {}

  ValueCursor& cursor() { return m_cursor; }

 private:
  Result<Event> nextKey() {
    const Result<bool> found = toKey();
    if (!found) return fail(found.error());
    if (!*found) return Event::End;
    const Result<KeyType> type = m_walk.begin(m_cursor, knownType(), m_guess);
    if (!type) return fail(type.error());
    key.type = *type;
    key.typeName = std::string(nameOf(*type));
    m_isInValue = true;
    m_skips = false;
    return Event::Key;
  }

  Result<Event> nextElement() {
    if (m_skips) {
      if (const Result<> skipped = m_walk.skip(); !skipped) return fail(skipped.error());
      return endKey();
    }
    const Result<ElementWalk::Step> step = m_walk.next(element);
    if (!step) return fail(step.error());
    if (m_guess == ElementWalk::Guess::Rdb) element.line = key.line;
    switch (*step) {
      case ElementWalk::Step::Element:
        return Event::Element;
      case ElementWalk::Step::Defect:
        defect = {element.line, m_walk.defect(), rawOf(key), key.name.text, false};
        return Event::Defect;
      case ElementWalk::Step::End:
        break;
    }
    return endKey();
  }

  Result<Event> endKey() {
    m_isInValue = false;
    settleType(m_walk.allNumbers());
    key.typeName = std::string(nameOf(key.type));
    if (const Result<> behind = behindValue(); !behind) return fail(behind.error());
    return Event::KeyEnd;
  }

  ElementWalk::Guess m_guess;
  std::unique_ptr<ByteSource> m_source;
  ValueCursor m_cursor;
  ElementWalk m_walk;
  std::optional<Error> m_fault;
  bool m_isInValue = false;
  bool m_skips = false;
};

class RdbJson final : public KeyedValues {
 public:
  RdbJson(std::unique_ptr<ByteSource> source, const NumberHashes& hashes)
      : KeyedValues(std::move(source), ElementWalk::Guess::Rdb), m_hashes(hashes) {}

 private:
  Result<bool> toKey() override {
    if (!m_isBegun) {
      if (const Result<> begun = begin(); !begun) return fail(begun.error());
    }
    while (!m_hasKeys) {
      if (!m_hasDatabases) return end();
      if (const Result<> opened = openDatabase(); !opened) return fail(opened.error());
    }
    if (const Result<> named = cursor().name(m_text, kMaxNameBytes); !named)
      return fail(named.error());
    std::optional<Value> name = nameValue(m_text);
    if (!name) return fail(cursor().faultHere("a key that is not valid JSON"));
    key = Key();
    key.line = cursor().line();
    key.db = fmt::format("{}", m_database);
    key.name = std::move(*name);
    m_isNumberHash = std::binary_search(m_hashes.begin(), m_hashes.end(), m_key);
    ++m_key;
    return true;
  }

  Result<> begin() {
    m_isBegun = true;
    const Result<char> first = cursor().need();
    if (!first) return fail(first.error());
    m_isArray = *first == '[';
    m_hasDatabases = true;
    if (!m_isArray) return {};
    cursor().skipOne();
    const Result<bool> closed = cursor().closesAtOnce(']');
    if (!closed) return fail(closed.error());
    m_hasDatabases = !*closed;
    return {};
  }

  Result<> openDatabase() {
    if (const Result<> opened = cursor().take('{'); !opened) return opened;
    const Result<bool> closed = cursor().closesAtOnce('}');
    if (!closed) return fail(closed.error());
    m_hasKeys = !*closed;
    return m_hasKeys ? Result<>() : closeDatabase();
  }

  Result<> closeDatabase() {
    m_hasKeys = false;
    ++m_database;
    m_hasDatabases = false;
    if (!m_isArray) return {};
    const Result<bool> more = cursor().another(']');
    if (!more) return fail(more.error());
    m_hasDatabases = *more;
    return {};
  }

  Result<bool> end() {
    const Result<std::optional<char>> behind = cursor().peek();
    if (!behind) return fail(behind.error());
    if (*behind) return fail(cursor().faultHere("more behind the end of the dump"));
    return false;
  }

  Result<> behindValue() override {
    const Result<bool> more = cursor().another('}');
    if (!more) return fail(more.error());
    return *more ? Result<>() : closeDatabase();
  }

  [[nodiscard]] KeyType knownType() const override {
    return m_isNumberHash ? KeyType::Hash : KeyType::Unknown;
  }
  void settleType(bool allNumbers) override {
    if (key.type == KeyType::Zset && !allNumbers) key.type = KeyType::Hash;
  }

  const NumberHashes& m_hashes;
  std::string m_text;
  std::uint64_t m_key = 0;
  std::uint64_t m_database = 0;
  bool m_isBegun = false;
  bool m_isArray = false;
  bool m_hasDatabases = false;  ///< another one follows
  bool m_hasKeys = false;       ///< another one follows in the database at hand
  bool m_isNumberHash = false;
};

class CliJson final : public KeyedValues {
 public:
  CliJson(std::unique_ptr<ByteSource> source, const std::string& name, KeyType type)
      : KeyedValues(std::move(source), ElementWalk::Guess::Cli), m_name(name), m_type(type) {}

 private:
  Result<bool> toKey() override {
    const Result<std::optional<char>> first = cursor().peek();
    if (!first) return fail(first.error());
    if (!*first) return false;
    if (m_isRead)
      return fail(cursor().faultHere("a second answer; a file holds the answer for one key"));
    m_isRead = true;
    key = Key();
    key.line = cursor().line();
    key.name = textValue(m_name);
    return true;
  }
  Result<> behindValue() override { return {}; }
  [[nodiscard]] KeyType knownType() const override { return m_type; }

  std::string m_name;
  KeyType m_type;
  bool m_isRead = false;
};

}  // namespace

std::unique_ptr<DumpReader> readRdbJson(std::unique_ptr<ByteSource> source,
                                        const NumberHashes& hashes) {
  return std::make_unique<RdbJson>(std::move(source), hashes);
}

std::unique_ptr<DumpReader> readCliJson(std::unique_ptr<ByteSource> source, const std::string& key,
                                        KeyType type) {
  return std::make_unique<CliJson>(std::move(source), key, type);
}

}  // namespace counterfoil::redis
