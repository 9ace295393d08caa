// SPDX-License-Identifier: Apache-2.0
#include "core/spec/fields/entry.h"

namespace shardlens::fields {

std::vector<Entry> loader() {
  using K = FieldKind;
  using Loader = PipelineSpec::Loader;
  constexpr auto kLoader = &PipelineSpec::loader;
  return {
      row<kLoader, &Loader::batch_size>(
          {.path = "loader.batch_size",
           .kind = K::Int,
           .min = 1,
           .max = kMostSamples,
           .unit = "per rank",
           .help = "Samples in a batch of one rank; the global batch is this times the replicas."}),
      row<kLoader, &Loader::num_workers>(
          {.path = "loader.num_workers",
           .kind = K::Int,
           .min = 0,
           .max = 4096,
           .unit = "per rank",
           .help = "DataLoader worker processes inside one rank; 0 loads in the rank itself."}),
      row<kLoader, &Loader::drop_last>({.path = "loader.drop_last",
                                        .kind = K::Bool,
                                        .help = "The loader drops a short last batch. Not the sampler's drop_last."}),
      row<kLoader, &Loader::prefetch_factor>(
          {.path = "loader.prefetch_factor",
           .kind = K::Int,
           .min = 1,
           .max = 4096,
           .unit = "batches per worker",
           .help = "Batches each worker loads ahead; does not change who gets what."}),
      row<kLoader, &Loader::persistent_workers>(
          {.path = "loader.persistent_workers",
           .kind = K::Bool,
           .help = "Workers live on between epochs: base_seed is drawn once, and their generators go on instead of "
                   "being seeded again."}),
  };
}

}  // namespace shardlens::fields
