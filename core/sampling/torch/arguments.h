// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/sampling/python.h"
#include "core/spec/pipeline_spec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens::sampling {

/// BatchSampler.__init__ (torch/utils/data/sampler.py, 2.6).
Result<void> checkBatchSampler(const PyValue& batch_size, const PyValue& drop_last);

/// RandomSampler.__init__ for a dataset of `size`; num_samples None means `size`.
Result<void> checkRandomSampler(std::int64_t size, const PyValue& replacement, const PyValue& num_samples);

/// WeightedRandomSampler.__init__ for weights of this shape, as torch.as_tensor gives it.
Result<void> checkWeightedRandomSampler(const PyValue& num_samples, const PyValue& replacement,
                                        const std::vector<std::int64_t>& shape);

/// What Generator.manual_seed raises for a seed of 2^64 or more in this release of torch; pytorch PR 157886, and an
/// output of 2.11.0.
Error seedOverflow(std::string_view release, std::string field, std::string hint);

/// What DataLoader.__init__ is given, with its defaults.
struct LoaderArguments {
  PyValue batch_size = std::int64_t{1};
  PyValue drop_last = false;
  bool shuffle = false;
  bool has_sampler = false;
  bool has_batch_sampler = false;
  std::int64_t num_workers = 0;
  std::optional<PyValue> prefetch_factor;  ///< nothing: not given
  bool persistent_workers = false;
  std::string release = "2.9";
};

/// DataLoader.__init__ (torch/utils/data/dataloader.py, 1.13 to 2.9), its checks in their order.
Result<void> checkLoader(const LoaderArguments& arguments);

/// The same for the loader of a spec, which passes prefetch_factor only to workers.
Result<void> checkLoader(const PipelineSpec& spec);

}  // namespace shardlens::sampling
