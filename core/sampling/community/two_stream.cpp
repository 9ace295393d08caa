// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/community/two_stream.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/sampling/community/samplers.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/numpy_global.h"
#include "core/sampling/python.h"
#include "core/sampling/rules.h"
#include "core/sampling/sample_list.h"
#include "core/sampling/script_seed.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace shardlens::sampling {
namespace {

constexpr std::size_t kDrawsBetweenLooks = std::size_t{1} << 18;

/// np.random.permutation of the list, into `items`.
Result<void> permute(const IndexList& list, NumpyLegacy& numpy, std::vector<std::uint32_t>& items, const Work& work) {
  items.resize(list.size());
  std::ranges::transform(list, items.begin(), [](SampleIndex id) { return static_cast<std::uint32_t>(id); });
  for (std::size_t i = items.size(); i-- > 1;) {
    if (i % kDrawsBetweenLooks == 0 && work.stopped()) return cancelled();
    std::swap(items[i], items[numpy.bounded(i)]);
  }
  return {};
}

/// The draws of a permutation, without making it.
Result<void> skipPermutation(std::size_t size, NumpyLegacy& numpy, const Work& work) {
  for (std::size_t i = size; i-- > 1;) {
    if (i % kDrawsBetweenLooks == 0 && work.stopped()) return cancelled();
    numpy.bounded(i);
  }
  return {};
}

Result<void> checkShare(const IndexList& list, std::int64_t share, const std::string& field, const std::string& what) {
  const auto samples = static_cast<std::int64_t>(list.size());
  if (share > 0 && samples >= share) return {};
  const auto refused = [&](std::string hint) { return raised("AssertionError", "", field, std::move(hint)); };
  if (list.empty())
    return refused(filled(worded("checks", "the list is empty: give at least %1, for example 0..7"),
                          wordedCount(std::max<std::int64_t>(1, share), what)));
  if (share > 0)
    return refused(filled(worded("checks", "a batch takes %1 of %2: list more"), std::to_string(share),
                          wordedCount(samples, what)));
  return refused(filled(worded("checks",
                               "a batch has room for %1: keep secondary_batch_size above 0 and below "
                               "loader.batch_size"),
                        wordedCount(share, what)));
}

}  // namespace

std::int64_t TwoStreamArguments::batches() const {
  return static_cast<std::int64_t>(primary->size()) / primaryBatchSize();
}

Result<void> TwoStreamArguments::check() const {
  if (auto first = checkShare(*primary, primaryBatchSize(), "sampler.primary_indices", "primary sample"); !first)
    return first;
  return checkShare(*secondary, secondary_batch_size, "sampler.secondary_indices", "secondary sample");
}

Result<TwoStream> TwoStream::start(const TwoStreamArguments& arguments, NumpyLegacy& numpy, const Work& work) {
  TwoStream stream(arguments);
  if (auto drawn = permute(*arguments.primary, numpy, stream.primary_, work); !drawn) return drawn.error();
  return stream;
}

Result<bool> TwoStream::next(NumpyLegacy& numpy, std::span<std::uint32_t> batch, const Work& work) {
  const auto primary_share = static_cast<std::size_t>(arguments_.primaryBatchSize());
  if (primary_.size() - primary_used_ < primary_share) return false;
  std::ranges::copy_n(primary_.begin() + static_cast<std::ptrdiff_t>(primary_used_),
                      static_cast<std::ptrdiff_t>(primary_share), batch.begin());
  primary_used_ += primary_share;
  for (std::uint32_t& item : batch.subspan(primary_share)) {
    if (secondary_used_ == secondary_.size()) {
      if (auto drawn = permute(*arguments_.secondary, numpy, secondary_, work); !drawn) return drawn.error();
      secondary_used_ = 0;
    }
    item = secondary_[secondary_used_++];
  }
  return true;
}

Result<void> TwoStream::skipStart(const TwoStreamArguments& arguments, NumpyLegacy& numpy, const Work& work) {
  return skipPermutation(arguments.primary->size(), numpy, work);
}

Result<void> TwoStream::skip(const TwoStreamArguments& arguments, NumpyLegacy& numpy, const Work& work) {
  if (auto done = skipStart(arguments, numpy, work); !done) return done;
  const auto size = static_cast<std::int64_t>(arguments.secondary->size());
  const std::int64_t items = arguments.batches() * arguments.secondary_batch_size;
  for (std::int64_t used = 0; used < items; used += size) {
    if (auto done = skipPermutation(arguments.secondary->size(), numpy, work); !done) return done;
  }
  return {};
}

std::vector<Field> twoStreamFields() {
  return {
      sampleListField(marked("fields", "The samples that each epoch reads once, usually the labelled ones."),
                      "sampler.primary_indices"),
      sampleListField(marked("fields", "The samples that fill up each batch, repeated as often as needed."),
                      "sampler.secondary_indices"),
      intField(
          "sampler.secondary_batch_size", 1, 0, kMostToDraw, "samples",
          marked("fields", "How many samples of loader.batch_size are secondary; they come after the primary ones.")),
  };
}

