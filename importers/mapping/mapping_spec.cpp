// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/mapping/mapping_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "core/base/text.h"
#include "importers/mapping/lacking_names.h"
#include "importers/mapping/mapping_model.h"
#include "importers/mapping/named_values.h"
#include "importers/mapping/task_rules.h"

namespace counterfoil {

namespace {

/// `$schema` and what a format file says of itself beside the mapping.
constexpr std::array<std::string_view, 16> kMembers = {
    "record", "extends", "layout", "fields", "exclude", "checks", "names", "tasks",
    "title",  "about",   "blind",  "told_by", "part",   "named",  "snapshot", "$schema"};
constexpr std::size_t kOwnMembers = 8;

void collectColumns(const FieldExpr& expression, std::set<std::string>& names);

void collectColumns(const Condition& condition, std::set<std::string>& names) {
  collectColumns(*condition.value, names);
}

// Nesting is bounded by the depth of the JSON text.
void collectColumns(const FieldExpr& expression, std::set<std::string>& names) {
  for (const Leaf& leaf : expression.leaves) {
    if (leaf.base == Leaf::Base::Column) names.insert(leaf.text);
    for (const TemplatePart& part : leaf.parts) {
      if (part.value != nullptr) {
        collectColumns(*part.value, names);
      } else if (!part.column.empty()) {
        names.insert(part.column);
      }
    }
    for (const SumPart& part : leaf.sum) names.insert(part.column);
    for (const auto& part : leaf.joined) collectColumns(*part, names);
    for (const Condition& condition : leaf.when) collectColumns(condition, names);
    if (leaf.zoneOfRow) collectColumns(*leaf.zoneOfRow, names);
    if (leaf.plusMs) collectColumns(*leaf.plusMs, names);
  }
}

using Bases = std::vector<std::shared_ptr<const MappingModel>>;

/// The mappings that `extends` names: all of the format, or those of a kind of record.
Result<Bases> basesOf(const JsonNode& node, const JsonNode* record, int depth) {
  auto formats = baseFormat(node.text, depth + 1);
  if (!formats) return failAt(node, formats.error().message);
  Bases found;
  for (const auto& format : *formats) {
    if (record != nullptr && codeOf(format->record()) != record->text) continue;
    found.push_back(std::static_pointer_cast<const MappingModel>(format));  // every spec is one
  }
  if (found.empty())
    return failAt(node, fmt::format("format '{}' makes no records of that kind", node.text));
  return found;
}

Result<> parseFields(const JsonNode& node, MappingModel& model, const ExpressionContext& context) {
  if (node.type != JsonNode::Type::Object) return failAt(node, "'fields' has to be an object");
  for (const auto& [name, value] : node.members) {
    const FieldRow* row = findField(model.kind, name);
    if (row == nullptr) {
      const auto known = fieldNames(model.kind);
      return failAt(
          value,
          fmt::format("unknown member '{}' of fields: a record of kind {} has no such field{}",
                      name, codeOf(model.kind), didYouMean(name, known.data(), known.size())));
    }
    auto expression = parseExpression(value, *row, context);
    if (!expression) return fail(expression.error());
    model.fields[row->field] = std::make_shared<const FieldExpr>(std::move(*expression));
  }
  return {};
}

/// The layout's "lines": conditions on members that make a line of a log a row.
Result<> parseRowLines(const JsonNode& layout, MappingModel& model, const ExpressionContext& context) {
  const JsonNode* lines = layout.find("lines");
  if (lines == nullptr) return {};
  model.rowLines.clear();
  for (const JsonNode& item : lines->items) {
    auto condition = parseCondition(item, context);
    if (!condition) return fail(condition.error());
    model.rowLines.push_back(std::move(*condition));
  }
  return {};
}

Result<> parseExclude(const JsonNode& node, MappingModel& model, const ExpressionContext& context) {
  if (node.type != JsonNode::Type::Array)
    return failAt(node, "'exclude' has to be a list of conditions");
  for (const JsonNode& item : node.items) {
    auto condition = parseCondition(item, context);
    if (!condition) return fail(condition.error());
    model.exclude.push_back(std::move(*condition));
  }
  return {};
}

Result<RecordKind> recordOf(const JsonNode& node) {
  const auto kind = recordKindFromCode(node.text);
  if (kind) return *kind;
  static constexpr std::array<std::string_view, 9> kKinds = {
      "attempt",         "skip",   "claim",       "intent",     "outbox",
      "processed_event", "effect", "dead_letter", "queue_depth"};
  return failAt(node, fmt::format("unknown kind of record '{}'{}", node.text,
                                  didYouMean(node.text, kKinds.data(), kKinds.size())));
}

/// What `record` and `extends` say: the models to start from.
Result<std::vector<MappingModel>> startsOf(const JsonNode& node, int depth) {
  const JsonNode* record = node.find("record");
  const JsonNode* extends = node.find("extends");
  MappingModel model;
  if (record == nullptr && extends == nullptr)
    return failAt(node, "a mapping needs \"record\" or \"extends\"");
  if (record != nullptr) {
    auto kind = recordOf(*record);
    if (!kind) return fail(kind.error());
    model.kind = *kind;
  }
  if (extends == nullptr) return std::vector<MappingModel>{std::move(model)};
  if (auto text = textOf(*extends, "extends"); !text) return fail(text.error());
  auto bases = basesOf(*extends, record, depth);
  if (!bases) return fail(bases.error());
  std::vector<MappingModel> models;
  for (const auto& base : *bases) {
    models.push_back(*base);
    models.back().bases.push_back(extends->text);
  }
  return models;
}

/// A column that no field reads would never be seen: the format would fit nothing.
Result<> parseToldBy(const JsonNode& node, MappingModel& model) {
  auto names = textsOf(node, "told_by");
  if (!names) return fail(names.error());
  std::set<std::string> known;
  for (const std::string& column : model.knownColumns()) known.insert(foldColumnName(column));
  for (const std::string& name : *names) {
    if (known.count(foldColumnName(name)) == 0)
      return failAt(node, fmt::format("'told_by' has '{}', a column that no field reads", name));
  }
  model.telling = std::move(*names);
  return {};
}

/// The mappings of a format that take the same members.
struct Siblings {
  bool areSeveral = false;
  std::set<std::string> names;   ///< declared by any of them

