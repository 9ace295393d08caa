// SPDX-License-Identifier: Apache-2.0
// A DataLoader with a sampler of its own after accelerator.prepare(): BatchSamplerShard over that sampler's batches.
#include "core/base/phrase.h"
#include "core/sampling/accelerate/samplers.h"
#include "core/sampling/community/samplers.h"
#include "core/sampling/script_seed.h"
#include "core/sampling/torch/inner_sampler.h"
#include "core/sampling/torch/loader_seeds.h"
#include "core/sampling/torch/order.h"
#include "core/sampling/torch/samplers.h"
#include "core/sampling/transformers/samplers.h"
#include "core/sampling/trl/samplers.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace shardlens::sampling {
namespace accelerate_data_loader_shard {
namespace {

const std::string kPrepared = "accelerate prepared ";
constexpr std::size_t kLookEvery = std::size_t{1} << 20;

const std::vector<SamplerRule>& inners() {
  static const std::vector<SamplerRule> kInners = {
      torchDistributedSampler(),
      torchRandomSampler(),
      torchWeightedRandomSampler(),
      torchSubsetRandomSampler(),
      pythonList(),
      meanTeacherTwoStreamBatchSampler(),
      ssl4misTwoStreamBatchSampler(),
      transformersLengthGroupedSampler(),
      trlRepeatSampler(),
  };
  return kInners;
}

std::vector<Field> fields() {
  std::vector<std::string> types;
  for (const SamplerRule& rule : inners()) types.push_back(rule.info.type);
  std::vector<Field> all = {choiceField("sampler.inner", types.front(), types,
                                        marked("fields", "The sampler that the script passed to the DataLoader.")),
                            accelerateEvenBatchesField()};
  for (const SamplerRule& rule : inners()) {
    for (const Field& field : rule.info.parameters) joinField(all, withoutRankSeeds(field));
  }
  return all;
}

/// Fields of which a sampler has another kind than those before it: its seed may be none.
std::vector<SamplerInfo::Variant> variants() {
  std::vector<SamplerInfo::Variant> own;
  const SamplerInfo repeat = trlRepeatSampler().info;
  for (const Field& field : repeat.parameters) {
    if (field.path == "sampler.seed") own.push_back({"inner", repeat.type, field});
  }
  return own;
}

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "accelerate.DataLoaderShard",
      marked("samplers",
             "What accelerator.prepare() makes of a DataLoader with a custom sampler: every process iterates over that "
             "sampler's batches and keeps its share."),
      fields(),
      {marked("samplers",
              "A DistributedSampler divides the dataset once more, without a warning, and an epoch leaves samples out. "
              "Leave it out: prepare() divides."),
       marked("samplers",
              "A sampler with a generator is given rank 0's state in every epoch; one that draws from a global stream "
              "is not, and ranks with different seeds then take shares of different passes (accelerate#2865)."),
       marked("samplers",
              "A batch sampler without batch_size is divided batch by batch, and the first batches are repeated at the "
              "end.")},
      {"framework.torch_mkl", "dataset.lengths"},
      variants(),
  };
  return kInfo;
}

/// The rule of the script's sampler. It reads its own parameters out of the prepared loader's spec.
const SamplerRule& innerOf(const PipelineSpec& spec) {
  const std::string type = textParameter(spec, info(), "inner");
  return *std::ranges::find(inners(), type, [](const SamplerRule& rule) { return rule.info.type; });
}

bool yieldsBatches(const SamplerRule& rule) {
  return rule.traits.loader_part == LoaderPart::BatchSampler;
}

/// prepare() gives a sampler without a generator one that is seeded by one draw of the global stream, and in each epoch
/// all take over the state of rank 0's.
void giveGenerator(PipelineSpec& spec) {
  TorchGenerator global(scriptSeed(spec, Epoch{0}, Rank{0}));
  spec.sampler.parameters["generator"] = std::string("sampler");
  spec.sampler.parameters["generator_seed"] = static_cast<std::int64_t>(global.random63());
}

/// The spec that tells the script's sampler what happens to it in the prepared loader.
PipelineSpec innerSpec(PipelineSpec spec) {
  const SamplerRule& rule = innerOf(spec);
  if (const auto told = rule.traits.set_epoch; !told.empty())
    spec.sampler.parameters[std::string(told)] = true;   // DataLoaderShard.__iter__ calls it
  if (yieldsBatches(rule)) spec.loader.num_workers = 0;  // its __iter__ begins with the first batch, with workers too
  const bool without = !rule.traits.generator.empty() && torchGeneratorUse(spec) == TorchGeneratorUse::None;
  if (without && spec.worldSize() > 1) giveGenerator(spec);
  return spec;
}

/// Which places of its own pass a process keeps: a batch in every round of batches.
struct Share {
  std::int64_t place = 0;  ///< of the first
  std::int64_t batch = 1;
  std::int64_t round = 1;  ///< samples of a batch of every process
  std::int64_t items = 0;  ///< of the pass
  std::int64_t dealt = 0;  ///< of these, before those that drop_last leaves to no process
  std::int64_t count = 0;  ///< kept, completed ones included

  [[nodiscard]] std::int64_t placeOf(std::int64_t k) const { return place + k / batch * round + k % batch; }
  /// The item of the pass that stands there; beyond its end its first round comes again.
  [[nodiscard]] std::int64_t itemAt(std::int64_t at) const {
    return at < items ? at : (at - items) % std::min(items, round);
  }
  [[nodiscard]] std::int64_t countBelow(std::int64_t end) const {
    return Slice({}, place, round, std::numeric_limits<std::int64_t>::max(), 0, batch).countBelow(end);
  }
};

