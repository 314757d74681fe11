// SPDX-License-Identifier: GPL-3.0-or-later
// Python pickles as data. A pickle is a program for a stack machine; this machine has the opcodes that
// make plain values, and notes the names of classes without knowing any. Nothing is imported, called
// or built. Values, references and steps are bounded.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/base/utf8.h"
#include "importers/mapping/decoders.h"
#include "importers/mapping/pickle_heap.h"
#include "importers/mapping/value_texts.h"

namespace counterfoil {

namespace {

using Kind = PickleValue::Kind;

constexpr std::size_t kMaxBytes = 16u << 20;
constexpr std::size_t kMaxSteps = 1u << 20;
constexpr unsigned kNewestProtocol = 5;

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Hex digits from `at` as a number; -1 if they are not there.
std::int64_t hexAt(std::string_view text, std::size_t at, std::size_t digits) {
  if (text.size() < at || text.size() - at < digits) return -1;
  std::int64_t value = 0;
  for (const char c : text.substr(at, digits)) {
    const int digit = hexDigit(c);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/// 'it\'s' of protocol 0.
std::optional<std::string> unquoted(std::string_view text) {
  if (text.size() < 2 || text.front() != text.back() || (text.front() != '\'' && text.front() != '"'))
    return std::nullopt;
  text = text.substr(1, text.size() - 2);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    if (++i == text.size()) return std::nullopt;
    static constexpr std::string_view kFrom = "nrt\\'\"", kTo = "\n\r\t\\'\"";
    const std::size_t plain = kFrom.find(text[i]);
    const std::int64_t code = text[i] == 'x' ? hexAt(text, i + 1, 2) : -1;
    if (plain == std::string_view::npos && code < 0) return std::nullopt;
    out += plain != std::string_view::npos ? kTo[plain] : static_cast<char>(code);
    if (code >= 0) i += 2;
  }
  return out;
}

/// \u00e9 and \U0001F600, other bytes as Latin-1.
std::optional<std::string> rawUnicode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool isShort = text.substr(i, 2) == "\\u", isLong = text.substr(i, 2) == "\\U";
    const std::size_t digits = isShort ? 4 : 8;
    const std::int64_t code =
        isShort || isLong ? hexAt(text, i + 2, digits) : static_cast<unsigned char>(text[i]);
    const bool isSurrogate = code >= 0xD800 && code <= 0xDFFF;
    if (code < 0 || code > 0x10FFFF || isSurrogate) return std::nullopt;
    appendUtf8(out, static_cast<char32_t>(code));
    if (isShort || isLong) i += digits + 1;
  }
  return out;
}

/// The digits of a whole number as JSON writes them: no leading zeros.
std::optional<std::string> wholeNumber(std::string_view digits) {
  const bool isNegative = !digits.empty() && digits.front() == '-';
  if (isNegative) digits.remove_prefix(1);
  constexpr std::size_t kMostDigits = 320;
  const bool isWhole = !digits.empty() && digits.size() <= kMostDigits &&
                       digits.find_first_not_of("0123456789") == std::string_view::npos;
  if (!isWhole) return std::nullopt;
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size() - 1));
  return (isNegative && digits != "0" ? "-" : "") + std::string(digits);
}

class Machine {
 public:
  explicit Machine(std::string_view bytes) : m_bytes(bytes) {}

  Result<JsonNode> run() {
    for (std::size_t steps = 0; !m_isStopped; ++steps) {
      if (steps >= kMaxSteps || m_heap.isFull() || m_references > PickleHeap::kMaxReferences)
        return fail(ErrorCode::Format, "the pickle holds more values than can be held");
      if (auto done = step(); !done) return fail(done.error());
    }
    if (m_at < m_bytes.size()) return wrong("more bytes after its end");
    if (m_stack.size() != 1 || !m_marks.empty()) return wrong("it does not end in one value");
    return jsonOfPickle(m_heap, m_stack.back());
  }

