// SPDX-License-Identifier: GPL-3.0-or-later
// Compiling a mapping for the columns of one file.
#include "importers/mapping/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

#include "core/base/text.h"
#include "importers/mapping/log_lines.h"
#include "importers/mapping/plan_internal.h"

namespace counterfoil {

namespace {

constexpr std::size_t kMaxColumns = 4096;
constexpr std::size_t kMatchCacheSize = 256;

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

/// "idempotency_key" as JSON writers spell it: idempotencyKey, idempotency-key, IdempotencyKey.
std::vector<std::string> spellingsOf(const std::string& name) {
  std::vector<std::string> spellings = {name};
  if (name.find('_') == std::string::npos || name.find('.') != std::string::npos) return spellings;
  std::string camel, kebab = name;
  std::replace(kebab.begin(), kebab.end(), '_', '-');
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool starts = name[i] == '_' && i + 1 < name.size();
    const char c = starts ? name[++i] : name[i];
    camel += starts && c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  }
  std::string pascal = camel;
  if (pascal[0] >= 'a' && pascal[0] <= 'z') pascal[0] = static_cast<char>(pascal[0] - 32);
  spellings.insert(spellings.end(), {camel, kebab, pascal});
  return spellings;
}

/// Finds a mapping's column names among those of a file.
class ColumnBinder {
 public:
  ColumnBinder(const std::vector<std::string>& fileColumns, std::vector<std::string>& columns)
      : m_fileColumns(fileColumns), m_columns(columns) {
    for (const std::string& name : fileColumns) {  // the first of equal names counts
      m_exact.emplace(name, name);
      m_lower.emplace(toLowerAscii(trim(name)), name);
      m_folded.emplace(foldColumnName(name), name);
    }
  }

  [[nodiscard]] bool knowsFile() const { return !m_fileColumns.empty(); }

  /// Index into the plan's columns; kNone if the file has no such column.
  std::uint32_t bind(const std::string& name, bool usualSpellings) {
    if (!knowsFile()) return indexOf(name);
    if (const auto found = m_exact.find(name); found != m_exact.end())
      return indexOf(found->second);
    if (const auto found = m_lower.find(toLowerAscii(name)); found != m_lower.end())
      return indexOf(found->second);
    if (!usualSpellings) return kNone;
    const auto found = m_folded.find(foldColumnName(name));
    return found == m_folded.end() ? kNone : indexOf(found->second);
  }

  /// A dotted path into a column that holds JSON: the column, and the pointer for the rest.
  std::uint32_t bindPath(const std::string& name, std::string& pointer) {
    for (std::size_t dot = name.rfind('.'); dot != std::string::npos && dot > 0;
         dot = name.rfind('.', dot - 1)) {
      if (dot + 1 == name.size()) continue;   // "Receipt No." is no path
      const std::uint32_t column = bind(name.substr(0, dot), false);
      if (column == kNone) continue;
      pointer.clear();
      for (const char c : name.substr(dot)) {
        if (c == '~')
          pointer += "~0";
        else if (c == '/')
          pointer += "~1";
        else
          pointer += c == '.' ? '/' : c;
      }
      return column;
    }
    return kNone;
  }

  [[nodiscard]] std::string nearestTo(std::string_view name) const {
    const std::vector<std::string_view> views(m_fileColumns.begin(), m_fileColumns.end());
    return nearest(name, views.data(), views.size());
  }

 private:
  std::uint32_t indexOf(const std::string& name) {
    const auto [entry, isNew] = m_index.emplace(name, static_cast<std::uint32_t>(m_columns.size()));
    if (isNew) m_columns.push_back(name);
    return entry->second;
  }

  const std::vector<std::string>& m_fileColumns;
  std::vector<std::string>& m_columns;
  std::unordered_map<std::string, std::uint32_t> m_index;
  std::unordered_map<std::string, std::string> m_exact, m_lower, m_folded;
};

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
    for (const auto& [field, expression] : m_model.fields) {
      if (auto ok = addField(field, *expression); !ok) return fail(ok.error());
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
    if (m_plan->m_rowLines.empty()) return {};
    m_plan->m_lineFits = m_binder.bind(std::string(kLineFitsColumn), false);
    m_plan->m_lineFault = m_binder.bind(std::string(kLineFaultColumn), false);
    return {};
  }

