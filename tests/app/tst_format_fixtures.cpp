// SPDX-License-Identifier: GPL-3.0-or-later
// Every named format by files: what `inspect` says of tests/formats/NAME/FILE stands beside it in
// FILE.expected.json, and what `match` says of the night in tests/nights/NAME in its expected.ndjson.
// A new format brings such files and no code.
#include <QDir>
#include <QDirIterator>
#include <QtTest>

#include <set>

#include "importers/mapping/named_formats.h"
#include "tests/app/test_console.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

const QString kTests = QStringLiteral(TEST_SOURCE_DIR "/tests");
const QString kExpected = QStringLiteral(".expected.json");

QByteArray contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The first line that differs, of both.
QByteArray difference(const QByteArray& got, const QByteArray& expected) {
  const QList<QByteArray> a = got.split('\n');
  const QList<QByteArray> b = expected.split('\n');
  for (int i = 0; i < std::max(a.size(), b.size()); ++i) {
    const QByteArray left = i < a.size() ? a[i] : "(ends)";
    const QByteArray right = i < b.size() ? b[i] : "(ends)";
    if (left != right) return QByteArray::number(i + 1) + ":\n  got      " + left + "\n  expected " + right;
  }
  return {};
}

/// Paths as a person in the folder writes them stand in the output.
class InFolder {
 public:
  explicit InFolder(const QString& folder) : m_before(QDir::currentPath()) { QDir::setCurrent(folder); }
  ~InFolder() { QDir::setCurrent(m_before); }
  InFolder(const InFolder&) = delete;
  InFolder& operator=(const InFolder&) = delete;

 private:
  QString m_before;
};

}  // namespace

class TstFormatFixtures : public QObject {
  Q_OBJECT

 private slots:
  void filesAreReadAsExpected_data() {
    QTest::addColumn<QString>("file");
    QDirIterator files(kTests + "/formats", {"*"}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
      const QString path = QDir(kTests + "/formats").relativeFilePath(files.next());
      if (!path.endsWith(kExpected)) QTest::newRow(qPrintable(path)) << path;
    }
  }
  void filesAreReadAsExpected() {
    QFETCH(QString, file);
    const InFolder folder(kTests + "/formats");
    const QByteArray expected = contentOf(file + kExpected);
    QVERIFY2(!expected.isEmpty(), "a fixture without its .expected.json");
    TestConsole console;
    console.run({"inspect", file.toStdString(), "--format", "json", "--records", "20"});
    const QByteArray told = difference(QByteArray::fromStdString(console.out()), expected);
    QVERIFY2(told.isEmpty(), told);
  }

  void nightsAreDecidedAsExpected_data() {
    QTest::addColumn<QString>("night");
    for (const QString& name : QDir(kTests + "/nights").entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
      QTest::newRow(qPrintable(name)) << name;
    }
  }
  void nightsAreDecidedAsExpected() {
    QFETCH(QString, night);
    const InFolder folder(kTests + "/nights/" + night);
    const QByteArray expected = contentOf("expected.ndjson");
    QVERIFY2(!expected.isEmpty(), "a night without its expected.ndjson");
    TestConsole console;
    console.run({"match", "--config", "counterfoil.json", "--all", "--format", "ndjson"});
    const QByteArray told = difference(QByteArray::fromStdString(console.out()), expected);
    QVERIFY2(told.isEmpty(), (told + "\n" + QByteArray::fromStdString(console.err())).constData());
  }

  void everyFormatHasFixturesAndAPage() {
    for (const std::string& name : formatNames()) {
      const QString format = QString::fromStdString(name);
      QVERIFY2(QFile::exists(QStringLiteral(TEST_SOURCE_DIR "/resources/docs/formats/") + format + ".md"),
               qPrintable(format + " has no page"));
      if (format.startsWith("generic.")) continue;   // tested by the readers' own tests
      QVERIFY2(!QDir(kTests + "/formats/" + format).entryList({"*" + kExpected}, QDir::Files).isEmpty(),
               qPrintable(format + " has no fixtures"));
    }
  }
};

QTEST_APPLESS_MAIN(TstFormatFixtures)
#include "tst_format_fixtures.moc"
