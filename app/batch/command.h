// SPDX-License-Identifier: GPL-3.0-or-later
// A command of the batch program: what it is called and takes is data (help, completion and parsing
// are made from it), what it does is run(). One command, one class, one file; the list:
// command_table.h.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/batch/console.h"
#include "app/log.h"
#include "core/base/result.h"

namespace counterfoil {

struct OptionSpec {
  enum class Count { Flag, One, Many };  ///< Many: several values, and the option may be repeated

  std::string_view name;   ///< "--as-of"
  std::string_view value;  ///< "TIME"; blank for a flag
  std::string_view help;
  Count count = Count::One;
  std::vector<std::string_view> choices = {};  ///< empty: any text
};

struct PositionalSpec {
  enum class Count { One, Optional, Many };  ///< Many: at least one

  std::string_view name;  ///< "FILE"
  std::string_view help;
  Count count = Count::One;
  std::vector<std::string_view> choices = {};
};

struct ExampleSpec {
  std::string_view command;
  std::string_view meaning;
};

struct CommandSpec {
  std::string_view name;
  std::string_view summary;  ///< one line, no full stop
  std::vector<ExampleSpec> examples;
  std::vector<PositionalSpec> positionals = {};
  std::vector<OptionSpec> options = {};
  std::string_view notes = {};  ///< a paragraph at the end of --help
};

/// A parsed command line. Names are those of the specs.
class Arguments {
 public:
  void add(std::string_view name, std::string value) {
    m_values[std::string(name)].push_back(std::move(value));
  }

  [[nodiscard]] bool has(std::string_view name) const {
    return m_values.contains(std::string(name));
  }
  [[nodiscard]] std::optional<std::string> value(std::string_view name) const;
  [[nodiscard]] std::string valueOr(std::string_view name, std::string_view otherwise) const;
  [[nodiscard]] std::vector<std::string> values(std::string_view name) const;

 private:
  std::map<std::string, std::vector<std::string>> m_values;
};

/// What run() gets: the console, and what the common options make of it.
struct Session {
  Console& console;
  Log& log;
  TextStyle outStyle;  ///< of results
  bool quiet = false;
};

class Command {
 public:
  virtual ~Command() = default;
  [[nodiscard]] virtual const CommandSpec& spec() const = 0;
  /// The exit code, or an error that ends the program with its code's exit (exit_codes.h).
  virtual Result<int> run(const Arguments& arguments, Session& session) const = 0;
};

}  // namespace counterfoil
