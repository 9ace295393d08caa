// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/sampler_info.h"

namespace shardlens::test {

/// A small catalogue with every kind of parameter, so that these tests judge the file format and not the engine.
inline SamplerCatalogue samplers() {
  static const std::vector<SamplerInfo> kSamplers = {
      {"torch.DistributedSampler",
       "",
       {{"sampler.shuffle", FieldKind::Bool, true},
        {"sampler.seed", FieldKind::Int, std::int64_t{0}},
        {"sampler.drop_last", FieldKind::Bool, false},
        {"sampler.set_epoch", FieldKind::Bool, true},
        {"sampler.num_replicas",
         FieldKind::IntOrName,
         std::string("world_size"),
         1,
         1'000'000,
         {"world_size", "ranks_per_node"}},
        {"sampler.rank", FieldKind::IntOrName, std::string("rank"), 0, 1'000'000, {"rank", "local_rank"}}},
       {}},
      {"torch.SequentialSampler", "", {}, {}},
      {"torch.SubsetRandomSampler", "", {{"sampler.indices", FieldKind::Indices, IndexList{}, 0, 4'000'000'000}}, {}},
      {"torch.WeightedRandomSampler",
       "",
       {{"sampler.weights", FieldKind::Numbers, std::string("uniform"), -1000, 1000, {"uniform", "long_tail"}},
        {"sampler.generator", FieldKind::Choice, std::string("none"), 0, 0, {"none", "loader"}}},
       {}},
  };
  return kSamplers;
}

}  // namespace shardlens::test
