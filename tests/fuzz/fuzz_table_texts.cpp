// SPDX-License-Identifier: GPL-3.0-or-later
// Any text as a table of psql or mysql, as Django's dumpdata and as an answer of SQS in XML, in one piece and in
// small ones.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "importers/tables/aligned_table.h"
#include "importers/tables/django_rows.h"
#include "importers/tables/sqs_xml.h"
#include "text_pieces.h"

using namespace counterfoil;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (!isWholeUtf8(text)) return 0;   // sources give valid UTF-8
  (void)looksLikeAlignedTable(text);
  (void)looksLikeDumpdata(text);
  (void)looksLikeSqsXml(text);
  const auto in = [&](std::size_t step) { return std::make_unique<Pieces>(text, step); };
  if (readTranscoded(*transcodeAlignedTable(in(size + 1))) != readTranscoded(*transcodeAlignedTable(in(5)))) std::abort();
  if (readTranscoded(*transcodeSqsXml(in(size + 1))) != readTranscoded(*transcodeSqsXml(in(5)))) std::abort();
  const auto models = djangoModels(*in(size + 1));
  if (!models || models->empty()) return 0;
  const std::string& name = models->front().name;
  if (readTranscoded(*transcodeDumpdata(in(size + 1), name)) != readTranscoded(*transcodeDumpdata(in(5), name))) std::abort();
  return 0;
}
