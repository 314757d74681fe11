# SPDX-License-Identifier: GPL-3.0-or-later
# counterfoil_embed(TARGET name FILES…): a generated source that defines
#   std::span<const counterfoil::EmbeddedFile> <name>();   (declared by the user of it)
# with each file's name (without folder) and bytes. No file is needed at run time.
function(counterfoil_embed target name)
  set(out "${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}.cpp")
  add_custom_command(OUTPUT "${out}"
    COMMAND "${CMAKE_COMMAND}" -DOUT=${out} -DNAME=${name} "-DFILES=${ARGN}" -P "${CMAKE_SOURCE_DIR}/cmake/EmbedScript.cmake"
    DEPENDS ${ARGN} "${CMAKE_SOURCE_DIR}/cmake/EmbedScript.cmake" VERBATIM)
  target_sources(${target} PRIVATE "${out}")
endfunction()
