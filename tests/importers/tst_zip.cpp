// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>
#include <chrono>

#include "importers/formats/identify.h"
#include "importers/input/inspect.h"
#include "importers/input/path_expansion.h"
#include "importers/source/byte_source.h"
#include "tests/importers/packed_bytes.h"
#include "tests/importers/scanned_files.h"
#include "tests/importers/zip_writer.h"

using namespace counterfoil;
using namespace counterfoil::testing;
using namespace std::string_literals;

namespace {

/// The text of a member; the error's message behind "!".
std::string memberText(const std::string& archive, std::size_t index = 0) {
  const auto raw = std::make_shared<const RawBytes>(archive);
  const auto directory = readZipDirectory(*raw);
  if (!directory) return "!" + directory.error().message;
  const auto stage = makeZipEntryStage(raw, directory->entries.at(index), {1u << 30, 1000});
  if (!stage) return "!" + stage.error().message;
  std::string text;
  while (true) {
    const auto got = (*stage)->read(text, 1000);
    if (!got) return text.substr(0, 20) + "!" + got.error().message;
    if (*got == 0) return text;
  }
}

}  // namespace

class TstZip : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;
  std::string write(const std::string& name, const std::string& bytes) {
    return writeFile(m_folder.path().toStdString(), name, bytes);
  }
  static std::string shownOf(const Result<std::vector<ExpandedPath>>& paths) {
    if (!paths) return "!" + paths.error().message;
    std::string all;
    for (const ExpandedPath& path : *paths) {
      all += (all.empty() ? "" : " ") + path.shown + (path.problem ? "!" : "");
    }
    return all;
  }

 private slots:
  void membersAreUnpacked() {
    const std::string text = "some text, some text, some text\n";
    QCOMPARE(memberText(zipOf({{"a", text}})), text);
    QCOMPARE(memberText(zipOf({{"a", text, false}})), text);
    QCOMPARE(memberText(zipOf({{"a", ""}, {"b", text}}), 1), text);
    QCOMPARE(memberText(zipOf({{"a", ""}})), ""s);
    QCOMPARE(memberText(zipOf({{"a", text}, {"b", text + text}}, true), 1), text + text);
    std::string large;
    for (int i = 0; i < 100'000; ++i) large += std::to_string(i) + ",";
    QCOMPARE(memberText(zipOf({{"a", large}})), large);
  }
  void namesAreUtf8OrOfTheFirstPcs() {
    const auto directory = readZipDirectory(
        RawBytes(zipOf({{"Zahlungen M\xC3\xA4rz.csv", ""}, {"M\x84rz.csv", "", true, 0}})));
    QVERIFY(directory.has_value());
    QCOMPARE(directory->entries.at(0).name, "Zahlungen März.csv"s);
    QCOMPARE(directory->entries.at(1).name, "März.csv"s);
  }

  void brokenArchivesAreTold_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("told");
    const auto add = [](const char* name, const std::string& bytes, const char* told) {
      QTest::newRow(name) << QByteArray::fromStdString(bytes) << told;
    };
    const std::string good = zipOf({{"a.csv", "0123456789", false}});
    add("cut-off", good.substr(0, good.size() - 1), "cut off: the directory at its end is missing");
    add("front-cut-off", good.substr(0, 4) + good.substr(8), "a damaged zip archive");
    ZipMemberText member{"a.csv", "0123456789"};
    member.wrongChecksum = 1;
    add("wrong-checksum", zipOf({member}), "its checksum is wrong");
    member = {"a.csv", "0123456789"};
    member.saidBytes = 4;
    add("longer-than-said", zipOf({member}), "longer than the directory says");
    member.saidBytes = 40;
    add("shorter-than-said", zipOf({member}), "shorter than the directory says");
    member = {"a.csv", "0123456789"};
    member.flags = 1;
    add("encrypted", zipOf({member}), "it is encrypted");
    member.flags = 0;
    member.method = 14;
    add("lzma", zipOf({member}), "packed by method 14");
    member = {"a.csv", "0123456789"};
    member.localName = "b.csv";
    add("two-names", zipOf({member}), "another name than in the directory");
    member.localName = "";
    member.isLink = true;
    add("link", zipOf({member}), "a symbolic link");
    member = {"a.csv", "0123456789", false};
    member.saidBytes = 12;
    add("stored-of-two-sizes", zipOf({member}), "a stored member of two sizes");
    member = {"a.csv", std::string(5000, 'x')};
    member.saidBytes = 0xFFFFFFFE;
    add("bomb", zipOf({member}), "more than 1000 times as much");
    std::string reach = good;
    reach.replace(reach.find("PK\x01\x02") + 20, 4, "\xFF\xFF\0\0"s);
    reach.replace(reach.find("PK\x01\x02") + 24, 4, "\xFF\xFF\0\0"s);
    add("beyond-the-end", reach, "reaches beyond the archive's end");
    std::string count = good;
    count[count.find("PK\x05\x06") + 10] = 9;
    add("fewer-members-than-said", count, "breaks off after 1 of 9 members");
    std::string part = good;
    part[part.find("PK\x05\x06") + 4] = 1;
    add("of-several-parts", part, "a part of a zip archive of several parts");
    std::string mark = zipOf({{"a.csv", "\x78\x9c broken \xff\xff\xff\xff"s, false}});
    for (const char* const header : {"PK\x03\x04", "PK\x01\x02"})
      mark[mark.find(header) + (header[2] == 3 ? 8 : 10)] = 8;
    add("damaged-data", mark, "damaged");
  }
  void brokenArchivesAreTold() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, told);
    const std::string text = memberText(bytes.toStdString());
    QVERIFY2(
        text.find('!') != std::string::npos && text.find(told.toStdString()) != std::string::npos,
        text.c_str());
    // And by a scan: the file is there, and not complete.
    const auto read =
        scanned({sourceOf(write(QTest::currentDataTag() + ".zip"s, bytes.toStdString()))});
    QCOMPARE(read->error, ""s);
    QCOMPARE(read->reports.size(), std::size_t{1});
    QVERIFY(!read->reports[0].complete);
    QVERIFY2(read->reports[0].problem.find(told.toStdString()) != std::string::npos,
             read->reports[0].problem.c_str());
  }
  void tooManyMembersAreRefused() {
    std::vector<ZipMemberText> members;
    for (int i = 0; i <= 10'000; ++i) members.push_back({std::to_string(i), "", false});
    QVERIFY(memberText(zipOf(members)).find("a zip archive of 10001 members; 10000 is the most") !=
            std::string::npos);
    members.pop_back();
    QCOMPARE(memberText(zipOf(members)), ""s);
  }

  void anArchiveIsItsMembers() {
    const std::string folder = m_folder.path().toStdString();
    write("month.zip", zipOf({{"b.csv", "b"},
                              {"d/", ""},
                              {"a/a.csv", "a"},
                              {"__MACOSX/._b.csv", "x"},
                              {".DS_Store", "y"}}));
    write("month2.zip", zipOf({{"c.csv", "c"}}));
    write("plain.csv", "x");
    const auto paths = expandPath("month.zip", folder, "UTC");
    QCOMPARE(shownOf(paths), "month.zip/a/a.csv month.zip/b.csv"s);
    QCOMPARE(paths->at(0).leftOut,
             (std::vector<std::string>{".DS_Store", "__MACOSX/._b.csv", "d/"}));
    QCOMPARE(paths->at(1).path, folder + "/month.zip/b.csv");
    QCOMPARE(shownOf(expandPath("month*.zip", folder, "UTC")),
             "month.zip/a/a.csv month.zip/b.csv month2.zip/c.csv"s);
    QCOMPARE(shownOf(expandPath("plain.csv", folder, "UTC")), "plain.csv"s);
    QCOMPARE(shownOf(expandPath("month.zip/b.csv", folder, "UTC")), "month.zip/b.csv"s);
    QCOMPARE(shownOf(expandPath("month.zip/*.csv", folder, "UTC")), "month.zip/b.csv"s);
    QCOMPARE(shownOf(expandPath("month.zip/*/*.csv", folder, "UTC")), "month.zip/a/a.csv"s);
    QCOMPARE(shownOf(expandPath("month.zip/none.csv", folder, "UTC")).substr(0, 1), "!"s);
    QVERIFY(!expandPath("plain.csv/none.csv", folder, "UTC")->at(0).member);
  }
  void aDayOfThePathIsThatOfTheMembers() {
    write("s-2026-04-07.zip", zipOf({{"c.csv", "c"}}));
    const auto paths = expandPath("s-{date}.zip", m_folder.path().toStdString(), "UTC");
    QVERIFY(paths && paths->at(0).day);
    QCOMPARE(formatInstant(paths->at(0).day->from), "2026-04-07T00:00:00Z"s);
  }
  void aNameWithPatternSignsIsThatMember() {
    const std::string path =
        write("signs.zip",
              zipOf({{"a[1].csv", kHeader + effectRow(1)}, {"a1.csv", kHeader + effectRow(2)}}));
    QCOMPARE(scanned({sourceOf(path + "/a[1].csv")})->keys(), "k1:100"s);
  }

  void membersAreReadLikeFiles() {
    const std::string path = write(
        "statements.zip",
        zipOf(
            {{"b.csv", kHeader + effectRow(2, "2")},
             {"a.csv", kHeader + effectRow(1, "1") + effectRow(3, "x")},
             {"c.csv.gz", gzipped(kHeader + effectRow(4, "4")), false},
             {"d.xlsx", bookOf(effectBook(effectHeader(1) + effectCells(2, 5, "5")))},
             {"e.ndjson",
              R"({"txn_id":"t6","created_at":"2026-04-07T10:00:00Z","amount":"6","currency":"USD","idempotency_key":"k6"})"
              "\n"},
             {"f.csv",
              "txn_id,created_at,amount,currency,idempotency_key,description\nt7,2026-04-07T10:00:"
              "00Z,7,USD,k7,M\xFCller\n"}}));
    const auto read = scanned({sourceOf(path)});
    QCOMPARE(read->error, ""s);
    QCOMPARE(read->keys(), "k1:100 k2:200 k4:400 k5:500 k6:600 k7:700"s);
    QCOMPARE(read->rules(), "3:not_an_amount"s);
    QCOMPARE(read->reports.size(), std::size_t{6});
    QCOMPARE(read->reports[0].path, path + "/a.csv");
    QCOMPARE(read->reports[0].bytes,
             std::uint64_t{(kHeader + effectRow(1, "1") + effectRow(3, "x")).size()});
    for (const FileReport& report : read->reports) {
      QVERIFY2(report.complete, report.problem.c_str());
      QCOMPARE(report.digest.size(), std::size_t{71});
    }
    for (const SlimRecord& slim : read->sink.slims) {
      QCOMPARE(read->input->lineOf(slim.ref), std::uint64_t{slim.ref.file.value == 4 ? 1u : 2u});
    }
    const auto b = std::find_if(read->sink.slims.begin(), read->sink.slims.end(),
                                [](const SlimRecord& slim) { return slim.ref.file.value == 1; });
    QCOMPARE(read->input->rawText(b->ref) + "\n", effectRow(2, "2"));
    const KeyedHash hash(7);
    const std::vector<Hash128> keys = {hash("k2", static_cast<std::uint32_t>(HashSpace::Key))};
    const auto rates = read->input->columnRates(SourceId{0}, hash, keys);
    QVERIFY(rates && rates->at(0).column == "idempotency_key");
  }
  void aMemberThatIsThereAsAFileTooIsARepeat() {
    const std::string text = kHeader + effectRow(1);
    write("r/a.csv", text);
    write("r/b.zip", zipOf({{"a.csv", text}}));
    const auto read = scanned({sourceOf(m_folder.path().toStdString() + "/r/*")});
    QCOMPARE(read->keys(), "k1:100"s);
    QCOMPARE(read->reports.at(1).repeated, std::uint64_t{1});
    QCOMPARE(read->reports.at(0).digest, read->reports.at(1).digest);
  }
  void aMemberThatCannotBeReadDoesNotHideTheOthers() {
    ZipMemberText secret{"secret.csv", "x"};
    secret.flags = 1;
    const std::string path =
        write("mixed.zip", zipOf({{"ok.csv", kHeader + effectRow(1)},
                                  secret,
                                  {"../../evil.csv", kHeader + effectRow(2)},
                                  {"/etc/evil.csv", kHeader + effectRow(3)},
                                  {"twice.csv", kHeader + effectRow(4)},
                                  {"twice.csv", kHeader + effectRow(5)},
                                  {"inner.zip", zipOf({{"a.csv", "x"}}), false}}));
    const auto read = scanned({sourceOf(path)});
    QCOMPARE(read->error, ""s);
    QCOMPARE(read->keys(), "k1:100"s);
    std::map<std::string, std::string> problems;
    for (const FileReport& report : read->reports)
      problems[report.path.substr(path.size() + 1)] = report.problem;
    QCOMPARE(problems.size(), std::size_t{6});
    QCOMPARE(problems["ok.csv"], ""s);
    QVERIFY(problems["secret.csv"].find("it is encrypted") != std::string::npos);
    QVERIFY(problems["../../evil.csv"].find("leads out of the archive") != std::string::npos);
    QVERIFY(problems["/etc/evil.csv"].find("leads out of the archive") != std::string::npos);
    QVERIFY(problems["twice.csv"].find("2 members of the archive have this name") !=
            std::string::npos);
    QVERIFY(problems["inner.zip"].find("a zip archive and no Excel workbook") != std::string::npos);
    Executor executor(1);
    for (const auto& [name, problem] : problems) {
      const auto report = inspectFile(sourceOf(path + "/" + name, ""), executor);
      QCOMPARE(report.has_value(), problem.empty());
    }
  }
  void anArchiveOfNothingIsTold() {
    for (const auto& members :
         {std::vector<ZipMemberText>{}, std::vector<ZipMemberText>{{"__MACOSX/a", "x"}}}) {
      const auto read = scanned({sourceOf(write("nothing.zip", zipOf(members)))});
      QVERIFY(!read->reports.at(0).complete);
      QVERIFY(read->reports.at(0).problem.find("holds no file to read") != std::string::npos);
    }
  }
  void aBrokenArchiveAmongOthersIsOneProblem() {
    const std::string good = zipOf({{"a.csv", kHeader + effectRow(1)}});
    write("q/1.zip", good);
    write("q/2.zip", good.substr(0, good.size() - 5));
    const auto read = scanned({sourceOf(m_folder.path().toStdString() + "/q/*.zip")});
    QCOMPARE(read->keys(), "k1:100"s);
    QCOMPARE(read->reports.size(), std::size_t{2});
    QVERIFY(read->reports[0].complete && !read->reports[1].complete);
  }
  void anArchiveThatIsExchangedIsNoticed() {
    const std::string path = write("exchanged.zip", zipOf({{"a.csv", kHeader + effectRow(1)}}));
    const auto place = resolvePlace(path + "/a.csv");
    QVERIFY(place && place->member);
    QVERIFY(openFile(*place).has_value());
    write("exchanged.zip", zipOf({{"a.csv", kHeader + effectRow(1) + effectRow(2)}}));
    QVERIFY(!openFile(*place));
    QVERIFY(!stampOf(*place));
  }
};

QTEST_APPLESS_MAIN(TstZip)
#include "tst_zip.moc"
