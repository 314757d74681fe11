// SPDX-License-Identifier: GPL-3.0-or-later
// Dumps of databases as SQL text.
#include <QTest>

#include "importers/tables/sql_dump.h"
#include "table_rows.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

const std::string kPostgres =
    "--\n-- PostgreSQL database dump\n--\n\n\\restrict x'yz\n\nSET client_encoding = 'UTF8';\n"
    "CREATE FUNCTION public.f() RETURNS trigger LANGUAGE plpgsql AS $_$\nBEGIN\n"
    "  INSERT INTO public.orders (id) VALUES ('no row');\nEND;\n$_$;\n"
    "CREATE TABLE public.orders (\n    id bigint NOT NULL,\n    key character varying(64) NOT NULL,\n"
    "    \"the note\" text DEFAULT 'a,b)'::text,\n    blob bytea,\n"
    "    CONSTRAINT positive CHECK ((id > 0))\n);\n"
    "COPY public.orders (id, key, \"the note\", blob) FROM stdin;\n"
    "1\tcharge:1\ta\\tb\\\\c\\nd\t\\\\x7b7d\n"
    "2\tcharge:2\t\\N\t\\\\x80ff\n"
    "3\tcharge:3\n"
    "4\tc\\303\\251\\x41\t\t\\N\n"
    "\\.\n\n"
    "COPY public.empty (id) FROM stdin;\n\\.\n\n"
    "SELECT pg_catalog.setval('public.orders_id_seq', 4, true);\n"
    "--\n-- PostgreSQL database dump complete\n--\n\n\\unrestrict x'yz\n";

std::string rowsOf(const std::string& text, const std::string& table, std::size_t step = 1u << 20,
                   const std::vector<std::string>& columns = {}) {
  TextPieces whole(text, step);
  const auto catalog = sqlCatalog(whole);
  if (!catalog) return "catalog: " + catalog.error().message;
  auto chosen = catalog->named(table);
  if (!chosen) return "named: " + chosen.error().message;
  const auto source = transcodeSql(std::make_unique<TextPieces>(text, step), {std::move(*chosen), columns, catalog->dialect});
  return shownRows(*source);
}

std::string catalogOf(const std::string& text) {
  TextPieces whole(text, 4096);
  const auto catalog = sqlCatalog(whole);
  if (!catalog) return "error: " + catalog.error().message;
  std::string all;
  for (const SqlTable& table : catalog->tables) {
    all += (all.empty() ? "" : " ") + catalog->shownName(table) + "(";
    for (const SqlColumn& column : table.columns) all += (all.back() == '(' ? "" : " ") + column.name;
    all += table.hasRows ? ")+" : ")";
  }
  return all;
}

}  // namespace

class TstSqlDump : public QObject {
  Q_OBJECT

 private slots:
  void rowsOfACopySection() {
    const std::string expected =
        "21 {\"id\":\"1\",\"key\":\"charge:1\",\"the note\":\"a\\u0009b\\\\c\\u000ad\",\"blob\":\"{}\"}\n"
        "22 {\"id\":\"2\",\"key\":\"charge:2\",\"the note\":null,\"blob\":\"\\\\x80ff\"}\n"
        "23! ||a row of 2 values in a table of 4 columns|3, charge:3\n"
        "24 {\"id\":\"4\",\"key\":\"c\xC3\xA9" "A\",\"the note\":\"\",\"blob\":null}\n";
    QCOMPARE(rowsOf(kPostgres, "orders"), expected);
    QCOMPARE(rowsOf(kPostgres, "public.orders", 7), expected);
    QCOMPARE(rowsOf(kPostgres, "\"public\".\"orders\"", 1), expected);
    QCOMPARE(rowsOf(kPostgres, "empty"), std::string());
  }

