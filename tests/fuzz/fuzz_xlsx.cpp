// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a zip archive and as a workbook: every member and sheet is read, in bounds. A first
// byte of 'V' makes the rest the value of a cell, 'S' what stands in the only sheet of a workbook.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "importers/source/encoding.h"
#include "importers/xlsx/sheet_stage.h"
#include "tests/importers/zip_writer.h"

using namespace counterfoil;

namespace {

constexpr std::size_t kMostBytes = 8u << 20;

std::string drain(ByteStage& stage, std::size_t step) {
  std::string text;
  while (text.size() < kMostBytes) {
    const auto got = stage.read(text, step);
    if (!got) return text + "!" + got.error().message;
    if (*got == 0) return text;
    if (*got > step) std::abort();
  }
  return text.substr(0, kMostBytes);
}

void readMembers(const std::shared_ptr<const RawBytes>& raw) {
  const auto directory = readZipDirectory(*raw);
  if (!directory) return;
  (void)zipDocumentKind(*directory);
  for (std::size_t i = 0; i < directory->entries.size() && i < 20; ++i) {
    if (const auto stage = makeZipEntryStage(raw, directory->entries[i], {4u << 20, 1000}))
      drain(**stage, 4096);
  }
}

/// What is delivered is UTF-8, ends with a line, and is the same for any step.
void readSheets(const std::shared_ptr<const RawBytes>& raw) {
  const auto book = Workbook::open(raw);
  if (!book) return;
  for (std::size_t i = 0; i < (*book)->sheets().size() && i < 5; ++i) {
    const auto once = makeSheetStage(*book, i, 0);
    const auto again = makeSheetStage(*book, i, 0);
    if (!once || !again) continue;
    const std::string text = drain(**once, 1u << 16);
    if (drain(**again, 113) != text) std::abort();
    if (text.size() < kMostBytes && checkUtf8(text).firstInvalid != kNoPosition) std::abort();
  }
}

void readValue(const std::string& value) {
  for (const char* const code : {"General", "dd/mm/yyyy hh:mm", "[h]:mm", "hh:mm", "00000"}) {
    for (const bool is1904 : {false, true}) {
      const auto text = cellText(value, formOfCode(code), is1904, 0);
      if (text && (text->empty() || text->size() > 420)) std::abort();
    }
  }
  (void)formOfCode(value);
  (void)cellRef(value);
  std::string text;
  appendCellText(text, value);
  if (text.size() > value.size() || text.find_first_of("\r\n") != std::string::npos) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  if (size > 0 && bytes[0] == 'V') {
    readValue(bytes.substr(1));
    return 0;
  }
  if (size > 0 && bytes[0] == 'S')
    bytes = testing::bookOf({{{"S", bytes.substr(1)}}, {"<t>text</t>"}, "", {0, 14, 22}});
  const auto raw = std::make_shared<const RawBytes>(std::move(bytes));
  readMembers(raw);
  readSheets(raw);
  return 0;
}
