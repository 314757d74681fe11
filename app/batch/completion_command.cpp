// SPDX-License-Identifier: GPL-3.0-or-later
// Completion scripts, made by walking the command table: they cannot know less than --help.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/batch/command_table.h"
#include "app/batch/commands.h"
#include "app/batch/exit_codes.h"

namespace counterfoil {

namespace {

std::vector<OptionSpec> optionsOf(const CommandSpec& spec) {
  std::vector<OptionSpec> options = spec.options;
  options.insert(options.end(), commonOptions().begin(), commonOptions().end());
  return options;
}

std::vector<std::string_view> namesOf(const CommandList& commands) {
  std::vector<std::string_view> names;
  for (const auto& command : commands) names.push_back(command->spec().name);
  return names;
}

/// Words a command takes besides files: fixed arguments, or names of commands.
std::vector<std::string_view> wordsOf(const CommandSpec& spec, const CommandList& commands) {
  std::vector<std::string_view> words;
  for (const PositionalSpec& positional : spec.positionals) {
    words.insert(words.end(), positional.choices.begin(), positional.choices.end());
    if (positional.name == "COMMAND") words = namesOf(commands);
  }
  return words;
}

std::string bashScript(const CommandList& commands) {
  std::string out =
      "# bash completion for counterfoil; load with: source <(counterfoil completion bash)\n"
      "_counterfoil() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= "
      "word\n"
      "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
      "    case $word in -*) ;; *) command=$word; break ;; esac\n"
      "  done\n"
      "  case \"$command $previous\" in\n";
  for (const auto& command : commands) {
    for (const OptionSpec& option : command->spec().options) {
      if (option.choices.empty()) continue;
      out += fmt::format("    '{} {}') COMPREPLY=($(compgen -W '{}' -- \"$current\")); return ;;\n",
                         command->spec().name, option.name, fmt::join(option.choices, " "));
    }
  }
  out += "  esac\n  local words=\n  case $command in\n";
  out += fmt::format("    '') words='{} --help --version' ;;\n", fmt::join(namesOf(commands), " "));
  for (const auto& command : commands) {
    std::vector<std::string_view> words = wordsOf(command->spec(), commands);
    for (const OptionSpec& option : optionsOf(command->spec())) words.push_back(option.name);
    out += fmt::format("    {}) words='{}' ;;\n", command->spec().name, fmt::join(words, " "));
  }
  out +=
      "  esac\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\") $(compgen -f -- \"$current\"))\n"
      "}\n"
      "complete -o filenames -F _counterfoil counterfoil\n";
  return out;
}

/// Inside single quotes of both zsh and fish.
std::string quoted(std::string_view text, std::string_view alsoEscape) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (alsoEscape.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string zshOption(const OptionSpec& option) {
  std::string out = fmt::format("'{}{}[{}]", option.count == OptionSpec::Count::Many ? "*" : "",
                                option.name, quoted(option.help, "[]:\\"));
  if (option.count == OptionSpec::Count::Flag) return out + "'";
  if (!option.choices.empty())
    return out + fmt::format(":{}:({})'", option.value, fmt::join(option.choices, " "));
  return out + fmt::format(":{}:_files'", option.value);
}

std::string zshScript(const CommandList& commands) {
  std::string out =
      "#compdef counterfoil\n"
      "# zsh completion for counterfoil; load with: source <(counterfoil completion zsh)\n"
      "_counterfoil() {\n"
      "  local -a commands=(\n";
  for (const auto& command : commands) {
    out +=
        fmt::format("    '{}:{}'\n", command->spec().name, quoted(command->spec().summary, ":\\"));
  }
  out +=
      "  )\n"
      "  if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
      "  local command=$words[2]\n"
      "  shift words; (( CURRENT-- ))\n"
      "  case $command in\n";
  for (const auto& command : commands) {
    out += fmt::format("    {}) _arguments", command->spec().name);
    for (const OptionSpec& option : optionsOf(command->spec()))
      out += " \\\n      " + zshOption(option);
    const auto words = wordsOf(command->spec(), commands);
    out += words.empty() ? " \\\n      '*:file:_files' ;;\n"
                         : fmt::format(" \\\n      '1:word:({})' '*:file:_files' ;;\n",
                                       fmt::join(words, " "));
  }
  out += "  esac\n}\ncompdef _counterfoil counterfoil\n";
  return out;
}

std::string fishScript(const CommandList& commands) {
  std::string out =
      "# fish completion for counterfoil; load with: counterfoil completion fish | source\n";
  for (const auto& command : commands) {
    const CommandSpec& spec = command->spec();
    out += fmt::format("complete -c counterfoil -n __fish_use_subcommand -f -a {} -d '{}'\n",
                       spec.name, quoted(spec.summary, "\\"));
    const std::string condition = fmt::format("-n '__fish_seen_subcommand_from {}'", spec.name);
    for (const OptionSpec& option : optionsOf(spec)) {
      out += fmt::format("complete -c counterfoil {} -l {} -d '{}'", condition,
                         option.name.substr(2), quoted(option.help, "\\"));
      if (option.count != OptionSpec::Count::Flag) out += " -r";
      if (!option.choices.empty())
        out += fmt::format(" -f -a '{}'", fmt::join(option.choices, " "));
      out += '\n';
    }
    if (const auto words = wordsOf(spec, commands); !words.empty()) {
      out +=
          fmt::format("complete -c counterfoil {} -f -a '{}'\n", condition, fmt::join(words, " "));
    }
  }
  return out;
}

class CompletionCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    static const CommandSpec spec = {
        "completion",
        "prints the completion script of a shell",
        {{"source <(counterfoil completion bash)",
          "in ~/.bashrc: TAB completes commands and options"}},
        {{"SHELL", "which shell", PositionalSpec::Count::One, {"bash", "zsh", "fish"}}}};
    return spec;
  }

  Result<int> run(const Arguments& arguments, Session& session) const override {
    const std::string shell = arguments.valueOr("SHELL", "");
    const CommandList commands = allCommands();
    const std::string script = shell == "bash"  ? bashScript(commands)
                               : shell == "zsh" ? zshScript(commands)
                                                : fishScript(commands);
    if (Result<> written = session.console.out.write(script); !written)
      return fail(written.error());
    return kExitReconciled;
  }
};

}  // namespace

std::unique_ptr<const Command> makeCompletionCommand() {
  return std::make_unique<CompletionCommand>();
}

}  // namespace counterfoil
