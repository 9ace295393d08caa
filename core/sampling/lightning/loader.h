// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/lightning/python_call.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shardlens::sampling {

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

}  // namespace shardlens::sampling
