// SPDX-License-Identifier: GPL-3.0-or-later
// Zip archives and workbooks made in memory, whole or with one thing wrong.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/importers/packed_bytes.h"

namespace counterfoil::testing {

struct ZipMemberText {
  std::string name, content;
  bool isPacked = true;
  std::uint16_t flags = 0x0800;  ///< the name is UTF-8
  std::uint16_t method = 0;      ///< 0: as isPacked says
  std::string localName = {};    ///< "": as name
  std::uint32_t wrongChecksum = 0;
  std::uint64_t saidBytes = 0;  ///< 0: the truth
  bool isLink = false;
};

inline void put(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<char>(value >> (8 * i) & 0xFF));
}

/// What a member's two headers have in common, from the version on.
inline std::string zipFacts(const ZipMemberText& member, std::size_t packedBytes, bool isWide) {
  std::string facts;
  put(facts, isWide ? 45 : 20, 2);
  put(facts, member.flags, 2);
  put(facts, member.method != 0 ? member.method : member.isPacked ? 8 : 0, 2);
  put(facts, 0, 4);
  const auto* const bytes = reinterpret_cast<const Bytef*>(member.content.data());
  put(facts, crc32_z(0, bytes, member.content.size()) ^ member.wrongChecksum, 4);
  put(facts, isWide ? 0xFFFFFFFF : packedBytes, 4);
  const std::uint64_t said = member.saidBytes != 0 ? member.saidBytes : member.content.size();
  put(facts, isWide ? 0xFFFFFFFF : said, 4);
  return facts;
}

/// `isWide`: with the 64-bit fields of zip64 throughout.
inline std::string zipOf(const std::vector<ZipMemberText>& members, bool isWide = false) {
  std::string out, directory;
  for (const ZipMemberText& member : members) {
    const std::string data = member.isPacked ? deflated(member.content, kRawBits) : member.content;
    const std::string facts = zipFacts(member, data.size(), isWide);
    const std::string& local = member.localName.empty() ? member.name : member.localName;
    std::string extra;
    if (isWide) {
      put(extra, 1, 2);
      put(extra, 24, 2);
      put(extra, member.content.size(), 8);
      put(extra, data.size(), 8);
      put(extra, out.size(), 8);
    }
    directory += "PK\x01\x02";
    put(directory, 0x0314, 2);
    directory += facts;
    put(directory, member.name.size(), 2);
    put(directory, extra.size(), 2);
    put(directory, 0, 2 + 2 + 2);
    put(directory, member.isLink ? 0xA1FF0000 : 0x81A40000, 4);
    put(directory, isWide ? 0xFFFFFFFF : out.size(), 4);
    directory += member.name + extra;
    out += "PK\x03\x04" + facts;
    put(out, local.size(), 2);
    put(out, 0, 2);
    out += local + data;
  }
  const std::size_t at = out.size();
  out += directory;
  if (isWide) {
    const std::size_t end64 = out.size();
    out += std::string("PK\x06\x06", 4);
    put(out, 44, 8);
    put(out, 0x002D002D, 4);
    put(out, 0, 8);
    put(out, members.size(), 8);
    put(out, members.size(), 8);
    put(out, directory.size(), 8);
    put(out, at, 8);
    out += std::string("PK\x06\x07", 4);
    put(out, 0, 4);
    put(out, end64, 8);
    put(out, 1, 4);
  }
  out += "PK\x05\x06";
  put(out, 0, 4);
  put(out, isWide ? 0xFFFF : members.size(), 2);
  put(out, isWide ? 0xFFFF : members.size(), 2);
  put(out, isWide ? 0xFFFFFFFF : directory.size(), 4);
  put(out, isWide ? 0xFFFFFFFF : at, 4);
  put(out, 0, 2);
  return out;
}

struct SheetText {
  std::string name, rows;         ///< rows: what stands in sheetData
  std::string state = "visible";  ///< hidden, veryHidden
  std::string prolog = {};        ///< in front of the worksheet
};

/// Of what a workbook is made.
struct BookText {
  std::vector<SheetText> sheets;
  std::vector<std::string> texts = {};  ///< content of the <si> elements
  std::string numberFormats = {};       ///< <numFmt …/> elements
  std::vector<unsigned> styles = {0};   ///< number format of each style
  bool is1904 = false;
};

