// SPDX-License-Identifier: GPL-3.0-or-later
// Compares text with tests/golden/<name>. On a difference the first differing line is shown and the
// whole text lies in <name>.actual in the working folder; COUNTERFOIL_UPDATE_GOLDEN=1 writes the
// expected file.
#pragma once

#include <QByteArray>
#include <QFile>
#include <QList>
#include <QString>
#include <QtTest>
#include <algorithm>
#include <string>

namespace counterfoil::testing {

inline QByteArray readAll(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline void writeAll(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  if (file.open(QIODevice::WriteOnly)) file.write(bytes);
}

/// "" if equal, else what differs.
inline QString goldenDifference(const QString& name, const std::string& text) {
  const QString path = QStringLiteral(TEST_SOURCE_DIR "/tests/golden/") + name;
  const QByteArray actual = QByteArray::fromStdString(text);
  if (qEnvironmentVariableIsSet("COUNTERFOIL_UPDATE_GOLDEN")) writeAll(path, actual);
  const QByteArray expected = readAll(path);
  if (actual == expected) return {};
  writeAll(name + QStringLiteral(".actual"), actual);
  const QList<QByteArray> left = expected.split('\n');
  const QList<QByteArray> right = actual.split('\n');
  for (qsizetype i = 0; i < std::max(left.size(), right.size()); ++i) {
    const QByteArray want = i < left.size() ? left[i] : QByteArray("(end)");
    const QByteArray have = i < right.size() ? right[i] : QByteArray("(end)");
    if (want != have) {
      return QStringLiteral("%1:%2\n  expected: %3\n  actual:   %4")
          .arg(name)
          .arg(i + 1)
          .arg(QString::fromUtf8(want), QString::fromUtf8(have));
    }
  }
  return QStringLiteral("%1 differs").arg(name);
}

}  // namespace counterfoil::testing

#define VERIFY_GOLDEN(name, text)                                                                  \
  do {                                                                                             \
    const QString difference = counterfoil::testing::goldenDifference(QStringLiteral(name), text); \
    QVERIFY2(difference.isEmpty(), qPrintable(difference));                                        \
  } while (false)