  void tablesAreFoundByTheirParts() {
    QCOMPARE(catalogOf(kPostgres), std::string("orders(id key the note blob)+ empty(id)+"));
    QCOMPARE(rowsOf(kPostgres, "ORDERS").substr(0, 3), std::string("21 "));
    QCOMPARE(rowsOf(kPostgres, "nothing"), std::string("named: no table nothing (tables: orders, empty)"));
    const std::string two = "\\connect shop\nCOPY a.t (x) FROM stdin;\n1\n\\.\nCOPY b.t (x) FROM stdin;\n2\n\\.\n"
                            "\\connect \"other\"\nCOPY a.t (x) FROM stdin;\n3\n\\.\n";
    QCOMPARE(catalogOf(two), std::string("shop.a.t(x)+ b.t(x)+ other.a.t(x)+"));
    QCOMPARE(rowsOf(two, "b.t"), std::string("6 {\"x\":\"2\"}\n"));
    QCOMPARE(rowsOf(two, "other.a.t"), std::string("10 {\"x\":\"3\"}\n"));
    QCOMPARE(rowsOf(two, "t"), std::string("named: several tables t: shop.a.t, shop.b.t, other.a.t"));
  }

  void partitionsAreRowsOfTheirTable() {
    const std::string text =
        "CREATE TABLE public.m (id int, at date) PARTITION BY RANGE (at);\n"
        "CREATE TABLE public.m1 (id int, at date);\nCREATE TABLE public.m2 PARTITION OF public.m FOR VALUES IN (2);\n"
        "ALTER TABLE ONLY public.m ATTACH PARTITION public.m1 FOR VALUES FROM ('2026-01-01') TO ('2026-02-01');\n"
        "COPY public.m1 (id, at) FROM stdin;\n1\t2026-01-03\n\\.\nINSERT INTO public.m2 VALUES (2, '2026-02-03');\n";
    QCOMPARE(rowsOf(text, "m"), std::string("6 {\"id\":\"1\",\"at\":\"2026-01-03\"}\n8 {\"id\":2,\"at\":\"2026-02-03\"}\n"));
    QCOMPARE(rowsOf(text, "m1"), std::string("6 {\"id\":\"1\",\"at\":\"2026-01-03\"}\n"));
  }

  void rowsOfInserts() {
    const std::string text =
        "-- PostgreSQL database dump\nSET standard_conforming_strings = on;\n"
        "CREATE TABLE public.t (\n  a integer,\n  b text,\n  g integer GENERATED ALWAYS AS ((a * 2)) STORED\n);\n"
        "INSERT INTO public.t VALUES (1, 'it''s; (a) \\n', DEFAULT);\n"
        "INSERT INTO public.t (b, a) OVERRIDING SYSTEM VALUE VALUES (E'a\\nb\\u00e9', -2.50), ('c'::character varying(3), 3e5)\n"
        "  ON CONFLICT DO NOTHING;\n"
        "INSERT INTO public.t VALUES (NULL, true, 4);\n"
        "INSERT INTO public.t VALUES (007, '2026-01-01'::timestamp without time zone, 1), (now(), 'x', 2), (1, 'a' || 'b', 3),"
        " (DEFAULT, 'y', 1), (1, 2);\n"
        "-- PostgreSQL database dump complete\n";
    QCOMPARE(rowsOf(text, "t"),
             std::string("8 {\"a\":1,\"b\":\"it's; (a) \\\\n\"}\n"
                         "9 {\"b\":\"a\\u000ab\xC3\xA9\",\"a\":-2.50}\n9 {\"b\":\"c\",\"a\":3e5}\n"
                         "11 {\"a\":null,\"b\":true,\"g\":4}\n"
                         "12 {\"a\":\"007\",\"b\":\"2026-01-01\",\"g\":1}\n"
                         "12! a|now(…)|no plain value, but something to be computed (or too long)|now(…), x, 2\n"
                         "12! b|a ||no plain value, but something to be computed (or too long)|1, a |, 3\n"
                         "12! a||DEFAULT: the dump does not say which value that is|, y, 1\n"
                         "12! ||a row of 2 values in a table of 3 columns|1, 2\n"));
    QCOMPARE(rowsOf(text, "t", 3), rowsOf(text, "t"));
  }

