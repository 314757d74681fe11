// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include "importers/source/byte_source.h"
#include "importers/source/encoding.h"
#include "tests/importers/packed_bytes.h"

using namespace counterfoil;
using namespace counterfoil::testing;
using namespace std::string_literals;

namespace {

std::string zstded(const std::string& text, bool withChecksum = false) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, withChecksum ? 1 : 0);
  out.resize(ZSTD_compress2(context, out.data(), out.size(), text.data(), text.size()));
  ZSTD_freeCCtx(context);
  return out;
}

/// Everything, in steps of `step` bytes; the error's message behind " !" if there is one.
std::string readAll(ByteSource& source, std::size_t step = 4096) {
  std::string text;
  while (true) {
    const std::size_t before = text.size();
    const Result<std::size_t> got = source.read(text, step);
    if (!got) return text + " !" + got.error().message;
    if (text.size() - before != *got || *got > step) return "wrong count";
    if (*got == 0) return text;
  }
}

std::string decoded(const std::string& bytes, const OpenOptions& options = {}, std::size_t step = 4096) {
  Result<std::unique_ptr<ByteSource>> source = openMemory(bytes, options);
  if (!source) return "! " + source.error().message;
  return readAll(**source, step);
}

std::string utf16(const std::u16string& text, bool big) {
  std::string bytes;
  for (const char16_t unit : text) {
    const char low = static_cast<char>(unit & 0xFF), high = static_cast<char>(unit >> 8);
    bytes += big ? high : low;
    bytes += big ? low : high;
  }
  return bytes;
}

}  // namespace