  explicit Siblings(const std::vector<MappingModel>& models) : areSeveral(models.size() > 1) {
    for (const MappingModel& model : models) {
      for (std::string& name : model.valueNames()) names.insert(std::move(name));
    }
  }
  [[nodiscard]] std::set<std::string> namesLackedBy(const MappingModel& model) const {
    std::set<std::string> lacking = names;
    for (const std::string& own : model.valueNames()) lacking.erase(own);
    return lacking;
  }
};

/// What "names" and "tasks" say, the fields being known. Rules that are given to all mappings of a
/// format are those of the mappings whose records have a task.
Result<> completeTasks(const JsonNode& node, const ExpressionContext& context, const Siblings& siblings,
                       MappingModel& model) {
  const JsonNode* tasks = node.find("tasks");
  const bool goesWithout =
      siblings.areSeveral && (!hasTasks(model.kind) || model.fields.count(Field::Task) == 0);
  if (tasks != nullptr && !goesWithout) {
    const JsonNode own = rulesWithout(siblings.namesLackedBy(model), *tasks);
    if (auto ok = parseTasks(own, context, siblings.areSeveral, model); !ok) return ok;
  }
  // Every use of a name is looked at here, where the mapping is read, and not only beside a file.
  if (auto replaced = withNamesReplaced(model, {}); !replaced) return fail(replaced.error());
  return {};
}

/// Takes what the mapping itself says into the model that it starts from.
Result<> complete(const JsonNode& node, const std::string& formatName, const Siblings& siblings,
                  MappingModel& model) {
  model.name = formatName;
  const ExpressionContext context{model.kind, formatName.rfind("generic.", 0) == 0, formatName.empty()};
  if (const JsonNode* names = node.find("names")) {
    if (auto ok = parseNames(*names, context, model.names); !ok) return fail(ok.error());
  }
  if (const JsonNode* layout = node.find("layout")) {
    auto parsed = parseLayout(*layout, model.rowLayout);
    if (!parsed) return fail(parsed.error());
    model.rowLayout = std::move(*parsed);
    if (auto ok = parseRowLines(*layout, model, context); !ok) return fail(ok.error());
  }
  if (const JsonNode* fields = node.find("fields")) {
    if (auto ok = parseFields(*fields, model, context); !ok) return fail(ok.error());
  }
  if (const JsonNode* exclude = node.find("exclude")) {
    if (auto ok = parseExclude(*exclude, model, context); !ok) return fail(ok.error());
  }
  if (const JsonNode* checks = node.find("checks")) {
    if (auto ok = parseChecks(*checks, context, model.checks); !ok) return fail(ok.error());
  }
  if (model.fields.empty()) return failAt(node, "a mapping without 'fields'");
  if (auto ok = completeTasks(node, context, siblings, model); !ok) return ok;
  model.telling.clear();   // what tells the format that this one extends need not tell this one
  if (const JsonNode* toldBy = node.find("told_by")) {
    if (auto ok = parseToldBy(*toldBy, model); !ok) return fail(ok.error());
  }
  return {};
}

/// Of several mappings each takes the rules that its records know: every rule has to be one's.
Result<> checkTasksAreTaken(const JsonNode& node,
                            const std::vector<std::shared_ptr<const MappingModel>>& models) {
  const JsonNode* tasks = node.find("tasks");
  if (tasks == nullptr || models.size() < 2) return {};
  std::vector<std::shared_ptr<const MappingModel>> takers;
  std::copy_if(models.begin(), models.end(), std::back_inserter(takers),
               [](const auto& model) { return hasTasks(model->kind) && !model->tasks.empty(); });
  if (takers.empty() && !tasks->members.empty())
    return failAt(*tasks, "no mapping of the format has the field 'task'");
  for (const auto& [task, rule] : tasks->members) {
    for (const auto& [name, value] : rule.members) {
      const bool isTaken =
          name == "exclude" || std::any_of(takers.begin(), takers.end(), [&field = name](const auto& model) {
            return findField(model->kind, field) != nullptr;
          });
      if (!isTaken)
        return failAt(value, fmt::format("no record of the format that has a task has a field '{}'",
                                         name));
    }
  }
  return {};
}

}  // namespace

std::vector<std::string> MappingModel::knownColumns() const {
  const auto plain = withNamesReplaced(*this, {});
  const MappingModel& model = plain ? *plain : *this;   // that it can be done was seen when it was read
  std::set<std::string> columns;
  for (const auto& [field, expression] : model.fields) collectColumns(*expression, columns);
  for (const TaskRule& rule : model.tasks) {
    for (const auto& [field, expression] : rule.fields) collectColumns(*expression, columns);
    for (const Condition& condition : rule.excludeIf) collectColumns(condition, columns);
  }
  for (const Condition& condition : model.exclude) collectColumns(condition, columns);
  for (const Condition& condition : model.rowLines) collectColumns(condition, columns);
  return {columns.begin(), columns.end()};
}

std::vector<std::string> MappingModel::valueNames() const {
  std::vector<std::string> found;
  for (const NamedValue& value : names) found.push_back(value.name);
  return found;
}

Result<std::vector<std::shared_ptr<const MappingModel>>> parseMappingsAs(const JsonNode& node,
                                                                        const std::string& formatName,
                                                                        int depth) {
  if (node.type != JsonNode::Type::Object) return failAt(node, "a mapping has to be an object");
  const bool own = formatName.empty();
  if (auto ok = checkMembers(node, kMembers.data(), own ? kOwnMembers : kMembers.size()); !ok)
    return fail(ok.error());
  auto models = startsOf(node, depth);
  if (!models) return fail(models.error());
  std::vector<std::shared_ptr<const MappingModel>> completed;
  const Siblings siblings(*models);
  for (MappingModel& model : *models) {
    if (auto ok = complete(node, formatName, siblings, model); !ok) return fail(ok.error());
    completed.push_back(std::make_shared<const MappingModel>(std::move(model)));
  }
  if (auto ok = checkTasksAreTaken(node, completed); !ok) return fail(ok.error());
  return completed;
}

Result<std::vector<std::shared_ptr<const MappingSpec>>> parseMappings(const JsonNode& node) {
  auto models = parseMappingsAs(node, {});
  if (!models) return fail(models.error());
  return std::vector<std::shared_ptr<const MappingSpec>>(models->begin(), models->end());
}

Result<std::shared_ptr<const MappingSpec>> parseMapping(const JsonNode& node) {
  auto specs = parseMappings(node);
  if (!specs) return fail(specs.error());
  if (specs->size() == 1) return std::move(specs->front());
  return failAt(node, fmt::format("'{}' makes several records of a row: name one with \"record\"",
                                  node.find("extends")->text));
}

}  // namespace counterfoil