 private:
  static tl::unexpected<Error> wrong(std::string_view what) {
    return fail(ErrorCode::Format, fmt::format("not a pickle: {}", what));
  }
  static tl::unexpected<Error> holds(std::string_view what) {
    return fail(ErrorCode::Format, fmt::format("the pickle holds {}", what));
  }
  static tl::unexpected<Error> cutOff() { return fail(ErrorCode::Format, "the pickle is cut off"); }

  Result<std::string_view> take(std::uint64_t count) {
    if (m_bytes.size() - m_at < count) return cutOff();
    const std::string_view taken = m_bytes.substr(m_at, count);
    m_at += count;
    return taken;
  }
  Result<std::string_view> line() {
    const std::size_t end = m_bytes.find('\n', m_at);
    if (end == std::string_view::npos) return cutOff();
    const std::string_view taken = m_bytes.substr(m_at, end - m_at);
    m_at = end + 1;
    return taken;
  }
  /// What a size of so many bytes is the size of.
  Result<std::string_view> sized(std::size_t sizeBytes) {
    auto size = take(sizeBytes);
    if (!size) return size;
    return take(leastFirst(*size));
  }

  Result<> push(Kind kind, std::string text = {}, std::vector<PickleId> items = {}) {
    m_stack.push_back(m_heap.add({kind, std::move(text), std::move(items)}));
    return {};
  }
  /// Values above the last mark, which is taken away.
  Result<std::vector<PickleId>> toMark() {
    if (m_marks.empty()) return wrong("a mark is missing");
    const std::size_t mark = m_marks.back();
    m_marks.pop_back();
    if (mark > m_stack.size()) return wrong("a mark above its values");
    std::vector<PickleId> items(m_stack.begin() + static_cast<std::ptrdiff_t>(mark), m_stack.end());
    m_stack.resize(mark);
    return items;
  }
  Result<PickleId> pop() {
    const bool isMarked = !m_marks.empty() && m_marks.back() == m_stack.size();
    if (m_stack.empty() || isMarked) return wrong("a value is missing");
    const PickleId id = m_stack.back();
    m_stack.pop_back();
    return id;
  }
  Result<> pushTop(std::size_t count) {
    std::vector<PickleId> items(count);
    for (std::size_t i = count; i-- > 0;) {
      auto id = pop();
      if (!id) return fail(id.error());
      items[i] = *id;
    }
    m_references += count;
    return push(Kind::Tuple, {}, std::move(items));
  }
  Result<> pushMarked(Kind kind) {
    auto items = toMark();
    if (!items) return fail(items.error());
    if (kind == Kind::Dict && items->size() % 2 != 0) return wrong("a dict with half a member");
    m_references += items->size();
    return push(kind, {}, std::move(*items));
  }

  Result<> step() {
    auto code = take(1);
    if (!code) return fail(code.error());
    const char op = code->front();
    if (auto done = plain(op)) return std::move(*done);
    if (auto done = number(op)) return std::move(*done);
    if (auto done = text(op)) return std::move(*done);
    if (auto done = container(op)) return std::move(*done);
    if (auto done = memo(op)) return std::move(*done);
    if (auto done = object(op)) return std::move(*done);
    return refusal(op);
  }

  using Done = std::optional<Result<>>;   ///< nothing: another group's opcode

  Done plain(char op) {
    switch (op) {
      case '.':
        m_isStopped = true;
        return Result<>();
      case '(':
        m_marks.push_back(m_stack.size());
        return Result<>();
      case 'N': return push(Kind::Null);
      case '\x88': return push(Kind::Boolean, "true");
      case '\x89': return push(Kind::Boolean, "false");
      case '0': {
        if (!m_marks.empty() && m_marks.back() == m_stack.size()) {   // POP takes a mark off too
          m_marks.pop_back();
          return Result<>();
        }
        auto id = pop();
        return id ? Result<>() : Result<>(fail(id.error()));
      }
      case '1': {
        auto items = toMark();
        return items ? Result<>() : Result<>(fail(items.error()));
      }
      case '2': {
        auto id = pop();
        if (!id) return fail(id.error());
        m_stack.insert(m_stack.end(), 2, *id);
        return Result<>();
      }
      case '\x80': return protocol();
      case '\x95': {
        auto size = take(8);
        if (!size) return fail(size.error());
        if (leastFirst(*size) > m_bytes.size() - m_at) return cutOff();
        return Result<>();
      }
      default: return std::nullopt;
    }
  }

