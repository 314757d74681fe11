// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/xlsx/xml_parser.h"

#include <expat.h>
#include <fmt/format.h>

namespace counterfoil {

namespace {

constexpr int kMaxDepth = 64;
constexpr std::size_t kBlockBytes = 64u << 10;
constexpr std::uint64_t kMaxTokenBytes = 1u << 20;  ///< of a tag: Expat holds it whole

std::string_view withoutPrefix(std::string_view name) {
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

}  // namespace

std::optional<std::string_view> XmlAttributes::find(std::string_view name) const {
  for (const char** pair = m_pairs; pair[0] != nullptr; pair += 2) {
    if (withoutPrefix(pair[0]) == name) return pair[1];
  }
  return std::nullopt;
}

struct XmlParser::Impl {
  explicit Impl(XmlHandler& to) : handler(to), parser(XML_ParserCreate(nullptr)) {
    if (parser == nullptr) return;
    XML_SetUserData(parser, this);
    XML_SetElementHandler(parser, &Impl::start, &Impl::end);
    XML_SetCharacterDataHandler(parser, &Impl::text);
    XML_SetStartDoctypeDeclHandler(parser, &Impl::doctype);
  }
  ~Impl() {
    if (parser != nullptr) XML_ParserFree(parser);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void stop(std::string message) {
    if (!handler.fault) handler.fault = Error{ErrorCode::Format, std::move(message)};
    XML_StopParser(parser, XML_FALSE);
  }
  void stopOnFault() {
    if (handler.fault) XML_StopParser(parser, XML_FALSE);
  }
  static Impl& of(void* data) { return *static_cast<Impl*>(data); }

  static void XMLCALL start(void* data, const XML_Char* name, const XML_Char** attributes) {
    Impl& self = of(data);
    if (self.handler.fault) return;
    if (++self.depth > kMaxDepth)
      return self.stop(fmt::format("elements more than {} deep", kMaxDepth));
    self.handler.onStart(withoutPrefix(name), XmlAttributes(attributes));
    self.stopOnFault();
  }
  static void XMLCALL end(void* data, const XML_Char* name) {
    Impl& self = of(data);
    if (self.handler.fault) return;
    --self.depth;
    self.handler.onEnd(withoutPrefix(name));
    self.stopOnFault();
  }
  static void XMLCALL text(void* data, const XML_Char* text, int size) {
    Impl& self = of(data);
    if (self.handler.fault) return;
    self.handler.onText({text, static_cast<std::size_t>(size)});
    self.stopOnFault();
  }
  static void XMLCALL doctype(void* data, const XML_Char*, const XML_Char*, const XML_Char*, int) {
    of(data).stop("a document type declaration, which no spreadsheet writes: it is not read");
  }

  XmlHandler& handler;
  XML_Parser parser;
  int depth = 0;
  std::uint64_t fedBytes = 0;
};

XmlParser::XmlParser(XmlHandler& handler) : m_impl(std::make_unique<Impl>(handler)) {}
XmlParser::~XmlParser() = default;

std::uint64_t XmlParser::line() const {
  return m_impl->parser == nullptr ? 0 : static_cast<std::uint64_t>(XML_GetCurrentLineNumber(m_impl->parser));
}

Result<> XmlParser::feed(std::string_view bytes, bool isLast) {
  if (m_impl->parser == nullptr) return fail(ErrorCode::Internal, "Expat could not be started");
  const XML_Status status = XML_Parse(m_impl->parser, bytes.data(), static_cast<int>(bytes.size()),
                                      isLast ? XML_TRUE : XML_FALSE);
  if (m_impl->handler.fault) return fail(*m_impl->handler.fault);
  if (status != XML_STATUS_OK) {
    const XML_Error code = XML_GetErrorCode(m_impl->parser);
    const bool isCut =
        isLast && (code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_TOKEN ||
                   code == XML_ERROR_TAG_MISMATCH);
    return fail(ErrorCode::Format,
                fmt::format("{}not well-formed XML in line {}: {}", isCut ? "cut off or " : "",
                            XML_GetCurrentLineNumber(m_impl->parser), XML_ErrorString(code)));
  }
  m_impl->fedBytes += bytes.size();
  const XML_Index done = XML_GetCurrentByteIndex(m_impl->parser);
  if (done >= 0 && m_impl->fedBytes - static_cast<std::uint64_t>(done) > kMaxTokenBytes) {
    return fail(ErrorCode::Limit, fmt::format("a tag of more than {} bytes", kMaxTokenBytes));
  }
  return {};
}

Result<> parseXml(ByteStage& stage, XmlHandler& handler) {
  XmlParser parser(handler);
  std::string block;
  while (true) {
    block.clear();
    const Result<std::size_t> got = stage.read(block, kBlockBytes);
    if (!got) return fail(got.error());
    if (Result<> fed = parser.feed(block, *got == 0); !fed) return fed;
    if (*got == 0) return {};
  }
}

}  // namespace counterfoil
