// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/pipeline_spec.h"
#include "core/spec/value.h"

#include <string>

namespace shardlens::sampling {

inline constexpr const char* kRecordedBatches = "recorded.Batches";

/// What sentences call a sampler: its type; "recorded batches" for those that no class deals.
std::string samplerName(const std::string& type);

/// Batches that a job read, as the parameters of recorded.Batches hold them: epoch after epoch, in it rank after rank.
struct RecordedLists {
  IndexList ids;           ///< of all batches, one after the other
  IndexList batch_sizes;   ///< of each batch
  IndexList rank_batches;  ///< how many batches each rank has in each epoch
};

/// What the spec's parameters hold.
RecordedLists recordedLists(const PipelineSpec& spec);

/// Puts the lists, of as many ranks as the spec's world has, into the spec, which gets this sampler.
void setRecorded(PipelineSpec& spec, RecordedLists lists);

/// For a design that was just begun: the dataset in its own order, divided among the ranks in equal pieces, sample by
/// sample, the same in every epoch of the spec.
RecordedLists recordedExample(const PipelineSpec& spec);

}  // namespace shardlens::sampling
