// SPDX-License-Identifier: GPL-3.0-or-later
// "tasks" of a mapping: fields that a task's rows have in place of the mapping's own.
#include "importers/mapping/task_rules.h"

#include <fmt/format.h>

#include <algorithm>

namespace counterfoil {

namespace {

constexpr std::size_t kMaxTasks = 1000;
constexpr std::string_view kPatternSign = "re:";
constexpr std::string_view kAnyTask = "*";

/// Whether records of any kind that "tasks" may be given to have such a field.
bool isFieldOfOurs(std::string_view name) {
  for (std::size_t i = 0; i < kRecordKindCount; ++i) {
    const auto kind = static_cast<RecordKind>(i);
    if (hasTasks(kind) && findField(kind, name) != nullptr) return true;
  }
  return false;
}

tl::unexpected<Error> unknownField(const JsonNode& node, std::string_view name, RecordKind kind) {
  const auto known = fieldNames(kind);
  return failAt(node, fmt::format("unknown member '{}' of a task: a record of kind {} has no such "
                                  "field{}",
                                  name, codeOf(kind), didYouMean(name, known.data(), known.size())));
}

/// `true`, or conditions of which one leaves a row of the task out.
Result<> parseTaskExclude(const JsonNode& node, const ExpressionContext& context, TaskRule& rule) {
  if (node.type == JsonNode::Type::Boolean) {
    rule.exclude = node.text == "true";
    return {};
  }
  if (node.type != JsonNode::Type::Array)
    return failAt(node, "'exclude' of a task is true, false or a list of conditions");
  for (const JsonNode& item : node.items) {
    auto condition = parseCondition(item, context);
    if (!condition) return fail(condition.error());
    rule.excludeIf.push_back(std::move(*condition));
  }
  return {};
}

Result<> parseRule(const JsonNode& node, const ExpressionContext& context, bool isOneOfSeveral,
                   TaskRule& rule) {
  if (node.type != JsonNode::Type::Object)
    return failAt(node, fmt::format("task '{}' has to be an object of fields", rule.task));
  for (const auto& [name, value] : node.members) {
    if (name == "exclude") {
      if (auto ok = parseTaskExclude(value, context, rule); !ok) return ok;
      continue;
    }
    const FieldRow* row = findField(context.kind, name);
    if (row == nullptr && isOneOfSeveral && isFieldOfOurs(name)) continue;
    if (row == nullptr) return unknownField(value, name, context.kind);
    if (row->field == Field::Task)
      return failAt(value, "'task' is what tells the rules apart: map it in 'fields'");
    auto expression = parseExpression(value, *row, context);
    if (!expression) return fail(expression.error());
    rule.fields[row->field] = std::make_shared<const FieldExpr>(std::move(*expression));
  }
  if (rule.exclude && !rule.fields.empty())
    return failAt(node, fmt::format("task '{}' is excluded and has fields", rule.task));
  return {};
}

}  // namespace

bool hasTasks(RecordKind kind) {
  return kind != RecordKind::Effect && kind != RecordKind::QueueDepth;
}

Result<> parseTasks(const JsonNode& node, const ExpressionContext& context, bool isOneOfSeveral,
                    MappingModel& model) {
  if (node.type != JsonNode::Type::Object)
    return failAt(node, "'tasks' has to be an object, {\"shop.charge\": {\"key\": …}}");
  if (node.members.size() > kMaxTasks)
    return failAt(node, fmt::format("more than {} tasks", kMaxTasks));
  if (!hasTasks(model.kind))
    return failAt(node, fmt::format("a record of kind {} has no task", codeOf(model.kind)));
  const bool onlyAny = std::all_of(node.members.begin(), node.members.end(),
                                   [](const auto& member) { return member.first == kAnyTask; });
  if (!onlyAny && model.fields.count(Field::Task) == 0)
    return failAt(node, "'tasks' needs the field 'task': map it to the column of the task's name, "
                        "or give the rules for all rows as \"*\"");
  std::vector<TaskRule> rules;
  for (const auto& [task, value] : node.members) {
    TaskRule rule{.task = task};
    if (task.rfind(kPatternSign, 0) == 0) {
      auto pattern = Pattern::compile(std::string_view(task).substr(kPatternSign.size()));
      if (!pattern) return failAt(value, pattern.error().message);
      rule.pattern = std::make_shared<const Pattern>(std::move(*pattern));
    }
    if (auto ok = parseRule(value, context, isOneOfSeveral, rule); !ok) return ok;
    rules.push_back(std::move(rule));
  }
  for (TaskRule& base : model.tasks) {
    const bool isReplaced = std::any_of(
        rules.begin(), rules.end(), [&](const TaskRule& rule) { return rule.task == base.task; });
    if (!isReplaced) rules.push_back(std::move(base));
  }
  model.tasks = std::move(rules);
  return {};
}

TaskMatcher::TaskMatcher(const std::vector<TaskRule>& rules) {
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const auto index = static_cast<std::uint32_t>(i);
    if (rules[i].pattern != nullptr) {
      m_patterns.emplace_back(rules[i].pattern, index);
    } else if (rules[i].task == kAnyTask) {
      m_any = index;
    } else {
      m_exact.emplace_back(rules[i].task, index);
    }
  }
  std::sort(m_exact.begin(), m_exact.end());
}

std::uint32_t TaskMatcher::match(std::string_view task) const {
  const auto found = std::lower_bound(
      m_exact.begin(), m_exact.end(), task,
      [](const auto& entry, std::string_view name) { return entry.first < name; });
  if (found != m_exact.end() && found->first == task) return found->second;
  for (const auto& [pattern, index] : m_patterns) {
    if (pattern->matches(task)) return index;
  }
  return m_any;
}

}  // namespace counterfoil
