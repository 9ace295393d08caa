// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/megatron/consumed.h"

#include "core/base/phrase.h"
#include "core/sampling/python.h"

#include <string>

namespace shardlens::sampling {

Field megatronConsumedField() {
  return intField("sampler.consumed_samples", 0, 0, INT64_MAX / 2, "samples",
                  marked("fields", "Samples that all ranks together had trained on when the checkpoint was written."));
}

std::int64_t megatronConsumed(const PipelineSpec& spec) {
  const auto found = spec.sampler.parameters.find("consumed_samples");
  return found == spec.sampler.parameters.end() ? 0 : std::get<std::int64_t>(found->second);
}

MissingCause megatronSkipped(Epoch epoch) {
  return epoch.value == 0 ? MissingCause::HandedOutBefore : MissingCause::CountCarriedOver;
}

Field megatronDropLastField() {
  return boolField("sampler.drop_last", true,
                   marked("fields", "Leave out the samples that do not fill a batch on every rank."));
}

std::int64_t megatronStepSamples(const PipelineSpec& spec) {
  return spec.loader.batch_size * spec.world.dataParallelSize();
}

Result<void> checkMegatronDataset(const PipelineSpec& spec) {
  if (spec.dataset.size > 0) return {};
  return raised("AssertionError", "no sample to consume: 0", "dataset.size");
}

Result<void> checkMegatronConsumed(const PipelineSpec& spec) {
  if (auto dataset = checkMegatronDataset(spec); !dataset) return dataset;
  const std::int64_t consumed = megatronConsumed(spec);
  if (consumed < spec.dataset.size) return {};
  return raised("AssertionError",
                "no samples left to consume: " + std::to_string(consumed) + ", " + std::to_string(spec.dataset.size),
                "sampler.consumed_samples",
                worded("checks", "the checkpoint had read the whole dataset: begin another pass with 0"));
}

Error megatronRankTooLarge(std::int64_t rank, std::int64_t ranks) {
  return raised("AssertionError", "data_parallel_rank should be smaller than data size: " + std::to_string(rank) +
                                      ", " + std::to_string(ranks));
}

}  // namespace shardlens::sampling
