// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace shardlens::sampling {

/// What a sampler is to a torch DataLoader, for frameworks that look into one: the torch class that it is or inherits
/// from.
enum class LoaderPart {
  None,          ///< no part of a torch DataLoader, or a class that is not described here
  Sequential,    ///< a SequentialSampler
  Random,        ///< a RandomSampler
  Distributed,   ///< a DistributedSampler
  Other,         ///< any other sampler of single samples
  BatchSampler,  ///< hands out whole batches, and has neither batch_size nor drop_last
};

/// Whose code makes the loaders of a job with this sampler, and runs or prepares its training loop.
enum class LoopOwner { Script, Accelerate, Lightning };

/// What the parameters of a sampler mean, for code that does not know them by name. Names are without
/// "sampler."; an empty one says that the sampler has no such parameter. tests/core/sampling/traits_test.cpp holds
/// every name against the rule's own parameters.
struct SamplerTraits {
  std::string_view shuffle = {};        ///< whether, how, or by which buffer the order is shuffled
  std::string_view seed = {};           ///< of the order, when it does not come from the process's own generators
  std::string_view set_epoch = {};      ///< whether the script gives the sampler its epoch
  std::string_view drop_last = {};      ///< whether the tail that does not divide evenly is cut
  std::string_view num_replicas = {};   ///< what the script passes as the number of slices
  std::string_view rank = {};           ///< what the script passes as the slice of a process
  std::string_view indices = {};        ///< the only samples that it draws from
  std::string_view replacement = {};    ///< whether a sample can be drawn again within an epoch
  std::string_view num_samples = {};    ///< how many it draws in an epoch
  std::string_view per_epoch = {};      ///< how many each rank draws from an endless stream in an epoch
  std::string_view generator = {};      ///< where its random numbers come from
  std::string_view consumed = {};       ///< what a saved state says was handed out before
  std::string_view global_batch = {};   ///< how many samples all ranks together take in a step
  std::string_view accumulation = {};   ///< how many batches of a rank an optimizer step takes
  std::string_view split_batches = {};  ///< whether loader.batch_size is that of all ranks together
  /// The seed that keeps the order common when ranks seed torch apart, and the flag that makes it matter.
  std::string_view common_seed = {};
  std::string_view common_seed_flag = {};
  bool draws_from_numpy = false;  ///< from NumPy's global stream, which no framework synchronizes between ranks
  bool deals_to_world = false;    ///< divides one order among the job's own ranks, without being told about them
  bool knows_peers = false;       ///< what it gives to ranks that divide one copy of the model is known
  LoaderPart loader_part = LoaderPart::None;
  LoopOwner loop = LoopOwner::Script;
};

/// One name out of the traits: `&SamplerTraits::seed`.
using SamplerTrait = std::string_view SamplerTraits::*;

}  // namespace shardlens::sampling
