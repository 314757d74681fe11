# SPDX-License-Identifier: GPL-3.0-or-later
set(body "")
set(table "")
set(index 0)
foreach(file IN LISTS FILES)
  get_filename_component(base "${file}" NAME)
  file(READ "${file}" hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND body "constexpr unsigned char f${index}[] = {${bytes}0};\n")
  string(APPEND table "  {\"${base}\", {reinterpret_cast<const char*>(f${index}), sizeof f${index} - 1}},\n")
  math(EXPR index "${index} + 1")
endforeach()
file(WRITE "${OUT}" "#include <iterator>\n#include <span>\n#include \"core/base/embedded_file.h\"\nnamespace counterfoil {\nnamespace {\n${body}
const EmbeddedFile table[] = {\n${table}  {{}, {}}};\n}\nstd::span<const EmbeddedFile> ${NAME}();\nstd::span<const EmbeddedFile> ${NAME}() { return {table, std::size(table) - 1}; }\n}\n")
