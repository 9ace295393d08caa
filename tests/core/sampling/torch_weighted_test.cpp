// SPDX-License-Identifier: Apache-2.0
// Samplers that draw by weights: torch.WeightedRandomSampler and imbalanced.ImbalancedDatasetSampler.
#include "core/sampling/community/samplers.h"
#include "core/sampling/torch/arguments.h"
#include "core/sampling/torch/loader_seeds.h"
#include "core/sampling/torch/order.h"
#include "core/sampling/torch/samplers.h"
#include "core/sampling/torch/weights.h"

#include <doctest/doctest.h>

#include <string>

using namespace shardlens;
using namespace shardlens::sampling;

namespace {

PipelineSpec weighted(Value weights, std::int64_t size = 4) {
  PipelineSpec spec;
  spec.dataset.size = size;
  spec.framework.torch = "2.6";
  spec.framework.torch_mkl = false;
  spec.sampler = {"torch.WeightedRandomSampler", {{"weights", std::move(weights)}}};
  return spec;
}

PipelineSpec imbalanced(IndexList labels) {
  PipelineSpec spec;
  spec.dataset.size = static_cast<std::int64_t>(labels.size());
  spec.dataset.labels = std::move(labels);
  spec.sampler = {"imbalanced.ImbalancedDatasetSampler", {}};
  return spec;
}

std::string refusal(const Result<void>& result) {
  return result ? "fine" : result.error().raised + ": " + result.error().message;
}

std::vector<std::int64_t> drawn(const SamplerRule& rule, const PipelineSpec& spec, Epoch epoch, Rank rank) {
  REQUIRE(refusal(rule.check(spec)) == "fine");
  const auto order = rule.order(spec, rule.key(spec, epoch, rank), {});
  REQUIRE(order);
  const Slice slice = rule.slice(spec, epoch, rank, *order);
  std::vector<std::int64_t> ids;
  for (std::int64_t k = 0; k < slice.size(); ++k) ids.push_back(slice.sample(k));
  return ids;
}

}  // namespace

TEST_CASE("named weights are these numbers") {
  const auto of = [](const char* name) {
    const auto weights = weightsOf(std::string(name), 12);
    REQUIRE(weights);
    return NumberList(weights->items().begin(), weights->items().end());
  };
  CHECK(of("uniform") == NumberList(12, 1.0));
  CHECK(of("ramp")[11] == 12);
  CHECK(of("inverse")[2] == 1.0 / 3);
  CHECK(of("long_tail")[1] == 0.25);
  CHECK(of("long_tail")[10] == 1);
  CHECK(of("zeros_mixed")[9] == 0);
  CHECK(of("zeros_mixed")[10] == 1.0 / 7);
}

TEST_CASE("weighted samples come from the rank's stream after base_seed, or go on in a generator of the sampler's") {
  const SamplerRule rule = torchWeightedRandomSampler();
  PipelineSpec spec = weighted(NumberList{1, 1, 1, 1});
  spec.seeds = {7, "base+rank"};
  CHECK(rule.key(spec, Epoch{0}, Rank{1}) == OrderKey{"torch.WeightedRandomSampler", 8, 2});
  CHECK(rule.key(spec, Epoch{3}, Rank{1}).skip == 3 * (2 + 8) + 2);
  CHECK(torchBaseSeed(spec, Epoch{1}, Rank{0}) ==
        static_cast<std::uint64_t>(generatorAt({7, 10}).random63()));  // 4 samples, 2 outputs each
  spec.sampler.parameters["generator"] = std::string("sampler");
  CHECK(rule.key(spec, Epoch{3}, Rank{1}).skip == 3 * 8);
  CHECK(rule.key(spec, Epoch{3}, Rank{0}) == rule.key(spec, Epoch{3}, Rank{1}));
  spec.sampler.parameters["replacement"] = false;
  spec.sampler.parameters["num_samples"] = std::int64_t{2};
  CHECK(rule.key(spec, Epoch{3}, Rank{1}).skip == 3 * 8);  // one variate for each weight
  CHECK(drawn(rule, spec, Epoch{0}, Rank{0}).size() == 2);
}

