// SPDX-License-Identifier: GPL-3.0-or-later
// Compiling a mapping for the columns of one file.
#include "importers/mapping/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "core/base/text.h"
#include "importers/mapping/column_binder.h"
#include "importers/mapping/log_lines.h"
#include "importers/mapping/named_values.h"
#include "importers/mapping/plan_internal.h"

namespace counterfoil {

namespace {

constexpr std::size_t kMaxColumns = 4096;

/// Fields whose texts the first pass needs although they cannot fail.
bool slimNeeds(Field field) {
  switch (field) {
    case Field::JobId:
    case Field::MessageId:
    case Field::OpRef:
    case Field::EffectId:
    case Field::ParentId:
    case Field::Replaces:
    case Field::Id:
    case Field::Account:
    case Field::Queue:
      return true;
    default:
      return false;
  }
}

bool isPlainText(FieldMeaning meaning) {
  return meaning == FieldMeaning::Text || meaning == FieldMeaning::Link ||
         meaning == FieldMeaning::Fingerprint;
}

}  // namespace

class PlanCompiler {
 public:
  PlanCompiler(const MappingModel& model, const std::vector<std::string>& fileColumns,
               const PlanOptions& options)
      : m_model(model),
        m_options(options),
        m_plan(std::make_shared<PlanImpl>()),
        m_binder(fileColumns, m_plan->m_columns) {}

  Result<std::shared_ptr<const Plan>> compile() {
    auto zone = Zone::named(m_options.defaultZone);
    if (!zone) return fail(zone.error());
    m_plan->m_kind = m_model.kind;
    m_plan->m_source = m_options.source;
    m_plan->m_jobSpace = m_options.jobSpace.value_or(m_options.source);
    m_plan->m_file = m_options.file;
    m_plan->m_mappingNumber = m_options.mappingNumber;
    m_plan->m_operations = m_model.kind == RecordKind::Effect ? nullptr : m_options.operations;
    m_plan->m_hasHeader = m_binder.knowsFile();
    for (const Condition& condition : m_model.exclude) {
      auto compiled = compileCondition(condition);
      if (!compiled) return fail(compiled.error());
      m_plan->m_exclude.push_back(std::move(*compiled));
    }
    if (auto ok = addRowLines(); !ok) return fail(ok.error());
    if (auto ok = addTasks(); !ok) return fail(ok.error());
    for (const Field field : fieldsInOrder()) {
      if (auto ok = addField(field); !ok) return fail(ok.error());
    }
    if (auto ok = checkFeeIsRead(); !ok) return fail(ok.error());
    if (auto ok = addFooter(); !ok) return fail(ok.error());
    for (const CheckSpec& check : m_model.checks) {
      if (auto ok = addCheck(check); !ok) return fail(ok.error());
    }
    bindOperations();
    if (m_plan->m_columns.size() > kMaxColumns)
      return fail(ErrorCode::Limit, "a mapping of more than 4096 columns");
    return std::shared_ptr<const Plan>(std::move(m_plan));
  }

 private:
  Result<> addRowLines() {
    for (const Condition& condition : m_model.rowLines) {
      auto compiled = compileCondition(condition);
      if (!compiled) return fail(compiled.error());
      m_plan->m_rowLines.push_back(std::move(*compiled));
    }
    if (m_model.rowLayout.kind != LayoutKind::Log) return {};
    m_plan->m_lineFits = m_binder.bind(std::string(kLineFitsColumn), false);
    m_plan->m_lineFault = m_binder.bind(std::string(kLineFaultColumn), false);
    return {};
  }

  /// Which rule of "tasks" a row falls under is told by the texts of its task.
  Result<> addTasks() {
    if (m_model.tasks.empty()) return {};
    m_plan->m_tasks = TaskMatcher(m_model.tasks);
    for (const TaskRule& rule : m_model.tasks) {
      TaskExclusion exclusion{rule.exclude, {}};
      for (const Condition& condition : rule.excludeIf) {
        auto compiled = compileCondition(condition);
        if (!compiled) return fail(compiled.error());
        exclusion.conditions.push_back(std::move(*compiled));
      }
      m_plan->m_taskExclusions.push_back(std::move(exclusion));
    }
    const auto task = m_model.fields.find(Field::Task);
    m_meaning = FieldMeaning::Text;
    auto compiled = compileExpression(task == m_model.fields.end() ? FieldExpr() : *task->second);
    if (!compiled) return fail(compiled.error());
    m_plan->m_taskOf = std::move(*compiled);
    return {};
  }