/// The members of a workbook, to be broken by a test.
inline std::vector<ZipMemberText> bookMembers(const BookText& book) {
  const std::string types = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/";
  std::string sheets, relations;
  std::vector<ZipMemberText> parts;
  for (std::size_t i = 0; i < book.sheets.size(); ++i) {
    const SheetText& sheet = book.sheets[i];
    const std::string number = std::to_string(i + 1);
    sheets += "<sheet name=\"" + sheet.name + "\" sheetId=\"" + number + "\" state=\"" +
              sheet.state + "\" r:id=\"r" + number + "\"/>";
    relations += "<Relationship Id=\"r" + number + "\" Type=\"" + types +
                 "worksheet\" Target=\"worksheets/sheet" + number + ".xml\"/>";
    parts.push_back({"xl/worksheets/sheet" + number + ".xml",
                     sheet.prolog + "<worksheet xmlns=\"m\"><sheetData>" + sheet.rows +
                         "</sheetData></worksheet>"});
  }
  std::string texts, styles;
  for (const std::string& text : book.texts) texts += "<si>" + text + "</si>";
  for (const unsigned id : book.styles) styles += "<xf numFmtId=\"" + std::to_string(id) + "\"/>";
  relations +=
      "<Relationship Id=\"t\" Type=\"" + types + "sharedStrings\" Target=\"sharedStrings.xml\"/>";
  relations += "<Relationship Id=\"s\" Type=\"" + types + "styles\" Target=\"/xl/styles.xml\"/>";
  parts.push_back({"[Content_Types].xml", "<Types/>"});
  parts.push_back(
      {"_rels/.rels", "<Relationships><Relationship Id=\"r1\" Type=\"" + types +
                          "officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"});
  parts.push_back({"xl/workbook.xml", "<workbook xmlns:r=\"r\"><workbookPr" +
                                          std::string(book.is1904 ? " date1904=\"1\"" : "") +
                                          "/><sheets>" + sheets + "</sheets></workbook>"});
  parts.push_back(
      {"xl/_rels/workbook.xml.rels", "<Relationships>" + relations + "</Relationships>"});
  parts.push_back({"xl/sharedStrings.xml", "<sst>" + texts + "</sst>"});
  parts.push_back({"xl/styles.xml",
                   "<styleSheet><numFmts>" + book.numberFormats +
                       "</numFmts><cellStyleXfs><xf numFmtId=\"14\"/></cellStyleXfs><cellXfs>" +
                       styles + "</cellXfs></styleSheet>"});
  return parts;
}

inline std::string bookOf(const BookText& book) {
  return zipOf(bookMembers(book));
}

inline std::string textCell(const std::string& ref, const std::string& text) {
  return "<c r=\"" + ref + "\" t=\"inlineStr\"><is><t>" + text + "</t></is></c>";
}
inline std::string numberCell(const std::string& ref, const std::string& number, int style = 0) {
  return "<c r=\"" + ref + "\" s=\"" + std::to_string(style) + "\"><v>" + number + "</v></c>";
}
inline std::string sheetRow(int number, const std::string& cells) {
  return "<row r=\"" + std::to_string(number) + "\">" + cells + "</row>";
}

/// The columns of generic.effects in a row.
inline std::string effectHeader(int row) {
  const std::vector<std::string> names = {"txn_id",   "created_at",      "amount",
                                          "currency", "idempotency_key", "description"};
  std::string cells;
  for (std::size_t i = 0; i < names.size(); ++i) {
    cells += textCell(std::string(1, static_cast<char>('A' + i)) + std::to_string(row), names[i]);
  }
  return sheetRow(row, cells);
}
/// Style 1 is a date with a time. 46119 is 2026-04-07.
inline std::string effectCells(int row, int i, const std::string& amount,
                               const std::string& time = "46119.416666666664") {
  const std::string n = std::to_string(row), key = std::to_string(i);
  return sheetRow(row, textCell("A" + n, "t" + key) + numberCell("B" + n, time, 1) +
                           numberCell("C" + n, amount) + textCell("D" + n, "USD") +
                           textCell("E" + n, "k" + key));
}
inline BookText effectBook(const std::string& rows, const std::string& sheetName = "Data") {
  return {{{sheetName, rows}},
          {},
          "<numFmt numFmtId=\"164\" formatCode=\"dd/mm/yyyy hh:mm\"/>",
          {0, 164, 14}};
}

}  // namespace counterfoil::testing
