// SPDX-License-Identifier: GPL-3.0-or-later
// A filter with several answers: a button that says what is chosen, and a menu to choose.
#pragma once

#include <QMenu>
#include <QSet>
#include <QToolButton>

namespace counterfoil::desktop {

class ChoiceButton final : public QToolButton {
  Q_OBJECT

 public:
  struct Choice {
    QString code, label;
  };
  ChoiceButton(const QString& title, const std::vector<Choice>& choices, QWidget* parent = nullptr);

  [[nodiscard]] const QSet<QString>& chosen() const { return m_chosen; }
  /// Says nothing to listeners.
  void setChosen(const QSet<QString>& codes);

 Q_SIGNALS:
  void changed();

 private:
  void showChoice();
  QString m_title;
  QSet<QString> m_chosen;
  QMenu* m_menu;
};

}  // namespace counterfoil::desktop