Share shareOf(const PipelineSpec& spec, Rank rank) {
  const SamplerRule& inner = innerOf(spec);
  const std::int64_t batch = spec.loader.batch_size;
  const std::int64_t items = inner.shape(spec, Epoch{0}, rank).count;
  if (spec.worldSize() == 1) return {0, batch, batch, items, items, items};
  Share share{rank.value * batch, batch, batch * spec.worldSize(), items, items, 0};
  const bool drops = spec.loader.drop_last && !yieldsBatches(inner);  // the attribute of the BatchSampler around it
  if (drops) share.dealt = items / share.round * share.round;
  const bool rest = items % share.round != 0 && !drops;
  const bool even = boolParameter(spec, info(), "even_batches");
  share.count = rest && !even ? share.countBelow(items) : (items / share.round + (rest ? 1 : 0)) * batch;
  return share;
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  const Share share = shareOf(spec, rank);
  const std::int64_t own = share.items - innerOf(spec).shape(spec, Epoch{0}, rank).padding;
  return {share.count, share.count - std::min(share.count, share.countBelow(own))};
}

Result<void> checkRank(const PipelineSpec& spec, Rank rank) {
  const SamplerRule& inner = innerOf(spec);
  return inner.check_rank == nullptr ? Result<void>() : inner.check_rank(spec, rank);
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  OrderKey made = innerOf(spec).key(innerSpec(spec), epoch, rank);
  made.recipe = kPrepared + made.recipe;
  return made;
}

Deal dealOf(const PipelineSpec& spec) {
  Deal deal;
  std::int64_t first = 0;
  for (Rank rank{0}; rank.value < spec.worldSize(); ++rank) {
    const SliceShape made = shape(spec, Epoch{0}, rank);
    const Share share = shareOf(spec, rank);
    const std::int64_t filled = share.count - std::min(share.count, share.countBelow(share.items));
    deal.shares.push_back({first, made.count, made.padding, 0, 0, filled});
    first += made.count;
  }
  return deal;
}

/// The shares of every process that reads this pass, one behind the other.
Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const SamplerRule& inner = innerOf(spec);
  const OrderKey own{key.recipe.substr(kPrepared.size()), key.seed, key.skip};
  auto pass = inner.order(innerSpec(spec), own, work.part(0, 0.7));
  if (!pass) return pass;
  Deal deal = dealOf(spec);
  const std::int64_t total = deal.shares.back().first + deal.shares.back().count;
  auto ids = LargeArray<std::uint32_t>::make(static_cast<std::size_t>(total), "an order");
  if (!ids) return ids.error();
  std::size_t next = 0;
  for (Rank rank{0}; rank.value < spec.worldSize(); ++rank) {
    const Slice items = inner.slice(spec, Epoch{0}, rank, *pass);
    const Share share = shareOf(spec, rank);
    for (std::int64_t k = 0; k < share.count; ++k, ++next) {
      if (next % kLookEvery == 0 && work.stopped()) return cancelled();
      ids->items()[next] = static_cast<std::uint32_t>(items.sample(share.itemAt(share.placeOf(k))));
    }
    for (std::int64_t k = share.dealt; k < share.items; ++k) deal.left_over.push_back(items.sample(k));
  }
  return Order::dealt(Order::of(std::move(*ids)), std::move(deal));
}

SamplerClaims claims(const PipelineSpec& spec) {
  const SamplerRule& inner = innerOf(spec);
  PipelineSpec apart = innerSpec(spec);
  apart.seeds.rule = "base+rank";
  const bool follows = inner.key(apart, Epoch{0}, Rank{0}) != inner.key(apart, Epoch{0}, Rank{1});
  const SamplerClaims own = inner.claims(innerSpec(spec));
  return {.divides = true,
          .slices = own.slices,
          .needs_equal_seeds = follows,
          .in_order = own.in_order,
          .across_shares = own.divides ? RepeatCause::OverlappingRanks : own.in_order};
}

/// A sampler that divides the dataset itself leaves each process a share of a share.
LeftOutCause leftOut(const PipelineSpec& spec, Epoch epoch) {
  const SamplerRule& inner = innerOf(spec);
  if (inner.claims(spec).divides) {
    return always(spec.worldSize() > 1 ? MissingCause::DividedTwice : MissingCause::RankThatNobodyIs);
  }
  return inner.left_out == nullptr ? always(MissingCause::NotExplained) : inner.left_out(innerSpec(spec), epoch);
}

std::uint64_t sharedOutputs(const PipelineSpec& spec, Rank rank) {
  return innerOf(spec).shared_outputs(innerSpec(spec), rank);
}

}  // namespace
}  // namespace accelerate_data_loader_shard

bool accelerateShards(const std::string& type) {
  using namespace accelerate_data_loader_shard;
  return std::ranges::any_of(inners(), [&](const SamplerRule& rule) { return rule.info.type == type; });
}

SamplerRule accelerateDataLoaderShard() {
  using namespace accelerate_data_loader_shard;
  SamplerTraits traits = innerSamplerTraits();
  traits.drop_last = "drop_last";
  traits.num_replicas = "num_replicas";
  traits.rank = "rank";
  traits.loop = LoopOwner::Accelerate;
  return {.info = info(),
          .traits = traits,
          .claims = claims,
          .unread = always<MissingCause::CutByLoader>,
          .left_out = leftOut,
          .check = [](const PipelineSpec& spec) { return innerOf(spec).check(spec); },
          .key = key,
          .order = order,
          .shape = shape,
          .check_rank = checkRank,
          .shared_outputs = sharedOutputs};
}

}  // namespace shardlens::sampling
