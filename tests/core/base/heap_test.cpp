// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_array.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <malloc.h>
#include <memory>
#include <unistd.h>
#include <vector>

using namespace shardlens;

namespace {

using Block = std::unique_ptr<std::vector<std::uint8_t>>;

std::int64_t residentBytes() {
  std::ifstream in("/proc/self/statm");
  std::int64_t pages = 0;
  std::int64_t resident = 0;
  in >> pages >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

bool holdsOnly(const Block& block, std::uint8_t value) {
  return std::all_of(block->begin(), block->end(), [value](std::uint8_t byte) { return byte == value; });
}

}  // namespace

TEST_CASE("a large block is emptied when it is deleted, and its neighbours are not") {
  keepHeapAtHand();
  constexpr std::size_t kBytes = (std::size_t{64} << 20) + 12'345;
  for (const int mapped_blocks : {0, 65536}) {  // out of the heap, where neighbours touch; and each on its own
    CAPTURE(mapped_blocks);
    ::mallopt(M_MMAP_MAX, mapped_blocks);
    const auto before = std::make_unique<std::vector<std::uint8_t>>(kBytes, std::uint8_t{1});
    auto block = std::make_unique<std::vector<std::uint8_t>>(kBytes, std::uint8_t{2});
    const auto after = std::make_unique<std::vector<std::uint8_t>>(kBytes, std::uint8_t{3});
    const std::int64_t resident = residentBytes();
    block.reset();
    if (deletesInPieces()) CHECK(resident - residentBytes() > static_cast<std::int64_t>(kBytes) * 9 / 10);
    CHECK(holdsOnly(before, 1));
    CHECK(holdsOnly(after, 3));
  }
}
