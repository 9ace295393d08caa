// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/lens/columns/columns.h"
#include "core/sampling/registry.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace shardlens::lenses {
namespace {

bool gives(const PipelineSpec& spec, const std::string& key, const char* value) {
  const auto given = spec.sampler.parameters.find(key);
  return given != spec.sampler.parameters.end() && given->second == Value(std::string(value));
}

bool says(const PipelineSpec& spec, const std::string& key) {
  const auto given = spec.sampler.parameters.find(key);
  return given != spec.sampler.parameters.end() && given->second != Value(false) &&
         given->second != Value(std::string("none"));
}

/// shuffle=True, and no more: the loader makes the sampler itself.
bool isShuffleFlag(const PipelineSpec& spec) {
  return spec.sampler.type == "torch.RandomSampler" && !says(spec, "replacement") && !says(spec, "num_samples") &&
         !gives(spec, "generator", "sampler");
}

/// Not in a torch DataLoader as the script made it.
bool isElsewhere(const std::string& type) {
  constexpr std::array<std::string_view, 7> kOwnLoaders = {"accelerate", "fairseq", "ffcv",     "grain",
                                                           "llmc",       "nanogpt", "olmo_core"};
  return std::ranges::find(kOwnLoaders, sampling::frameworkOf(type)) != kOwnLoaders.end();
}

void keep(LensColumn& column, const PipelineSpec& spec) {
  column.spec = spec;
  column.sampler = samplerCode(spec);
  column.makes = worded("lens", "It keeps the sampler that it gets.");
  if (spec.sampler.type == "torch.DistributedSampler") {
    const bool epoch_in_state = spec.framework.torchdata != "0.11";
    column.notes.push_back(
        {Severity::Info,
         epoch_in_state
             ? worded("lens",
                      "To resume without iterating over what was read, use its StatefulDistributedSampler: the same "
                      "order. Its state holds the epoch.")
             : worded("lens",
                      "To resume without iterating over what was read, use its StatefulDistributedSampler: the same "
                      "order. Call set_epoch before load_state_dict (pytorch/data#1513).")});
  }
}

void makeRandomSampler(LensColumn& column, const PipelineSpec& spec) {
  if (gives(spec, "generator", "loader")) {
    column.makes = worded("lens", "shuffle=True creates a RandomSampler that shares the loader's generator.");
    return leaveOpen(column, spec,
                     worded("lens", "ShardLens does not model when the loader draws from that generator in between"));
  }
  column.spec = withSampler(spec, "torchdata.RandomSampler", {{"generator_seed", std::string("global")}});
  column.sampler = samplerCode(*column.spec);
  column.makes = worded(
      "lens", "shuffle=True creates a RandomSampler: its generator is seeded once and continues over the epochs.");
  if (spec.seeds.rule == "same" && spec.worldSize() > 1) {
    column.notes.push_back(
        {Severity::Error, worded("lens", "Nothing divides the samples: every rank draws identical batches.")});
  } else if (spec.worldSize() > 1) {
    column.notes.push_back(
        {Severity::Error, worded("lens", "Nothing divides the samples: every rank draws from all of them.")});
  }
}

}  // namespace

/// torchdata @088e434: StatefulDataLoader in the place of torch's DataLoader, with the same arguments.
std::vector<LensColumn> torchdata(const PipelineSpec& spec) {
  LensColumn column;
  column.id = "torchdata";
  column.title = "torchdata StatefulDataLoader";
  if (isElsewhere(spec.sampler.type)) {
    leaveOpen(column, spec, filled(worded("lens", "%1 is not a sampler of a torch DataLoader"), spec.sampler.type));
  } else if (sampling::frameworkOf(spec.sampler.type) == "streaming") {
    leaveOpen(column, spec,
              worded("lens",
                     "StreamingDataset has a state_dict that needs arguments, and torchdata calls it without any: use "
                     "Streaming's StreamingDataLoader"));
  } else if (isShuffleFlag(spec)) {
    makeRandomSampler(column, spec);
  } else {
    keep(column, spec);
  }
  return {column};
}

}  // namespace shardlens::lenses