TwoStreamArguments twoStreamArguments(const PipelineSpec& spec) {
  const auto* share = spec.sampler.said<std::int64_t>("secondary_batch_size");
  return {&sampleList(spec, "primary_indices"), &sampleList(spec, "secondary_indices"), spec.loader.batch_size,
          share == nullptr ? 1 : *share};
}

Result<void> checkTwoStream(const PipelineSpec& spec) {
  const TwoStreamArguments arguments = twoStreamArguments(spec);
  if (auto made = arguments.check(); !made) return made;
  if (auto list = checkSamples(spec, *arguments.primary, "sampler.primary_indices"); !list) return list;
  return checkSamples(spec, *arguments.secondary, "sampler.secondary_indices");
}

LeftOutCause twoStreamLeftOut(const PipelineSpec& spec, Epoch /*epoch*/) {
  const TwoStreamArguments arguments = twoStreamArguments(spec);
  LeftOutCause primary = notListed(*arguments.primary, spec.dataset.size, MissingCause::CutBySampler);
  LeftOutCause secondary = notListed(*arguments.secondary, spec.dataset.size, MissingCause::NotDrawn);
  return [primary = std::move(primary), secondary = std::move(secondary)](SampleIndex sample) {
    const MissingCause of_primary = primary(sample);
    return of_primary == MissingCause::NotAmongIndices ? secondary(sample) : of_primary;
  };
}

Result<OrderPtr> twoStreamOrder(const TwoStreamArguments& arguments, NumpyLegacy& numpy, const Work& work) {
  const auto size = static_cast<std::size_t>(arguments.batch_size);
  const auto batches = static_cast<std::size_t>(arguments.batches());
  auto ids = LargeArray<std::uint32_t>::make(batches * size, "an order");
  if (!ids) return ids.error();
  auto stream = TwoStream::start(arguments, numpy, work);
  if (!stream) return stream.error();
  for (std::size_t batch = 0; batch < batches; ++batch) {
    if (batch * size % kDrawsBetweenLooks < size) {
      if (work.stopped()) return cancelled();
      work.progress(static_cast<double>(batch) / static_cast<double>(batches));
    }
    if (auto made = stream->next(numpy, ids->items().subspan(batch * size, size), work); !made) return made.error();
  }
  return Order::of(std::move(*ids));
}

namespace community_two_stream_batch_sampler {
namespace {

constexpr const char* kRecipe = "two_stream";

SamplerInfo infoOf(std::string type, std::string summary) {
  return {std::move(type),
          std::move(summary),
          twoStreamFields(),
          {marked("samplers",
                  "It ignores ranks: in DDP every rank yields its own batches over all samples, or, with equal seeds, "
                  "identical ones."),
           marked("samplers",
                  "Lightning refuses it in DDP, because it has no batch_size attribute (pytorch-lightning#19371), and "
                  "inheriting from BatchSampler does not help while the constructor takes no sampler "
                  "(pytorch-lightning#19183, #19657)."),
           marked("samplers",
                  "All draws come from NumPy's global stream: any other draw from it, such as an augmentation in the "
                  "main process, shifts every following batch."),
           marked("samplers",
                  "With DataLoader workers __iter__ runs twice before the first batch, so one permutation is drawn and "
                  "discarded."),
           marked("samplers",
                  "A batch may hold a secondary sample twice, where one permutation ends and the next begins.")}};
}

const SamplerInfo& meanTeacherInfo() {
  static const SamplerInfo kInfo = infoOf("meanteacher.TwoStreamBatchSampler",
                                          marked("samplers",
                                                 "Batches of two lists for semi-supervised training (mean-teacher): "
                                                 "the primary list once per epoch, the secondary one over and over."));
  return kInfo;
}

const SamplerInfo& ssl4misInfo() {
  static const SamplerInfo kInfo =
      infoOf("ssl4mis.TwoStreamBatchSampler", marked("samplers",
                                                     "Batches of two lists for semi-supervised training (SSL4MIS): the "
                                                     "primary list once per epoch, the secondary one over and over."));
  return kInfo;
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  const std::uint64_t before = seedsEachEpoch(spec) ? 0 : static_cast<std::uint64_t>(epoch.value);
  return {kRecipe, scriptSeed(spec, epoch, rank), before};
}

/// The DataLoader calls __iter__ once more when it makes workers, and throws that pass away.
bool startsTwice(const PipelineSpec& spec, std::uint64_t epoch) {
  return spec.loader.num_workers > 0 && (epoch == 0 || !spec.loader.persistent_workers);
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  if (auto seed = checkNumpySeed(key.seed); !seed) return seed.error();
  const TwoStreamArguments arguments = twoStreamArguments(spec);
  NumpyLegacy numpy(static_cast<std::uint32_t>(key.seed));
  const auto share = [&](std::uint64_t epoch) {
    return static_cast<double>(epoch) / static_cast<double>(key.skip + 1);
  };
  for (std::uint64_t epoch = 0; epoch <= key.skip; ++epoch) {
    if (startsTwice(spec, epoch)) {
      if (auto drawn = TwoStream::skipStart(arguments, numpy, work); !drawn) return drawn.error();
    }
    if (epoch == key.skip) break;
    if (work.stopped()) return cancelled();
    work.progress(share(epoch));
    if (auto drawn = TwoStream::skip(arguments, numpy, work); !drawn) return drawn.error();
  }
  return twoStreamOrder(arguments, numpy, work.part(share(key.skip), 1));
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank /*rank*/) {
  return {twoStreamArguments(spec).batches() * spec.loader.batch_size, 0};
}

SamplerRule ruleOf(const SamplerInfo& info) {
  return {.info = info,
          .traits = {.draws_from_numpy = true, .loader_part = LoaderPart::BatchSampler},
          .claims = [](const PipelineSpec&) { return repeatsFor(RepeatCause::TwoStreams); },
          .left_out = twoStreamLeftOut,
          .check = checkTwoStream,
          .key = key,
          .order = order,
          .slice = wholeOrder,
          .shape = shape,
          .check_rank = checkNumpyRankSeed};
}

}  // namespace
}  // namespace community_two_stream_batch_sampler

