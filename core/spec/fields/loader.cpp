// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
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
           .help =
               marked("fields",
                      "Samples in one rank's batch; the global batch is this times the number of replicas, and times "
                      "gradient_accumulation_steps.")}),
      row<kLoader, &Loader::gradient_accumulation_steps>(
          {.path = "loader.gradient_accumulation_steps",
           .kind = K::Int,
           .min = 1,
           .max = 2000,
           .unit = "batches per optimizer step",
           .help = marked("fields",
                          "Batches of each rank whose gradients are added up before the optimizer takes a step. It "
                          "changes no batch.")}),
      row<kLoader, &Loader::num_workers>(
          {.path = "loader.num_workers",
           .kind = K::Int,
           .min = 0,
           .max = 4096,
           .unit = "per rank",
           .help = marked("fields", "DataLoader worker processes per rank; 0 loads in the main process of the rank.")}),
      row<kLoader, &Loader::drop_last>(
          {.path = "loader.drop_last",
           .kind = K::Bool,
           .help =
               marked("fields", "Whether the loader drops a short last batch. This is not the sampler's drop_last.")}),
      row<kLoader, &Loader::prefetch_factor>(
          {.path = "loader.prefetch_factor",
           .kind = K::Int,
           .min = 1,
           .max = 4096,
           .unit = "batches per worker",
           .help =
               marked("fields", "Batches that each worker prefetches; this does not change which rank gets what.")}),
      row<kLoader, &Loader::persistent_workers>(
          {.path = "loader.persistent_workers",
           .kind = K::Bool,
           .help = marked("fields",
                          "Whether workers live on between epochs: base_seed is drawn once, and their generators "
                          "continue instead of being seeded again.")}),
      row<kLoader, &Loader::generator_seed>(
          {.path = "loader.generator_seed",
           .kind = K::IntOrName,
           .choices = {"none"},
           .help =
               marked("fields",
                      "Seed of the torch.Generator that every rank hands to its DataLoader: base_seed is drawn from "
                      "it. none: the rank's global generator."),
           .optional = true,
           .is_seed = true}),
      row<kLoader, &Loader::worker_seeds>(
          {.path = "loader.worker_seeds",
           .kind = K::Choice,
           .choices = {"torch", "lightning", "unknown"},
           .help = marked("fields",
                          "How workers are seeded: with base_seed + worker id (torch), by Lightning's worker_init_fn, "
                          "which adds the rank (lightning), or by code that nobody looked into (unknown)."),
           .optional = true}),
  };
}

}  // namespace shardlens::fields
