// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace shardlens {

/// What a rank does during a span of time.
enum class Phase : std::uint8_t {
  Unmeasured,  ///< nothing is known: drawn hatched, never as zero
  Load,        ///< waiting for the loader's batch
  Compute,
  Wait,      ///< in a collective, before the last rank has arrived
  Transfer,  ///< in a collective, after the last rank has arrived
};

struct Span {
  Phase phase = Phase::Unmeasured;
  std::int64_t begin_ns = 0;  ///< since the job's first record
  std::int64_t end_ns = 0;
  std::int32_t epoch = 0;
  std::int32_t step = 0;
};

struct Lane {
  std::int64_t rank = 0;
  std::vector<Span> spans;  ///< by time, not overlapping
};

/// One shape for predicted and measured time: a lane for each rank.
struct Timeline {
  std::vector<Lane> lanes;
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
};

}  // namespace shardlens