  [[nodiscard]] std::set<Field> fieldsInOrder() const {
    std::set<Field> fields;
    for (const auto& [field, expression] : m_model.fields) fields.insert(field);
    for (const TaskRule& rule : m_model.tasks) {
      for (const auto& [field, expression] : rule.fields) fields.insert(field);
    }
    return fields;
  }

  Result<FieldOp> makeOp(const FieldRow& row, const FieldExpr& expression) {
    m_meaning = row.meaning;
    auto compiled = compileExpression(expression);
    if (!compiled) return fail(compiled.error());
    FieldOp op{row.field, row.meaning, kNone, std::move(*compiled), nullptr, {}};
    const auto& leaves = op.value->leaves;
    if (leaves.size() == 1 && leaves.front().simple && !op.value->digest)
      op.plain = &leaves.front();
    const bool wantsCache =
        row.meaning == FieldMeaning::Word || row.meaning == FieldMeaning::Currency ||
        row.meaning == FieldMeaning::FeeCurrency ||
        row.meaning == FieldMeaning::Flag || row.meaning == FieldMeaning::Live;
    if (wantsCache) op.cache = m_plan->m_cacheCount++;
    return op;
  }

  /// The mapping's own operation, and those of the tasks that have one in place of it.
  Result<FieldOp> makeOps(const FieldRow& row) {
    const auto own = m_model.fields.find(row.field);
    auto op = makeOp(row, own == m_model.fields.end() ? FieldExpr() : *own->second);
    if (!op) return op;
    for (std::size_t i = 0; i < m_model.tasks.size(); ++i) {
      const auto& fields = m_model.tasks[i].fields;
      const auto found = fields.find(row.field);
      if (found == fields.end()) continue;
      auto ofTask = makeOp(row, *found->second);
      if (!ofTask) return ofTask;
      op->byTask.resize(m_model.tasks.size());
      op->byTask[i] = std::make_shared<const FieldOp>(std::move(*ofTask));
      op->plain = nullptr;
    }
    return op;
  }

  Result<> addField(Field field) {
    const FieldRow* row = findField(m_model.kind, nameOf(m_model.kind, field));
    auto made = makeOps(*row);
    if (!made) return fail(made.error());
    FieldOp& op = *made;
    if (op.value->leaves.empty() && op.byTask.empty()) return {};  // no column of it in this file
    if (field == Field::Currency || field == Field::Amount) m_plan->m_amountOps.push_back(op);
    if (field == Field::Kind && m_model.kind == RecordKind::Effect) {
      m_plan->m_kindOp = std::move(op);
    } else if (isPlainText(row->meaning) && !slimNeeds(field) && !op.canFail()) {
      m_plan->m_extraOps.push_back(std::move(op));
    } else {
      m_plan->m_ops.push_back(std::move(op));
    }
    return {};
  }

  Result<> addFooter() {
    const std::string& footer = m_model.rowLayout.footer;
    if (footer.rfind("re:", 0) != 0) {
      m_plan->m_footerText = std::string(trim(footer));
      return {};
    }
    auto pattern = Pattern::compile(std::string_view(footer).substr(3));
    if (!pattern) return fail(pattern.error());
    m_plan->m_footer = std::move(*pattern);
    return {};
  }

