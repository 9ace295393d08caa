# SPDX-License-Identifier: Apache-2.0
# The one way to declare a module, a program or a test. Flags travel on one INTERFACE target.

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

find_program(SHARDLENS_CCACHE ccache)
if(SHARDLENS_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER "${SHARDLENS_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${SHARDLENS_CCACHE}")
endif()

add_library(shardlens_flags INTERFACE)
add_library(shardlens::flags ALIAS shardlens_flags)
target_compile_features(shardlens_flags INTERFACE cxx_std_20)
target_include_directories(shardlens_flags INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(shardlens_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wimplicit-fallthrough
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>)
if(SHARDLENS_WERROR)
  target_compile_options(shardlens_flags INTERFACE -Werror)
endif()
if(SHARDLENS_FUZZERS)  # without coverage of the modules the fuzzers would search blindly
  target_compile_options(shardlens_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(SHARDLENS_SANITIZE)
  target_compile_options(shardlens_flags INTERFACE -fsanitize=${SHARDLENS_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(shardlens_flags INTERFACE -fsanitize=${SHARDLENS_SANITIZE})
endif()

# shardlens_module(NAME SOURCES a.cpp ... USES shardlens::base ... [QT]): a static library shardlens::NAME.
# QT turns on moc for this target only.
function(shardlens_module name)
  cmake_parse_arguments(arg "QT" "" "SOURCES;USES;PRIVATE_USES" ${ARGN})
  add_library(shardlens_${name} STATIC ${arg_SOURCES})
  add_library(shardlens::${name} ALIAS shardlens_${name})
  target_link_libraries(shardlens_${name} PUBLIC shardlens::flags ${arg_USES} PRIVATE ${arg_PRIVATE_USES})
  if(arg_QT)
    set_target_properties(shardlens_${name} PROPERTIES AUTOMOC ON)
  endif()
  set_property(GLOBAL APPEND PROPERTY SHARDLENS_MODULES ${name})
endfunction()

# What ./app/run builds: every program, no test.
add_custom_target(shardlens_programs)
# Every fuzz target; see resources/scripts/fuzz.
add_custom_target(shardlens_fuzzers)

# shardlens_program(NAME SOURCES ... USES ... [QT]): an executable build/<preset>/bin/NAME.
function(shardlens_program name)
  cmake_parse_arguments(arg "QT" "" "SOURCES;USES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE shardlens::flags ${arg_USES})
  if(arg_QT)
    set_target_properties(${name} PROPERTIES AUTOMOC ON)
  endif()
  add_dependencies(shardlens_programs ${name})
endfunction()

# shardlens_fuzzer(NAME SOURCE USES ...): fuzz_NAME. With SHARDLENS_FUZZERS (clang) it is a libFuzzer program; without, it has a plain
# main that runs every file of a folder, and a test runs it over tests/fuzz/corpus/NAME, so that it never rots.
function(shardlens_fuzzer name source)
  cmake_parse_arguments(arg "" "" "USES" ${ARGN})
  add_executable(fuzz_${name} ${source})
  target_link_libraries(fuzz_${name} PRIVATE shardlens::flags ${arg_USES})
  add_dependencies(shardlens_fuzzers fuzz_${name})
  if(SHARDLENS_FUZZERS)
    target_compile_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  else()
    target_sources(fuzz_${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests/support/fuzz_main.cpp")
    add_test(NAME fuzz_${name} COMMAND fuzz_${name} "${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${name}")
    set_tests_properties(fuzz_${name} PROPERTIES LABELS core TIMEOUT 60)
  endif()
endfunction()
