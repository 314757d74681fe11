// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/choice_button.h"

#include <QMouseEvent>

#include "app/desktop/cells.h"

namespace counterfoil::desktop {

namespace {

/// Stays open while people tick.
class TickMenu final : public QMenu {
 public:
  using QMenu::QMenu;

 protected:
  void mouseReleaseEvent(QMouseEvent* event) override {
    QAction* action = actionAt(event->position().toPoint());
    if (action != nullptr && action->isCheckable()) {
      action->trigger();
    } else {
      QMenu::mouseReleaseEvent(event);
    }
  }
};

}  // namespace

ChoiceButton::ChoiceButton(const QString& title, const std::vector<Choice>& choices, QWidget* parent)
    : QToolButton(parent), m_title(title), m_menu(new TickMenu(this)) {
  setPopupMode(InstantPopup);
  setToolButtonStyle(Qt::ToolButtonTextOnly);
  setFocusPolicy(Qt::StrongFocus);
  for (const Choice& choice : choices) {
    QAction* action = m_menu->addAction(withoutMnemonic(choice.label));
    action->setCheckable(true);
    action->setData(choice.code);
    connect(action, &QAction::toggled, this, [this, code = choice.code](bool on) {
      if (on) m_chosen.insert(code);
      else m_chosen.remove(code);
      showChoice();
      Q_EMIT changed();
    });
  }
  setMenu(m_menu);
  showChoice();
}

void ChoiceButton::setChosen(const QSet<QString>& codes) {
  m_chosen = codes;
  for (QAction* action : m_menu->actions()) {
    const QSignalBlocker quiet(action);
    action->setChecked(codes.contains(action->data().toString()));
  }
  showChoice();
}

void ChoiceButton::showChoice() {
  QStringList labels;
  for (const QAction* action : m_menu->actions()) {
    if (action->isChecked()) labels += action->text();
  }
  const QString arrow = QStringLiteral(" ▾");
  if (labels.isEmpty()) setText(m_title + arrow);
  else if (labels.size() == 1) setText(m_title + QStringLiteral(": ") + labels.front() + arrow);
  else setText(m_title + QStringLiteral(": ") + labels.front() + tr(" and %1 more").arg(labels.size() - 1) + arrow);
  setAccessibleName(text().chopped(2));
}

}  // namespace counterfoil::desktop