  Result<> addCheck(const CheckSpec& spec) {
    CompiledCheck check;
    check.kind = spec.kind;
    check.name = spec.name;
    check.tolerance = spec.tolerance;
    m_meaning = FieldMeaning::Text;
    for (const auto& [from, to] : {std::pair(&spec.sum, &check.sum), std::pair(&spec.is, &check.is)}) {
      for (const CheckTerm& term : *from) {
        auto compiled = compileTerm(*term.value, term.sign, check);
        if (!compiled) return fail(compiled.error());
        to->push_back(std::move(*compiled));
      }
    }
    for (const auto& [from, to] : {std::pair(&spec.balance, &check.balance), std::pair(&spec.opening, &check.opening),
                                   std::pair(&spec.closing, &check.closing)}) {
      if (*from == nullptr) continue;
      auto compiled = compileTerm(**from, TermSign::AsWritten, check);
      if (!compiled) return fail(compiled.error());
      *to = std::move(*compiled);
    }
    for (const auto& [from, to] :
         {std::pair(&spec.per, &check.per), std::pair(&spec.from, &check.from), std::pair(&spec.to, &check.to)}) {
      if (*from == nullptr) continue;
      auto compiled = compileTerm(**from, TermSign::AsWritten, check);
      if (!compiled) return fail(compiled.error());
      *to = compiled->value;
    }
    check.finding = spec.finding;
    for (const auto& [from, to] : {std::pair(&spec.when, &check.when), std::pair(&spec.whenHas, &check.whenHas)}) {
      for (const Condition& condition : *from) {
        auto compiled = compileCondition(condition);
        if (!compiled) return fail(compiled.error());
        to->push_back(std::move(*compiled));
      }
    }
    const bool isCount = spec.kind == CheckSpec::Kind::Count;
    const bool isSum = spec.kind == CheckSpec::Kind::Sum && spec.per == nullptr && !check.is.empty();
    check.isStated = isCount || (isSum && check.is.front().isOutside);
    m_plan->m_checks.push_back(std::move(check));
    return {};
  }

  Result<CompiledTerm> compileTerm(const FieldExpr& expression, TermSign sign, CompiledCheck& check) {
    auto compiled = compileExpression(expression);
    if (!compiled) return fail(compiled.error());
    CompiledTerm term{std::move(*compiled), sign, DecimalSign::Point, true};
    if (term.value->leaves.empty() && check.missing.empty()) check.missing = expression.leaves.front().text;
    for (const CompiledLeaf& leaf : term.value->leaves) {
      const bool isFixed = leaf.base == Leaf::Base::Document || leaf.base == Leaf::Base::Value;
      term.isOutside = term.isOutside && isFixed && leaf.when.empty();
      readAsAmounts(leaf, term);
    }
    return term;
  }

  /// A statement writes all its numbers with one decimal sign: where the layout does not tell it, the
  /// column's own counts if it is one of amounts, else that of the first column that is.
  void readAsAmounts(const CompiledLeaf& leaf, CompiledTerm& term) {
    const Layout& layout = m_model.rowLayout;
    if (layout.decimal || layout.grouping == "." || layout.grouping == ",") {
      const bool isComma = layout.decimal ? *layout.decimal == DecimalSign::Comma : layout.grouping == ".";
      term.decimal = isComma ? DecimalSign::Comma : DecimalSign::Point;
      return;
    }
    const auto& open = m_plan->m_open.columns;
    const auto first = std::find_if(open.begin(), open.end(), [](const auto& column) { return column.isOfAmounts; });
    if (first == open.end()) return;
    const bool isOwn = std::any_of(open.begin(), open.end(), [&](const auto& column) {
      return column.isOfAmounts && column.name == leaf.label;
    });
    const std::string& name = isOwn ? leaf.label : first->name;
    for (const auto& [column, sign] : m_options.facts.decimal) {
      if (column == name) term.decimal = sign;
    }
    if (!isOwn && leaf.column != kNone) m_plan->m_openCheckColumns.push_back(leaf.column);
  }

  /// The texts by which operations are told come before everything else.
  void bindOperations() {
    PlanImpl& plan = *m_plan;
    if (plan.m_operations == nullptr) return;
    for (const std::string& name : plan.m_operations->fields()) {
      const FieldRow* row = findField(plan.m_kind, name);
      const bool bound = row != nullptr && (moveToMatch(plan.m_ops, row->field) ||
                                            moveToMatch(plan.m_extraOps, row->field));
      plan.m_matchFields.push_back(bound ? static_cast<std::uint32_t>(row->field) : kNone);
    }
    if (plan.m_matchOps.empty()) {
      const std::vector<std::string_view> blanks(plan.m_matchFields.size());
      plan.m_onlyOperation = plan.m_operations->match(blanks);
    }
  }

  bool moveToMatch(std::vector<FieldOp>& ops, Field field) {
    const auto found =
        std::find_if(ops.begin(), ops.end(), [&](const FieldOp& op) { return op.field == field; });
    if (found == ops.end()) return false;
    m_plan->m_matchOps.push_back(std::move(*found));
    ops.erase(found);
    return true;
  }