  Result<> protocol() {
    auto version = take(1);
    if (!version) return fail(version.error());
    if (static_cast<unsigned char>(version->front()) > kNewestProtocol) return wrong("a protocol above 5");
    return {};
  }

  Done number(char op) {
    switch (op) {
      case 'K': return little(1);
      case 'M': return little(2);
      case 'J': {
        auto raw = take(4);
        if (!raw) return fail(raw.error());
        return push(Kind::Number, std::to_string(static_cast<std::int32_t>(leastFirst(*raw))));
      }
      case '\x8a': return big(sized(1));
      case '\x8b': return big(sized(4));
      case 'I': return integerLine();
      case 'L': {
        auto digits = line();
        if (!digits) return fail(digits.error());
        if (!digits->empty() && digits->back() == 'L') digits->remove_suffix(1);
        return whole(*digits);
      }
      case 'G': {
        auto raw = take(8);
        if (!raw) return fail(raw.error());
        return floating(std::bit_cast<double>(greatestFirst(*raw)));
      }
      case 'F': return floatLine();
      default: return std::nullopt;
    }
  }

  Result<> little(std::size_t bytes) {
    auto raw = take(bytes);
    if (!raw) return fail(raw.error());
    return push(Kind::Number, std::to_string(leastFirst(*raw)));
  }
  Result<> big(const Result<std::string_view>& raw) {
    if (!raw) return fail(raw.error());
    auto digits = decimalOfBytes(*raw);
    if (!digits) return holds("a number of more than 128 bytes");
    return push(Kind::Number, std::move(*digits));
  }
  Result<> integerLine() {
    auto digits = line();
    if (!digits) return fail(digits.error());
    if (*digits == "00" || *digits == "01") return push(Kind::Boolean, *digits == "01" ? "true" : "false");
    return whole(*digits);
  }
  Result<> whole(std::string_view digits) {
    auto number = wholeNumber(digits);
    if (!number) return wrong("a number that is none");
    return push(Kind::Number, std::move(*number));
  }
  Result<> floating(double value) {
    JsonNode node = floatNode(value);
    if (node.type == JsonNode::Type::Null) return push(Kind::Null);
    return push(Kind::Number, std::move(node.text));
  }
  Result<> floatLine() {
    auto digits = line();
    if (!digits) return fail(digits.error());
    double value = 0;
    const char* const end = digits->data() + digits->size();
    const auto read = std::from_chars(digits->data(), end, value);
    if (read.ptr != end || digits->empty() || read.ec == std::errc::invalid_argument)
      return wrong("a number that is none");
    return floating(value);
  }

  Done text(char op) {
    switch (op) {
      case '\x8c': return utf8(sized(1));
      case 'X': return utf8(sized(4));
      case '\x8d': return utf8(sized(8));
      case 'C':
      case 'U': return bytes(sized(1));
      case 'B':
      case 'T': return bytes(sized(4));
      case '\x8e':
      case '\x96': return bytes(sized(8));
      case 'S': return written(line(), unquoted, Kind::Bytes);
      case 'V': return written(line(), rawUnicode, Kind::Text);
      default: return std::nullopt;
    }
  }

  Result<> utf8(const Result<std::string_view>& raw) {
    if (!raw) return fail(raw.error());
    if (!isValidUtf8(*raw)) return holds("a text that is not UTF-8");
    return push(Kind::Text, std::string(*raw));
  }
  Result<> bytes(const Result<std::string_view>& raw) {
    if (!raw) return fail(raw.error());
    return push(Kind::Bytes, std::string(*raw));
  }
  template <class Read>
  Result<> written(const Result<std::string_view>& raw, Read read, Kind kind) {
    if (!raw) return fail(raw.error());
    auto text = read(*raw);
    if (!text) return wrong("a text that is not written as one");
    return push(kind, std::move(*text));
  }

