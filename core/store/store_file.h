// SPDX-License-Identifier: GPL-3.0-or-later
// A connection to a store's file beside Store, for what people add to it and for its upkeep. A small change
// (an export that was made, a closed period) waits for no run; upkeep holds the run's lock.
#pragma once

#include <optional>
#include <string>

#include "core/store/sqlite.h"
#include "core/store/store.h"

namespace counterfoil {

class StoreFile {
 public:
  /// Missing if there is none; a file that cannot be written is opened all the same.
  static Result<StoreFile> openForReading(const std::string& path);
  /// For one short transaction. WriteFailed where the file, its folder or the medium cannot be written.
  static Result<StoreFile> openForChange(const std::string& path);
  /// Holds the lock of runs until it is closed. Brings the store to this version first.
  static Result<StoreFile> openForUpkeep(const std::string& path, const StoreOptions& options);

  [[nodiscard]] Database& database() { return m_database; }
  /// The store under the lock; only after openForUpkeep.
  [[nodiscard]] const Store& store() const { return *m_store; }
  [[nodiscard]] const std::string& path() const { return m_path; }
  /// Closes, and moves the WAL into the file; errors that a destructor would swallow come back.
  Result<> close();

 private:
  std::string m_path;
  std::optional<Store> m_store;   ///< holds the lock; closed after the connection
  Database m_database;
};

/// Whether the file and its folder can be written and lie on a local disk.
[[nodiscard]] bool isWritableStore(const std::string& path);

}  // namespace counterfoil
