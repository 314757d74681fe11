// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>

#include "core/base/text.h"

namespace counterfoil {

namespace {

using Words = std::vector<std::string>;

std::string nearestOf(std::string_view word, const std::vector<std::string_view>& known) {
  return nearest(word, known.data(), known.size());
}

std::string didYouMean(std::string_view word, const std::vector<std::string_view>& known) {
  const std::string near = nearestOf(word, known);
  return near.empty() ? std::string() : fmt::format("; did you mean '{}'?", near);
}

const Command* findCommand(std::string_view name, const CommandList& commands) {
  for (const auto& command : commands) {
    if (command->spec().name == name) return command.get();
  }
  return nullptr;
}

tl::unexpected<Error> unknownCommand(std::string_view name, const CommandList& commands) {
  std::vector<std::string_view> names;
  for (const auto& command : commands) names.push_back(command->spec().name);
  std::string hint = didYouMean(name, names);
  if (hint.empty()) hint = "; counterfoil --help lists them";
  return fail(ErrorCode::Usage, fmt::format("'{}' is no command{}", name, hint));
}

std::vector<const OptionSpec*> optionsOf(const CommandSpec* spec) {
  std::vector<const OptionSpec*> options;
  if (spec != nullptr) {
    for (const OptionSpec& option : spec->options) options.push_back(&option);
  }
  for (const OptionSpec& option : commonOptions()) options.push_back(&option);
  return options;
}

/// One CLI::App for the options and positionals of a command; values are copied out of it
/// afterwards.
class Parser {
 public:
  explicit Parser(const CommandSpec* spec) : m_spec(spec), m_options(optionsOf(spec)) {
    m_app.set_help_flag();
    m_app.allow_extras();
    for (const OptionSpec* option : m_options) addOption(*option);
    if (spec != nullptr) {
      for (const PositionalSpec& positional : spec->positionals) {
        addPositional(positional, &positional == &spec->positionals.back());
      }
    }
  }

  Result<Arguments> parse(Words words) {
    std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
    try {
      m_app.parse(std::move(words));
    } catch (const CLI::ParseError& error) {
      return fail(ErrorCode::Usage, fmt::format("{}{}", error.what(), helpHint()));
    }
    Arguments arguments = taken();
    if (arguments.has("--help") || arguments.has("--version")) return arguments;
    if (Result<> checked = check(arguments); !checked) return fail(checked.error());
    return arguments;
  }

 private:
  void addOption(const OptionSpec& option) {
    const std::string name = option.name == "--help" ? "-h,--help" : std::string(option.name);
    CLI::Option* added = nullptr;
    if (option.count == OptionSpec::Count::Flag) {
      added = m_app.add_flag(name);
    } else {
      added = m_app.add_option(name, m_values.emplace_back());
      const bool many = option.count == OptionSpec::Count::Many;
      added->expected(1, many ? CLI::detail::expected_max_vector_size : 1);
      added->multi_option_policy(many ? CLI::MultiOptionPolicy::TakeAll
                                      : CLI::MultiOptionPolicy::Throw);
    }
    m_added.emplace_back(std::string(option.name), added);
  }

  /// The last one takes all that is left, so that check() can name the word that is too many.
  void addPositional(const PositionalSpec& positional, bool isLast) {
    CLI::Option* added = m_app.add_option(std::string(positional.name), m_values.emplace_back());
    added->expected(1, isLast ? CLI::detail::expected_max_vector_size : 1);
    added->allow_extra_args(isLast);
    m_added.emplace_back(std::string(positional.name), added);
  }

  [[nodiscard]] Arguments taken() const {
    Arguments arguments;
    for (const auto& [name, option] : m_added) {
      if (option->count() == 0) continue;
      for (const std::string& value : option->results()) arguments.add(name, value);
    }
    return arguments;
  }

  [[nodiscard]] Result<> check(const Arguments& arguments) const {
    if (const Words extras = m_app.remaining(); !extras.empty())
      return unexpectedWord(extras.front());
    for (const OptionSpec* option : m_options) {
      if (Result<> checked = checkChoices(option->name, option->choices, arguments); !checked)
        return checked;
    }
    if (m_spec == nullptr) return {};
    for (const PositionalSpec& positional : m_spec->positionals) {
      if (positional.count != PositionalSpec::Count::Optional && !arguments.has(positional.name)) {
        return fail(ErrorCode::Usage,
                    fmt::format("{} needs {}{}", m_spec->name, positional.name, helpHint()));
      }
      const Words values = arguments.values(positional.name);
      if (positional.count != PositionalSpec::Count::Many && values.size() > 1)
        return unexpectedWord(values[1]);
      if (Result<> checked = checkChoices(positional.name, positional.choices, arguments);
          !checked) {
        return checked;
      }
    }
    return {};
  }

  [[nodiscard]] Result<> checkChoices(std::string_view name,
                                      const std::vector<std::string_view>& choices,
                                      const Arguments& arguments) const {
    if (choices.empty()) return {};
    for (const std::string& value : arguments.values(name)) {
      if (std::find(choices.begin(), choices.end(), value) != choices.end()) continue;
      return fail(ErrorCode::Usage,
                  fmt::format("{} takes {}, not '{}'{}", name, fmt::join(choices, ", "), value,
                              didYouMean(value, choices)));
    }
    return {};
  }

  [[nodiscard]] Result<> unexpectedWord(const std::string& word) const {
    if (!word.starts_with('-')) {
      return fail(ErrorCode::Usage,
                  fmt::format("'{}' is one argument too many{}", word, helpHint()));
    }
    const std::string name = word.substr(0, word.find('='));
    std::vector<std::string_view> names;
    for (const OptionSpec* option : m_options) names.push_back(option->name);
    const std::string hint = didYouMean(name, names);
    return fail(ErrorCode::Usage,
                fmt::format("'{}' is no option{}", name, hint.empty() ? helpHint() : hint));
  }

  [[nodiscard]] std::string helpHint() const {
    return m_spec == nullptr ? "; see counterfoil --help"
                             : fmt::format("; see counterfoil {} --help", m_spec->name);
  }

  const CommandSpec* m_spec;
  std::vector<const OptionSpec*> m_options;
  CLI::App m_app;
  std::deque<Words> m_values;  ///< CLI11 keeps references to them
  std::vector<std::pair<std::string, CLI::Option*>> m_added;
};

}  // namespace

Result<CommandLine> parseCommandLine(const Words& words, const CommandList& commands) {
  // Common options may stand before the command's name.
  const auto name = std::find_if(words.begin(), words.end(),
                                 [](const std::string& word) { return !word.starts_with('-'); });
  CommandLine line;
  Words rest(words.begin(), name);
  if (name != words.end()) {
    line.command = findCommand(*name, commands);
    if (line.command == nullptr) return unknownCommand(*name, commands);
    rest.insert(rest.end(), name + 1, words.end());
  }
  auto arguments = Parser(line.command ? &line.command->spec() : nullptr).parse(std::move(rest));
  if (!arguments) return fail(arguments.error());
  line.arguments = std::move(*arguments);
  const bool asksForHelp = line.arguments.has("--help") || line.arguments.has("--version");
  if (line.command == nullptr && !asksForHelp) {
    return fail(ErrorCode::Usage, "which command? counterfoil --help lists them");
  }
  return line;
}

}  // namespace counterfoil
