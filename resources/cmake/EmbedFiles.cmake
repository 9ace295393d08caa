# SPDX-License-Identifier: Apache-2.0
# cmake -D OUT=source.cpp -D FOLDER=folder -D NAMES="a;b" -D HEADER=header -D FUNCTION=name -P EmbedFiles.cmake: writes the
# named text files as string literals, which the function of that header returns.
set(text "// Written by resources/cmake/EmbedFiles.cmake.\n#include \"${HEADER}\"\n\nnamespace shardlens {\n\n")
string(APPEND text "std::span<const PageFile> ${FUNCTION}() {\n  static constexpr PageFile kFiles[] = {\n")
foreach(name IN LISTS NAMES)
  file(READ "${FOLDER}/${name}" content)
  string(APPEND text "      {\"${name}\", R\"shardlens(" "${content}" ")shardlens\"},\n")
endforeach()
string(APPEND text "  };\n  return kFiles;\n}\n\n}  // namespace shardlens\n")
file(WRITE "${OUT}" "${text}")
