// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/capture/loader_spec.h"
#include "core/capture/recorded_job.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shardlens::capture {

/// What the loop of one rank got in one pass, or what the sampler gave for it, as far as it was recorded.
struct RecordedPass {
  std::int64_t rank = 0;
  std::size_t index = 0;              ///< of the pass among those of the rank
  std::optional<std::int64_t> epoch;  ///< the sampler's attribute
  bool exhausted = false;             ///< and there was no more
  std::vector<SampleIndex> ids;
  std::vector<std::int64_t> ends;  ///< of the batches, among the ids
};

/// By pass, and then by rank.
void sortPasses(std::vector<RecordedPass>& passes);

/// Which batches of a pass are meant.
enum class BatchesOf {
  Loop,     ///< those that it got
  Sampler,  ///< and those whose loading raised an error
};

/// All passes of a loader, sorted. Holds all recorded ids, so its memory is at most twice that of the
/// probes' files. BadInput when a rank drew items that are no whole numbers or below 0, or a batch without any, or when
/// a batch before others is not recorded.
Result<std::vector<RecordedPass>> recordedPasses(const RecordedJob& job, std::size_t loader, const Work& work = {},
                                                 BatchesOf of = BatchesOf::Loop);

/// The spec that plans what was read, pass by pass, whatever the sampler was: recorded.Batches. `loader` is the loader
/// as specOf() gives it. With a problem where no spec can hold it.
LoaderSpec recordedSpec(const JobLoader& job, const LoaderSpec& loader, const std::vector<RecordedPass>& passes);

/// How many passes, from the first one, are known whole on every rank of the world: it read them to their end, or left
/// them and told what it had read. 0 when a rank was not observed.
std::int64_t epochsKnownWhole(const JobLoader& job);

struct EpochRange {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// Likewise, the epochs of the spec that every rank read to their end, once: from the first one that any did.
EpochRange epochsReadWhole(const JobLoader& job, const LoaderSpec& spec);

/// Why a spec file cannot hold so many ids; nothing when it can.
std::optional<std::string> tooLongForFile(const PipelineSpec& spec);

}  // namespace shardlens::capture
