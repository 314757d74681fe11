// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch/print_to.h"

#include "app/output_file.h"

namespace counterfoil {

bool isFileOutput(const std::string& path) {
  return !path.empty() && path != "-";
}

Result<> printTo(const std::string& path, Session& session,
                 const std::function<Result<>(Sink& sink, const TextStyle& style)>& print) {
  if (!isFileOutput(path)) return print(session.console.out, session.outStyle);
  auto file = OutputFile::create(path);
  if (!file) return fail(file.error());
  if (Result<> printed = print(**file, TextStyle{}); !printed) return printed;
  return (*file)->commit();
}

}  // namespace counterfoil
