// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/torch/samplers.h"

#include "core/base/phrase.h"
#include "core/random/torch_generator.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/sample_list.h"
#include "core/sampling/torch/arguments.h"
#include "core/sampling/torch/loader_seeds.h"
#include "core/sampling/torch/order.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace shardlens::sampling {
namespace torch_sequential_sampler {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "torch.SequentialSampler",
      marked("samplers",
             "The dataset in its own order, all of it on every rank; what a DataLoader uses with shuffle=False."),
      {},
      {marked("samplers", "Every rank reads the whole dataset: nothing divides it between them."),
       marked("samplers",
              "Lightning replaces it with a DistributedSampler, and shuffles in training (pytorch-lightning#21131).")},
  };
  return kInfo;
}

}  // namespace
}  // namespace torch_sequential_sampler

SamplerRule torchSequentialSampler() {
  using namespace torch_sequential_sampler;
  return {.info = info(),
          .traits = {.knows_peers = true, .loader_part = LoaderPart::Sequential},
          .in_order = true,
          .claims = [](const PipelineSpec&) { return SamplerClaims{}; },
          .key = sequentialKey,
          .order = torchOrder,
          .reads_evenly = [](const PipelineSpec&) { return true; },
          .slice = wholeOrder,
          .shape = sameShape<datasetSize>,
          .same_shapes = true};
}

namespace torch_python_list {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "python.list",
      marked("samplers",
             "A plain list of samples passed to the DataLoader as its sampler: every rank reads it in list order."),
      {sampleListField(marked("fields", "The samples in reading order; a list, or {range: [a, b]}."))},
      {marked("samplers", "Every rank reads the whole list: nothing divides it between them."),
       marked("samplers",
              "Lightning's Trainer wraps it in a DistributedSamplerWrapper and permutes it in training: a handmade "
              "order, such as a curriculum, is lost (pytorch-lightning#10170, #21131).")},
  };
  return kInfo;
}

OrderKey key(const PipelineSpec& /*spec*/, Epoch /*epoch*/, Rank /*rank*/) {
  return {info().type, 0, 0};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& /*key*/, const Work& /*work*/) {
  return Order::of(IndexList(sampleList(spec)));
}

}  // namespace
}  // namespace torch_python_list

SamplerRule pythonList() {
  using namespace torch_python_list;
  return {.info = info(),
          .traits = {.indices = "indices", .loader_part = LoaderPart::Other},
          .in_order = true,
          .claims = [](const PipelineSpec&) { return repeatsFor(RepeatCause::ListedTwice); },
          .left_out = notInSampleList,
          .check = checkSampleList,
          .key = key,
          .order = order,
          .slice = wholeOrder,
          .shape = sameShape<sampleCount>,
          .same_shapes = true};
}

namespace torch_random_sampler {
namespace {

constexpr std::uint64_t kSeedOutputs = 2;  // the 63-bit seed of its own generator

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "torch.RandomSampler",
      marked("samplers",
             "Permutes the whole dataset on every rank by the rank's own generator; what a DataLoader uses with "
             "shuffle=True."),
      {
          replacementField(),
          numSamplesField(),
          torchGeneratorField(),
          torchGeneratorSeedField(),
      },
      {marked("samplers",
              "Ranks with equal torch seeds draw identical batches; ranks with different seeds overlap by chance: "
              "nothing divides the dataset (pytorch-lightning#10946, #12866)."),
       marked("samplers",
              "Lightning replaces it with a DistributedSampler and loses replacement, num_samples and the generator."),
       marked("samplers",
              "The seed comes from the global stream: anything else that draws from torch before changes the order.")},
  };
  return kInfo;
}

bool replaces(const PipelineSpec& spec) {
  return boolParameter(spec, info(), "replacement");
}

std::int64_t samplesOf(const PipelineSpec& spec) {
  return intParameterOr(spec, info(), "num_samples", spec.dataset.size);
}

TorchRandint drawOf(const PipelineSpec& spec) {
  return {spec.framework.torch, 0, spec.dataset.size};
}

