// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace shardlens::traces::opcodes {

// The opcodes of pickle's protocols 0 to 5 by their names in Python's pickletools, as far as a dump needs them.
constexpr unsigned char kMark = '(';
constexpr unsigned char kStop = '.';
constexpr unsigned char kPop = '0';
constexpr unsigned char kPopMark = '1';
constexpr unsigned char kBinFloat = 'G';
constexpr unsigned char kBinInt = 'J';
constexpr unsigned char kBinInt1 = 'K';
constexpr unsigned char kBinInt2 = 'M';
constexpr unsigned char kNone = 'N';
constexpr unsigned char kReduce = 'R';
constexpr unsigned char kBinUnicode = 'X';
constexpr unsigned char kAppend = 'a';
constexpr unsigned char kGlobal = 'c';
constexpr unsigned char kAppends = 'e';
constexpr unsigned char kBinGet = 'h';
constexpr unsigned char kLongBinGet = 'j';
constexpr unsigned char kBinPut = 'q';
constexpr unsigned char kLongBinPut = 'r';
constexpr unsigned char kSetItem = 's';
constexpr unsigned char kTuple = 't';
constexpr unsigned char kSetItems = 'u';
constexpr unsigned char kEmptyTuple = ')';
constexpr unsigned char kEmptyList = ']';
constexpr unsigned char kEmptyDict = '}';
constexpr unsigned char kProto = 0x80;
constexpr unsigned char kTuple1 = 0x85;
constexpr unsigned char kTuple2 = 0x86;
constexpr unsigned char kTuple3 = 0x87;
constexpr unsigned char kNewTrue = 0x88;
constexpr unsigned char kNewFalse = 0x89;
constexpr unsigned char kLong1 = 0x8a;
constexpr unsigned char kLong4 = 0x8b;
constexpr unsigned char kShortBinUnicode = 0x8c;
constexpr unsigned char kBinUnicode8 = 0x8d;
constexpr unsigned char kMemoize = 0x94;
constexpr unsigned char kFrame = 0x95;

constexpr bool isMemo(unsigned char code) {
  return code == kMemoize || code == kBinPut || code == kLongBinPut || code == kBinGet || code == kLongBinGet;
}
constexpr bool isContainer(unsigned char code) {
  switch (code) {
    case kEmptyDict:
    case kEmptyList:
    case kEmptyTuple:
    case kAppend:
    case kAppends:
    case kSetItem:
    case kSetItems:
    case kTuple:
    case kTuple1:
    case kTuple2:
    case kTuple3:
      return true;
    default:
      return false;
  }
}

/// "STACK_GLOBAL"; "0x93" for a byte that is no opcode.
std::string nameOf(unsigned char code);

}  // namespace shardlens::traces::opcodes
