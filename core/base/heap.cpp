// SPDX-License-Identifier: Apache-2.0
#include "core/base/heap.h"

#include <malloc.h>

namespace shardlens {

void keepHeapAtHand() {
  constexpr int kMegabyte = 1 << 20;
  ::mallopt(M_TOP_PAD, 64 * kMegabyte);
  ::mallopt(M_TRIM_THRESHOLD, 256 * kMegabyte);
  ::mallopt(M_MMAP_THRESHOLD, 32 * kMegabyte);  // as high as it goes: pictures of the window's size come from the heap
}

}  // namespace shardlens
