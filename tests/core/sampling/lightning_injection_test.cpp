// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/lightning/injection.h"

#include <doctest/doctest.h>

using namespace shardlens;
using namespace shardlens::sampling;

namespace {

using Kind = UserSampler::Kind;

UserLoader shuffling() {
  UserLoader loader;
  loader.sampler = {"RandomSampler", Kind::Random};
  loader.batch_sampler->sampler = loader.sampler;
  loader.shuffle = true;
  loader.batch_size = 32;
  return loader;
}

/// DataLoader(dataset, batch_sampler=...) of a class that is no torch BatchSampler.
UserLoader withBatchSampler(UserBatchSampler batch_sampler) {
  UserLoader loader;
  loader.gave_batch_sampler = true;
  loader.batch_size = 32;
  batch_sampler.exact = false;
  loader.batch_sampler = std::move(batch_sampler);
  return loader;
}

PreparedLoader prepared(const UserLoader& loader, const LightningSettings& settings = {}) {
  const auto result = prepareLoader(loader, settings);
  REQUIRE(result);
  return *result;
}

Error refused(const UserLoader& loader, const LightningSettings& settings = {}) {
  const auto result = prepareLoader(loader, settings);
  REQUIRE_FALSE(result);
  return result.error();
}

}  // namespace

TEST_CASE("training shuffles whatever was written, and Fabric what a RandomSampler was written for") {
  const UserLoader sequential;
  CHECK(prepared(sequential).injected == InjectedSampler::Distributed);
  CHECK(prepared(sequential).shuffle);
  LightningSettings settings;
  settings.overfit = true;
  CHECK_FALSE(prepared(sequential, settings).shuffle);
  settings = {};
  settings.training = false;
  CHECK_FALSE(prepared(sequential, settings).shuffle);
  CHECK(prepared(shuffling(), settings).shuffle);
  settings.api = LightningApi::Fabric;
  CHECK_FALSE(prepared(sequential, settings).shuffle);
  CHECK(prepared(shuffling(), settings).shuffle);
}

TEST_CASE("nothing is replaced without ranks, when told so, and where the sampler is distributed already") {
  LightningSettings settings;
  settings.is_distributed = false;
  CHECK_FALSE(prepared(shuffling(), settings).replaced);
  settings = {};
  settings.use_distributed_sampler = false;
  CHECK_FALSE(prepared(shuffling(), settings).replaced);
  UserLoader distributed;
  distributed.sampler = {"DistributedSampler", Kind::Distributed};
  CHECK_FALSE(prepared(distributed).replaced);
  // It looks at loader.sampler: a DistributedSampler inside a batch sampler is replaced.
  UserLoader inside;
  inside.gave_batch_sampler = true;
  inside.batch_sampler->sampler = distributed.sampler;
  CHECK(prepared(inside).replaced);
}

TEST_CASE("a given torch BatchSampler loses its batches: none outside a hook, of one sample inside") {
  UserLoader loader;
  loader.gave_batch_sampler = true;
  loader.batch_size = 32;
  CHECK_FALSE(prepared(loader).batches);
  CHECK_FALSE(prepared(loader).batch_sampler_class);
  loader.in_hook = true;
  CHECK(prepared(loader).batches);
  CHECK(prepared(loader).batch_size == 1);
}

TEST_CASE("prediction keeps the batch size, drops no tail, and loses the sampler of a given batch sampler") {
  UserLoader loader = shuffling();
  loader.drop_last = true;
  LightningSettings settings;
  settings.training = false;
  settings.predicting = true;
  PreparedLoader result = prepared(loader, settings);
  CHECK(result.injected == InjectedSampler::UnrepeatedWrapper);
  CHECK(result.batch_size == 32);
  CHECK_FALSE(result.drop_last);
  CHECK_FALSE(result.sampler_lost);
  loader.gave_batch_sampler = true;
  loader.sampler = {};
  CHECK(prepared(loader, settings).sampler_lost);
}

TEST_CASE("a batch sampler without batch_size is refused in training and goes on unsharded in prediction") {
  UserBatchSampler stranger;
  stranger.class_name = "TwoStreamBatchSampler";
  stranger.inherits = stranger.has_batch_size = stranger.has_drop_last = false;
  stranger.sampler.reset();
  const UserLoader loader = withBatchSampler(stranger);
  const Error error = refused(loader);
  CHECK(error.raised == "TypeError");
  CHECK(error.message.starts_with(" Lightning can't inject a (distributed) sampler into your batch sampler"));
  CHECK(error.message.find("set `Trainer(use_distributed_sampler=False)`") != std::string::npos);
  LightningSettings settings;
  settings.predicting = true;
  settings.training = false;
  CHECK(prepared(loader, settings).unsharded);
}

TEST_CASE("a constructor that takes other arguments raises what Python raises, but for a double one") {
  UserBatchSampler custom;
  custom.class_name = "Mine";
  custom.init = {{{"sampler", true}, {"batch_size", true}, {"drop_last", true}, {"a", true}, {"b", true}}, false};
  CHECK(refused(withBatchSampler(custom)).message ==
        "Mine.__init__() missing 2 required positional arguments: 'a' and 'b'");
  custom.init = {{{"batch_size", true}, {"drop_last", true}}, false};
  CHECK(refused(withBatchSampler(custom)).message.find("instantiate your custom batch sampler inside the") !=
        std::string::npos);
  custom.init = {{}, true};
  CHECK(refused(withBatchSampler(custom)).message == "Mine.__init__() takes 1 positional argument but 2 were given");
}

TEST_CASE("inside a hook the recorded constructor decides") {
  UserBatchSampler custom;
  custom.class_name = "Mine";
  custom.init = {{{"dataset", true}, {"size", false}}, false};
  custom.call = {{"dataset"}, {}};
  UserLoader loader = withBatchSampler(custom);
  loader.in_hook = true;
  CHECK(refused(loader).message.find("`Mine` does not have an argument called `sampler.`") != std::string::npos);
  loader.batch_sampler->init.parameters.push_back({"sampler", false});
  CHECK(prepared(loader).inner_class == "DistributedSampler");
}

TEST_CASE("shuffle given by its place inside a hook is given twice to the new loader") {
  UserLoader loader = shuffling();
  loader.in_hook = true;
  loader.call = {{"dataset", "batch_size", "shuffle"}, {}};
  const Error error = refused(loader);
  CHECK(error.raised == "MisconfigurationException");
  CHECK(
      error.message.starts_with("The DataLoader implementation has an error where more than one `__init__` argument"));
}

TEST_CASE("the prepared pipeline wraps what is no plain sampler") {
  PipelineSpec written;
  written.sampler = {"torch.WeightedRandomSampler", {{"weights", std::string("inverse")}}};
  UserLoader loader;
  loader.sampler = {"WeightedRandomSampler", Kind::Other};
  loader.batch_size = 4;
  LightningSettings settings;
  settings.seed = 42;
  const auto spec = preparedSpec(written, prepared(loader, settings));
  REQUIRE(spec);
  CHECK(spec->sampler.type == "lightning.DistributedSamplerWrapper");
  CHECK(spec->sampler.parameters.at("inner") == Value(std::string("weighted")));
  CHECK(spec->sampler.parameters.at("weights") == Value(std::string("inverse")));
  CHECK(spec->sampler.parameters.at("seed") == Value(std::int64_t{42}));
  CHECK(spec->loader.batch_size == 4);
}