/// Outputs that one pass consumes of its generator. Without replacement a last permutation is always drawn, also when
/// nothing of it is used.
std::uint64_t outputsOfPass(const PipelineSpec& spec) {
  const auto size = static_cast<std::uint64_t>(spec.dataset.size);
  const auto count = static_cast<std::uint64_t>(samplesOf(spec));
  if (size == 0) return 0;
  if (replaces(spec)) return count * drawOf(spec).outputs();
  return (count / size + 1) * permutationOutputs(spec, spec.dataset.size);
}

Result<void> check(const PipelineSpec& spec) {
  const auto given = intIfGiven(spec, info(), "num_samples");
  const PyValue num_samples = given ? PyValue(*given) : PyValue();
  if (auto arguments = checkRandomSampler(spec.dataset.size, replaces(spec), num_samples); !arguments) return arguments;
  if (spec.dataset.size > 0) return {};
  // Nothing to draw from: __init__ takes it, and the first __iter__ raises.
  if (!replaces(spec)) return raised("ZeroDivisionError", "integer division or modulo by zero", "dataset.size");
  return raised("RuntimeError", "random_ expects 'from' to be less than 'to', but got from=0 >= to=0", "dataset.size");
}

bool whole(const PipelineSpec& spec) {
  return !replaces(spec) && samplesOf(spec) == spec.dataset.size;
}

std::uint64_t sharedOutputs(const PipelineSpec& spec, Rank /*rank*/) {
  switch (torchGeneratorUse(spec)) {
    case TorchGeneratorUse::None:
      return kSeedOutputs;
    case TorchGeneratorUse::Sampler:
      return 0;
    case TorchGeneratorUse::Loader:
      break;
  }
  return outputsOfPass(spec);
}

/// By the 32 bits of the seed that torch looks at, so that equal orders have equal keys.
OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  const TorchStream stream = torchGeneratorStream(spec, epoch, rank, outputsOfPass(spec));
  const auto seed = [](auto number) { return static_cast<std::uint64_t>(number) & 0xFFFF'FFFFU; };
  if (torchGeneratorUse(spec) != TorchGeneratorUse::None) return {info().type, seed(stream.seed), stream.skip};
  return {info().type, seed(generatorAt(stream).random63()), 0};
}

Result<OrderPtr> withReplacement(const PipelineSpec& spec, TorchGenerator& generator, const Work& work) {
  constexpr std::size_t kLookEvery = std::size_t{1} << 20;
  auto ids = LargeArray<std::uint32_t>::make(static_cast<std::size_t>(samplesOf(spec)), "an order");
  if (!ids) return ids.error();
  const TorchRandint draw = drawOf(spec);
  const std::span<std::uint32_t> items = ids->items();
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i % kLookEvery == 0) {
      if (work.stopped()) return cancelled();
      work.progress(static_cast<double>(i) / static_cast<double>(items.size()));
    }
    items[i] = static_cast<std::uint32_t>(draw(generator));
  }
  return Order::of(std::move(*ids));
}

/// Whole permutations one behind the other, the last one cut.
Result<OrderPtr> permutations(const PipelineSpec& spec, TorchGenerator& generator, const Work& work) {
  const auto count = static_cast<std::size_t>(samplesOf(spec));
  const auto size = static_cast<std::size_t>(spec.dataset.size);
  if (count <= size) {
    // A pass of exactly `size` draws a second permutation and throws it away: outputsOfPass counts it.
    auto ids = torchPermutation(spec, spec.dataset.size, generator, work);
    if (!ids) return ids.error();
    return Order::of(std::move(*ids));
  }
  auto all = LargeArray<std::uint32_t>::make(count, "an order");
  if (!all) return all.error();
  for (std::size_t done = 0; done < count; done += size) {
    const auto share = [count](std::size_t part) { return static_cast<double>(part) / static_cast<double>(count); };
    const std::size_t used = std::min(size, count - done);
    auto one = torchPermutation(spec, spec.dataset.size, generator, work.part(share(done), share(done + used)));
    if (!one) return one.error();
    std::ranges::copy(one->items().first(used), all->items().begin() + static_cast<std::ptrdiff_t>(done));
  }
  return Order::of(std::move(*all));
}

