// SPDX-License-Identifier: GPL-3.0-or-later
// Packed bytes as other programs write them.
#pragma once

#include <zlib.h>

#include <string>

namespace counterfoil::testing {

inline constexpr int kGzipBits = 15 + 16;
inline constexpr int kRawBits = -15;   ///< without header and trailer, as in a zip archive

inline std::string deflated(const std::string& text, int windowBits) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

inline std::string gzipped(const std::string& text) { return deflated(text, kGzipBits); }

}  // namespace counterfoil::testing
