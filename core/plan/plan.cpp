// SPDX-License-Identifier: Apache-2.0
#include "core/plan/plan.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/base/thread_annotations.h"
#include "core/plan/order_cache.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/recorded_lists.h"
#include "core/sampling/registry.h"
#include "core/sampling/script_seed.h"
#include "core/sampling/torch/arguments.h"
#include "core/sampling/torch/loader_seeds.h"
#include "core/spec/pipeline_spec.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace shardlens {
namespace {

/// What one plan keeps of orders it is not asked for at the moment: a few epochs of ImageNet, one of 1e8 samples.
constexpr std::int64_t kCacheBytes = 1'000'000'000;
/// What the orders of one epoch may take together; more is refused instead of driving the machine into swap.
constexpr std::int64_t kEpochBytes = 16'000'000'000;

Error tooLarge(std::int64_t orders, std::int64_t bytes) {
  return Error{ErrorCode::Environment,
               filled(worded("spec", "The ranks draw %1 different orders, together %2 GB: too much to hold in memory."),
                      std::to_string(orders), std::to_string(bytes / 1'000'000'000)),
               {},
               worded("spec", "ask for one rank, or lower dataset.size")};
}

/// Tells the ranks which of their added items are first readings.
Result<void> tellFirstReadings(EpochPlan& plan, std::int64_t dataset_size, const Work& work) {
  const auto drawn = [&plan](Rank rank) -> Result<RankEpoch> {
    return plan.ranks[static_cast<std::size_t>(rank.value)];
  };
  const auto first = FirstReadings::of(std::ssize(plan.ranks), dataset_size, drawn, {work.stop, {}});
  if (!first) return first.error();
  for (const auto& [rank, items] : first->byRank()) {
    RankEpoch& one = plan.ranks[static_cast<std::size_t>(rank.value)];
    one = one.withFirst(items);
  }
  return {};
}

/// A spec may be valid by a catalogue with samplers that are not of this build.
Error withoutRule(const std::string& type) {
  return Error{ErrorCode::BadInput, filled(worded("spec", "this build does not know the sampler '%1'."), type),
               Place{{}, 0, 0, "sampler.type"}, ""};
}

/// That a list of the dataset has an item for each sample. What the sampler reads it judges itself, in words of its
/// own.
Result<void> checkPerSample(const sampling::SamplerRule& rule, const PipelineSpec& spec) {
  const auto check = [&](const char* path, const IndexList& list) -> Result<void> {
    const auto items = static_cast<std::int64_t>(list.size());
    const bool is_read = std::ranges::find(rule.info.reads, path) != rule.info.reads.end();
    if (list.empty() || is_read || items == spec.dataset.size) return {};
    return Error{ErrorCode::BadInput,
                 filled(worded("spec", "there are %1 for %2."), wordedCount(items, "item"),
                        wordedCount(spec.dataset.size, "sample")),
                 Place{{}, 0, 0, path}, worded("spec", "give one for each sample, or remove the list")};
  };
  if (auto lengths = check("dataset.lengths", spec.dataset.lengths); !lengths) return lengths;
  return check("dataset.labels", spec.dataset.labels);
}

/// A loader has one generator, and some frameworks give it theirs.
Result<void> checkLoaderGenerator(const sampling::SamplerRule& rule, const PipelineSpec& spec) {
  if (!std::holds_alternative<std::int64_t>(spec.loader.generator_seed)) return {};
  const Place place{{}, 0, 0, "loader.generator_seed"};
  if (sampling::torchGeneratorUse(spec) == sampling::TorchGeneratorUse::Loader)
    return Error{ErrorCode::BadInput,
                 worded("spec", "sampler.generator already gives the loader a generator, and a loader has only one."),
                 place, worded("spec", "remove one of the two")};
  if (rule.loader_stream == nullptr) return {};
  return Error{ErrorCode::Unsupported,
               filled(worded("spec", "%1 gives its loader a generator of its own."), spec.sampler.type), place,
               worded("spec", "remove the key")};
}

/// A seed that is made for each rank must be one that the sampler takes.
Result<void> checkRankSeed(const sampling::SamplerRule& rule, const PipelineSpec& spec) {
  const std::string path = sampling::rankSeedPath(spec);
  if (path.empty()) return {};
  const auto field = std::ranges::find(rule.info.parameters, path, &Field::path);
  assert(field != rule.info.parameters.end());
  const std::int64_t most = field->max - (spec.worldSize() - 1);
  if (spec.seeds.base >= field->min && spec.seeds.base <= most) return {};
  return Error{ErrorCode::BadInput,
               filled(worded("spec", "%1 makes a seed of it for each rank, so it must be from %2 to %3."), path,
                      std::to_string(field->min), std::to_string(most)),
               Place{{}, 0, 0, "seeds.base"}, worded("spec", "give another base")};
}

/// Without a seed only orders that do not follow the ranks' own generators can be told.
Result<void> checkSeeded(const sampling::SamplerRule& rule, const PipelineSpec& spec) {
  if (isSeeded(spec)) return {};
  PipelineSpec one = sampling::seededAs(spec, Rank{0});
  PipelineSpec other = one;
  one.seeds = {1, "same"};
  other.seeds = {2, "same"};
  if (rule.key(one, Epoch{0}, Rank{0}) == rule.key(other, Epoch{0}, Rank{0})) return {};
  const bool has_peers = spec.world.groups.ranksOfModel() > 1;
  const std::string rule_name = rule.claims(spec).needs_equal_seeds ? "same"
                                : has_peers                         ? "base+data_parallel_rank"
                                                                    : "base+rank";
  const std::string why =
      neverSeeds(spec)
          ? worded("spec",
                   "not predictable, because the script never seeds torch's global generator: %1 draws random numbers "
                   "that "
                   "differ from process to process and from run to run.")
          : worded("spec", "not predictable, because it is not known how the script seeds: %1 draws random numbers.");
  return Error{ErrorCode::Unsupported, filled(why, spec.sampler.type), Place{{}, 0, 0, "seeds.rule"},
               filled(worded("spec", "seed the script, and say how: seeds: {base: 0, rule: %1}"), rule_name)};
}

Result<void> checkRanks(const sampling::SamplerRule& rule, const PipelineSpec& spec, std::optional<Rank> only) {
  if (rule.check_rank == nullptr) return {};
  if (only) return rule.check_rank(spec, *only);
  for (Rank rank{0}; rank.value < spec.worldSize(); ++rank) {
    const Result<void> checked = rule.check_rank(spec, rank);
    if (checked) continue;
    Error error = checked.error();
    const std::string number = std::to_string(rank.value);
    error.hint = error.hint.empty() ? filled(worded("spec", "raised by rank %1"), number)
                                    : filled(worded("spec", "raised by rank %1; %2"), number, error.hint);
    return error;
  }
  return {};
}

/// Ids in the order that this rank reads: its own items, where it reads all of an order that is its own.
std::int64_t idsOf(const sampling::SamplerRule& rule, const PipelineSpec& spec, Epoch epoch, Rank rank) {
  const bool own = (rule.slice == sampling::wholeOrder || rule.workers_batch) && rule.shape != nullptr;
  return own ? rule.shape(spec, epoch, rank).count : spec.dataset.size;
}

RankEpochShape countsOf(std::int64_t count, std::int64_t added, const Batching& batching) {
  const std::int64_t batches = batching.count(count);
  const std::int64_t handed_out = batches == 0 ? 0 : batching.range(Step{batches - 1}, count).last;
  return {count, added, batches, count - handed_out};
}

RankEpochShape countsOf(const RankEpoch& drawn) {
  const Slice& slice = drawn.slice();
  const auto added = static_cast<std::int64_t>(slice.addedAmong(slice.size()).size());
  const auto& deal = slice.order()->deal();
  const std::int64_t dropping = deal == nullptr ? 0 : std::ssize(deal->droppedOf(drawn.rank()));
  return {slice.size(), added, drawn.batches(), slice.size() - drawn.handedOut(), dropping};
}

EpochShape summed(Epoch epoch, std::vector<RankEpochShape> ranks) {
  EpochShape out{epoch, std::move(ranks)};
  for (const RankEpochShape& rank : out.ranks) {
    out.steps = std::max(out.steps, rank.batches);
    out.dropped += rank.dropped;
  }
  return out;
}

}  // namespace

EpochShape shapeOf(const EpochPlan& drawn) {
  std::vector<RankEpochShape> ranks;
  ranks.reserve(drawn.ranks.size());
  for (const RankEpoch& rank : drawn.ranks) ranks.push_back(countsOf(rank));
  return summed(drawn.epoch, std::move(ranks));
}

struct Plan::State {
  explicit State(ValidSpec valid) : spec(std::move(valid)), rule(sampling::findRule(spec->sampler.type)) {}

  ValidSpec spec;
  const sampling::SamplerRule* rule = nullptr;
  std::shared_ptr<OrderCache> orders = std::make_shared<OrderCache>(kCacheBytes);
  mutable Mutex counted_mutex;
  /// Of rules without a shape.
  mutable std::map<std::pair<Epoch, Rank>, RankEpochShape> counted SHARDLENS_GUARDED_BY(counted_mutex);
};

std::int64_t EpochPlan::steps() const {
  std::int64_t most = 0;
  for (const RankEpoch& rank : ranks) most = std::max(most, rank.batches());
  return most;
}

Result<Plan> Plan::make(PipelineSpec spec, std::optional<Rank> only) {
  ValidatedSpec checked = validated(std::move(spec), sampling::catalogue());
  if (!checked.spec) return checked.issues.front();
  return make(*std::move(checked.spec), only);
}

Result<Plan> Plan::make(ValidSpec spec, std::optional<Rank> only) {
  auto state = std::make_shared<State>(std::move(spec));
  if (state->rule == nullptr) return withoutRule(state->spec->sampler.type);
  if (auto checked = sampling::checkPeers(*state->spec); !checked) return checked.error();
  if (auto checked = checkRankSeed(*state->rule, *state->spec); !checked) return checked.error();
  if (auto checked = state->rule->check(*state->spec); !checked) return checked.error();
  if (auto checked = checkPerSample(*state->rule, *state->spec); !checked) return checked.error();
  if (auto checked = checkLoaderGenerator(*state->rule, *state->spec); !checked) return checked.error();
  if (auto checked = checkSeeded(*state->rule, *state->spec); !checked) return checked.error();
  if (auto checked = checkRanks(*state->rule, *state->spec, only); !checked) return checked.error();
  if (auto checked = sampling::checkLoader(*state->spec); !checked) return checked.error();
  Plan plan;
  plan.state_ = std::move(state);
  return plan;
}

Result<Plan> Plan::make(PipelineSpec spec, const Plan& known) {
  auto made = make(std::move(spec));
  if (!made) return made;
  PipelineSpec reseeded = made->spec();
  reseeded.seeds = known.spec().seeds;
  if (reseeded != known.spec()) return made;
  auto state = std::make_shared<State>(made->state_->spec);
  state->orders = known.state_->orders;
  made->state_ = std::move(state);
  return made;
}

const PipelineSpec& Plan::spec() const {
  return *state_->spec;
}
const sampling::SamplerRule& Plan::rule() const {
  return *state_->rule;
}
std::int64_t Plan::worldSize() const {
  return spec().worldSize();
}
std::int64_t Plan::epochs() const {
  return spec().epochs;
}

bool Plan::knowsShapes() const {
  const bool by_workers = state_->rule->workers_batch && spec().loader.num_workers > 0;
  return state_->rule->shape != nullptr && !by_workers;
}

Result<RankEpochShape> Plan::shape(Epoch epoch, Rank rank, const Work& work) const {
  assert(rank.value >= 0 && rank.value < worldSize() && epoch.value >= 0 && epoch.value < epochs());
  if (!knowsShapes()) return countedShape(epoch, rank, work);
  const sampling::SliceShape slice = state_->rule->shape(spec(), epoch, rank);
  return countsOf(slice.count, slice.padding, state_->rule->batching(spec()));
}

Result<RankEpochShape> Plan::countedShape(Epoch epoch, Rank rank, const Work& work) const {
  {
    const MutexLock lock(state_->counted_mutex);
    const auto found = state_->counted.find({epoch, rank});
    if (found != state_->counted.end()) return found->second;
  }
  const auto drawn = rankEpoch(epoch, rank, work);
  if (!drawn) return drawn.error();
  const RankEpochShape shape = countsOf(*drawn);
  const MutexLock lock(state_->counted_mutex);
  return state_->counted.try_emplace({epoch, rank}, shape).first->second;
}

Result<EpochShape> Plan::epochShape(Epoch epoch, const Work& work) const {
  std::vector<RankEpochShape> ranks;
  ranks.reserve(static_cast<std::size_t>(worldSize()));
  for (Rank rank{0}; rank.value < worldSize(); ++rank) {
    if (work.stopped()) return cancelled();
    const auto one = shape(epoch, rank, work);
    if (!one) return one.error();
    ranks.push_back(*one);
  }
  return summed(epoch, std::move(ranks));
}

Result<std::int64_t> Plan::steps(Epoch epoch, const Work& work) const {
  std::int64_t most = 0;
  for (Rank rank{0}; rank.value < worldSize(); ++rank) {
    if (work.stopped()) return cancelled();
    const auto one = shape(epoch, rank, work);
    if (!one) return one.error();
    most = std::max(most, one->batches);
  }
  return most;
}

Result<bool> Plan::loaderCutsBatches(const Work& work) const {
  if (state_->rule->batching != sampling::loaderBatching) return false;
  const auto drawn = rankEpoch(Epoch{0}, Rank{0}, work);
  if (!drawn) return drawn.error();
  const auto& deal = drawn->slice().order()->deal();
  return deal == nullptr || !deal->lists_batches;
}

Result<RankEpoch> Plan::rankEpoch(Epoch epoch, Rank rank, const Work& work) const {
  assert(rank.value >= 0 && rank.value < worldSize());
  const sampling::SamplerRule& rule = *state_->rule;
  auto order = state_->orders->get(rule, spec(), rule.key(spec(), epoch, rank), work);
  if (!order) return order.error();
  return rankEpochOver(*std::move(order), epoch, rank);
}

RankEpoch Plan::rankEpochOver(OrderPtr order, Epoch epoch, Rank rank) const {
  const sampling::SamplerRule& rule = *state_->rule;
  const auto& deal = order->deal();
  Batching batching = deal != nullptr && deal->lists_batches ? Batching::listed(deal, rank) : rule.batching(spec());
  return RankEpoch(rank, epoch, rule.slice(spec(), epoch, rank, std::move(order)), std::move(batching),
                   spec().loader.num_workers);
}

Result<EpochPlan> Plan::epoch(Epoch epoch, const Work& work) const {
  std::set<sampling::OrderKey> keys;
  std::int64_t bytes = 0;
  for (Rank rank{0}; rank.value < worldSize(); ++rank) {
    if (keys.insert(state_->rule->key(spec(), epoch, rank)).second)
      bytes += 4 * idsOf(*state_->rule, spec(), epoch, rank);
  }
  const auto orders = static_cast<std::int64_t>(keys.size());
  if (orders > 1 && bytes > kEpochBytes) return tooLarge(orders, bytes);

  EpochPlan plan{epoch, {}};
  plan.ranks.reserve(static_cast<std::size_t>(worldSize()));
  std::map<sampling::OrderKey, OrderPtr> held;  // so that a small cache does not compute one order twice
  std::int64_t computed = 0;
  for (Rank rank{0}; rank.value < worldSize(); ++rank) {
    OrderPtr& order = held[state_->rule->key(spec(), epoch, rank)];
    const double from = static_cast<double>(computed) / static_cast<double>(orders);
    const double to = static_cast<double>(computed + 1) / static_cast<double>(orders);
    auto rank_epoch = rankEpoch(epoch, rank, order == nullptr ? work.part(from, to) : Work{work.stop, {}});
    if (!rank_epoch) return rank_epoch.error();
    if (order == nullptr) {
      order = rank_epoch->slice().order();
      ++computed;
    }
    plan.ranks.push_back(std::move(*rank_epoch));
  }
  if (addsNothing(epoch)) return plan;
  if (auto told = tellFirstReadings(plan, spec().dataset.size, work); !told) return told.error();
  return plan;
}

Result<EpochPlan> withAtMost(const EpochPlan& epoch, std::int64_t batches, std::int64_t dataset_size,
                             const Work& work) {
  EpochPlan cut = epoch;
  for (RankEpoch& rank : cut.ranks) rank = rank.withAtMost(batches);
  if (auto told = tellFirstReadings(cut, dataset_size, work); !told) return told.error();
  return cut;
}

/// Whether it is known, without drawing, that no sampler adds an item.
bool Plan::addsNothing(Epoch epoch) const {
  if (!knowsShapes()) return false;
  for (Rank rank{0}; rank.value < worldSize(); ++rank) {
    if (state_->rule->shape(spec(), epoch, rank).padding > 0) return false;
  }
  return true;
}

Result<FirstReadings> Plan::firstReadings(Epoch epoch, const Work& work) const {
  if (addsNothing(epoch)) return FirstReadings();
  return FirstReadings::of(
      worldSize(), spec().dataset.size,
      [&](Rank rank) {
        return rankEpoch(epoch, rank, {work.stop, {}});
      },
      work);
}

}  // namespace shardlens
