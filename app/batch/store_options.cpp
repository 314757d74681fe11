// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch/store_options.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "core/base/text.h"

namespace counterfoil {

namespace {

using Count = OptionSpec::Count;

Result<std::uint64_t> numberOf(const Arguments& arguments, std::string_view name) {
  const auto text = arguments.value(name);
  if (!text) return std::uint64_t{0};
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || end != text->data() + text->size() || value == 0 ||
      value > std::numeric_limits<std::int32_t>::max()) {
    return fail(ErrorCode::Usage, fmt::format("{} takes a number from 1, not '{}'", name, *text));
  }
  return value;
}

tl::unexpected<Error> unknownWord(std::string_view option, const std::string& word,
                                  const std::vector<std::string>& known) {
  std::vector<std::string_view> views(known.begin(), known.end());
  const std::string near = nearest(word, views.data(), views.size());
  const std::string hint = near.empty() ? std::string() : fmt::format("; did you mean '{}'?", near);
  return fail(ErrorCode::Usage, fmt::format("{}: no such value '{}'{}", option, word, hint));
}

/// Values of an option that may be given several times or joined by commas.
std::vector<std::string> wordsOf(const Arguments& arguments, std::string_view name) {
  std::vector<std::string> words;
  for (const std::string& value : arguments.values(name)) {
    for (std::size_t from = 0; from <= value.size();) {
      const std::size_t comma = std::min(value.find(',', from), value.size());
      if (comma > from) words.push_back(value.substr(from, comma - from));
      from = comma + 1;
    }
  }
  return words;
}

template <class Value, class Parse>
Result<> readCodes(const Arguments& arguments, std::string_view name, std::size_t count, Parse parse,
                   std::set<Value>& out) {
  for (const std::string& word : wordsOf(arguments, name)) {
    const auto value = parse(word);
    if (!value) {
      std::vector<std::string> known;
      for (std::size_t i = 0; i < count; ++i) known.emplace_back(codeOf(static_cast<Value>(i)));
      return unknownWord(name, word, known);
    }
    out.insert(*value);
  }
  return {};
}

Result<> readSort(const Arguments& arguments, ListFilter& filter) {
  auto text = arguments.value("--sort");
  if (!text) return {};
  if (!text->empty() && text->front() == '-') {
    filter.descending = true;
    text->erase(0, 1);
  }
  const auto sort = sortFromCode(*text);
  if (!sort) {
    return unknownWord("--sort", *text, {"key", "class", "severity", "age", "first_run", "last_run", "state", "operation", "scope",
                                   "exposure"});
  }
  filter.sort = *sort;
  return {};
}

Result<> readUnitFilters(const Arguments& arguments, ListFilter& filter) {
  if (auto ok = readCodes(arguments, "--class", kClassCount, classFromCode, filter.classes); !ok) return ok;
  if (auto ok = readCodes(arguments, "--state", kReviewStateCount, reviewStateFromCode, filter.states); !ok) return ok;
  if (arguments.has("--notable")) filter.detail = Detail::Notable;
  if (arguments.has("--all")) filter.detail = Detail::All;
  return readSort(arguments, filter);
}

}  // namespace

PositionalSpec storePositional() {
  return {"STORE", "the store of the configuration's runs", PositionalSpec::Count::One};
}

std::vector<OptionSpec> filterSpecs(const FilterSet& set) {
  std::vector<OptionSpec> specs;
  if (set.units) {
    specs.push_back({"--class", "CLASS", "only these classes, such as duplicate_effect", Count::Many});
    specs.push_back({"--state", "STATE", "only cases in these review states, such as open", Count::Many});
  }
  if (set.units || set.severity) {
    specs.push_back({"--severity", "SEVERITY", "only these: critical, high, medium, low", Count::Many});
  }
  if (set.key) {
    specs.push_back({"--key", "KEY", "only this key"});
    specs.push_back({"--operation", "NAME", "only this operation"});
    specs.push_back({"--since", "TIME", "only what happened at or after this instant"});
  }
  if (set.codes) specs.push_back({set.codeName, "CODE", "only these", Count::Many});
  specs.push_back({"--run", "NUMBER", "of this run; default: the newest, for cases what stands"});
  if (set.units) {
    specs.push_back({"--text", "TEXT", "only cases that have this somewhere in key, order, operation, assignee or reason"});
    specs.push_back({"--notable", "", "also closed operations that are not plain", Count::Flag});
    specs.push_back({"--all", "", "every operation", Count::Flag});
    specs.push_back({"--sort", "COLUMN", "key, class, severity, age, first_run, last_run, state, operation, scope, exposure; -age for the other way"});
  }
  specs.push_back({"--limit", "COUNT", "at most so many lines"});
  return specs;
}

Result<ListFilter> filterOf(const Arguments& arguments, const FilterSet& set) {
  ListFilter filter;
  if (set.units) {
    if (auto ok = readUnitFilters(arguments, filter); !ok) return fail(ok.error());
  }
  if (auto ok = readCodes(arguments, "--severity", std::size_t{5}, severityFromCode, filter.severities); !ok) {
    return fail(ok.error());
  }
  if (set.codes) {
    for (const std::string& word : wordsOf(arguments, set.codeName)) filter.codes.insert(word);
  }
  filter.key = arguments.valueOr("--key", "");
  filter.text = arguments.valueOr("--text", "");
  filter.operation = arguments.valueOr("--operation", "");
  if (const auto text = arguments.value("--since")) {
    const auto since = parseInstant(*text);
    if (!since) return fail(ErrorCode::Usage, "--since: " + since.error().message);
    filter.since = *since;
  }
  const auto run = numberOf(arguments, "--run");
  if (!run) return fail(run.error());
  if (*run > 0) filter.run = static_cast<RunNumber>(*run);
  const auto limit = numberOf(arguments, "--limit");
  if (!limit) return fail(limit.error());
  filter.limit = *limit;
  return filter;
}

Result<Store> openStore(const Arguments& arguments, Session& session) {
  auto store = Store::openForReading(arguments.valueOr("STORE", ""));
  if (!store) {
    // A store that is not there is a wrong command line, not a missing input.
    if (store.error().code == ErrorCode::Missing) return fail(ErrorCode::Usage, store.error().message);
    return store;
  }
  if (!store->note().empty()) session.log.info(store->note());
  return store;
}

}  // namespace counterfoil
