// SPDX-License-Identifier: GPL-3.0-or-later
// A store as the first version wrote it, made of the SQL text in fixtures/first-schema.sql.
#pragma once

#include <QFile>
#include <string>

#include "core/store/sqlite.h"

namespace counterfoil::test {

inline bool makeFirstSchemaStore(const std::string& path) {
  QFile text(QStringLiteral(TEST_SOURCE_DIR "/tests/store/fixtures/first-schema.sql"));
  if (!text.open(QIODevice::ReadOnly)) return false;
  auto database = Database::open(path, OpenMode::Create);
  return database && database->execute("PRAGMA page_size=8192") && database->execute(text.readAll().toStdString());
}

}  // namespace counterfoil::test
