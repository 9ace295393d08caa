// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/spec/pipeline_spec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shardlens::sampling {

/// The parameters of a Python constructor, without self; each may be given by its place or its name.
struct PySignature {
  struct Parameter {
    std::string name;
    bool required = false;
  };
  std::vector<Parameter> parameters;
  bool var_keywords = false;  ///< it takes **kwargs

  [[nodiscard]] bool has(const std::string& name) const;
};

/// How a script called a constructor: the names that its positional arguments fall on, and its keywords.
struct PyCall {
  std::vector<std::string> positional;
  std::vector<std::string> keywords;

  [[nodiscard]] bool gives(const std::string& name) const;
};

/// A sampler object as Lightning sees it.
struct UserSampler {
  enum class Kind { Sequential, Random, Distributed, Other };  ///< or a subclass of the torch class of that name
  enum class Length { Finite, None, Infinite };                ///< of len(sampler)

  std::string class_name = "SequentialSampler";
  Kind kind = Kind::Sequential;
  Length length = Length::Finite;
  std::int64_t size = 0;  ///< len(sampler) where it is finite
};

/// A batch sampler object as Lightning sees it.
struct UserBatchSampler {
  std::string class_name = "BatchSampler";
  bool exact = true;     ///< torch.utils.data.BatchSampler itself, no subclass
  bool inherits = true;  ///< it or a subclass: inside a *_dataloader hook its constructor's arguments are recorded
  PySignature init = {{{"sampler", true}, {"batch_size", true}, {"drop_last", true}}, false};
  PyCall call = {{"sampler", "batch_size", "drop_last"}, {}};
  bool has_batch_size = true;  ///< an attribute of that name
  bool has_drop_last = true;
  std::optional<UserSampler> sampler = UserSampler{};  ///< its attribute `sampler`
};

/// The DataLoader that a script hands to Lightning.
struct UserLoader {
  std::string class_name = "DataLoader";
  bool subclass = false;  ///< of torch.utils.data.DataLoader; then init, call and attributes count
  PySignature init;
  PyCall call;                          ///< as recorded inside a hook
  std::vector<std::string> attributes;  ///< public attributes that the subclass sets beyond DataLoader's own

  bool in_hook = false;         ///< created inside a *_dataloader hook of the module
  bool iterable = false;        ///< the dataset is an IterableDataset
  UserSampler sampler;          ///< loader.sampler: a default one where only a batch sampler was given
  std::optional<bool> shuffle;  ///< the argument, where the script gave one
  std::optional<UserBatchSampler> batch_sampler = UserBatchSampler{};  ///< none with batch_size=None
  bool gave_batch_sampler = false;  ///< the script passed batch_sampler; then loader.batch_size is None
  std::int64_t batch_size = 1;      ///< of the loader, or of the batch sampler that was given
  bool drop_last = false;
};

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
