// SPDX-License-Identifier: GPL-3.0-or-later
// Redis dumps and answers of redis-cli: any text as each of the forms, in one piece and in small
// ones. What is written is what the reader of transcoded rows takes, line after line.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "importers/readers/line_reader.h"
#include "importers/redis/redis_format.h"
#include "importers/source/encoding.h"

using namespace counterfoil;

namespace {

/// Hands out a text in pieces, as a file is read.
class Pieces final : public ByteSource {
 public:
  Pieces(std::string_view text, std::size_t step) : m_text(text), m_step(step) {}
  [[nodiscard]] const FileNature& nature() const override { return m_nature; }
  Result<std::size_t> read(std::string& out, std::size_t count) override {
    const std::string_view piece = m_text.substr(0, std::min(count, m_step));
    out.append(piece);
    m_text.remove_prefix(piece.size());
    return piece.size();
  }
  Result<std::size_t> readAt(std::uint64_t, char*, std::size_t) const override {
    return fail(ErrorCode::Internal, "");
  }

 private:
  std::string_view m_text;
  std::size_t m_step;
  FileNature m_nature;
};

class Judge final : public RowSink {
 public:
  bool onRow(const RowView& row, std::uint32_t) override {
    if (row.line == 0 || row.fields[0].type != FieldType::Text) std::abort();
    return true;
  }
  bool onDefect(const RowView& row, RowDefect defect) override {
    if (row.line == 0 || defect.rule != "bad_entry" || defect.reason.empty()) std::abort();
    return true;
  }
  void onUnmatched(const RowView&) override { std::abort(); }
};

std::string readAll(const RedisLayout& layout, std::string_view text, std::size_t step) {
  const SourceOpener open = [&]() -> Result<std::unique_ptr<ByteSource>> {
    return std::make_unique<Pieces>(text, step);
  };
  RedisIndex index;
  const auto source = transcodeRedis(layout, open, index);
  if (!source) return "!" + source.error().message;
  std::string out;
  while (true) {
    const auto got = (*source)->read(out, 1u << 16);
    if (!got) {
      if ((*source)->read(out, 1)) std::abort();  // an error stays one
      return out + "!" + got.error().message;
    }
    if (*got == 0) break;
  }
  Judge judge;
  const auto reader = makeTranscodedReader({{"key", "value.a", "places"}, nullptr, {}}, "");
  const auto scratch = reader->makeScratch();
  if (reader->parse({out, 0, out.size() + 1, true}, judge, *scratch).cutOff) std::abort();
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Utf8Check check = checkUtf8(text);
  if (check.firstInvalid != kNoPosition || check.incompleteTail != 0)
    return 0;  // sources give valid UTF-8
  (void)redisFormOf(text);
  const SourceOpener open = [&]() -> Result<std::unique_ptr<ByteSource>> {
    return std::make_unique<Pieces>(text, 11);
  };
  const auto cli = cliFormOf(open);
  for (const RedisForm form :
       {RedisForm::DumpLines, RedisForm::RdbJson, cli.value_or(RedisForm::CliText)}) {
    RedisLayout layout;
    layout.form = form;
    layout.key = "k";
    for (const RedisRows rows : {RedisRows::Items, RedisRows::Hashes, RedisRows::Keys}) {
      layout.rows = rows;
      if (readAll(layout, text, size + 1) != readAll(layout, text, 11)) std::abort();
    }
    layout.rows = RedisRows::Items;
    layout.type = size % 2 == 0 ? "zset" : "hash";
    if (form == RedisForm::CliText) (void)readAll(layout, text, 5);
  }
  return 0;
}
