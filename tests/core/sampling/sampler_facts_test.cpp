// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/sampler_facts.h"

#include "core/sampling/registry.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using namespace shardlens;
using sampling::SamplerFacts;

namespace {

using Needs = std::vector<std::string>;

SamplerFacts factsOfType(const std::string& type) {
  const sampling::SamplerRule* rule = sampling::findRule(type);
  REQUIRE(rule != nullptr);
  return sampling::factsOf(*rule);
}

}  // namespace

TEST_CASE("a sampler says which lists it needs, and no other") {
  const std::map<std::string, Needs> wanted = {
      {"torch.DistributedSampler", {}},
      {"torch.RandomSampler", {}},
      {"torch.SubsetRandomSampler", {"a list"}},
      {"python.list", {"a list"}},
      {"timm.RepeatAugSampler", {}},
      {"torch.WeightedRandomSampler", {"weights"}},
      {"transformers.LengthGroupedSampler", {"lengths"}},
      {"transformers.DistributedLengthGroupedSampler", {"lengths"}},
      {"catalyst.BalanceClassSampler", {"labels"}},
      {"imbalanced.ImbalancedDatasetSampler", {"labels"}},
      {"pytorch_metric_learning.MPerClassSampler", {"labels"}},
      {"meanteacher.TwoStreamBatchSampler", {"two lists"}},
      {"ssl4mis.TwoStreamBatchSampler", {"two lists"}},
      {"shardlens.DistributedTwoStreamBatchSampler", {"two lists"}},
      {"webdataset.WebDataset", {"shards"}},
  };
  for (const auto& row : wanted) {
    CAPTURE(row.first);
    CHECK(factsOfType(row.first).needs == row.second);
  }
}

TEST_CASE("a sampler says whether it divides the samples, and whether it is for evaluation") {
  CHECK(factsOfType("torch.DistributedSampler").divides);
  CHECK_FALSE(factsOfType("torch.RandomSampler").divides);
  CHECK_FALSE(factsOfType("ssl4mis.TwoStreamBatchSampler").divides);
  CHECK(factsOfType("shardlens.DistributedTwoStreamBatchSampler").divides);
  CHECK(factsOfType("transformers.SequentialDistributedSampler").evaluates);
  CHECK_FALSE(factsOfType("torch.DistributedSampler").evaluates);
  CHECK(sampling::ranksText(factsOfType("torch.DistributedSampler")) == "divides among ranks");
  CHECK(sampling::ranksText(factsOfType("torch.RandomSampler")) == "all on every rank");
}

TEST_CASE("every framework has a title, and every title a sampler") {
  const auto has = [](std::string_view framework) {
    return std::ranges::any_of(sampling::rules(), [&](const sampling::SamplerRule& rule) {
      return sampling::frameworkOf(rule.info.type) == framework;
    });
  };
  for (const sampling::SamplerRule& rule : sampling::rules()) {
    const std::string_view framework = sampling::frameworkOf(rule.info.type);
    CAPTURE(framework);
    CHECK(std::ranges::count(sampling::frameworkTitles(), framework, &sampling::FrameworkTitle::framework) == 1);
  }
  for (const sampling::FrameworkTitle& row : sampling::frameworkTitles()) CHECK(has(row.framework));
  CHECK(sampling::frameworkTitle("unheard") == "unheard");
}