SamplerRule meanTeacherTwoStreamBatchSampler() {
  using namespace community_two_stream_batch_sampler;
  return ruleOf(meanTeacherInfo());
}

SamplerRule ssl4misTwoStreamBatchSampler() {
  using namespace community_two_stream_batch_sampler;
  return ruleOf(ssl4misInfo());
}

namespace community_distributed_two_stream_batch_sampler {
namespace {

std::vector<Field> fields() {
  std::vector<Field> all = twoStreamFields();
  all.push_back(seedField("sampler.seed", 0, 0, std::numeric_limits<std::uint32_t>::max(),
                          marked("fields", "Seed of NumPy's RandomState; the epoch is added. The same on all ranks.")));
  all.push_back(
      boolField("sampler.set_epoch", true,
                marked("fields", "Whether set_epoch(epoch) is called; without it every epoch repeats epoch 0.")));
  return all;
}

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "shardlens.DistributedTwoStreamBatchSampler",
      marked("samplers",
             "ShardLens' own variant of TwoStreamBatchSampler for several ranks: all draw the same batches from seed + "
             "epoch, and rank r takes batches r, r + world_size, ..."),
      fields(),
      {marked("samplers",
              "This class is ShardLens' own: no published project has it. The rule is mean-teacher's and SSL4MIS', "
              "drawn from a separate RandomState(seed + epoch) instead of NumPy's global stream."),
       marked("samplers",
              "No two ranks share a primary sample within an epoch, and all ranks make the same number of steps; the "
              "batches that do not divide evenly are dropped."),
       marked("samplers",
              "Secondary samples come back, on other ranks too, once their list is used up: that is the two-stream "
              "rule.")}};
  return kInfo;
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  return {info().type, static_cast<std::uint32_t>(epochSeed(spec, info(), epoch)), 0};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  NumpyLegacy numpy(static_cast<std::uint32_t>(key.seed));
  return twoStreamOrder(twoStreamArguments(spec), numpy, work);
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank /*rank*/) {
  return {twoStreamArguments(spec).batches() / spec.worldSize() * spec.loader.batch_size, 0};
}

Slice slice(const PipelineSpec& spec, Epoch epoch, Rank rank, OrderPtr order) {
  const std::int64_t size = order->size();
  const std::int64_t batch = spec.loader.batch_size;
  return {std::move(order), rank.value * batch, spec.worldSize() * batch, shape(spec, epoch, rank).count, size, batch};
}

}  // namespace
}  // namespace community_distributed_two_stream_batch_sampler

SamplerRule shardLensDistributedTwoStreamBatchSampler() {
  using namespace community_distributed_two_stream_batch_sampler;
  return {
      .info = info(),
      .traits = {.seed = "seed", .set_epoch = "set_epoch", .loader_part = LoaderPart::BatchSampler},
      .claims = [](const PipelineSpec&) { return SamplerClaims{.divides = true, .in_order = RepeatCause::TwoStreams}; },
      .unread = always<MissingCause::CutBySampler>,
      .left_out = twoStreamLeftOut,
      .check = checkTwoStream,
      .key = key,
      .order = order,
      .slice = slice,
      .shape = shape};
}

}  // namespace shardlens::sampling
