// SPDX-License-Identifier: Apache-2.0
// Any text read as printed batches: nothing of it may crash the reader or make it run on.
#include "core/collect/index_text.h"

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  const auto read = shardlens::readIndexText(in, "text");
  if (read && read->batches.empty()) __builtin_trap();
  return 0;
}