  // Nesting is bounded by the depth of the mapping's JSON text.
  Result<std::shared_ptr<const CompiledExpr>> compileExpression(const FieldExpr& expression) {
    auto compiled = std::make_shared<CompiledExpr>();
    compiled->digest = expression.digest;
    bool anyBound = false;
    for (const Leaf& leaf : expression.leaves) {
      if (auto ok = addLeaves(leaf, *compiled, anyBound); !ok) return fail(ok.error());
    }
    if (!anyBound && expression.ownColumns) return fail(missingColumns(expression));
    for (const CompiledLeaf& leaf : compiled->leaves) {
      const bool takesIn = std::any_of(leaf.parts.begin(), leaf.parts.end(),
                                       [](const CompiledPart& part) { return part.value != nullptr; });
      const bool asks =
          !leaf.when.empty() || leaf.zoneOfRow != nullptr || leaf.plusMs != nullptr ||
          !leaf.joined.empty() || takesIn;
      compiled->canFail = compiled->canFail || (!leaf.decode.empty() && !leaf.blankOnError) || asks;
    }
    return std::shared_ptr<const CompiledExpr>(std::move(compiled));
  }

  Result<> addLeaves(const Leaf& leaf, CompiledExpr& out, bool& anyBound) {
    const bool spell =
        leaf.usualSpellings && leaf.base == Leaf::Base::Column && !m_binder.knowsFile();
    const std::vector<std::string> names =
        spell ? spellingsOf(leaf.text) : std::vector<std::string>{leaf.text};
    for (const std::string& name : names) {
      CompiledLeaf compiled;
      const auto bound = bindBase(leaf, name, compiled);
      if (!bound) return fail(bound.error());
      const bool absent = !*bound;
      anyBound = anyBound || !absent;
      const bool knowsBlank = leaf.words && leaf.words->blank && leaf.base == Leaf::Base::Column;
      if (absent && !knowsBlank && !out.digest) continue;
      if (auto ok = finishLeaf(leaf, compiled); !ok) return ok;
      out.leaves.push_back(std::move(compiled));
    }
    return {};
  }

  /// Whether the file has what the leaf is taken from.
  Result<bool> bindBase(const Leaf& leaf, const std::string& name, CompiledLeaf& out) {
    out.base = leaf.base;
    out.label = leaf.label.empty() ? name : leaf.label;
    out.decode = leaf.decode;
    switch (leaf.base) {
      case Leaf::Base::Value:
        out.text = leaf.text;
        return true;
      case Leaf::Base::Document:
        bindDocument(leaf, out);
        return true;
      case Leaf::Base::Template:
        return bindTemplate(leaf, out);
      case Leaf::Base::Sum:
        return bindSum(leaf, out);
      case Leaf::Base::Join:
        return true;   // its parts are bound where they are compiled
      case Leaf::Base::Column:
        break;
    }
    out.column = m_binder.bind(name, leaf.usualSpellings);
    if (out.column == kNone && m_binder.knowsFile()) {
      std::string path;
      out.column = m_binder.bindPath(name, path);
      if (out.column != kNone) out.decode.insert(out.decode.begin(), {.path = std::move(path)});
    } else if (out.column != kNone && leaf.label.empty()) {
      out.label = m_plan->m_columns[out.column];
    }
    return out.column != kNone;
  }

  void bindDocument(const Leaf& leaf, CompiledLeaf& out) {
    auto& pointers = m_plan->m_pointers;
    if (std::find(pointers.begin(), pointers.end(), leaf.text) == pointers.end())
      pointers.push_back(leaf.text);
    for (const auto& [pointer, text] : m_options.documentValues) {
      if (pointer == leaf.text) out.text = text;
    }
  }

  bool bindSum(const Leaf& leaf, CompiledLeaf& out) {
    for (const SumPart& part : leaf.sum) {
      const std::uint32_t column = m_binder.bind(part.column, leaf.usualSpellings);
      if (column != kNone) out.sum.emplace_back(column, part.negate);
    }
    return !out.sum.empty();
  }

  Result<bool> bindTemplate(const Leaf& leaf, CompiledLeaf& out) {
    bool complete = true;
    const FieldMeaning meaning = m_meaning;
    m_meaning = FieldMeaning::Text;
    for (const TemplatePart& part : leaf.parts) {
      CompiledPart compiled{part.literal, kNone, nullptr};
      if (part.value != nullptr) {
        auto value = compileExpression(*part.value);
        if (!value) return fail(value.error());
        complete = complete && !(*value)->leaves.empty();
        compiled.value = std::move(*value);
      } else if (!part.column.empty()) {
        compiled.column = m_binder.bind(part.column, leaf.usualSpellings);
        complete = complete && compiled.column != kNone;
      }
      out.parts.push_back(std::move(compiled));
    }
    m_meaning = meaning;
    return complete;
  }

