// SPDX-License-Identifier: GPL-3.0-or-later
// The newest run at a glance: how it stands in a sentence, the numbers that need someone, what each class
// comes to, what could not be judged, what to change.
#pragma once

#include <QScrollArea>
#include <QVBoxLayout>

#include "app/desktop/labels.h"
#include "app/desktop/overview.h"
#include "app/desktop/table_view.h"

namespace counterfoil::desktop {

class CoverageStrip;

class SummaryPage final : public QScrollArea {
  Q_OBJECT

 public:
  explicit SummaryPage(QWidget* parent = nullptr);

  void showOverview(const Overview& overview);
  [[nodiscard]] QString verdict() const { return m_verdict->text(); }
  [[nodiscard]] TableView* classes() const { return m_classes; }
  [[nodiscard]] TableView* sources() const { return m_sources; }
  [[nodiscard]] int findingCount() const { return m_findingCount; }
  [[nodiscard]] QString findingText(int finding) const;

 Q_SIGNALS:
  void classOpened(const QString& code);
  void casesOpened();
  void skipsOpened();
  void lettersOpened();

 private:
  void addTiles(QVBoxLayout* layout);
  QFrame* addCard(QBoxLayout* layout, const QString& title, QLabel** note = nullptr);
  void showTiles(const RunResult& result);
  void showNotJudged(const RunResult& result);
  void showFindings(const std::vector<Finding>& findings);
  void showProof(const RunResult& result);

  QLabel* m_verdict;
  QLabel* m_numbers;
  QLabel* m_incomplete;
  Tile* m_breaks;
  Tile* m_open;
  Tile* m_skips;
  Tile* m_letters;
  Tile* m_notJudged;
  TableView* m_classes;
  TableView* m_sources;
  TableView* m_quarantine;
  TableView* m_proof;
  CoverageStrip* m_strip;
  QLabel* m_coverageNote;
  QLabel* m_findingNote;
  QLabel* m_proofNote;
  QWidget* m_findings;
  QWidget* m_body;
  int m_findingCount = 0;
  RowsModel m_classModel, m_sourceModel, m_quarantineModel, m_proofModel;
};

}  // namespace counterfoil::desktop
