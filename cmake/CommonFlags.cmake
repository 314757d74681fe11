# SPDX-License-Identifier: GPL-3.0-or-later
add_library(counterfoil_flags INTERFACE)
target_compile_features(counterfoil_flags INTERFACE cxx_std_20)
target_include_directories(counterfoil_flags INTERFACE "${CMAKE_SOURCE_DIR}")
target_compile_options(counterfoil_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow=local -Wconversion -Wno-sign-conversion
  $<$<CXX_COMPILER_ID:Clang>:-Wno-shadow -Wshadow-all>
  -fno-strict-aliasing)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(counterfoil_flags INTERFACE -Wno-shadow-all -Wshadow)
endif()
if(COUNTERFOIL_SANITIZE)
  target_compile_options(counterfoil_flags INTERFACE -fsanitize=${COUNTERFOIL_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  target_link_options(counterfoil_flags INTERFACE -fsanitize=${COUNTERFOIL_SANITIZE})
endif()
# SQLite and iconv are built for many threads by Debian; __int128 is used for sums.
target_compile_options(counterfoil_flags INTERFACE -Wno-pedantic)
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()