TEST_CASE("weights may be fewer than the samples, and not more") {
  const SamplerRule rule = torchWeightedRandomSampler();
  for (const std::int64_t id : drawn(rule, weighted(NumberList{0, 1}, 10), Epoch{0}, Rank{0})) CHECK(id == 1);
  const auto refused = rule.check(weighted(NumberList{1, 1, 1}, 2));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().place.field == "sampler.weights");
}

TEST_CASE("in 2.6 MKL draws without replacement, and single samples, from a stream that the generator seeds") {
  const SamplerRule rule = torchWeightedRandomSampler();
  PipelineSpec spec = weighted(std::string("ramp"), 100);
  spec.framework.torch = "2.6";
  const auto with_mkl = [&spec](bool mkl) {
    spec.framework.torch_mkl = mkl;
    return drawn(torchWeightedRandomSampler(), spec, Epoch{0}, Rank{0});
  };
  CHECK(with_mkl(true) == with_mkl(false));
  spec.sampler.parameters["num_samples"] = std::int64_t{1};
  CHECK(rule.check(spec));
  spec.sampler.parameters["num_samples"] = std::int64_t{5};
  spec.sampler.parameters["replacement"] = false;
  CHECK(with_mkl(true) != with_mkl(false));
}

TEST_CASE("in 1.13 and 2.9 MKL has no part in draws without replacement") {
  const SamplerRule rule = torchWeightedRandomSampler();
  PipelineSpec spec = weighted(std::string("ramp"));
  spec.sampler.parameters["replacement"] = false;
  spec.framework.torch_mkl = false;
  for (const char* release : {"1.13", "2.9"}) {
    CAPTURE(release);
    spec.framework.torch = release;
    PipelineSpec with_mkl = spec;
    with_mkl.framework.torch_mkl = true;
    REQUIRE(rule.check(with_mkl));
    CHECK(drawn(rule, with_mkl, Epoch{0}, Rank{0}) == drawn(rule, spec, Epoch{0}, Rank{0}));
  }
}

TEST_CASE("WeightedRandomSampler refuses what PyTorch refuses") {
  const SamplerRule rule = torchWeightedRandomSampler();
  CHECK(refusal(rule.check(weighted(NumberList{0, 0}))) ==
        "RuntimeError: invalid multinomial distribution (sum of probabilities <= 0)");
  CHECK(refusal(rule.check(weighted(std::string("uniform"), 0))) ==
        "ValueError: num_samples should be a positive integer value, but got num_samples=0");
  CHECK(refusal(checkWeightedRandomSampler(std::int64_t{1}, std::int64_t{1}, {3})) ==
        "ValueError: replacement should be a boolean value, but got replacement=1");
  CHECK(refusal(checkWeightedRandomSampler(std::int64_t{1}, true, {2, 1})) ==
        "ValueError: weights should be a 1d sequence but given weights have shape (2, 1)");
  CHECK(refusal(checkWeightedRandomSampler(std::int64_t{1}, true, {})) ==
        "ValueError: weights should be a 1d sequence but given weights have shape ()");
}

TEST_CASE("ImbalancedDatasetSampler draws by 1 / the size of the class") {
  const SamplerRule rule = imbalancedDatasetSampler();
  const PipelineSpec spec = imbalanced({5, 5, 3, 5});
  PipelineSpec same = weighted(NumberList{1.0 / 3, 1.0 / 3, 1, 1.0 / 3});
  CHECK(drawn(rule, spec, Epoch{2}, Rank{0}) == drawn(torchWeightedRandomSampler(), same, Epoch{2}, Rank{0}));
  CHECK(rule.shared_outputs(spec, Rank{0}) == 8);
}

TEST_CASE("ImbalancedDatasetSampler needs one label for each sample") {
  const SamplerRule rule = imbalancedDatasetSampler();
  PipelineSpec spec = imbalanced({1, 2, 1});
  spec.dataset.size = 5;
  CHECK(refusal(rule.check(spec)) ==
        "ValueError: Length mismatch: Expected axis has 3 elements, new values have 5 "
        "elements");
  spec.dataset.labels = {};
  REQUIRE_FALSE(rule.check(spec));
  CHECK(rule.check(spec).error().place.field == "dataset.labels");
  spec.dataset.size = 0;
  CHECK(refusal(rule.check(spec)) == "RuntimeError: cannot sample n_sample <= 0 samples");
}
