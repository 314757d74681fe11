// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/start_page.h"

#include <QHBoxLayout>

namespace counterfoil::desktop {

StartPage::StartPage(QWidget* parent) : QWidget(parent), m_recent(new QWidget(this)) {
  QLabel* title = textLabel(tr("No store is open"), this);
  setLetters(title, 1.7, true);
  QLabel* hint = textLabel(tr("A store is the file in which “counterfoil run” keeps its nights: their cases, skips and dead "
                              "letters. Open one, or drop it on this window."), this);
  auto* open = new QPushButton(tr("&Open a store…"), this);
  open->setProperty("primary", true);
  QLabel* demo = textLabel(tr("To look around with made-up data:"), this);
  QLabel* commands = textLabel(QStringLiteral("counterfoil demo demo\ncounterfoil run demo/counterfoil.json"), this);
  commands->setFont(monospaced(font()));
  commands->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  demo->setProperty("dim", true);
  auto* box = new QWidget(this);
  box->setMaximumWidth(560);
  auto* inner = new QVBoxLayout(box);
  inner->setSpacing(12);
  inner->addStretch(2);
  inner->addWidget(title);
  inner->addWidget(hint);
  inner->addWidget(open, 0, Qt::AlignLeft);
  inner->addWidget(m_recent);
  inner->addSpacing(12);
  inner->addWidget(demo);
  inner->addWidget(commands);
  inner->addStretch(3);
  auto* layout = new QHBoxLayout(this);
  layout->addStretch(1);
  layout->addWidget(box, 6);
  layout->addStretch(1);
  auto* recent = new QVBoxLayout(m_recent);
  recent->setContentsMargins(0, 0, 0, 0);
  connect(open, &QPushButton::clicked, this, &StartPage::openWanted);
}

void StartPage::showRecent(const QStringList& paths) {
  while (QLayoutItem* item = m_recent->layout()->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  m_recent->setVisible(!paths.isEmpty());
  if (paths.isEmpty()) return;
  m_recent->layout()->addWidget(dimLabel(tr("Opened before:"), m_recent));
  for (const QString& path : paths) {
    auto* button = new QPushButton(m_recent);
    button->setText(withoutMnemonic(button->fontMetrics().elidedText(shown(path.toStdString()), Qt::ElideMiddle, 520)));
    button->setProperty("link", true);
    button->setCursor(Qt::PointingHandCursor);
    connect(button, &QPushButton::clicked, this, [this, path] { Q_EMIT recentWanted(path); });
    m_recent->layout()->addWidget(button);
  }
}

}  // namespace counterfoil::desktop