  Done container(char op) {
    switch (op) {
      case ']': return push(Kind::List);
      case ')': return push(Kind::Tuple);
      case '}': return push(Kind::Dict);
      case '\x8f': return push(Kind::Set);
      case 'l': return pushMarked(Kind::List);
      case 't': return pushMarked(Kind::Tuple);
      case 'd': return pushMarked(Kind::Dict);
      case '\x91': return pushMarked(Kind::Set);
      case '\x85': return pushTop(1);
      case '\x86': return pushTop(2);
      case '\x87': return pushTop(3);
      case 'a': return addTop(Kind::List, 1);
      case 's': return addTop(Kind::Dict, 2);
      case 'e': return addMarked(Kind::List);
      case 'u': return addMarked(Kind::Dict);
      case '\x90': return addMarked(Kind::Set);
      default: return std::nullopt;
    }
  }

  Result<> addTop(Kind kind, std::size_t count) {
    if (m_stack.size() < count + 1) return wrong("a value is missing");
    m_marks.push_back(m_stack.size() - count);
    return addMarked(kind);
  }
  /// Values above the mark into the container below it.
  Result<> addMarked(Kind kind) {
    auto items = toMark();
    if (!items) return fail(items.error());
    if (m_stack.empty()) return wrong("a value is missing");
    PickleValue& target = m_heap.at(m_stack.back());
    if (target.kind == Kind::Object) return holds("an object that is filled like a list or a dict");
    if (target.kind != kind || (kind == Kind::Dict && items->size() % 2 != 0))
      return wrong("elements of something else");
    m_references += items->size();
    target.items.insert(target.items.end(), items->begin(), items->end());
    return {};
  }

  Done memo(char op) {
    switch (op) {
      case '\x94': return keep(m_memo.size());
      case 'q': return keepAt(take(1));
      case 'r': return keepAt(take(4));
      case 'p': return keepLine();
      case 'h': return fetchAt(take(1));
      case 'j': return fetchAt(take(4));
      case 'g': return fetchLine();
      default: return std::nullopt;
    }
  }

  Result<> keep(std::uint64_t number) {
    if (m_stack.empty()) return wrong("a value is missing");
    m_memo[number] = m_stack.back();
    return {};
  }
  Result<> keepAt(const Result<std::string_view>& raw) {
    return raw ? keep(leastFirst(*raw)) : Result<>(fail(raw.error()));
  }
  Result<> fetch(std::uint64_t number) {
    const auto found = m_memo.find(number);
    if (found == m_memo.end()) return wrong("a value is named that was not kept");
    m_stack.push_back(found->second);
    return {};
  }
  Result<> fetchAt(const Result<std::string_view>& raw) {
    return raw ? fetch(leastFirst(*raw)) : Result<>(fail(raw.error()));
  }
  Result<std::uint64_t> numberLine() {
    auto digits = line();
    if (!digits) return fail(digits.error());
    std::uint64_t number = 0;
    const char* const end = digits->data() + digits->size();
    const auto read = std::from_chars(digits->data(), end, number);
    if (read.ec != std::errc() || read.ptr != end) return wrong("a number that is none");
    return number;
  }
  Result<> keepLine() {
    auto number = numberLine();
    return number ? keep(*number) : Result<>(fail(number.error()));
  }
  Result<> fetchLine() {
    auto number = numberLine();
    return number ? fetch(*number) : Result<>(fail(number.error()));
  }

  Done object(char op) {
    switch (op) {
      case 'c': return global();
      case '\x93': return stackGlobal();
      case 'R':
      case '\x81': return made();
      case '\x92': return madeWithNames();
      case 'b': return state();
      case 'i': return instance();
      case 'o': return oldObject();
      default: return std::nullopt;
    }
  }

