// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of `remedy` as members for programs and columns for people.
#pragma once

#include "app/remedies/remedy_lines.h"
#include "reports/list/list_tables.h"

namespace counterfoil {

void describe(const RefundLine& line, LineVisitor& visitor);
void describe(const RedriveLine& line, LineVisitor& visitor);
void describe(const RerunLine& line, LineVisitor& visitor);

template <>
struct ListTable<RefundLine> {
  static std::vector<TextColumn> columns();
  static std::vector<TextCell> cells(const RefundLine& line);
};
template <>
struct ListTable<RedriveLine> {
  static std::vector<TextColumn> columns();
  static std::vector<TextCell> cells(const RedriveLine& line);
};
template <>
struct ListTable<RerunLine> {
  static std::vector<TextColumn> columns();
  static std::vector<TextCell> cells(const RerunLine& line);
};

}  // namespace counterfoil