  Result<> addField(Field field, const FieldExpr& expression) {
    const FieldRow* row = findField(m_model.kind, nameOf(m_model.kind, field));
    m_meaning = row->meaning;
    auto compiled = compileExpression(expression);
    if (!compiled) return fail(compiled.error());
    if ((*compiled)->leaves.empty()) return {};  // no column of it in this file
    FieldOp op{field, row->meaning, kNone, std::move(*compiled)};
    const auto& leaves = op.value->leaves;
    if (leaves.size() == 1 && leaves.front().simple && !op.value->digest)
      op.plain = &leaves.front();
    const bool wantsCache =
        row->meaning == FieldMeaning::Word || row->meaning == FieldMeaning::Currency ||
        row->meaning == FieldMeaning::FeeCurrency ||
        row->meaning == FieldMeaning::Flag || row->meaning == FieldMeaning::Live;
    if (wantsCache) op.cache = m_cacheCount++;
    if (field == Field::Currency || field == Field::Amount) m_plan->m_amountOps.push_back(op);
    if (field == Field::Kind) {
      m_plan->m_kindOp = std::move(op);
    } else if (isPlainText(row->meaning) && !slimNeeds(field) && !op.value->canFail) {
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
    if (spec.per != nullptr) {
      auto per = compileTerm(*spec.per, TermSign::AsWritten, check);
      if (!per) return fail(per.error());
      check.per = per->value;
    }
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
      const bool asks = !leaf.when.empty() || leaf.zoneOfRow != nullptr || !leaf.joined.empty();
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
      const bool absent = !bindBase(leaf, name, compiled);
      anyBound = anyBound || !absent;
      const bool knowsBlank = leaf.words && leaf.words->blank && leaf.base == Leaf::Base::Column;
      if (absent && !knowsBlank && !out.digest) continue;
      if (auto ok = finishLeaf(leaf, compiled); !ok) return ok;
      out.leaves.push_back(std::move(compiled));
    }
    return {};
  }

  /// Whether the file has what the leaf is taken from.
  bool bindBase(const Leaf& leaf, const std::string& name, CompiledLeaf& out) {
    out.base = leaf.base;
    out.label = name;
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
      std::string pointer;
      out.column = m_binder.bindPath(name, pointer);
      if (out.column != kNone)
        out.decode.insert(out.decode.begin(), DecodeStep{std::nullopt, std::move(pointer)});
    } else if (out.column != kNone) {
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

  bool bindTemplate(const Leaf& leaf, CompiledLeaf& out) {
    bool complete = true;
    for (const TemplatePart& part : leaf.parts) {
      const std::uint32_t column =
          part.column.empty() ? kNone : m_binder.bind(part.column, leaf.usualSpellings);
      complete = complete && (part.column.empty() || column != kNone);
      out.parts.emplace_back(part.literal, column);
    }
    return complete;
  }

  Result<> finishLeaf(const Leaf& leaf, CompiledLeaf& out) {
    out.blankOnError = leaf.blankOnError;
    out.find = leaf.find;
    out.words = leaf.words;
    out.unit = leaf.unit;
    out.negative = leaf.negative;
    out.feeSign = leaf.feeSign;
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
    if (leaf.zoneOfRow) {
      m_meaning = FieldMeaning::Text;
      auto compiled = compileExpression(*leaf.zoneOfRow);
      m_meaning = meaning;
      if (!compiled) return fail(compiled.error());
      out.zoneOfRow = std::move(*compiled);
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
  FieldMeaning m_meaning = FieldMeaning::Text;
  std::optional<std::string> m_netWhere;   ///< of an amount without its fee
  std::uint32_t m_cacheCount = 0;
};

Result<std::shared_ptr<const Plan>> Plan::compile(const MappingSpec& spec,
                                                  const std::vector<std::string>& fileColumns,
                                                  const PlanOptions& options) {
  return PlanCompiler(static_cast<const MappingModel&>(spec), fileColumns, options).compile();
}

std::unique_ptr<RowScratch> PlanImpl::makeScratch() const {
  auto scratch = std::make_unique<PlanScratch>();
  std::uint32_t caches = 0;
  const auto count = [&](const FieldOp& op) {
    if (op.cache != kNone) caches = std::max(caches, op.cache + 1);
  };
  if (m_kindOp) count(*m_kindOp);
  for (const auto* ops : {&m_matchOps, &m_ops, &m_extraOps})
    std::for_each(ops->begin(), ops->end(), count);
  scratch->caches.resize(caches);
  scratch->open = m_open;
  scratch->matchValues.resize(m_matchFields.size());
  scratch->matchCache.resize(m_onlyOperation || m_operations == nullptr ? 0 : kMatchCacheSize);
  scratch->lastMatchKey.assign(1, '\x01');  // no key of values: they end in NUL
  if (m_kind == RecordKind::Claim)
    scratch->row.status = static_cast<std::uint8_t>(ClaimState::Completed);
  if (m_kind == RecordKind::Attempt)
    scratch->row.status = static_cast<std::uint8_t>(AttemptStatus::Unknown);
  return scratch;
}

const RowFault& PlanImpl::fault(const RowScratch& scratch) const {
  return static_cast<const PlanScratch&>(scratch).lastFault;
}

const OpenEvidence& PlanImpl::evidence(const RowScratch& scratch) const {
  return static_cast<const PlanScratch&>(scratch).open;
}

std::optional<Money> PlanImpl::amountAsWritten(const RowScratch& scratch) const {
  return static_cast<const PlanScratch&>(scratch).asWritten;
}

std::string_view PlanImpl::excludedAs(const RowScratch& scratch) const {
  return static_cast<const PlanScratch&>(scratch).excludedAs;
}

void OpenEvidence::merge(const OpenEvidence& other) {
  for (std::size_t i = 0; i < columns.size() && i < other.columns.size(); ++i) {
    columns[i].decimal |= other.columns[i].decimal;
    columns[i].date |= other.columns[i].date;
  }
}

}  // namespace counterfoil
