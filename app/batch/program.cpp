// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch/program.h"

#include <exception>
#include <new>

#include "app/batch/command_line.h"
#include "app/batch/exit_codes.h"
#include "app/batch/help_text.h"

namespace counterfoil {

namespace {

LogLevel levelOf(const Arguments& arguments) {
  if (arguments.has("--quiet")) return LogLevel::Error;
  return arguments.has("--verbose") ? LogLevel::Debug : LogLevel::Info;
}

bool wantsColour(const Arguments& arguments, const Console& console) {
  if (!console.outIsTerminal || arguments.has("--no-color")) return false;
  if (!console.environment("NO_COLOR").value_or("").empty()) return false;
  return console.environment("TERM").value_or("") != "dumb";
}

int reportError(const Error& error, const Console& console, Log& log) {
  const int signalNumber = console.interrupt.signalNumber.load();
  // Who sent a signal was answered when it came.
  const bool saidAlready = error.code == ErrorCode::Cancelled && signalNumber != 0;
  if (!saidAlready) log.error("counterfoil: " + error.message);
  return exitCodeFor(error.code, signalNumber);
}

int printResult(std::string_view text, Console& console, Log& log) {
  if (Result<> written = console.out.write(text); !written) {
    return reportError(written.error(), console, log);
  }
  return kExitReconciled;
}

int runCommandLine(const CommandLine& line, const CommandList& commands, Console& console,
                   Log& log) {
  const Arguments& arguments = line.arguments;
  Session session{
      console, log, {console.width, wantsColour(arguments, console)}, arguments.has("--quiet")};
  if (arguments.has("--version")) return printResult(versionText(), console, log);
  if (arguments.has("--help")) {
    const std::string text = line.command ? commandHelp(line.command->spec(), session.outStyle)
                                          : programHelp(commands, session.outStyle);
    return printResult(text, console, log);
  }
  const Result<int> code = line.command->run(arguments, session);
  return code ? *code : reportError(code.error(), console, log);
}

int runGuarded(const std::vector<std::string>& words, Console& console) {
  const bool forJournal =
      console.environment("JOURNAL_STREAM").has_value() && !console.errIsTerminal;
  const CommandList commands = allCommands();
  const Result<CommandLine> line = parseCommandLine(words, commands);
  if (!line) {
    Log log(console.err, {LogLevel::Info, forJournal});
    return reportError(line.error(), console, log);
  }
  Log log(console.err, {levelOf(line->arguments), forJournal});
  return runCommandLine(*line, commands, console, log);
}

}  // namespace

int runProgram(const std::vector<std::string>& words, Console& console) {
  Log log(console.err, {});
  try {
    return runGuarded(words, console);
  } catch (const std::bad_alloc&) {
    return reportError(
        {ErrorCode::Internal, "out of memory; give a smaller --memory or more of it"}, console,
        log);
  } catch (const std::exception& error) {
    return reportError({ErrorCode::Internal, std::string("internal error: ") + error.what()},
                       console, log);
  }
}

}  // namespace counterfoil
