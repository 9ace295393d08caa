# SPDX-License-Identifier: Apache-2.0
# The one way to declare a module, a program or a test. Flags travel on one INTERFACE target.

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

find_program(SHARDLENS_CCACHE ccache)
if(SHARDLENS_CCACHE)
  # A second checkout of the same sources takes what the first one compiled; debuggers then show the first one's paths.
  set(CMAKE_C_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}"
    CCACHE_NOHASHDIR=1 "${SHARDLENS_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_C_COMPILER_LAUNCHER}")
endif()

add_library(shardlens_flags INTERFACE)
add_library(shardlens::flags ALIAS shardlens_flags)
# Joined sources are included by absolute path: without this every assert would name the checkout, and a second one would compile all of them again.
target_compile_options(shardlens_flags INTERFACE "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")
target_compile_features(shardlens_flags INTERFACE cxx_std_20)
target_include_directories(shardlens_flags INTERFACE "${PROJECT_SOURCE_DIR}")
# One way for all, programs too: precompiled headers must be compiled as their users are. Qt asks for -fPIC.
target_compile_options(shardlens_flags INTERFACE -fPIC)
target_compile_options(shardlens_flags INTERFACE -Wall -Wextra -Wpedantic -Wimplicit-fallthrough
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>)
# GCC 12 sees these in sound uses of std::string and std::vector (GCC bugs 105329, 105651 and their kin), more so when they come out of a precompiled
# header. AddressSanitizer looks for the real ones.
target_compile_options(shardlens_flags INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-array-bounds -Wno-restrict -Wno-stringop-overflow
  -Wno-stringop-overread -Wno-free-nonheap-object>)