  Result<> finishLeaf(const Leaf& leaf, CompiledLeaf& out) {
    out.blankOnError = leaf.blankOnError;
    out.find = leaf.find;
    out.words = leaf.words;
    out.unit = leaf.unit;
    out.negative = leaf.negative;
    out.feeSign = leaf.feeSign;
    shareDecoding(out);
    if (auto ok = checkFee(leaf); !ok) return ok;
    out.decimals.assign(leaf.decimals.begin(), leaf.decimals.end());
    if (auto ok = compileParts(leaf, out); !ok) return ok;
    for (const Condition& condition : leaf.when) {
      auto compiled = compileCondition(condition);
      if (!compiled) return fail(compiled.error());
      out.when.push_back(std::move(*compiled));
    }
    // Words of enumerated fields are looked up through a cache of their own.
    const bool wordsApart = m_meaning == FieldMeaning::Word && !(leaf.words && leaf.words->blank);
    out.simple = leaf.base == Leaf::Base::Column && out.column != kNone && out.decode.empty() &&
                 !leaf.find && leaf.when.empty() && (!leaf.words || wordsApart);
    if (m_meaning == FieldMeaning::Amount || m_meaning == FieldMeaning::Fee) setDecimal(out);
    if (m_meaning == FieldMeaning::Time || m_meaning == FieldMeaning::Age)
      return setTime(leaf, out);
    return {};
  }

  /// Places in one column's value are looked up in what its decoders gave once for the row.
  void shareDecoding(CompiledLeaf& out) {
    if (out.base != Leaf::Base::Column || out.column == kNone || out.decode.empty()) return;
    sayJson(out.decode);
    for (std::size_t i = 0; i < out.decode.size(); ++i) {
      if (out.decode[i].decoder) out.sharedSteps = i + 1;
    }
    if (out.sharedSteps == 0) return;
    std::string steps = std::to_string(out.column);
    for (const DecodeStep& step : std::span(out.decode).first(out.sharedSteps))
      steps += '\n' + nameOf(step);
    const auto [entry, isNew] = m_decodings.emplace(std::move(steps), m_plan->m_decodingCount);
    if (isNew) ++m_plan->m_decodingCount;
    out.shared = entry->second;
  }

  Result<> compileParts(const Leaf& leaf, CompiledLeaf& out) {
    const FieldMeaning meaning = m_meaning;
    m_meaning = FieldMeaning::Text;
    out.text = leaf.joined.empty() ? out.text : leaf.with;
    for (const auto& part : leaf.joined) {
      auto compiled = compileExpression(*part);
      if (!compiled) return fail(compiled.error());
      out.joined.push_back(std::move(*compiled));
    }
    m_meaning = meaning;
    return {};
  }

  /// A net amount that silently went without its fee would be compared with a gross one.
  Result<> checkFee(const Leaf& leaf) {
    if (leaf.feeSign == 0) return {};
    if (m_meaning != FieldMeaning::Amount || m_model.kind != RecordKind::Effect) {
      return fail(Error{ErrorCode::Config, "'plus' and 'minus' belong to the amount of an effect"}.within(leaf.where));
    }
    m_netWhere = leaf.where;
    return {};
  }

  Result<> checkFeeIsRead() {
    const auto& ops = m_plan->m_ops;
    const bool isRead = std::any_of(ops.begin(), ops.end(), [](const FieldOp& op) { return op.field == Field::Fee; });
    if (!m_netWhere || isRead) return {};
    return fail(Error{ErrorCode::Config, "the amount is one without its fee, and no column holds the fee: map 'fee'"}
                    .within(*m_netWhere));
  }

  void setDecimal(CompiledLeaf& out) {
    const Layout& layout = m_model.rowLayout;
    if (layout.decimal) {
      out.decimal = *layout.decimal;
    } else if (layout.grouping == "." || layout.grouping == ",") {
      out.decimal = layout.grouping == "." ? DecimalSign::Comma : DecimalSign::Point;
    } else {
      out.evidence = openColumn(out.label);
      m_plan->m_open.columns[out.evidence].isOfAmounts = true;
      for (const auto& [name, sign] : m_options.facts.decimal) {
        if (name == out.label) out.decimal = sign;
      }
    }
  }

