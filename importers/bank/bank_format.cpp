// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/bank/bank_format.h"

#include <algorithm>

#include "core/base/text.h"
#include "importers/bank/bank_rows.h"

namespace counterfoil {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t kFeedBytes =
    16u << 10;  // small: a row may be hundreds of times as long as its entry

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool startsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

/// "<p:Name" or "<Name", of whatever prefix.
bool hasElement(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    if (at > 0 && (text[at - 1] == '<' || text[at - 1] == ':')) return true;
  }
  return false;
}

bool isCamt(std::string_view head) {
  if (head.empty() || head.front() != '<') return false;
  return has(head, ":camt.052."sv) || has(head, ":camt.053."sv) || has(head, ":camt.054."sv) ||
         hasElement(head, "BkToCstmrStmt") || hasElement(head, "BkToCstmrAcctRpt") ||
         hasElement(head, "BkToCstmrDbtCdtNtfctn");
}

bool isOfx(std::string_view head) {
  return startsWith(head, "OFXHEADER") || has(head.substr(0, 1024), "<?OFX") ||
         startsWith(head, "<OFX>") ||
         (startsWith(head, "<?xml") && has(head.substr(0, 4096), "<OFX>"));
}

/// The position behind the n-th line end.
std::string_view lineAt(std::string_view& rest) {
  const std::size_t end = rest.find_first_of("\r\n");
  const std::string_view line = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return line;
}

/// A :20: within the first lines (banks put some of their own before it), and behind it the
/// account.
bool isMt940(std::string_view head) {
  constexpr int kLinesBefore = 12;
  std::string_view rest = head;
  bool began = false;
  for (int i = 0; i < kLinesBefore + 20 && !rest.empty(); ++i) {
    const std::string_view line = trim(lineAt(rest));
    const bool isReference =
        startsWith(line, ":20:") || (startsWith(line, "{1:") && has(line, "{4:"));
    if (isReference && i < kLinesBefore) began = true;
    if (began && (startsWith(line, ":25:") || startsWith(line, ":25P:"))) return true;
  }
  return false;
}

bool isBai2(std::string_view head) {
  if (!startsWith(head, "01,")) return false;
  std::string_view rest = head;
  const std::string_view first = trim(lineAt(rest));
  if (std::count(first.begin(), first.end(), ',') < 5) return false;
  while (!rest.empty()) {
    const std::string_view line = trim(lineAt(rest));
    if (startsWith(line, "02,")) return true;
    if (!line.empty() && !startsWith(line, "88,")) return false;
  }
  return false;
}

std::unique_ptr<bank::Transcoder> makeTranscoder(BankFormat format) {
  switch (format) {
    case BankFormat::Camt:
      return bank::makeCamtTranscoder();
    case BankFormat::Mt940:
      return bank::makeMt940Transcoder();
    case BankFormat::Ofx:
      return bank::makeOfxTranscoder();
    case BankFormat::Bai2:
      return bank::makeBai2Transcoder();
  }
  return nullptr;
}

class TranscodedSource final : public ByteSource {
 public:
  TranscodedSource(std::unique_ptr<bank::Transcoder> transcoder, std::unique_ptr<ByteSource> source)
      : m_transcoder(std::move(transcoder)),
        m_source(std::move(source)),
        m_nature(m_source->nature()) {
    m_nature.seekable = false;
  }
  [[nodiscard]] const FileNature& nature() const override { return m_nature; }
  Result<std::size_t> readAt(std::uint64_t, char*, std::size_t) const override {
    return fail(ErrorCode::Internal, "readAt on a file that is read as a stream");
  }

  Result<std::size_t> read(std::string& out, std::size_t count) override {
    std::string& made = m_transcoder->rows.text();
    while (m_given == made.size() && !m_fault && !m_ended && count > 0) {
      made.clear();
      m_given = 0;
      const Result<> done = step();
      if (!done) m_fault = done.error();
    }
    const std::size_t size = std::min(count, made.size() - m_given);
    out.append(made, m_given, size);
    m_given += size;
    if (size == 0 && count > 0 && m_fault) return fail(*m_fault);
    return size;
  }

 private:
  Result<> step() {
    m_block.clear();
    const Result<std::size_t> got = m_source->read(m_block, kFeedBytes);
    if (!got) return fail(got.error());
    if (*got > 0) return m_transcoder->feed(m_block);
    m_ended = true;
    return m_transcoder->finish();
  }

  std::unique_ptr<bank::Transcoder> m_transcoder;
  std::unique_ptr<ByteSource> m_source;
  FileNature m_nature;
  std::string m_block;
  std::size_t m_given = 0;
  bool m_ended = false;
  std::optional<Error> m_fault;
};

/// The value behind `name` and one of `between`, up to one of `end`.
std::string valueBehind(std::string_view text, std::string_view name, std::string_view between,
                        std::string_view end) {
  std::size_t at = text.find(name);
  if (at == std::string_view::npos) return {};
  at = text.find_first_not_of(between, at + name.size());
  if (at == std::string_view::npos) return {};
  return std::string(trim(text.substr(at, text.find_first_of(end, at) - at)));
}

}  // namespace

std::optional<BankFormat> bankFormatOf(std::string_view head) {
  head = trim(head);
  if (isCamt(head)) return BankFormat::Camt;
  if (isOfx(head)) return BankFormat::Ofx;
  if (isBai2(head)) return BankFormat::Bai2;
  if (isMt940(head)) return BankFormat::Mt940;
  return std::nullopt;
}

std::string encodingNamedBy(BankFormat format, std::string_view head) {
  head = trim(head).substr(0, 2048);
  std::string name;
  if (startsWith(head, "<?xml")) {
    name = toLowerAscii(
        valueBehind(head.substr(0, head.find("?>")), "encoding", " \t\r\n=\"'", "\"'?> "));
  } else if (format == BankFormat::Ofx) {
    name = toLowerAscii(valueBehind(head, "CHARSET", ": \t", " \t\r\n<"));
    if (bank::isDigits(name)) name = "windows-" + name;
    if (name == "none") name.clear();
  }
  // What is written so is found by looking; a name that is wrong there is no fault of the file's
  // text.
  if (name == "utf-8" || name == "utf8" || name == "us-ascii" || name == "ascii" ||
      startsWith(name, "utf-16"))
    return {};
  return name;
}

std::unique_ptr<ByteSource> transcodeBank(BankFormat format, std::unique_ptr<ByteSource> source) {
  return std::make_unique<TranscodedSource>(makeTranscoder(format), std::move(source));
}

}  // namespace counterfoil