class TstByteSource : public QObject {
  Q_OBJECT
 private slots:
  void encodingsAreFound_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("encoding");
    QTest::addColumn<QString>("text");
    const auto row = [](const char* name, const std::string& bytes, const char* encoding, const char* text) {
      QTest::newRow(name) << QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size())) << QString(encoding)
                          << QString::fromUtf8(text);
    };
    row("ascii", "a,b\n1,2\n", "utf-8", "a,b\n1,2\n");
    row("empty", "", "utf-8", "");
    row("utf-8", "a,ü\n", "utf-8", "a,ü\n");
    row("utf-8 with a mark", "\xEF\xBB\xBFkey,1\n", "utf-8", "key,1\n");
    row("only a mark", "\xEF\xBB\xBF", "utf-8", "");
    row("windows-1252", "Geb\xFChr \x80 5\n", "windows-1252", "Gebühr € 5\n");
    row("utf-16le with a mark", "\xFF\xFE" + utf16(u"a,ü€\n", false), "utf-16le", "a,ü€\n");
    row("utf-16be with a mark", "\xFE\xFF" + utf16(u"a,ü€\n", true), "utf-16be", "a,ü€\n");
    row("utf-16le without a mark", utf16(u"key,amount\nä,1\n", false), "utf-16le", "key,amount\nä,1\n");
    row("utf-16be without a mark", utf16(u"key,amount\nä,1\n", true), "utf-16be", "key,amount\nä,1\n");
  }
  void encodingsAreFound() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, encoding);
    QFETCH(QString, text);
    for (const std::size_t step : {1u, 2u, 3u, 7u, 4096u}) {
      Result<std::unique_ptr<ByteSource>> source = openMemory(bytes.toStdString());
      QVERIFY(source.has_value());
      QCOMPARE(QString::fromStdString((*source)->nature().encoding), encoding);
      QCOMPARE(QString::fromStdString(readAll(**source, step)), text);
    }
  }

  void aDeclaredEncodingDecides() {
    OpenOptions options;
    options.encoding = "iso-8859-15";
    QCOMPARE(decoded("\xA4 5", options), "€ 5"s);
    options.encoding = "Shift_JIS";
    QCOMPARE(decoded("\x83\x65\x83\x58\x83\x67", options, 1), "テスト"s);
    options.encoding = "no-such-thing";
    QCOMPARE(decoded("a", options), "! unknown encoding 'no-such-thing'"s);
  }

  void anInvalidSequenceIsNamedByItsByte() {
    OpenOptions options;
    options.encoding = "utf-8";
    QCOMPARE(decoded("abc\xFFzz", options), "abc !byte 3 is not valid UTF-8; declare the file's encoding"s);
    QCOMPARE(decoded("abc\xC3", options, 1), "abc !byte 3 is not valid UTF-8; declare the file's encoding"s);
    QCOMPARE(decoded("\xEF\xBB\xBF" "a\x80", options), "a !byte 4 is not valid UTF-8; declare the file's encoding"s);
    options.encoding = "windows-1252";
    QCOMPARE(decoded("ab\x81", options), "ab !no character at byte 2 in encoding windows-1252"s);
  }

  void utf8IsStrict_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("invalid");
    QTest::newRow("overlong slash") << QByteArray("a\xC0\xAF") << 1;
    QTest::newRow("overlong three") << QByteArray("\xE0\x80\x80") << 0;
    QTest::newRow("surrogate") << QByteArray("ab\xED\xA0\x80") << 2;
    QTest::newRow("above the last") << QByteArray("\xF4\x90\x80\x80") << 0;
    QTest::newRow("lone continuation") << QByteArray("12345678\x80") << 8;
    QTest::newRow("the last code point") << QByteArray("\xF4\x8F\xBF\xBF") << -1;
    QTest::newRow("plain") << QByteArray("äöü €") << -1;
  }
  void utf8IsStrict() {
    QFETCH(QByteArray, bytes);
    QFETCH(int, invalid);
    const Utf8Check check = checkUtf8(bytes.toStdString());
    QCOMPARE(check.firstInvalid, invalid < 0 ? kNoPosition : static_cast<std::size_t>(invalid));
    QCOMPARE(check.incompleteTail, std::size_t{0});
  }

  void packedFilesAreUnpacked() {
    std::string text;
    for (int i = 0; i < 40'000; ++i) text += "key-" + std::to_string(i * 7919 % 10007) + ",1.00\n";
    QCOMPARE(decoded(gzipped(text)), text);
    QCOMPARE(decoded(zstded(text), {}, 1000), text);
    QCOMPARE(decoded(gzipped(text) + gzipped("second\n")), text + "second\n");
    QCOMPARE(decoded(zstded(text) + zstded("second\n")), text + "second\n");
    QCOMPARE(decoded(gzipped(text) + std::string(512, '\0')), text);
    QCOMPARE(decoded(gzipped("\xEF\xBB\xBFkey\n")), "key\n"s);
    QCOMPARE(decoded(zstded("")), ""s);
  }

  void aCutPackedFileGivesWhatCameBefore_data() {
    QTest::addColumn<bool>("gzip");
    QTest::newRow("gzip") << true;
    QTest::newRow("zstd") << false;
  }
  void aCutPackedFileGivesWhatCameBefore() {
    QFETCH(bool, gzip);
    std::string text;
    for (int i = 0; i < 200'000; ++i) text += std::to_string(i * 7919ll % 1'000'003) + "\n";
    std::string packed = gzip ? gzipped(text) : zstded(text);
    packed.resize(packed.size() - packed.size() / 3);
    const std::string read = decoded(packed);
    const std::size_t mark = read.find(" !cut off: ");
    QVERIFY(mark != std::string::npos);
    QVERIFY(mark > text.size() / 4);
    QCOMPARE(read.substr(0, mark), text.substr(0, mark));
    QVERIFY(read.find(std::to_string(packed.size()), mark) != std::string::npos);
  }

  void aDamagedPackedFileIsAnError() {
    std::string packed = gzipped(std::string(100'000, 'x') + "end");
    packed[packed.size() - 6] = static_cast<char>(packed[packed.size() - 6] + 1);   // in the checksum
    QVERIFY(decoded(packed).find(" !damaged gzip data at byte") != std::string::npos);
    QVERIFY(decoded(gzipped("a\n") + "garbage").find(" !bytes that are no gzip data at byte") != std::string::npos);
    std::string zstd = zstded("some text that is long enough to be a block");
    zstd[6] = static_cast<char>(zstd[6] ^ 0x40);
    QVERIFY(decoded(zstd).find('!') != std::string::npos);
  }

  void aWrongChecksumSaysTheSameForAnyStep_data() {
    QTest::addColumn<QByteArray>("packed");
    const std::string text = "a frame so small that it is checked before anything of it is delivered";
    for (const bool gzip : {true, false}) {
      std::string packed = gzip ? gzipped(text) : zstded(text, true);
      const std::size_t inChecksum = packed.size() - (gzip ? 6 : 2);
      packed[inChecksum] = static_cast<char>(packed[inChecksum] ^ 1);
      QTest::newRow(gzip ? "gzip" : "zstd") << QByteArray::fromStdString(packed);
    }
  }
  void aWrongChecksumSaysTheSameForAnyStep() {
    QFETCH(QByteArray, packed);
    const std::string whole = decoded(packed.toStdString(), {}, 1u << 16);
    QVERIFY(whole.find(" !damaged ") != std::string::npos);
    for (const std::size_t step : {1, 7, 113}) QCOMPARE(decoded(packed.toStdString(), {}, step), whole);
  }

  void unpackingIsBounded() {
    const std::string bomb = gzipped(std::string(100u << 20, '\0'));
    OpenOptions options;
    options.encoding = "iso-8859-1";
    options.maxRatio = 100;
    QVERIFY(decoded(bomb, options, 1u << 20).find(" !unpacks to more than 100 times its size") != std::string::npos);
    options.maxRatio = 1'000'000;
    options.maxUnpackedBytes = 1000;
    QVERIFY(decoded(bomb, options).find(" !unpacks to more than 1000 bytes") != std::string::npos);
  }

  void whatIsNoFileIsRefused() {
    QTemporaryDir folder;
    const std::string base = folder.path().toStdString();
    const auto codeOf = [](const std::string& path) {
      const Result<std::unique_ptr<ByteSource>> source = openFile(path);
      return source ? ErrorCode::Internal : source.error().code;
    };
    QCOMPARE(codeOf(base + "/none.csv"), ErrorCode::Missing);
    QCOMPARE(codeOf(base), ErrorCode::Io);
    QCOMPARE(::mkfifo((base + "/pipe").c_str(), 0600), 0);
    QCOMPARE(codeOf(base + "/pipe"), ErrorCode::Io);
    QCOMPARE(codeOf("/dev/null"), ErrorCode::Io);
    const int descriptor = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = base + "/s";
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    QCOMPARE(::bind(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    QCOMPARE(codeOf(path), ErrorCode::Io);
    ::close(descriptor);
  }

  void aPlainFileIsReadByPosition() {
    QTemporaryDir folder;
    const std::string path = folder.path().toStdString() + "/a.csv";
    std::ofstream(path, std::ios::binary) << "\xEF\xBB\xBFkey,1\n";
    const Result<std::unique_ptr<ByteSource>> source = openFile(path);
    QVERIFY(source.has_value());
    QVERIFY((*source)->nature().seekable);
    QCOMPARE((*source)->nature().bomBytes, std::size_t{3});
    QCOMPARE((*source)->nature().sizeBytes, std::uint64_t{9});
    char bytes[16] = {};
    QCOMPARE((*source)->readAt(3, bytes, sizeof bytes).value(), std::size_t{6});
    QCOMPARE(std::string(bytes, 6), "key,1\n"s);
    const Result<std::unique_ptr<ByteSource>> memory = openMemory("x");
    QVERIFY(!(*memory)->nature().seekable);
    QVERIFY(!(*memory)->readAt(0, bytes, 1).has_value());
  }

  void singleByteEncodingsAreTables() {
    const auto table = SingleByteTable::make("windows-1252");
    QVERIFY(table.has_value());
    QCOMPARE(table->toUtf8("M\xF6" "bel \x80"), "Möbel €"s);
    char out[8] = {};
    QVERIFY(!table->convert("\x81", out).complete);
    QVERIFY(SingleByteTable::make("koi8-r").has_value());
    QVERIFY(!SingleByteTable::make("utf-16le").has_value());
    QVERIFY(!SingleByteTable::make("shift_jis").has_value());
    QVERIFY(!SingleByteTable::make("utf-8").has_value());
    QVERIFY(!SingleByteTable::make("nothing").has_value());
  }
};

QTEST_APPLESS_MAIN(TstByteSource)
#include "tst_byte_source.moc"
