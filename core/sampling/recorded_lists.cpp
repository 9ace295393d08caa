// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/recorded_lists.h"

#include "core/base/phrase.h"
#include "core/sampling/sample_list.h"
#include "core/spec/value.h"

#include <cstdint>
#include <utility>

namespace shardlens::sampling {

std::string samplerName(const std::string& type) {
  return type == kRecordedBatches ? worded("samplers", "recorded batches") : type;
}

RecordedLists recordedLists(const PipelineSpec& spec) {
  return {sampleList(spec, "ids"), sampleList(spec, "batch_sizes"), sampleList(spec, "rank_batches")};
}

void setRecorded(PipelineSpec& spec, RecordedLists lists) {
  spec.sampler.type = kRecordedBatches;
  spec.sampler.parameters = {{"ids", std::move(lists.ids)},
                             {"batch_sizes", std::move(lists.batch_sizes)},
                             {"rank_batches", std::move(lists.rank_batches)},
                             {"ranks", spec.worldSize()}};
}

RecordedLists recordedExample(const PipelineSpec& spec) {
  const std::int64_t size = spec.dataset.size;
  const std::int64_t world = spec.worldSize();
  const auto piece = [&](std::int64_t place) {
    const std::int64_t rank = place % world;
    return size * (rank + 1) / world - size * rank / world;
  };
  return {listOf(size * spec.epochs, [size](std::int64_t i) { return i % size; }),
          listOf(size * spec.epochs, [](std::int64_t) { return std::int64_t{1}; }), listOf(world * spec.epochs, piece)};
}

}  // namespace shardlens::sampling
