# SPDX-License-Identifier: GPL-3.0-or-later
# The one target that carries flags, and the defaults of a build that nobody configured.
add_library(counterfoil_flags INTERFACE)
target_compile_features(counterfoil_flags INTERFACE cxx_std_20)
target_include_directories(counterfoil_flags INTERFACE "${CMAKE_SOURCE_DIR}")
target_compile_options(counterfoil_flags INTERFACE
  -Wall -Wextra -Wconversion -Wno-sign-conversion -fno-strict-aliasing
  $<IF:$<CXX_COMPILER_ID:Clang>,-Wshadow,-Wshadow=local>)
if(COUNTERFOIL_PCH AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Else a compiler cache may hand out a header whose system headers have got another time since: an error.
  target_compile_options(counterfoil_flags INTERFACE "SHELL:-Xclang -fno-pch-timestamp")
endif()
if(COUNTERFOIL_WERROR)
  target_compile_options(counterfoil_flags INTERFACE -Werror)
endif()
if(COUNTERFOIL_SANITIZE)
  target_compile_options(counterfoil_flags INTERFACE -fsanitize=${COUNTERFOIL_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  target_link_options(counterfoil_flags INTERFACE -fsanitize=${COUNTERFOIL_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The checks that sanitizers add confuse GCC's own flow analysis: these fire on correct code.
    target_compile_options(counterfoil_flags INTERFACE -Wno-maybe-uninitialized -Wno-stringop-overflow
      -Wno-stringop-overread -Wno-array-bounds -Wno-null-dereference -Wno-restrict)
  endif()
endif()

set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()

# A compiler cache is used where there is one. Checkouts in several places share it, and files with a
# precompiled header are cached too.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros
    "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}" CCACHE_NOHASHDIR=1 "${CCACHE_PROGRAM}")
endif()
