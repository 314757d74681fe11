// SPDX-License-Identifier: GPL-3.0-or-later
// What stands in the window while no store is open.
#pragma once

#include <QVBoxLayout>
#include <QWidget>

#include "app/desktop/labels.h"

namespace counterfoil::desktop {

class StartPage final : public QWidget {
  Q_OBJECT

 public:
  explicit StartPage(QWidget* parent = nullptr);
  void showRecent(const QStringList& paths);

 Q_SIGNALS:
  void openWanted();
  void recentWanted(const QString& path);

 private:
  QWidget* m_recent;
};

}  // namespace counterfoil::desktop
