// SPDX-License-Identifier: GPL-3.0-or-later
// The store of the bundled demo, and what the batch program says of it.
#pragma once

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include "tests/app/test_console.h"

namespace counterfoil::testing {

class DemoStore {
 public:
  DemoStore() {
    m_made = run({"demo", folder().toStdString()}) == 0;
    m_made = m_made && run({"run", config().toStdString()}) == 1;
    m_runText = text();
  }

  [[nodiscard]] bool isMade() const { return m_made; }
  [[nodiscard]] QString folder() const { return m_folder.filePath(QStringLiteral("demo")); }
  [[nodiscard]] QString config() const { return folder() + QStringLiteral("/counterfoil.json"); }
  [[nodiscard]] QString path() const {
    const QStringList found = QDir(folder()).entryList({QStringLiteral("*.counterfoil")}, QDir::Files);
    return found.isEmpty() ? QString() : folder() + QLatin1Char('/') + found.front();
  }
  /// What `counterfoil run` printed, on one line.
  [[nodiscard]] const QString& runText() const { return m_runText; }

  /// The lines of a list command, such as {"cases", "--severity", "high"}.
  QVector<QJsonObject> list(std::vector<std::string> words) {
    words.insert(words.begin() + 1, path().toStdString());
    words.insert(words.end(), {"--format", "ndjson"});
    run(words);
    QVector<QJsonObject> lines;
    for (const QByteArray& line : QByteArray::fromStdString(m_console.out()).split('\n')) {
      if (!line.isEmpty()) lines += QJsonDocument::fromJson(line).object();
    }
    return lines;
  }

  int run(const std::vector<std::string>& words) { return m_console.run(words); }
  [[nodiscard]] QString out() const { return QString::fromStdString(m_console.out()); }

  /// A copy with some bytes changed.
  QString damaged(const QString& name, qint64 at, const QByteArray& bytes) {
    const QString copy = m_folder.filePath(name);
    QFile::remove(copy);
    QFile::copy(path(), copy);
    QFile file(copy);
    if (file.open(QIODevice::ReadWrite) && file.seek(at)) file.write(bytes);
    return copy;
  }
  QString fileWith(const QString& name, const QByteArray& content) {
    QFile file(m_folder.filePath(name));
    if (file.open(QIODevice::WriteOnly)) file.write(content);
    return file.fileName();
  }

 private:
  [[nodiscard]] QString text() const { return out().simplified(); }

  QTemporaryDir m_folder;
  TestConsole m_console;
  QString m_runText;
  bool m_made = false;
};

}  // namespace counterfoil::testing
