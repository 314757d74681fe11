# SPDX-License-Identifier: GPL-3.0-or-later
# A library is all .cpp files of its folder (globbed, so that two people adding files do not meet in a
# list); headers have to compile on their own.
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
  add_library(${name} STATIC ${sources})
  target_sources(${name} PUBLIC FILE_SET HEADERS BASE_DIRS "${CMAKE_SOURCE_DIR}" FILES ${headers})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX VERIFY_INTERFACE_HEADER_SETS ON)
  target_link_libraries(${name} PUBLIC counterfoil_flags ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
endfunction()

# counterfoil_test(tst_money core …): tests/**/tst_money.cpp with Qt Test, run by ctest.
function(counterfoil_test source)
  cmake_parse_arguments(ARG "" "TIMEOUT" "LINK" ${ARGN})
  get_filename_component(name "${source}" NAME_WE)
  add_executable(${name} "${source}")
  set_target_properties(${name} PROPERTIES AUTOMOC ON)
  target_link_libraries(${name} PRIVATE counterfoil_flags Qt6::Core Qt6::Test ${ARG_LINK})
  target_compile_definitions(${name} PRIVATE TEST_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT
    "QT_QPA_PLATFORM=offscreen;LC_ALL=C.UTF-8;TZ=UTC;COUNTERFOIL_PROGRAM=$<TARGET_FILE_DIR:counterfoil>/counterfoil")
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT})
endfunction()

# counterfoil_fuzzer(fuzz_csv importers CORPUS dir): replayed by ctest in every build with libFuzzer.
function(counterfoil_fuzzer source)
  cmake_parse_arguments(ARG "" "CORPUS" "LINK" ${ARGN})
  get_filename_component(name "${source}" NAME_WE)
  add_executable(${name} "${source}")
  target_link_libraries(${name} PRIVATE counterfoil_flags ${ARG_LINK})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  target_compile_options(${name} PRIVATE -fsanitize=fuzzer-no-link)
endfunction()
