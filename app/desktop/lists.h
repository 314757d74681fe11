// SPDX-License-Identifier: GPL-3.0-or-later
// The lists of the window: their columns, how they come out of the store, and the lines of the batch
// program's lists as rows. Pure; the sources run on the store's thread.
#pragma once

#include <QString>

#include "app/desktop/rows_model.h"
#include "app/life_of_key.h"
#include "reports/list/lines.h"

namespace counterfoil::desktop {

[[nodiscard]] std::vector<Column> caseColumns();
[[nodiscard]] ListSource caseSource();
[[nodiscard]] std::vector<Column> skipColumns();
[[nodiscard]] ListSource skipSource();
[[nodiscard]] std::vector<Column> letterColumns();
[[nodiscard]] ListSource letterSource();

[[nodiscard]] std::vector<Column> queueColumns();
[[nodiscard]] std::vector<Row> queueRows(const std::vector<QueueLine>& lines);

/// Classes of a run that occur, breaks first; a row's target is the class.
[[nodiscard]] std::vector<Column> classColumns();
[[nodiscard]] std::vector<Row> classRows(const RunResult& result, const std::map<Class, Severity>& worst);
[[nodiscard]] std::vector<Column> sourceColumns();
[[nodiscard]] std::vector<Row> sourceRows(const RunResult& result, const Coverage& coverage);
[[nodiscard]] std::vector<Column> quarantineColumns();
[[nodiscard]] std::vector<Row> quarantineRows(const RunResult& result);
[[nodiscard]] std::vector<Column> proofColumns();
[[nodiscard]] std::vector<Row> proofRows(const RunResult& result);

/// The events of a life as `show` prints them; a row's target is blank.
[[nodiscard]] std::vector<Column> eventColumns();
[[nodiscard]] std::vector<Row> eventRows(const Life& life);

/// Codes in words for people: "key_too_coarse" as "key too coarse".
[[nodiscard]] QString wordsOf(std::string_view code);
[[nodiscard]] QString capitalised(QString text);
[[nodiscard]] QString labelOf(const StoredUnit& unit);
[[nodiscard]] QString laneWords(std::string_view lane);

}  // namespace counterfoil::desktop
