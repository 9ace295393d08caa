// SPDX-License-Identifier: Apache-2.0
#include "core/traces/pickle_opcodes.h"

#include <array>
#include <cstdio>
#include <utility>

namespace shardlens::traces::opcodes {

std::string nameOf(unsigned char code) {
  // Those that a dump never has, so that a refusal can name them.
  static constexpr std::pair<unsigned char, const char*> kRefused[] = {{'2', "DUP"},
                                                                       {'F', "FLOAT"},
                                                                       {'I', "INT"},
                                                                       {'L', "LONG"},
                                                                       {'P', "PERSID"},
                                                                       {'Q', "BINPERSID"},
                                                                       {'S', "STRING"},
                                                                       {'T', "BINSTRING"},
                                                                       {'U', "SHORT_BINSTRING"},
                                                                       {'V', "UNICODE"},
                                                                       {'b', "BUILD"},
                                                                       {'d', "DICT"},
                                                                       {'g', "GET"},
                                                                       {'i', "INST"},
                                                                       {'l', "LIST"},
                                                                       {'o', "OBJ"},
                                                                       {'p', "PUT"},
                                                                       {'B', "BINBYTES"},
                                                                       {'C', "SHORT_BINBYTES"},
                                                                       {0x81, "NEWOBJ"},
                                                                       {0x82, "EXT1"},
                                                                       {0x83, "EXT2"},
                                                                       {0x84, "EXT4"},
                                                                       {0x8e, "BINBYTES8"},
                                                                       {0x8f, "EMPTY_SET"},
                                                                       {0x90, "ADDITEMS"},
                                                                       {0x91, "FROZENSET"},
                                                                       {0x92, "NEWOBJ_EX"},
                                                                       {0x93, "STACK_GLOBAL"},
                                                                       {0x96, "BYTEARRAY8"},
                                                                       {0x97, "NEXT_BUFFER"},
                                                                       {0x98, "READONLY_BUFFER"}};
  for (const auto& [refused, name] : kRefused) {
    if (refused == code) return name;
  }
  std::array<char, 8> text{};
  (void)std::snprintf(text.data(), text.size(), "0x%02x", static_cast<unsigned>(code));
  return text.data();
}

}  // namespace shardlens::traces::opcodes
