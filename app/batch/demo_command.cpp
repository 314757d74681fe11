// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <system_error>

#include "app/batch/commands.h"
#include "app/batch/exit_codes.h"
#include "app/output_file.h"
#include "core/base/embedded_file.h"
#include "core/base/text.h"

namespace counterfoil {

std::span<const EmbeddedFile> embeddedDemo();  // made by the build from resources/demo

namespace {

class DemoCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    static const CommandSpec spec = {
        "demo",
        "writes made-up jobs and a provider statement with planted faults into a folder",
        {{"counterfoil demo demo", "writes the files into ./demo and says what to type next"}},
        {{"DIR", "folder to write into; made if it is not there"}}};
    return spec;
  }

  Result<int> run(const Arguments& arguments, Session& session) const override {
    const std::string folder = arguments.valueOr("DIR", ".");
    if (Result<> made = makeFolder(folder); !made) return fail(made.error());
    for (const EmbeddedFile& file : embeddedDemo()) {
      if (Result<> placed = place(folder, file, session); !placed) return fail(placed.error());
    }
    if (Result<> written = session.console.out.write(nextSteps(folder)); !written) {
      return fail(written.error());
    }
    return kExitReconciled;
  }

 private:
  static Result<> makeFolder(const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (!error) return {};
    return fail(ErrorCode::WriteFailed,
                fmt::format("cannot make the folder {}: {}", folder, error.message()));
  }

  /// A file that is there already and differs is somebody's work: it stays, and that is an error.
  static Result<> place(const std::string& folder, const EmbeddedFile& file, Session& session) {
    const std::string path = (std::filesystem::path(folder) / file.name).string();
    std::error_code error;
    if (std::filesystem::exists(path, error) && sameContent(path, file.bytes)) {
      session.log.debug(fmt::format("{} is there already", path));
      return {};
    }
    return writeNewFile(path, file.bytes);
  }

  static bool sameContent(const std::string& path, std::string_view bytes);
  static std::string nextSteps(const std::string& folder);
};

bool DemoCommand::sameContent(const std::string& path, std::string_view bytes) {
  std::error_code error;
  if (std::filesystem::file_size(path, error) != bytes.size() || error) return false;
  const auto text = readSmallFile(path, bytes.size());
  return text && *text == bytes;
}

std::string DemoCommand::nextSteps(const std::string& folder) {
  const std::string shown = forTerminal(folder);
  std::string out = fmt::format("{} holds:\n", shown);
  for (const EmbeddedFile& file : embeddedDemo()) {
    out += fmt::format("  {:<24} {:>7} bytes\n", file.name, file.bytes.size());
  }
  out += fmt::format("\nNext:\n  counterfoil match --config {}/counterfoil.json\n", shown);
  return out;
}

}  // namespace

std::unique_ptr<const Command> makeDemoCommand() {
  return std::make_unique<DemoCommand>();
}

}  // namespace counterfoil