  void rowsOfMysqldump() {
    const std::string text =
        "-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)\n/*!40101 SET NAMES utf8mb4 */;\n"
        "DROP TABLE IF EXISTS `orders`;\nCREATE TABLE `orders` (\n  `id` bigint NOT NULL AUTO_INCREMENT,\n"
        "  `key` varchar(64) COLLATE utf8mb4_bin DEFAULT 'it\\'s',\n  `paid` bit(1) DEFAULT b'0',\n  `data` json,\n"
        "  PRIMARY KEY (`id`),\n  UNIQUE KEY `k` (`key`),\n  KEY `p` (`paid`)\n) ENGINE=InnoDB;\n"
        "DELIMITER ;;\n/*!50003 CREATE*/ /*!50003 TRIGGER t BEFORE INSERT ON orders FOR EACH ROW BEGIN\n"
        "INSERT INTO `orders` VALUES (9,'no',_binary '\\0','{}'); END */;;\nDELIMITER ;\n"
        "LOCK TABLES `orders` WRITE;\n"
        "INSERT INTO `orders` VALUES (1,'it\\'s \\\"a\\\"',_binary '\\0','{\\\"a\\\": \\\"b\\\\nc\\\"}'),(2,'x',_binary '\x01',NULL),\n"
        "(3,\"q;\",0x6B31,0xFF);\nUNLOCK TABLES;\n# a comment; with (signs\n-- Dump completed on 2026-11-29\n";
    QCOMPARE(rowsOf(text, "orders"),
             std::string("18 {\"id\":1,\"key\":\"it's \\\"a\\\"\",\"paid\":0,\"data\":\"{\\\"a\\\": \\\"b\\\\nc\\\"}\"}\n"
                         "18 {\"id\":2,\"key\":\"x\",\"paid\":1,\"data\":null}\n"
                         "19 {\"id\":3,\"key\":\"q;\",\"paid\":\"k1\",\"data\":\"\\\\xFF\"}\n"));
    QCOMPARE(catalogOf(text), std::string("orders(id key paid data)+"));
  }

  void databasesOfMysqldump() {
    const std::string text = "USE `shop`;\nINSERT INTO `t` (`a`) VALUES (1);\nUSE `test`;\nINSERT INTO `t` (`a`) VALUES (2);\n";
    QCOMPARE(catalogOf(text), std::string("shop.t(a)+ test.t(a)+"));
    QCOMPARE(rowsOf(text, "test.t"), std::string("4 {\"a\":2}\n"));
    QCOMPARE(rowsOf(text, "`shop`.`t`"), std::string("2 {\"a\":1}\n"));
  }

  void rowsOfSqlitesDump() {
    const std::string text =
        "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE t(a INTEGER PRIMARY KEY, key varchar(64), b BLOB, check(a>0));\n"
        "INSERT INTO t VALUES(1,'c:\\dir',X'6b32');\nINSERT INTO t VALUES(2,replace('a\\nb','\\n',char(10)),NULL);\n"
        "INSERT INTO t VALUES(3,unistr('\\u00e9\\\\'),X'00');\n"
        "CREATE TRIGGER x AFTER INSERT ON t BEGIN INSERT INTO t VALUES(9,'no',CASE WHEN 1 THEN 2 END); END;\n"
        "DELETE FROM sqlite_sequence;\nINSERT INTO sqlite_sequence VALUES('t',3);\nCOMMIT;\n";
    QCOMPARE(rowsOf(text, "t"), std::string("4 {\"a\":1,\"key\":\"c:\\\\dir\",\"b\":\"k2\"}\n"
                                            "5 {\"a\":2,\"key\":\"a\\u000ab\",\"b\":null}\n"
                                            "6 {\"a\":3,\"key\":\"\xC3\xA9\\\\\",\"b\":\"\\\\x00\"}\n"));
    QCOMPARE(catalogOf(text), std::string("t(a key b)+"));
  }

