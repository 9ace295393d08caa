// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/sampling/lightning/loader.h"
#include "core/spec/pipeline_spec.h"

#include <cstdint>
#include <optional>
#include <string>

namespace shardlens::sampling {

enum class LightningApi { Trainer, Fabric };

/// What decides about a loader in addition to the loader itself. Fabric knows no stages and no overfit_batches.
struct LightningSettings {
  LightningApi api = LightningApi::Trainer;
  bool training = true;
  bool predicting = false;
  bool use_distributed_sampler = true;
  bool is_distributed = true;
  bool overfit = false;   ///< overfit_batches is not 0
  std::int64_t seed = 0;  ///< PL_GLOBAL_SEED, or 0
  std::int64_t world_size = 1;
  Rank rank{0};  ///< whose constructors are run
};

/// The sampler that Lightning puts into a loader.
enum class InjectedSampler { Kept, Distributed, Wrapper, UnrepeatedWrapper };

/// The loader that comes out, and how it deals.
struct PreparedLoader {
  bool replaced = false;          ///< a new loader was made
  bool shuffle_detected = false;  ///< what Lightning considers the loader's shuffle; always true in training
  InjectedSampler injected = InjectedSampler::Kept;  ///< what the batches are drawn from
  bool shuffle = false;                              ///< of the injected sampler
  std::int64_t seed = 0;                             ///< likewise

  std::string sampler_class;                       ///< type(loader.sampler)
  std::optional<std::string> batch_sampler_class;  ///< type(loader.batch_sampler); none with batching off
  std::string inner_class = "NoneType";            ///< type(loader.batch_sampler.sampler)

  bool batches = true;  ///< false: batching is off, the loader yields single samples
  std::int64_t batch_size = 1;
  bool drop_last = false;
  bool sampler_lost = false;  ///< the sampler inside the given batch sampler; loader.sampler goes in, a sequential one
  bool unsharded = false;     ///< a custom batch sampler stays as it is: every rank reads everything
};

/// What Lightning makes of the loader, or the exception it raises on this rank, word for word. Source:
/// Lightning-AI/pytorch-lightning @7f0c343 (2.6.2): pytorch/trainer/connectors/data_connector.py,
/// pytorch/utilities/data.py, fabric/utilities/data.py, fabric/fabric.py.
Result<PreparedLoader> prepareLoader(const UserLoader& loader, const LightningSettings& settings);

/// The TypeError of a sampler without a finite len, which the wrappers cannot divide.
Result<void> checkSamplerLength(const UserSampler& sampler);

/// The pipeline that the prepared loader makes of the one the script wrote. Unsupported if no wrapper of this build
/// knows the script's sampler.
Result<PipelineSpec> preparedSpec(const PipelineSpec& written, const PreparedLoader& prepared);

}  // namespace shardlens::sampling
