// SPDX-License-Identifier: Apache-2.0
#include "core/selftest/frameworks/lightning_loaders.h"

#include "core/random/torch_generator.h"
#include "core/sampling/torch/samplers.h"

#include <algorithm>
#include <map>
#include <utility>

namespace shardlens::selftest {
namespace lightning_loaders_rows {
namespace {

using sampling::PySignature;
using sampling::UserBatchSampler;
using sampling::UserSampler;
using Kind = UserSampler::Kind;
using Make = void (*)(NamedLoader& named, Epoch epoch);

constexpr std::int64_t kInnerSeed = 5;

std::vector<std::int64_t> range(std::int64_t first, std::int64_t last, std::int64_t step = 1) {
  std::vector<std::int64_t> items;
  for (std::int64_t i = first; i < last; i += step) items.push_back(i);
  return items;
}

/// The sampler argument of a DataLoader that batches by itself.
void putSampler(NamedLoader& named, UserSampler sampler, std::string type, std::map<std::string, Value> parameters) {
  named.loader.sampler = sampler;
  if (named.loader.batch_sampler) named.loader.batch_sampler->sampler = std::move(sampler);
  named.spec.sampler = {std::move(type), std::move(parameters)};
}

std::map<std::string, Value> seeded(std::map<std::string, Value> parameters) {
  parameters["generator"] = std::string("sampler");
  parameters["generator_seed"] = kInnerSeed;
  return parameters;
}

/// RandomSampler's pass number `epoch` when all it has is a global generator seeded with 0.
std::vector<std::int64_t> shuffled(const PipelineSpec& written, Epoch epoch) {
  TorchGenerator global(0);
  for (std::int64_t before = 0; before < epoch.value; ++before) global.random63();
  TorchGenerator own(static_cast<std::uint64_t>(global.random63()));
  PipelineSpec spec = written;
  spec.sampler = {"torch.RandomSampler", {}};
  const auto order = sampling::torchRandomOrder(spec, own, {});
  std::vector<std::int64_t> items;
  for (std::int64_t i = 0; order && i < (*order)->size(); ++i) items.push_back((**order)[i]);
  return items;
}

void sequential(NamedLoader& named, Epoch /*epoch*/) {
  putSampler(named, {}, "torch.SequentialSampler", {});
}

void sequentialDropLast(NamedLoader& named, Epoch epoch) {
  sequential(named, epoch);
  named.loader.drop_last = true;
}

void shuffle(NamedLoader& named, Epoch epoch) {
  putSampler(named, {"RandomSampler", Kind::Random}, "python.list", {{"indices", shuffled(named.spec, epoch)}});
  named.loader.shuffle = true;
}

void shuffleDropLast(NamedLoader& named, Epoch epoch) {
  shuffle(named, epoch);
  named.loader.drop_last = true;
}

void replacement(NamedLoader& named, Epoch /*epoch*/) {
  putSampler(named, {"RandomSampler", Kind::Random}, "torch.RandomSampler",
             seeded({{"replacement", true}, {"num_samples", std::int64_t{5}}}));
}

void weighted(NamedLoader& named, Epoch /*epoch*/) {
  putSampler(named, {"WeightedRandomSampler", Kind::Other}, "torch.WeightedRandomSampler",
             seeded({{"weights", std::string("inverse")}, {"replacement", true}}));
}

void subsetRandom(NamedLoader& named, Epoch /*epoch*/) {
  putSampler(named, {"SubsetRandomSampler", Kind::Other}, "torch.SubsetRandomSampler",
             seeded({{"indices", range(0, named.spec.dataset.size, 2)}}));
}

void distributedAlready(NamedLoader& named, Epoch /*epoch*/) {
  putSampler(named, {"DistributedSampler", Kind::Distributed}, "torch.DistributedSampler",
             {{"num_replicas", std::int64_t{4}}, {"rank", std::int64_t{1}}, {"seed", std::int64_t{9}}});
}

void listSampler(NamedLoader& named, Epoch /*epoch*/) {
  putSampler(named, {"list", Kind::Other}, "python.list", {{"indices", IndexList{4, 3, 2, 1, 0}}});
}

void withoutLen(NamedLoader& named, Epoch /*epoch*/) {
  putSampler(named, {"NoLen", Kind::Other, UserSampler::Length::None}, "python.list", {{"indices", IndexList{1}}});
}

void iterable(NamedLoader& named, Epoch /*epoch*/) {
  putSampler(named, {"_InfiniteConstantSampler", Kind::Other, UserSampler::Length::Infinite}, "torch.SequentialSampler",
             {});
  named.loader.iterable = true;
}

/// batch_sampler=...: the loader itself then has a SequentialSampler and no batch size.
void giveBatchSampler(NamedLoader& named, UserBatchSampler batch_sampler) {
  named.loader.sampler = {};
  named.loader.shuffle.reset();
  named.loader.batch_sampler = std::move(batch_sampler);
  named.loader.gave_batch_sampler = true;
}

void plainBatches(NamedLoader& named, Epoch epoch) {
  sequential(named, epoch);
  giveBatchSampler(named, {});
}

void plainBatchesShuffled(NamedLoader& named, Epoch epoch) {
  shuffle(named, epoch);
  UserBatchSampler batch_sampler;
  batch_sampler.sampler = UserSampler{"RandomSampler", Kind::Random};
  giveBatchSampler(named, batch_sampler);
  named.loader.drop_last = true;
}

void customBatches(NamedLoader& named, std::string class_name, PySignature init, sampling::PyCall call) {
  UserBatchSampler batch_sampler;
  batch_sampler.class_name = std::move(class_name);
  batch_sampler.exact = false;
  batch_sampler.init = std::move(init);
  batch_sampler.call = std::move(call);
  giveBatchSampler(named, batch_sampler);
}

const PySignature kBatchSampler = {{{"sampler", true}, {"batch_size", true}, {"drop_last", true}}, false};

void subclassBatches(NamedLoader& named, Epoch epoch) {
  sequential(named, epoch);
  customBatches(named, "BSsub", kBatchSampler, {{"sampler", "batch_size", "drop_last"}, {}});
}

void extraRequired(NamedLoader& named, Epoch epoch) {
  sequential(named, epoch);
  PySignature init = kBatchSampler;
  init.parameters.push_back({"extra", true});
  customBatches(named, "BSextra", init, {{"sampler", "batch_size", "drop_last", "extra"}, {}});
}

void extraDefault(NamedLoader& named, Epoch epoch) {
  sequential(named, epoch);
  PySignature init = kBatchSampler;
  init.parameters.push_back({"extra", false});
  customBatches(named, "BSextraDefault", init, {{"sampler", "batch_size", "drop_last"}, {}});
}

void withoutSamplerArgument(NamedLoader& named, Epoch epoch) {
  sequential(named, epoch);
  customBatches(named, "BSnosampler", {{{"data", true}, {"batch_size", true}}, false}, {{"data", "batch_size"}, {}});
}

void duck(NamedLoader& named, Epoch epoch) {
  sequential(named, epoch);
  customBatches(named, "Duck", kBatchSampler, {});
  named.loader.batch_sampler->inherits = false;
}

void duckOtherConstructor(NamedLoader& named, Epoch epoch) {
  sequential(named, epoch);
  customBatches(named, "DuckNoArgs", {{{"n", true}}, false}, {});
  named.loader.batch_sampler->inherits = false;
  named.loader.batch_sampler->sampler.reset();
  named.loader.batch_size = 1;
}

/// A batch sampler that has nothing of a BatchSampler.
void strangerBatches(NamedLoader& named, std::string class_name) {
  customBatches(named, std::move(class_name), {}, {});
  UserBatchSampler& batch_sampler = *named.loader.batch_sampler;
  batch_sampler.inherits = batch_sampler.has_batch_size = batch_sampler.has_drop_last = false;
  batch_sampler.sampler.reset();
}

void withoutBatchSize(NamedLoader& named, Epoch epoch) {
  sequential(named, epoch);
  strangerBatches(named, "Plain");
  named.loader.batch_size = 1;
}

void twoStream(NamedLoader& named, Epoch /*epoch*/) {
  strangerBatches(named, "TwoStreamBatchSampler");
  named.loader.batch_size = 4;
  named.spec.seeds.base = 0;
  named.spec.sampler = {"meanteacher.TwoStreamBatchSampler",
                        {{"primary_indices", range(0, 6)},
                         {"secondary_indices", range(6, named.spec.dataset.size)},
                         {"secondary_batch_size", std::int64_t{2}}}};
}

void loaderRequiredArgument(NamedLoader& named, Epoch epoch) {
  sequential(named, epoch);
  named.loader.class_name = "DLrequired";
  named.loader.subclass = true;
  named.loader.init = {{{"data", true}, {"my_arg", true}}, true};
  named.loader.call = {{"data", "my_arg"}, {"batch_size"}};
}

void loaderWithoutKwargs(NamedLoader& named, Epoch epoch) {
  sequential(named, epoch);
  named.loader.class_name = "DLnokwargs";
  named.loader.subclass = true;
  named.loader.init = {{{"dataset", true}, {"batch_size", false}}, false};
  named.loader.call = {{"dataset"}, {}};
  named.loader.batch_size = 2;
}

void unbatched(NamedLoader& named, Epoch epoch) {
  sequential(named, epoch);
  named.loader.batch_sampler.reset();
}

void unbatchedShuffle(NamedLoader& named, Epoch epoch) {
  shuffle(named, epoch);
  named.loader.batch_sampler.reset();
}

/// len() of the spec's sampler, and a dataset that holds all it lists.
std::int64_t lengthOf(PipelineSpec& spec) {
  const auto& parameters = spec.sampler.parameters;
  if (const auto indices = parameters.find("indices"); indices != parameters.end()) {
    const auto& list = std::get<IndexList>(indices->second);
    for (const SampleIndex index : list) spec.dataset.size = std::max(spec.dataset.size, index + 1);
    return static_cast<std::int64_t>(list.size());
  }
  const auto samples = parameters.find("num_samples");
  return samples == parameters.end() ? spec.dataset.size : std::get<std::int64_t>(samples->second);
}

const std::map<std::string, Make>& makers() {
  static const std::map<std::string, Make> kMakers = {
      {"sequential", sequential},
      {"sequential_drop_last", sequentialDropLast},
      {"shuffle", shuffle},
      {"shuffle_drop_last", shuffleDropLast},
      {"random_sampler_replacement_num_samples", replacement},
      {"weighted", weighted},
      {"subset_random", subsetRandom},
      {"distributed_already", distributedAlready},
      {"list_sampler", listSampler},
      {"sampler_without_len", withoutLen},
      {"iterable", iterable},
      {"batch_sampler_plain", plainBatches},
      {"batch_sampler_plain_shuffle", plainBatchesShuffled},
      {"batch_sampler_subclass", subclassBatches},
      {"batch_sampler_subclass_extra_required", extraRequired},
      {"batch_sampler_subclass_extra_default", extraDefault},
      {"batch_sampler_subclass_without_sampler_argument", withoutSamplerArgument},
      {"batch_sampler_duck", duck},
      {"batch_sampler_duck_other_constructor", duckOtherConstructor},
      {"batch_sampler_without_batch_size", withoutBatchSize},
      {"two_stream_batch_sampler", twoStream},
      {"dataloader_subclass_required_argument", loaderRequiredArgument},
      {"dataloader_subclass_without_kwargs", loaderWithoutKwargs},
      {"batch_size_none", unbatched},
      {"batch_size_none_shuffle", unbatchedShuffle},
  };
  return kMakers;
}

}  // namespace
}  // namespace lightning_loaders_rows

std::optional<NamedLoader> namedLoader(const std::string& name, std::int64_t size, Epoch epoch,
                                       const std::string& torch) {
  using namespace lightning_loaders_rows;
  const auto maker = makers().find(name);
  if (maker == makers().end() || size < 0) return std::nullopt;
  NamedLoader named;
  named.spec.dataset.size = size;
  named.spec.framework.torch = torch;
  named.loader.batch_size = 3;
  maker->second(named, epoch);
  named.loader.sampler.size = named.loader.gave_batch_sampler ? size : lengthOf(named.spec);
  return named;
}

}  // namespace shardlens::selftest
