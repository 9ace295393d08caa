// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/starter.h"

#include "core/plan/plan.h"
#include "core/sampling/registry.h"

#include <doctest/doctest.h>

using namespace shardlens;

namespace {

PipelineSpec fresh(const std::string& type, std::int64_t size, std::int64_t ranks) {
  PipelineSpec spec;
  spec.dataset.size = size;
  spec.world.ranks_per_node = ranks;
  spec.sampler.type = type;
  return spec;
}

}  // namespace

TEST_CASE("a design of any sampler that was just begun can be planned") {
  for (const SamplerInfo& info : sampling::catalogue()) {
    for (const auto& world : {std::pair{16, 2}, {1000, 8}, {20'000, 1}}) {
      const int size = world.first;  // no structured binding: clang 14 does not capture one
      const int ranks = world.second;
      CAPTURE(info.type);
      CAPTURE(size);
      const PipelineSpec spec = fresh(info.type, size, ranks);
      const auto filled = applyEdits(spec, sampling::starterEdits(spec), sampling::catalogue());
      REQUIRE(filled);
      const auto plan = Plan::make(*filled);
      REQUIRE_MESSAGE(plan, plan.error().text());
      const auto epoch = plan->epoch(Epoch{0});
      REQUIRE_MESSAGE(epoch, epoch.error().text());
      std::int64_t handed_out = 0;
      for (const RankEpoch& rank : epoch->ranks) handed_out += rank.handedOut();
      CHECK(handed_out > 0);
    }
  }
}

TEST_CASE("what the spec says is never replaced by an example") {
  PipelineSpec spec = fresh("transformers.LengthGroupedSampler", 16, 2);
  spec.dataset.lengths = IndexList(7, 3);
  CHECK(sampling::starterEdits(spec).empty());
  CHECK(sampling::starterEdits(fresh("torch.DistributedSampler", 16, 2)).empty());
  CHECK(sampling::starterEdits(fresh("transformers.LengthGroupedSampler", sampling::kMostExamples + 1, 2)).empty());
  CHECK(sampling::starterEdits(fresh("nobody.Knows", 16, 2)).empty());
}

TEST_CASE("two lists of samples share the dataset") {
  const auto edits = sampling::starterEdits(fresh("ssl4mis.TwoStreamBatchSampler", 17, 1));
  REQUIRE(edits.size() == 2);
  CHECK(edits[0] == Edit{"sampler.primary_indices", IndexList{0, 1, 2, 3, 4, 5, 6, 7}});
  CHECK(edits[1] == Edit{"sampler.secondary_indices", IndexList{8, 9, 10, 11, 12, 13, 14, 15, 16}});
}

TEST_CASE("a list that was filled in is known as an example, and any other is not") {
  for (const SamplerInfo& info : sampling::catalogue()) {
    CAPTURE(info.type);
    PipelineSpec spec = fresh(info.type, 17, 2);
    const std::vector<Edit> edits = sampling::starterEdits(spec);
    spec = *applyEdits(spec, edits, sampling::catalogue());
    for (const Edit& edit : edits) {
      CAPTURE(edit.path);
      if (!std::holds_alternative<IndexList>(edit.value)) continue;
      CHECK_FALSE(sampling::exampleText(spec, edit.path).empty());
      std::vector<std::int64_t> own = std::get<IndexList>(edit.value);
      std::swap(own.front(), own.back());
      const auto other = applyEdits(spec, std::vector{Edit{edit.path, IndexList(own)}}, sampling::catalogue());
      REQUIRE(other);
      if (own.front() != own.back()) CHECK(sampling::exampleText(*other, edit.path).empty());
    }
  }
  const PipelineSpec bare = fresh("ssl4mis.TwoStreamBatchSampler", 17, 1);
  CHECK(sampling::exampleText(bare, "sampler.primary_indices").empty());
  CHECK(sampling::exampleText(bare, "dataset.labels").empty());
  CHECK(sampling::exampleText(bare, "dataset.size").empty());
  CHECK(sampling::exampleText(bare, "nothing.here").empty());
  const auto halves = applyEdits(bare, sampling::starterEdits(bare), sampling::catalogue());
  CHECK(sampling::exampleText(*halves, "sampler.primary_indices") == "the first half of the dataset");
  CHECK(sampling::exampleText(*halves, "sampler.secondary_indices") == "the second half of the dataset");
}
