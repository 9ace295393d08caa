# SPDX-License-Identifier: Apache-2.0
# The window's texts in other languages: resources/translations/*.ts, compiled by lrelease and embedded where a program shows the window.
find_program(SHARDLENS_LRELEASE lrelease HINTS /usr/lib/qt6/bin REQUIRED)
find_program(SHARDLENS_LUPDATE lupdate HINTS /usr/lib/qt6/bin REQUIRED)  # for resources/scripts/translate and its test

set(SHARDLENS_QM "${PROJECT_BINARY_DIR}/translations/shardlens_zh_CN.qm")
set(source "${PROJECT_SOURCE_DIR}/resources/translations/shardlens_zh_CN.ts")
add_custom_command(OUTPUT "${SHARDLENS_QM}" DEPENDS "${source}"
  COMMAND ${CMAKE_COMMAND} -E make_directory "${PROJECT_BINARY_DIR}/translations"
  COMMAND "${SHARDLENS_LRELEASE}" -silent "${source}" -qm "${SHARDLENS_QM}" COMMENT "Compiling translations")
add_custom_target(shardlens_translations DEPENDS "${SHARDLENS_QM}")

# shardlens_translated(TARGET): the program finds the compiled texts under :/translations.
function(shardlens_translated target)
  qt_add_resources(${target} translations PREFIX "/translations" BASE "${PROJECT_BINARY_DIR}/translations" FILES "${SHARDLENS_QM}")
  add_dependencies(${target} shardlens_translations)
endfunction()
