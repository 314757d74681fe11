// SPDX-License-Identifier: GPL-3.0-or-later
// counterfoil-desktop [STORE]
#include <QApplication>
#include <cstdio>
#include <string_view>

#include "app/desktop/main_window.h"

using namespace counterfoil::desktop;

namespace {

constexpr int kUsage = 2;
constexpr const char* kHelp =
    "Usage: counterfoil-desktop [STORE]\n"
    "\n"
    "Shows what the nightly runs found: their summary, the cases, skips and dead letters of a store that\n"
    "'counterfoil run' made. It reads, and changes nothing.\n"
    "\n"
    "  counterfoil-desktop shop.counterfoil\n"
    "\n"
    "  --help, --version\n"
    "  Options of Qt, such as -platform or -style, are taken too.\n";

int refuse(const char* what, const char* word) {
  std::fprintf(stderr, "counterfoil-desktop: %s '%s'; see --help\n", what, word);
  return kUsage;
}

}  // namespace

int main(int argc, char** argv) {
  // Answered without a display.
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--help" || word == "-h") return std::fputs(kHelp, stdout) < 0 ? 1 : 0;
    if (word == "--version") return std::puts("counterfoil-desktop " COUNTERFOIL_VERSION) < 0 ? 1 : 0;
  }
  QApplication application(argc, argv);
  QApplication::setApplicationName(QStringLiteral("counterfoil"));
  QApplication::setApplicationDisplayName(QString());
  QApplication::setOrganizationName(QStringLiteral("counterfoil"));
  QApplication::setDesktopFileName(QStringLiteral("counterfoil-desktop"));
  const QStringList words = QApplication::arguments().mid(1);   // Qt has taken its own
  for (const QString& word : words) {
    if (word.startsWith(QLatin1Char('-'))) return refuse("no such option:", qPrintable(word));
  }
  if (words.size() > 1) return refuse("one store, not also", qPrintable(words.at(1)));
  QSettings settings;
  Theme theme(application);
  MainWindow window(theme, settings);
  window.show();
  if (!words.isEmpty()) window.openStore(words.front());
  return QApplication::exec();
}
