// SPDX-License-Identifier: GPL-3.0-or-later
// A report as headings, paragraphs and tables, for formats that are read from top to bottom.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/writers/report_format.h"

namespace counterfoil {

struct DocumentColumn {
  enum class Kind { Word, Number, Id, Sentence };   ///< a sentence may take lines of its own
  std::string title;
  Kind kind = Kind::Word;
};

/// Takes texts as they are (from files) and makes them harmless.
class Document {
 public:
  virtual ~Document() = default;
  virtual void title(std::string_view text) = 0;
  virtual void heading(std::string_view text) = 0;
  virtual void paragraph(std::string_view text) = 0;
  virtual void beginTable(std::vector<DocumentColumn> columns) = 0;
  virtual void row(const std::vector<std::string>& cells) = 0;
  virtual void endTable() = 0;
  virtual Result<> pass() = 0;
};

[[nodiscard]] Result<> writeDocument(const ReportModel& model, Document& document);

}  // namespace counterfoil
