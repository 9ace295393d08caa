// SPDX-License-Identifier: Apache-2.0
// What a rule says of its parameters, held against the parameters that it has.
#include "core/sampling/registry.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>

using namespace shardlens;
using sampling::SamplerRule;
using sampling::SamplerTrait;
using sampling::SamplerTraits;

namespace {

struct Named {
  const char* usual;  ///< what most frameworks call it
  SamplerTrait trait;
};

constexpr std::array kTraits = {
    Named{"shuffle", &SamplerTraits::shuffle},
    Named{"seed", &SamplerTraits::seed},
    Named{"set_epoch", &SamplerTraits::set_epoch},
    Named{"drop_last", &SamplerTraits::drop_last},
    Named{"num_replicas", &SamplerTraits::num_replicas},
    Named{"rank", &SamplerTraits::rank},
    Named{"indices", &SamplerTraits::indices},
    Named{"replacement", &SamplerTraits::replacement},
    Named{"num_samples", &SamplerTraits::num_samples},
    Named{"samples_per_epoch", &SamplerTraits::per_epoch},
    Named{"generator", &SamplerTraits::generator},
    Named{"yielded", &SamplerTraits::consumed},
    Named{"consumed_samples", &SamplerTraits::consumed},
    Named{"sample_in_epoch", &SamplerTraits::consumed},
    Named{"skip_first_batches", &SamplerTraits::consumed},
    Named{"global_batch_size", &SamplerTraits::global_batch},
    Named{"gradient_accumulation_steps", &SamplerTraits::accumulation},
    Named{"split_batches", &SamplerTraits::split_batches},
    Named{"data_seed", &SamplerTraits::common_seed},
    Named{"use_seedable_sampler", &SamplerTraits::common_seed_flag},
};

bool has(const SamplerRule& rule, const std::string& name) {
  return std::ranges::any_of(rule.info.parameters, [&](const Field& field) { return field.key() == name; });
}

}  // namespace

TEST_CASE("every trait names a parameter that the rule has") {
  for (const SamplerRule& rule : sampling::rules()) {
    CAPTURE(rule.info.type);
    for (const Named& named : kTraits) {
      const std::string name(rule.traits.*named.trait);
      if (!name.empty()) CHECK_MESSAGE(has(rule, name), name);
    }
  }
}

TEST_CASE("the number of slices that a script passes is a number or a name") {
  for (const SamplerRule& rule : sampling::rules()) {
    CAPTURE(rule.info.type);
    for (const Field& field : rule.info.parameters) {
      if (field.key() == rule.traits.num_replicas) CHECK(field.kind == FieldKind::IntOrName);
    }
  }
}

TEST_CASE("no rule forgets to say what a parameter of a usual name means") {
  for (const SamplerRule& rule : sampling::rules()) {
    CAPTURE(rule.info.type);
    for (const Named& named : kTraits) {
      if (has(rule, named.usual)) CHECK_MESSAGE(!(rule.traits.*named.trait).empty(), named.usual);
    }
  }
}

TEST_CASE("every DistributedSampler can be told its epoch") {
  for (const SamplerRule& rule : sampling::rules()) {
    CAPTURE(rule.info.type);
    if (rule.traits.isDistributed()) CHECK_FALSE(rule.traits.set_epoch.empty());
  }
}

TEST_CASE("every rule says what it does by design") {
  for (const sampling::SamplerRule& rule : sampling::rules()) {
    CAPTURE(rule.info.type);
    const bool says = rule.claims != nullptr;
    REQUIRE(says);
    PipelineSpec spec;
    spec.sampler.type = rule.info.type;
    const sampling::SamplerClaims claims = rule.claims(spec);
    CHECK(claims.slices >= 0);
    CHECK((claims.divides || claims.slices == 0));
  }
}

TEST_CASE("the global batch is what all ranks take in an optimizer step, in samples") {
  PipelineSpec spec;
  spec.world = {1, 2};
  spec.loader.batch_size = 4;
  spec.loader.gradient_accumulation_steps = 3;
  CHECK(sampling::globalBatch(spec) == 4 * 2 * 3);
  spec.sampler = {"accelerate.BatchSamplerShard", {{"split_batches", true}}};
  CHECK(sampling::globalBatch(spec) == 4 * 3);
  spec.sampler = {"megatron_bridge.MegatronPretrainingBatchSampler", {{"global_batch_size", std::int64_t{64}}}};
  CHECK(sampling::globalBatch(spec) == 64);
  spec.sampler = {"megatron.HybridCPMegatronPretrainingSampler", {{"global_batch_size", std::int64_t{30}}}};
  CHECK(sampling::globalBatch(spec) == 24);
  spec.sampler = {"olmo_core.NumpyFSLDataLoader",
                  {{"global_batch_size", std::int64_t{4096}}, {"sequence_length", std::int64_t{512}}}};
  CHECK(sampling::globalBatch(spec) == 8);
}

TEST_CASE("a sampler that nobody knows has no traits") {
  PipelineSpec spec;
  spec.sampler.type = "torch.NoSampler";
  CHECK(sampling::traitsOf(spec).seed.empty());
  spec.sampler.type = "torch.DistributedSampler";
  CHECK(sampling::traitsOf(spec).seed == "seed");
}