  Result<> pushGlobal(std::string_view module, std::string_view name) {
    constexpr std::size_t kMostName = 1000;
    if (module.size() > kMostName || name.size() > kMostName) return holds("a class with an endless name");
    if (!isValidUtf8(module) || !isValidUtf8(name)) return holds("a text that is not UTF-8");
    return push(Kind::Global, fmt::format("{}.{}", module, name));
  }
  Result<> global() {
    auto module = line();
    if (!module) return fail(module.error());
    auto name = line();
    if (!name) return fail(name.error());
    return pushGlobal(*module, *name);
  }
  Result<> stackGlobal() {
    auto name = pop();
    if (!name) return fail(name.error());
    auto module = pop();
    if (!module) return fail(module.error());
    const PickleValue &moduleText = m_heap.at(*module), &nameText = m_heap.at(*name);
    if (moduleText.kind != Kind::Text || nameText.kind != Kind::Text) return wrong("a class without a name");
    // The texts are copied: they may be moved where the heap grows.
    return pushGlobal(std::string(moduleText.text), std::string(nameText.text));
  }

  Result<> pushObject(PickleId global, PickleId arguments) {
    if (m_heap.at(global).kind != Kind::Global) return holds("a call of something that is no class");
    if (m_heap.at(arguments).kind != Kind::Tuple) return wrong("arguments that are no tuple");
    PickleValue object = pickledObject(m_heap, global, arguments);
    m_references += object.items.size();
    m_stack.push_back(m_heap.add(std::move(object)));
    return {};
  }
  Result<> made() {
    auto arguments = pop();
    if (!arguments) return fail(arguments.error());
    auto global = pop();
    if (!global) return fail(global.error());
    return pushObject(*global, *arguments);
  }
  Result<> madeWithNames() {
    auto named = pop();
    if (!named) return fail(named.error());
    if (m_heap.at(*named).kind != Kind::Dict) return wrong("named arguments that are no dict");
    if (auto ok = made(); !ok) return ok;
    PickleValue& object = m_heap.at(m_stack.back());
    if (object.kind == Kind::Object && !m_heap.at(*named).items.empty()) object.items.push_back(*named);
    return {};
  }
  /// What an object is filled with: the last one counts.
  Result<> state() {
    auto filled = pop();
    if (!filled) return fail(filled.error());
    if (m_stack.empty()) return wrong("a value is missing");
    PickleValue& object = m_heap.at(m_stack.back());
    if (object.kind == Kind::Dict || object.kind == Kind::Set) return {};   // attributes of a dict
    if (object.kind != Kind::Object) return holds("a plain value that is filled like an object");
    object.items.resize(2);
    object.items.push_back(*filled);
    return {};
  }
  /// Classes of protocol 0 and 1.
  Result<> instance() {
    if (auto named = global(); !named) return named;
    const PickleId id = m_stack.back();
    m_stack.pop_back();
    auto arguments = toMark();
    if (!arguments) return fail(arguments.error());
    return pushOld(id, std::move(*arguments));
  }
  Result<> oldObject() {
    auto items = toMark();
    if (!items) return fail(items.error());
    if (items->empty()) return wrong("a class is missing");
    const PickleId id = items->front();
    items->erase(items->begin());
    return pushOld(id, std::move(*items));
  }
  Result<> pushOld(PickleId global, std::vector<PickleId> arguments) {
    m_references += arguments.size();
    const PickleId tuple = m_heap.add({Kind::Tuple, {}, std::move(arguments)});
    if (m_heap.isFull()) return {};   // the loop says so
    return pushObject(global, tuple);
  }

  static Result<> refusal(char op) {
    switch (op) {
      case 'P':
      case 'Q': return holds("a reference to something outside of it");
      case '\x82':
      case '\x83':
      case '\x84': return holds("an extension code");
      case '\x97':
      case '\x98': return holds("a buffer outside of it");
      default: return wrong(fmt::format("an unknown opcode 0x{:02x}", static_cast<unsigned char>(op)));
    }
  }

  std::string_view m_bytes;
  std::size_t m_at = 0;
  bool m_isStopped = false;
  PickleHeap m_heap;
  std::vector<PickleId> m_stack;
  std::vector<std::size_t> m_marks;
  std::unordered_map<std::uint64_t, PickleId> m_memo;
  std::size_t m_references = 0;   ///< of values that hold others
};

}  // namespace

Result<JsonNode> parsePickle(std::string_view bytes) {
  if (bytes.size() > kMaxBytes) return fail(ErrorCode::Format, "larger than 16 MiB");
  return Machine(bytes).run();
}

}  // namespace counterfoil
