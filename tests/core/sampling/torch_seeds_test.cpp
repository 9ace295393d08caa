// SPDX-License-Identifier: Apache-2.0
#include "core/random/torch_generator.h"
#include "core/sampling/script_seed.h"
#include "core/sampling/torch/arguments.h"
#include "core/sampling/torch/loader_seeds.h"

#include <doctest/doctest.h>

using namespace shardlens;
using namespace shardlens::sampling;

namespace {

PipelineSpec specOf(const std::string& sampler, const std::string& rule = "same") {
  PipelineSpec spec;
  spec.world = {2, 4};
  spec.sampler = {sampler, {}};
  spec.seeds = {42, rule};
  return spec;
}

/// The n-th 63-bit draw of the stream.
std::uint64_t draw(std::uint64_t seed, int n) {
  TorchGenerator generator(seed);
  for (int i = 0; i < n; ++i) generator.random63();
  return static_cast<std::uint64_t>(generator.random63());
}

}  // namespace

TEST_CASE("the rules that scripts use for their ranks' seeds") {
  const auto seed = [](const char* rule) {
    return scriptSeed(specOf("torch.SequentialSampler", rule), Epoch{3}, Rank{6});
  };
  CHECK(seed("same") == 42);
  CHECK(seed("base+rank") == 48);
  CHECK(seed("base+local_rank") == 44);
  CHECK(seed("base+rank+epoch") == 51);
  PipelineSpec negative = specOf("torch.SequentialSampler");
  negative.seeds.base = -1;
  CHECK(scriptSeed(negative, Epoch{0}, Rank{0}) == ~std::uint64_t{0});
}

TEST_CASE("base_seed is the loader's first draw of each epoch, after what the sampler drew before") {
  const PipelineSpec sequential = specOf("torch.SequentialSampler");
  CHECK(torchBaseSeed(sequential, Epoch{0}, Rank{0}) == draw(42, 0));
  CHECK(torchBaseSeed(sequential, Epoch{2}, Rank{5}) == draw(42, 2));
  CHECK(torchBaseSeed(specOf("torch.RandomSampler"), Epoch{2}, Rank{0}) == draw(42, 4));
  CHECK(torchBaseSeed(specOf("torch.SequentialSampler", "base+rank+epoch"), Epoch{2}, Rank{1}) == draw(45, 0));
}

TEST_CASE("persistent workers keep the base_seed of epoch 0, and the sampler goes on without a draw between") {
  PipelineSpec spec = specOf("torch.RandomSampler");
  spec.loader.num_workers = 2;
  spec.loader.persistent_workers = true;
  CHECK(torchBaseSeed(spec, Epoch{3}, Rank{0}) == draw(42, 0));
  CHECK(torchSamplerStream(spec, Epoch{0}, Rank{0}).skip == 2);
  CHECK(torchSamplerStream(spec, Epoch{3}, Rank{0}).skip == 2 + 3 * 2);
}

TEST_CASE("a generator given to the loader takes the place of the global one") {
  PipelineSpec spec = specOf("torch.RandomSampler", "base+rank");
  spec.dataset.size = 10;
  spec.sampler.parameters = {{"generator", std::string("loader")}, {"generator_seed", std::int64_t{7}}};
  CHECK(torchBaseSeed(spec, Epoch{0}, Rank{0}) == draw(7, 0));
  CHECK(torchBaseSeed(spec, Epoch{0}, Rank{3}) == draw(7, 0));
  CHECK(torchLoaderStream(spec, Epoch{1}, Rank{0}).skip == 2 + 2 * 9);  // two permutations of 10 an epoch
}

TEST_CASE("arguments are refused as PyTorch refuses them") {
  const auto text = [](const Result<void>& result) {
    return result ? std::string("fine") : result.error().raised + ": " + result.error().message;
  };
  CHECK(text(checkBatchSampler(std::int64_t{2}, true)) == "fine");
  CHECK(text(checkBatchSampler(2.0, true)) ==
        "ValueError: batch_size should be a positive integer value, but got batch_size=2.0");
  CHECK(text(checkBatchSampler(std::int64_t{2}, std::int64_t{0})) ==
        "ValueError: drop_last should be a boolean value, but got drop_last=0");
  CHECK(text(checkRandomSampler(5, std::int64_t{1}, std::monostate{})) ==
        "TypeError: replacement should be a boolean value, but got replacement=1");
  CHECK(text(checkRandomSampler(0, false, std::monostate{})) ==
        "ValueError: num_samples should be a positive integer value, but got num_samples=0");
  PipelineSpec spec;
  spec.loader.persistent_workers = true;
  CHECK(text(checkLoader(spec)) == "ValueError: persistent_workers option needs num_workers > 0");
  spec.loader.num_workers = 1;
  CHECK(text(checkLoader(spec)) == "fine");
}
