# SPDX-License-Identifier: GPL-3.0-or-later
# A library is all .cpp files of its folder (globbed, so that two people adding files do not meet in a
# list). Headers have to compile on their own: those with a source of their name are its first include (held
# by tests/layers), the others are compiled by themselves.
function(counterfoil_library name folder)
  cmake_parse_arguments(ARG "" "" "EXCLUDE;PUBLIC;PRIVATE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${folder}/*.cpp")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${folder}/*.h")
  foreach(excluded IN LISTS ARG_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "^${folder}/${excluded}/")
    list(FILTER headers EXCLUDE REGEX "^${folder}/${excluded}/")
  endforeach()
  if(NOT sources)   # a library of headers only still needs one translation unit
    file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/${name}_empty.cpp" "")
    set(sources "${CMAKE_CURRENT_BINARY_DIR}/${name}_empty.cpp")
  endif()
  foreach(header IN LISTS headers)
    string(REGEX REPLACE "\\.h$" ".cpp" own "${header}")
    if(EXISTS "${own}")
      list(REMOVE_ITEM headers "${header}")
    endif()
  endforeach()
  add_library(${name} STATIC ${sources})
  target_sources(${name} PUBLIC FILE_SET HEADERS BASE_DIRS "${CMAKE_SOURCE_DIR}" FILES ${headers})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX VERIFY_INTERFACE_HEADER_SETS ON)
  target_link_libraries(${name} PUBLIC counterfoil_flags ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
  if(COUNTERFOIL_PCH AND NOT COUNTERFOIL_PCH STREQUAL "TESTS")   # a third of the time; GCC's look at the sources goes without, so no include is missed
    target_precompile_headers(${name} PRIVATE <algorithm> <chrono> <functional> <map> <memory> <optional> <span>
      <string> <string_view> <unordered_map> <vector> <tl/expected.hpp>)
  endif()
endfunction()

# counterfoil_moc(tst_money tests/core/tst_money.cpp): makes the tst_money.moc that the source includes. One
# run of moc a source: AUTOMOC adds a scan and one more file to compile, a fifth of the time of all tests.
function(counterfoil_moc target source)
  get_filename_component(name "${source}" NAME_WE)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/moc_${target}")
  file(MAKE_DIRECTORY "${folder}")
  add_custom_command(OUTPUT "${folder}/${name}.moc" DEPENDS "${source}" VERBATIM
    COMMAND Qt6::moc -o "${folder}/${name}.moc" "${source}")
  target_sources(${target} PRIVATE "${folder}/${name}.moc")
  target_include_directories(${target} PRIVATE "${folder}")
endfunction()

# counterfoil_test(tests/core/tst_money.cpp LINK core …): one program with Qt Test, run by ctest under the
# file's name. LABELS go to ctest; PCH names a target whose precompiled header is used.
function(counterfoil_test source)
  cmake_parse_arguments(ARG "" "TIMEOUT;PCH" "LINK;LABELS" ${ARGN})
  get_filename_component(name "${source}" NAME_WE)
  add_executable(${name} "${source}")
  counterfoil_moc(${name} "${source}")
  target_link_libraries(${name} PRIVATE counterfoil_flags Qt6::Core Qt6::Test ${ARG_LINK})
  target_compile_definitions(${name} PRIVATE TEST_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  if(COUNTERFOIL_SANITIZE)
    target_compile_options(${name} PRIVATE -O0)   # compiling takes longer than running
  endif()
  if(ARG_PCH)
    target_precompile_headers(${name} REUSE_FROM ${ARG_PCH})
  endif()
  add_test(NAME ${name} COMMAND ${name})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 600)   # a bound on hangs, not a measure: sanitizers and busy machines are slow
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}" ENVIRONMENT
    "QT_QPA_PLATFORM=offscreen;LC_ALL=C.UTF-8;TZ=UTC;QTEST_FUNCTION_TIMEOUT=1800000;COUNTERFOIL_PROGRAM=$<TARGET_FILE_DIR:counterfoil>/counterfoil")
endfunction()

# counterfoil_test_pch(name LINK …): an object library that holds the precompiled header of the tests that
# link the same libraries (a precompiled header fits only where flags and definitions are the same).
function(counterfoil_test_pch name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp" "")
  add_library(${name} OBJECT "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
  target_link_libraries(${name} PRIVATE counterfoil_flags Qt6::Core Qt6::Test ${ARG_LINK})
  target_compile_definitions(${name} PRIVATE TEST_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  if(COUNTERFOIL_SANITIZE)
    target_compile_options(${name} PRIVATE -O0)   # compiling takes longer than running
  endif()
  target_precompile_headers(${name} PRIVATE <QtTest> <algorithm> <map> <memory> <optional> <string> <vector>)
endfunction()

# counterfoil_fuzzer(tests/fuzz/fuzz_csv.cpp LINK importers …): a libFuzzer program.
function(counterfoil_fuzzer source)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  get_filename_component(name "${source}" NAME_WE)
  add_executable(${name} "${source}")
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/fuzzers")
  target_link_libraries(${name} PRIVATE counterfoil_flags ${ARG_LINK})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  add_dependencies(fuzzers ${name})
endfunction()