  void columnsThatNothingNames() {
    const std::string text = "INSERT INTO t VALUES (1, 'a');\n";
    QCOMPARE(rowsOf(text, "t"), std::string("1! ||nothing in the dump names the table's columns: give \"columns\" in the "
                                            "layout, or dump it with its CREATE TABLE|1, a\n"));
    QCOMPARE(rowsOf(text, "t", 4096, {"id", "key"}), std::string("1 {\"id\":1,\"key\":\"a\"}\n"));
  }

  void whatIsCutOffIsTold_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shown");
    QTest::newRow("copy without end") << "COPY t (a) FROM stdin;\n1\n2\n"
                                      << "2 {\"a\":\"1\"}\n3 {\"a\":\"2\"}\n!line 1: cut off: the rows of the COPY that begins here have no end (\\.)";
    QTest::newRow("in a row of COPY") << "COPY t (a) FROM stdin;\n1\n2"
                                      << "2 {\"a\":\"1\"}\n3! ||the dump ends in the middle of this row|2\n"
                                         "!line 1: cut off: the rows of the COPY that begins here have no end (\\.)";
    QTest::newRow("in a text") << "INSERT INTO t (a) VALUES ('1'),\n('2" << "1 {\"a\":\"1\"}\n!line 2: cut off: the text that begins here has no end";
    QTest::newRow("between rows") << "INSERT INTO t (a) VALUES (1),\n" << "1 {\"a\":1}\n!line 1: cut off: the statement that begins here has no end";
    QTest::newRow("behind a row") << "INSERT INTO t (a) VALUES (1)" << "1 {\"a\":1}\n!line 1: cut off: the statement that begins here has no end";
    QTest::newRow("between statements") << "-- PostgreSQL database dump\nINSERT INTO t (a) VALUES (1);\n"
                                        << "2 {\"a\":1}\n!line 3: cut off: the dump does not say at its end that it is complete";
    QTest::newRow("in another statement") << "INSERT INTO t (a) VALUES (1);\nALTER TABLE x"
                                          << "1 {\"a\":1}\n!line 2: cut off: the statement that begins here has no end";
    QTest::newRow("in a comment") << "INSERT INTO t (a) VALUES (1);\n/* x"
                                  << "1 {\"a\":1}\n!line 2: cut off: the comment that begins here has no end";
  }
  void whatIsCutOffIsTold() {
    QFETCH(QString, text);
    QFETCH(QString, shown);
    QCOMPARE(QString::fromStdString(rowsOf(text.toStdString(), "t")), shown);
  }

  void whatOnlyADatabaseCanFollowIsTold_data() {
    QTest::addColumn<QString>("statement");
    QTest::newRow("update") << "UPDATE t SET a = 2";
    QTest::newRow("delete") << "DELETE FROM ONLY t WHERE a = 1";
    QTest::newRow("select") << "INSERT INTO t (a) SELECT 1";
    QTest::newRow("set") << "INSERT INTO t SET a = 1";
    QTest::newRow("csv") << "COPY t (a) FROM stdin WITH (FORMAT csv);\n1\n\\.\nSELECT 1";
  }
  void whatOnlyADatabaseCanFollowIsTold() {
    QFETCH(QString, statement);
    const std::string shown = rowsOf("INSERT INTO t (a) VALUES (1);\n" + statement.toStdString() + ";\nINSERT INTO t (a) VALUES (3);\n", "t");
    QVERIFY2(shown.rfind("1 {\"a\":1}\n", 0) == 0, shown.c_str());
    QVERIFY2(shown.find("{\"a\":3}") != std::string::npos, shown.c_str());
    QVERIFY2(shown.find("!line 2: ") != std::string::npos, shown.c_str());
    QVERIFY2(shown.find("only a database can follow that") != std::string::npos, shown.c_str());
  }

  void aBackslashNeedsADialect() {
    const std::string row = "INSERT INTO t (a) VALUES ('it\\'s');\n";
    QVERIFY(rowsOf(row, "t").find("a backslash in a text") != std::string::npos);
    QCOMPARE(rowsOf("-- MySQL dump 10\n" + row + "-- Dump completed\n", "t"), std::string("2 {\"a\":\"it's\"}\n"));
  }

  void dumpsAreKnownByTheirText_data() {
    QTest::addColumn<QString>("head");
    QTest::addColumn<bool>("isSql");
    QTest::newRow("pg_dump") << "--\n-- PostgreSQL database dump\n--\n" << true;
    QTest::newRow("mysqldump") << "-- MySQL dump 10.13\n" << true;
    QTest::newRow("mariadb") << "/*M!999999\\- enable the sandbox mode */ \n-- MariaDB dump 10.19\n" << true;
    QTest::newRow("sqlite") << "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE t(a);\n" << true;
    QTest::newRow("inserts") << "\n-- rows\nINSERT INTO t VALUES (1);\n" << true;
    QTest::newRow("copy") << "COPY public.t (a) FROM stdin;\n1\n\\.\n" << true;
    QTest::newRow("csv") << "id,statement\n1,INSERT INTO t VALUES (1)\n" << false;
    QTest::newRow("log") << "2026-11-29 12:00:00 LOG: INSERT INTO t VALUES (1)\n" << false;
    QTest::newRow("csv called set") << "set,key\nCREATE TABLE,1\n" << false;
    QTest::newRow("json") << "{\"sql\": \"INSERT INTO t\"}\n" << false;
    QTest::newRow("nothing") << "" << false;
  }
  void dumpsAreKnownByTheirText() {
    QFETCH(QString, head);
    QFETCH(bool, isSql);
    QCOMPARE(looksLikeSql(head.toStdString()), isSql);
  }

  void encodingsAreNamedAsIconvDoes() {
    QCOMPARE(sqlEncoding("SET client_encoding = 'UTF8';"), std::string());
    QCOMPARE(sqlEncoding("SET client_encoding = 'LATIN1';"), std::string("iso-8859-1"));
    QCOMPARE(sqlEncoding("SET client_encoding = 'WIN1251';"), std::string("windows-1251"));
    QCOMPARE(sqlEncoding("SET x = 1;"), std::string());
  }

  void anArchiveNamesTheCommandThatReadsIt() {
    QVERIFY(pgArchiveFault("PGDMP\x01\x0E").value().message.find("pg_restore -f dump.sql") != std::string::npos);
    QVERIFY(!pgArchiveFault("-- PGDMP").has_value());
  }

  void hostileTextsHaveBounds() {
    std::string nested = "INSERT INTO t (a) VALUES (";
    for (int i = 0; i < 5000; ++i) nested += "f(";
    QVERIFY(rowsOf(nested, "t").find("nested too deep") != std::string::npos);
    std::string columns = "CREATE TABLE t (";
    for (int i = 0; i < 6000; ++i) columns += "c" + std::to_string(i) + " int, ";
    QVERIFY(catalogOf(columns + "z int);").size() < 40'000);
    std::string tables;
    for (int i = 0; i < 10'001; ++i) tables += "CREATE TABLE t" + std::to_string(i) + " (a int);";
    QCOMPARE(catalogOf(tables), std::string("error: more than 10000 tables"));
    QVERIFY(!rowsOf("COPY t (a) FROM stdin;\n" + std::string(17u << 20, 'x') + "\n1\n\\.\n", "t").empty());
  }
};

QTEST_GUILESS_MAIN(TstSqlDump)
#include "tst_sql_dump.moc"