/// Of each permutation in turn, the last one cut.
Result<std::optional<OrderPlaces>> places(const PipelineSpec& spec, const OrderKey& key, SampleIndex sample,
                                          const Work& work) {
  if (replaces(spec)) return std::optional<OrderPlaces>();
  const std::int64_t count = samplesOf(spec);
  const std::int64_t size = spec.dataset.size;
  const TorchRandpermRule rule = randpermRule(spec, size);
  TorchGenerator generator = generatorAt({key.seed, key.skip});
  OrderPlaces found{std::max(count, size), {}};
  for (std::int64_t done = 0; done < count; done += size) {
    const auto place =
        torchRandpermPlace(generator, static_cast<std::uint64_t>(size), static_cast<std::uint64_t>(sample), work, rule);
    if (!place) return place.error();
    found.places.push_back(done + static_cast<std::int64_t>(*place));
    if (done + size < count) generator.skip(permutationOutputs(spec, size));
  }
  return std::optional(std::move(found));
}

Slice slice(const PipelineSpec& spec, Epoch /*epoch*/, Rank /*rank*/, OrderPtr order) {
  const std::int64_t count = samplesOf(spec);
  return {std::move(order), 0, 1, count, count};
}

SamplerClaims claims(const PipelineSpec& spec) {
  return repeatsFor(replaces(spec) ? RepeatCause::Replacement : RepeatCause::AnotherPass);
}

}  // namespace
}  // namespace torch_random_sampler

Result<OrderPtr> torchRandomOrder(const PipelineSpec& spec, TorchGenerator& generator, const Work& work) {
  using namespace torch_random_sampler;
  return replaces(spec) ? withReplacement(spec, generator, work) : permutations(spec, generator, work);
}

SamplerRule torchRandomSampler() {
  using namespace torch_random_sampler;
  return {.info = info(),
          .traits = {.replacement = "replacement",
                     .num_samples = "num_samples",
                     .generator = "generator",
                     .knows_peers = true,
                     .loader_part = LoaderPart::Random},
          .claims = claims,
          .unread = always<MissingCause::NotDrawn>,
          .left_out = always<MissingCause::NotDrawn>,
          .check = check,
          .key = key,
          .order = drawnOrder<torchRandomOrder>,
          .whole = whole,
          .reads_evenly = whole,
          .places = places,
          .slice = slice,
          .shape = sameShape<samplesOf>,
          .same_shapes = true,
          .shared_outputs = sharedOutputs};
}

namespace torch_subset_random_sampler {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "torch.SubsetRandomSampler",
      marked("samplers", "Permutes a list of samples on every rank by the rank's own generator."),
      {
          sampleListField(marked("fields", "The samples to draw from; a list, or {range: [a, b]}.")),
          torchGeneratorField(),
          torchGeneratorSeedField(),
      },
      {marked("samplers", "Every rank draws the whole list: nothing divides it between them."),
       marked("samplers",
              "It permutes with the global generator: anything else that draws from torch changes the order.")},
  };
  return kInfo;
}

std::uint64_t outputsOfPass(const PipelineSpec& spec) {
  return permutationOutputs(spec, sampleCount(spec));
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  TorchGenerator generator = generatorAt({key.seed, key.skip});
  const IndexList& indices = sampleList(spec);
  auto places = torchPermutation(spec, sampleCount(spec), generator, work);
  if (!places) return places.error();
  for (std::uint32_t& place : places->items()) place = static_cast<std::uint32_t>(indices[place]);
  return Order::of(std::move(*places));
}

}  // namespace
}  // namespace torch_subset_random_sampler

SamplerRule torchSubsetRandomSampler() {
  using namespace torch_subset_random_sampler;
  return {.info = info(),
          .traits = {.indices = "indices", .generator = "generator", .loader_part = LoaderPart::Other},
          .claims = [](const PipelineSpec&) { return repeatsFor(RepeatCause::ListedTwice); },
          .left_out = notInSampleList,
          .check = checkSampleList,
          .key = generatorKey<info, outputsOfPass>,
          .order = order,
          .slice = wholeOrder,
          .shape = sameShape<sampleCount>,
          .same_shapes = true,
          .shared_outputs = outputsUnlessOwn<outputsOfPass>};
}

}  // namespace shardlens::sampling
