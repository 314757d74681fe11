// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

#include "app/output_file.h"
#include "tests/golden/golden.h"

using namespace counterfoil;
using counterfoil::testing::readAll;
using counterfoil::testing::writeAll;

class TstOutputFile : public QObject {
  Q_OBJECT
 private slots:
  void init() { m_folder = std::make_unique<QTemporaryDir>(); }

  void replacesTheFileInOneStep() {
    const QString path = at("out.csv");
    writeAll(path, "old");
    auto file = OutputFile::create(path.toStdString());
    QVERIFY(file.has_value());
    QVERIFY((*file)->write("new").has_value());
    QCOMPARE(readAll(path), QByteArray("old"));
    QVERIFY(QFile::exists(path + QStringLiteral(".tmp")));
    QCOMPARE(QByteArray(temporaryBeingWritten()), (path + QStringLiteral(".tmp")).toUtf8());
    QVERIFY((*file)->commit().has_value());
    QCOMPARE(readAll(path), QByteArray("new"));
    QCOMPARE(names(), QStringList{"out.csv"});
    QVERIFY(temporaryBeingWritten() == nullptr);
  }

  void withoutCommitNothingChanges() {
    const QString path = at("out.csv");
    writeAll(path, "old");
    {
      auto file = OutputFile::create(path.toStdString());
      QVERIFY((*file)->write("half").has_value());
    }
    QCOMPARE(readAll(path), QByteArray("old"));
    QCOMPARE(names(), QStringList{"out.csv"});
  }

  void takesOverWhatAKilledProcessLeft() {
    const QString path = at("out.csv");
    writeAll(path + QStringLiteral(".tmp"), "a much longer text of a killed process");
    auto file = OutputFile::create(path.toStdString());
    QVERIFY(file.has_value());
    QVERIFY((*file)->write("new").has_value());
    QVERIFY((*file)->commit().has_value());
    QCOMPARE(readAll(path), QByteArray("new"));
  }

  void refusesTwoWriters() {
    const QString path = at("out.csv");
    auto first = OutputFile::create(path.toStdString());
    const auto second = OutputFile::create(path.toStdString());
    QVERIFY(!second.has_value());
    QCOMPARE(second.error().code, ErrorCode::WriteFailed);
    QVERIFY((*first)->write("x").has_value());
    QVERIFY((*first)->commit().has_value());
    QCOMPARE(readAll(path), QByteArray("x"));
  }

  void followsSymbolicLinksAndKeepsTheMode() {
    const QString path = at("real.csv");
    writeAll(path, "old");
    QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner);
    QVERIFY(QFile::link(path, at("link.csv")));
    auto file = OutputFile::create(at("link.csv").toStdString());
    QVERIFY((*file)->write("new").has_value());
    QVERIFY((*file)->commit().has_value());
    QCOMPARE(readAll(path), QByteArray("new"));
    QVERIFY(QFileInfo(at("link.csv")).isSymLink());
    QCOMPARE(QFile::permissions(path) & (QFile::ReadGroup | QFile::ReadOther),
             QFile::Permissions());
  }

  void writesDevicesDirectly() {
    auto file = OutputFile::create("/dev/null");
    QVERIFY(file.has_value());
    QVERIFY((*file)->write("x").has_value());
    QVERIFY((*file)->commit().has_value());
  }

  void saysWhyItCannotWrite_data() {
    QTest::addColumn<QString>("path");
    QTest::newRow("no folder") << "no/such/folder/out.csv";
    QTest::newRow("a folder") << ".";
  }
  void saysWhyItCannotWrite() {
    QFETCH(QString, path);
    const auto file = OutputFile::create(at(path).toStdString());
    QVERIFY(!file.has_value());
    QCOMPARE(file.error().code, ErrorCode::WriteFailed);
    QVERIFY(file.error().message.find(at(path).toStdString()) != std::string::npos);
  }

  void aFullDeviceIsAnError() {
    if (!QFile::exists("/dev/full")) QSKIP("no /dev/full here");
    auto file = OutputFile::create("/dev/full");
    const Result<> written = (*file)->write("x");
    QVERIFY(!written.has_value());
    QCOMPARE(written.error().code, ErrorCode::WriteFailed);
  }

  void newFilesAreNeverOverwritten() {
    const QString path = at("counterfoil.json");
    QVERIFY(writeNewFile(path.toStdString(), "one").has_value());
    const Result<> again = writeNewFile(path.toStdString(), "two");
    QVERIFY(!again.has_value());
    QCOMPARE(again.error().code, ErrorCode::Usage);
    QCOMPARE(readAll(path), QByteArray("one"));
  }

  void smallFilesAreBounded() {
    const QString path = at("small");
    writeAll(path, "12345");
    QCOMPARE(readSmallFile(path.toStdString(), 5).value(), std::string("12345"));
    QCOMPARE(readSmallFile(path.toStdString(), 4).error().code, ErrorCode::Limit);
    QCOMPARE(readSmallFile(at("none").toStdString(), 4).error().code, ErrorCode::Missing);
  }

 private:
  [[nodiscard]] QString at(const QString& name) const { return m_folder->filePath(name); }
  [[nodiscard]] QStringList names() const { return QDir(m_folder->path()).entryList(QDir::Files); }
  std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_APPLESS_MAIN(TstOutputFile)
#include "tst_output_file.moc"