  Result<> setTime(const Leaf& leaf, CompiledLeaf& out) {
    const FieldMeaning meaning = m_meaning;
    auto zone = Zone::named(leaf.zone.empty() ? m_options.defaultZone : leaf.zone);
    if (!zone) return fail(zone.error().within(leaf.where));
    auto form = TimeForm::make(leaf.form, *zone);
    if (!form) return fail(form.error().within(leaf.where));
    out.form = *form;
    out.isAutomatic = leaf.form.empty();
    if (m_options.isWorkbook && !out.isAutomatic) {
      auto sheetForm = TimeForm::make("", *zone);
      if (!sheetForm) return fail(sheetForm.error().within(leaf.where));
      out.sheetForm = *sheetForm;
    }
    for (const auto& [from, to] : {std::pair(&leaf.zoneOfRow, &out.zoneOfRow), {&leaf.plusMs, &out.plusMs}}) {
      if (*from == nullptr) continue;
      m_meaning = FieldMeaning::Text;
      auto compiled = compileExpression(**from);
      m_meaning = meaning;
      if (!compiled) return fail(compiled.error());
      *to = std::move(*compiled);
    }
    if (!leaf.form.empty() || meaning == FieldMeaning::Age) return {};
    // A bank file's own columns come with ISO dates: no look at all of it is needed to know their order.
    if (isBank(m_model.rowLayout.kind) && leaf.base == Leaf::Base::Column && leaf.find == nullptr) return {};
    const bool isOfLog = m_model.rowLayout.kind == LayoutKind::Log && leaf.base == Leaf::Base::Column && leaf.text == "time";
    if (isOfLog && leaf.find == nullptr) return {};   // the same of a log's own
    out.evidence = openColumn(out.label);
    for (const auto& [name, order] : m_options.facts.dateOrder) {
      if (name == out.label) out.order = order;
    }
    return {};
  }

  std::uint32_t openColumn(const std::string& label) {
    auto& columns = m_plan->m_open.columns;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].name == label) return static_cast<std::uint32_t>(i);
    }
    columns.push_back({label, 0, 0, false});
    return static_cast<std::uint32_t>(columns.size() - 1);
  }

  Result<CompiledCondition> compileCondition(const Condition& condition) {
    const FieldMeaning meaning = m_meaning;
    m_meaning = FieldMeaning::Text;
    FieldExpr expression = *condition.value;
    expression.ownColumns =
        expression.ownColumns && !condition.blank;  // "" also fits a column that is not there
    auto value = compileExpression(expression);
    m_meaning = meaning;
    if (!value) return fail(value.error());
    return CompiledCondition{std::move(*value), condition.words, condition.patterns,
                             condition.blank, condition.negated};
  }

  [[nodiscard]] Error missingColumns(const FieldExpr& expression) const {
    std::string wanted;
    for (const Leaf& leaf : expression.leaves) {
      if (!wanted.empty()) wanted += "', '";
      wanted += leaf.text;
    }
    return Error{ErrorCode::Config, columnMessage(expression.where, wanted)};
  }

  [[nodiscard]] std::string columnMessage(const std::string& where,
                                          const std::string& wanted) const {
    const std::string near = m_binder.nearestTo(wanted);
    return fmt::format("{}: the file has no column '{}'{}", where, wanted,
                       near.empty() ? "" : ", did you mean '" + near + "'?");
  }

  const MappingModel& m_model;
  const PlanOptions& m_options;
  std::shared_ptr<PlanImpl> m_plan;
  ColumnBinder m_binder;
  std::map<std::string, std::uint32_t> m_decodings;   ///< by column and steps
  FieldMeaning m_meaning = FieldMeaning::Text;
  std::optional<std::string> m_netWhere;   ///< of an amount without its fee
};

Result<std::shared_ptr<const Plan>> Plan::compile(const MappingSpec& spec,
                                                  const std::vector<std::string>& fileColumns,
                                                  const PlanOptions& options) {
  const auto& model = static_cast<const MappingModel&>(spec);
  if (model.names.empty()) return PlanCompiler(model, fileColumns, options).compile();
  auto plain = withNamesReplaced(model, fileColumns);
  if (!plain) return fail(plain.error());
  return PlanCompiler(*plain, fileColumns, options).compile();
}

}  // namespace counterfoil
