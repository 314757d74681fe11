// SPDX-License-Identifier: GPL-3.0-or-later
// Mappings as text, rows as lists of texts: what the tests of plans are written with.
#pragma once

#include <QtTest>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/ledger/slim.h"
#include "importers/json/json_document.h"
#include "importers/mapping/mapping_spec.h"
#include "importers/mapping/operation_matcher.h"
#include "importers/mapping/plan.h"

namespace counterfoil::testing {

inline std::shared_ptr<const MappingSpec> mappingOf(const std::string& json) {
  auto node = parseJson(json, "test.json");
  if (!node) qFatal("%s", node.error().message.c_str());
  auto spec = parseMapping(*node);
  if (!spec) qFatal("%s", spec.error().message.c_str());
  return *spec;
}

/// The message of a mapping that has to be refused; "accepted" if it is not.
inline std::string refusalOf(const std::string& json) {
  auto node = parseJson(json, "test.json");
  if (!node) return node.error().message;
  auto spec = parseMapping(*node);
  return spec ? std::string("accepted") : spec.error().message;
}

/// A plan bound to the columns of a file, and the rows given to it.
class PlanUnderTest {
 public:
  PlanUnderTest(const std::string& json, std::vector<std::string> fileColumns,
                PlanOptions options = {})
      : PlanUnderTest(mappingOf(json), std::move(fileColumns), std::move(options)) {}

  PlanUnderTest(std::shared_ptr<const MappingSpec> spec, std::vector<std::string> fileColumns,
                PlanOptions options = {})
      : m_spec(std::move(spec)), m_fileColumns(std::move(fileColumns)), m_hash(42) {
    auto plan = Plan::compile(*m_spec, m_fileColumns, options);
    if (!plan) qFatal("%s", plan.error().message.c_str());
    m_plan = *plan;
    m_scratch = m_plan->makeScratch();
  }

  /// A row of a text file: values in the order of the file's columns.
  RowFate text(const std::vector<std::string>& values, std::string raw = {}) {
    std::vector<std::pair<std::string, FieldView>> fields;
    m_values = values;
    for (std::size_t i = 0; i < m_values.size() && i < m_fileColumns.size(); ++i) {
      fields.emplace_back(m_fileColumns[i], FieldView{FieldType::Text, m_values[i]});
    }
    if (raw.empty()) {
      for (const auto& value : values) raw += (raw.empty() ? "" : ",") + value;
    }
    return row(fields, raw);
  }

  /// A row of named values with their types; columns that are not named are absent.
  RowFate row(const std::vector<std::pair<std::string, FieldView>>& fields,
              const std::string& raw = {}) {
    m_raw = raw;
    RowView view;
    view.offset = 100;
    view.raw = m_raw;
    for (const std::string& column : m_plan->columns()) {
      FieldView found;
      for (const auto& [name, field] : fields) {
        if (name == column) found = field;
      }
      view.fields.push_back(found);
    }
    const RowFate slimFate = m_plan->slim(view, 0, m_hash, *m_scratch, m_slim);
    m_fault = m_plan->fault(*m_scratch);
    m_asWritten = m_plan->amountAsWritten(*m_scratch);
    // Filled anew over what the row before left there.
    if (slimFate == RowFate::Recorded) m_plan->fullOfLast(view, 0, *m_scratch, m_recordOfLast);
    const RowFate fullFate = m_plan->full(view, 0, *m_scratch, m_record);
    if (slimFate == RowFate::Recorded && bytesOf(m_recordOfLast) != bytesOf(m_record)) {
      qFatal("the record of the row just read differs from that of the row read again");
    }
    // Both passes give one fate and one fault, and the slim record is the full one's.
    if (slimFate != fullFate) qFatal("the passes differ: %d and %d", int(slimFate), int(fullFate));
    if (slimFate == RowFate::Quarantined) {
      const RowFault& again = m_plan->fault(*m_scratch);
      if (again.rule != m_fault.rule || again.reason != m_fault.reason ||
          again.column != m_fault.column || again.value != m_fault.value) {
        qFatal("the passes differ in their fault: %s and %s", m_fault.rule.c_str(),
               again.rule.c_str());
      }
    }
    if (slimFate == RowFate::Recorded && m_plan->record() != RecordKind::QueueDepth) compareSlim();
    return slimFate;
  }

  template <class T>
  [[nodiscard]] const T& record() const {
    const T* record = std::get_if<T>(&m_record);
    if (record == nullptr) qFatal("the record is of another kind");
    return *record;
  }
  [[nodiscard]] const SlimRecord& slim() const { return m_slim; }
  [[nodiscard]] const RowFault& fault() const { return m_fault; }
  [[nodiscard]] std::optional<Money> asWritten() const { return m_asWritten; }
  [[nodiscard]] const Plan& plan() const { return *m_plan; }
  [[nodiscard]] const OpenEvidence& evidence() const { return m_plan->evidence(*m_scratch); }
  [[nodiscard]] const KeyedHash& hash() const { return m_hash; }

 private:
  static std::string bytesOf(const AnyRecord& record) {
    std::string bytes;
    encodeRecord(record, bytes);
    return bytes;
  }

  void compareSlim() const {
    const SlimRecord expected = slimOf(m_record, m_hash);
    const SlimRecord& got = m_slim;
    const bool same = got.key == expected.key && got.jobId == expected.jobId &&
                      got.messageId == expected.messageId && got.opRef == expected.opRef &&
                      got.effectId == expected.effectId && got.parentId == expected.parentId &&
                      got.content == expected.content && got.scope == expected.scope &&
                      got.ref == expected.ref && got.hasAmount == expected.hasAmount &&
                      got.amountMinor == expected.amountMinor &&
                      got.currency == expected.currency && got.timeMicros == expected.timeMicros &&
                      got.startMicros == expected.startMicros && got.queue == expected.queue &&
                      got.operation == expected.operation && got.kind == expected.kind &&
                      got.status == expected.status && got.effectKind == expected.effectKind &&
                      got.keyDamaged == expected.keyDamaged && got.dayOnly == expected.dayOnly &&
                      got.keyBytes == expected.keyBytes && (got.needsJudge || !expected.needsJudge);
    if (!same) qFatal("the slim record is not that of the full one");
  }

  std::shared_ptr<const MappingSpec> m_spec;
  std::vector<std::string> m_fileColumns;
  std::vector<std::string> m_values;
  std::string m_raw;
  KeyedHash m_hash;
  std::shared_ptr<const Plan> m_plan;
  std::unique_ptr<RowScratch> m_scratch;
  SlimRecord m_slim;
  AnyRecord m_record;
  AnyRecord m_recordOfLast;   ///< kept over rows, as a scan keeps it
  RowFault m_fault;
  std::optional<Money> m_asWritten;
};

}  // namespace counterfoil::testing
