// SPDX-License-Identifier: GPL-3.0-or-later
// Outputs that are whole or absent: bytes go to `x.tmp`, which takes the place of `x` in one step.
#pragma once

#include <memory>
#include <string>

#include "reports/sink.h"

namespace counterfoil {

/// An open descriptor that someone else closes (standard output, standard error).
class DescriptorSink final : public Sink {
 public:
  DescriptorSink(int descriptor, std::string name)
      : m_descriptor(descriptor), m_name(std::move(name)) {}
  Result<> write(std::string_view bytes) override;

 private:
  int m_descriptor;
  std::string m_name;
};

/// Not thread-safe. Without commit() the destructor removes the temporary file and the earlier
/// content of the path stays. Devices and pipes are written directly.
class OutputFile final : public Sink {
 public:
  /// Error (WriteFailed) names the path and what the system says; also when another process is
  /// writing it.
  static Result<std::unique_ptr<OutputFile>> create(const std::string& path);
  ~OutputFile() override;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  Result<> write(std::string_view bytes) override;
  /// Flushes to the disk and renames. Call once, last.
  Result<> commit();

 private:
  OutputFile() = default;
  Result<> openTemporary();

  std::string m_path;       ///< as given, for messages
  std::string m_target;     ///< symbolic links followed
  std::string m_temporary;  ///< blank: written directly
  int m_descriptor = -1;
};

/// The temporary file of the output being written, for a signal handler that has to leave nothing
/// behind; nullptr when there is none. The text stays valid until the next change,
/// async-signal-safe to read.
[[nodiscard]] const char* temporaryBeingWritten() noexcept;

/// A small file whole; Error (Limit) if it is larger than `maxBytes`, Missing or Io otherwise.
[[nodiscard]] Result<std::string> readSmallFile(const std::string& path, std::size_t maxBytes);

/// Creates `path` with `text`; what is there already is an Error (Usage) that says so.
Result<> writeNewFile(const std::string& path, std::string_view text);

}  // namespace counterfoil
