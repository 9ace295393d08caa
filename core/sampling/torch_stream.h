// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace shardlens::sampling {

/// A place in a stream of torch's CPU generator: the seed, and how many of its outputs were consumed before.
struct TorchStream {
  std::uint64_t seed = 0;
  std::uint64_t skip = 0;
};

}  // namespace shardlens::sampling