# The precompiled headers fill the heap at which GCC begins to look for garbage; doing so takes a tenth of its time and saves a sixth of the memory.
target_compile_options(shardlens_flags INTERFACE 
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-expand=100> $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=500000>)
# In joined sources a local variable may have the name of another source's constant, which clang takes for one that hides it.
if(NOT (SHARDLENS_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang"))
  target_compile_options(shardlens_flags INTERFACE $<$<NOT:$<BOOL:$<TARGET_PROPERTY:SHARDLENS_JOINED>>>:-Wshadow>)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")  # what core/base/thread_annotations.h says is checked, whatever else is only warned of
  target_compile_options(shardlens_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wthread-safety> $<$<COMPILE_LANGUAGE:CXX>:-Werror=thread-safety>)
endif()
# Links in a quarter of the time of GNU ld. What is shipped (Release) is linked as Debian links.
find_program(SHARDLENS_LLD ld.lld)
if(SHARDLENS_LLD)
  target_link_options(shardlens_flags INTERFACE $<$<CONFIG:RelWithDebInfo>:-fuse-ld=lld>)
endif()
if(SHARDLENS_WERROR)
  target_compile_options(shardlens_flags INTERFACE -Werror)
endif()
if(SHARDLENS_SANITIZE)
  target_compile_options(shardlens_flags INTERFACE -fsanitize=${SHARDLENS_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(shardlens_flags INTERFACE -fsanitize=${SHARDLENS_SANITIZE})
endif()

# What most sources of one kind include, parsed once: std (core, programs), doctest (their tests), json (modules that read or write it),
# gui (scenes and painters), widgets.
# A source still includes what it uses: the presets without SHARDLENS_PCH, and clang-tidy, see what is missing.
set(SHARDLENS_PCH_STD <algorithm> <array> <chrono> <cmath> <cstdint> <cstdio> <filesystem> <fstream> <functional> <limits> <map> <memory> <mutex>
  <numeric> <optional> <set> <span> <sstream> <string> <string_view> <thread> <utility> <variant> <vector>)
set(SHARDLENS_PCH_GUI ${SHARDLENS_PCH_STD} <QColor> <QFontMetricsF> <QObject> <QPainter> <QPainterPath> <QString> <QStringList>)
set(SHARDLENS_PCH_WIDGETS ${SHARDLENS_PCH_GUI} <QAbstractButton> <QApplication> <QHBoxLayout> <QKeyEvent> <QLabel> <QLineEdit> <QMenu>
  <QMouseEvent> <QPushButton> <QScrollArea> <QToolTip> <QVBoxLayout> <QWidget>)
set(SHARDLENS_PCH_DOCTEST ${SHARDLENS_PCH_STD} <doctest/doctest.h>)
set(SHARDLENS_PCH_JSON ${SHARDLENS_PCH_STD} <nlohmann/json.hpp>)

# shardlens_precompile(TARGET KIND): TARGET starts from the headers of KIND (std, doctest, json, gui or widgets).
function(shardlens_precompile target kind)
  get_target_property(sources ${target} SOURCES)
  if(NOT SHARDLENS_PCH OR sources MATCHES "\\.c(;|$)")  # the headers are C++
    return()
  endif()
  set(owner shardlens_pch_${kind})
  if(NOT TARGET ${owner})
    set(source "${PROJECT_BINARY_DIR}/${owner}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "// Carries the precompiled headers of kind '${kind}'.\n")
    add_library(${owner} OBJECT "${source}")
    target_link_libraries(${owner} PRIVATE shardlens::flags)
    if(kind STREQUAL "gui")
      target_link_libraries(${owner} PRIVATE Qt6::Gui)
    elseif(kind STREQUAL "widgets")
      target_link_libraries(${owner} PRIVATE Qt6::Widgets)
    endif()
    string(TOUPPER ${kind} upper)
    target_precompile_headers(${owner} PRIVATE ${SHARDLENS_PCH_${upper}})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${owner})
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)  # ccache asks for it
endfunction()

# shardlens_kind(NAME QT OUT): which precompiled headers suit the module NAME.
function(shardlens_kind name qt out)
  if(name MATCHES "^ui_(state|scene|paint)$")
    set(${out} gui PARENT_SCOPE)
  elseif(name MATCHES "^(capture|film|lists|record|selftest|traces|shardlens)$")
    set(${out} json PARENT_SCOPE)
  elseif(qt)
    set(${out} widgets PARENT_SCOPE)
  else()
    set(${out} std PARENT_SCOPE)
  endif()
endfunction()

# shardlens_quick_to_build(TARGET [CORE]): its code runs in no hot loop (words, files, widgets, tests), so the build that people wait for compiles it with -Og.
# Not -O0 with GCC, which takes longer to write all that nothing inlines. clang takes two fifths of the time there, but refuses headers that were precompiled
# with optimization; and it is of no use in CORE, on which the sanitized tests spend their time. GCC's -Og takes values in an empty std::optional for used ones.
function(shardlens_quick_to_build target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND NOT SHARDLENS_PCH AND NOT "CORE" IN_LIST ARGN)
    target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O0>)
    return()
  endif()
  target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:-Og> $<$<AND:$<CONFIG:RelWithDebInfo>,$<COMPILE_LANG_AND_ID:CXX,GNU>>:-Wno-maybe-uninitialized>)
endfunction()

# shardlens_join(TARGET SOURCES...): with SHARDLENS_UNITY, some sources of TARGET are compiled as one: names in their anonymous namespaces must differ.
function(shardlens_join target)
  if(NOT SHARDLENS_UNITY)
    return()
  endif()
  # What all joins share (templates above all) costs each of them 1.6 s: ten joins of 5 took 36 s of processor, two of 25 23 s.
  # More than some 16 sources in one, and a changed line would take long to compile.
  list(LENGTH ARGN count)
  math(EXPR joins "(${count} + 8) / 16")
  if(joins EQUAL 0)
    set(joins 1)
  endif()
  math(EXPR size "(${count} + ${joins} - 1) / ${joins}")
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
  # A nested struct of a source may use its anonymous namespace; GCC takes joined sources for headers, where it may not.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
endfunction()

# shardlens_module(NAME SOURCES a.cpp ... USES shardlens::base ... [QT] [UNITY] [HOT | QUICK]): a static library shardlens::NAME.
# The build that people wait for compiles it with -O1, with -O2 if it is HOT (draws orders, counts samples), with -Og if it is QUICK to build.
# QT turns on moc for this target only. UNITY lets shardlens_join have its sources.
function(shardlens_module name)
  cmake_parse_arguments(arg "QT;UNITY;HOT;QUICK" "" "SOURCES;USES;PRIVATE_USES" ${ARGN})
  add_library(shardlens_${name} STATIC ${arg_SOURCES})
  add_library(shardlens::${name} ALIAS shardlens_${name})
  target_link_libraries(shardlens_${name} PUBLIC shardlens::flags ${arg_USES} PRIVATE ${arg_PRIVATE_USES})
  if(arg_QT)
    set_target_properties(shardlens_${name} PROPERTIES AUTOMOC ON)
  endif()
  if(arg_UNITY)
    shardlens_join(shardlens_${name} ${arg_SOURCES})
  endif()
  shardlens_kind(${name} "${arg_QT}" kind)
  shardlens_precompile(shardlens_${name} ${kind})
  if(arg_QUICK AND arg_QT)
    shardlens_quick_to_build(shardlens_${name})
  elseif(arg_QUICK)
    shardlens_quick_to_build(shardlens_${name} CORE)
  elseif(NOT arg_HOT)
    target_compile_options(shardlens_${name} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
  endif()
  if(SHARDLENS_FUZZERS AND NOT name MATCHES "^ui_")  # without coverage of the modules the fuzzers would search blindly
    target_compile_options(shardlens_${name} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  set_property(GLOBAL APPEND PROPERTY SHARDLENS_MODULES ${name})
endfunction()

# What ./app/run builds: every program, no test.
add_custom_target(shardlens_programs)
# Every fuzz target; see resources/scripts/fuzz.
add_custom_target(shardlens_fuzzers)

# shardlens_program(NAME SOURCES ... USES ... [QT] [UNITY]): an executable build/<preset>/bin/NAME.
function(shardlens_program name)
  cmake_parse_arguments(arg "QT;UNITY" "" "SOURCES;USES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE shardlens::flags ${arg_USES})
  if(arg_QT)
    set_target_properties(${name} PROPERTIES AUTOMOC ON)
  endif()
  if(arg_UNITY)
    shardlens_join(${name} ${arg_SOURCES})
  endif()
  shardlens_kind(${name} "${arg_QT}" kind)
  shardlens_precompile(${name} ${kind})
  if(name MATCHES "^shardlens")
    shardlens_quick_to_build(${name})
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
  if(SHARDLENS_FUZZERS)  # compiled with flags of their own: no precompiled headers
    target_compile_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  else()
    shardlens_precompile(fuzz_${name} std)
    target_sources(fuzz_${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests/support/fuzz_main.cpp")
    add_test(NAME fuzz_${name} COMMAND fuzz_${name} "${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${name}")
    set_tests_properties(fuzz_${name} PROPERTIES LABELS "core;fuzz" TIMEOUT 60)
  endif()
endfunction()
