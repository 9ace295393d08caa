// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/sampling/python.h"
#include "core/sampling/recorded_lists.h"
#include "core/sampling/rules.h"
#include "core/sampling/sample_list.h"

#include <cstddef>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::sampling {
namespace recorded_batches {
namespace {

Field listField(const char* path, std::int64_t least, const char* unit, std::string help) {
  return {path, FieldKind::Indices, IndexList{}, least, kMostToDraw, {}, unit, std::move(help)};
}

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      kRecordedBatches,
      marked("samplers",
             "The batches that a job read, as they were recorded: shardlens capture writes them where no known sampler "
             "gives them."),
      {listField("sampler.ids", 0, "samples",
                 marked("fields", "The samples as they were read: epoch after epoch, in it rank after rank.")),
       listField("sampler.batch_sizes", 1, "samples", marked("fields", "The size of each batch, in the same order.")),
       listField(
           "sampler.rank_batches", 0, "batches",
           marked("fields", "How many batches each rank has in each epoch: epoch after epoch, in it rank after rank.")),
       intOrNameField("sampler.ranks", "world_size", 1, 1'000'000, "ranks",
                      marked("fields", "How many ranks were recorded."))},
      {marked(
           "samplers",
           "It says what was read, not why: what another epoch, seed, batch size or number of ranks would read is not "
           "known."),
       marked("samplers",
              "An epoch that the job did not finish, or a rank that was not observed, has only the batches that were "
              "recorded.")},
  };
  return kInfo;
}

/// Whether the lists have the lengths that follow from each other.
Result<void> checkLengths(const RecordedLists& lists) {
  const auto batches = static_cast<std::int64_t>(lists.batch_sizes.size());
  const auto ids = static_cast<std::int64_t>(lists.ids.size());
  if (lists.rank_batches.facts().total != batches)
    return refused(filled(worded("spec", "the ranks have %1 together, and there are the sizes of %2."),
                          wordedCount(lists.rank_batches.facts().total, "batch"), grouped(batches)),
                   "sampler.rank_batches");
  if (lists.batch_sizes.facts().total != ids)
    return refused(filled(worded("spec", "the batches have %1 together, and there are %2."),
                          wordedCount(lists.batch_sizes.facts().total, "item"), grouped(ids)),
                   "sampler.batch_sizes");
  return {};
}

Result<void> check(const PipelineSpec& spec) {
  const RecordedLists lists = recordedLists(spec);
  if (lists.ids.empty() && lists.batch_sizes.empty() && lists.rank_batches.empty()) return {};
  const std::int64_t world = spec.worldSize();
  const auto* recorded = spec.sampler.said<std::int64_t>("ranks");
  if (recorded != nullptr && *recorded != world)
    return refused(filled(*recorded == 1 ? worded("spec", "%1 was recorded, and the world has %2.")
                                         : worded("spec", "%1 were recorded, and the world has %2."),
                          wordedCount(*recorded, "rank"), grouped(world)),
                   "sampler.ranks",
                   worded("spec", "what other ranks would read is not known: keep the world as it was"));
  const auto counts = static_cast<std::int64_t>(lists.rank_batches.size());
  if (counts % world != 0)
    return refused(filled(worded("spec", "there are %1, which is not a multiple of %2."), wordedCount(counts, "item"),
                          wordedCount(world, "rank")),
                   "sampler.rank_batches", worded("spec", "give one for each rank in each epoch"));
  if (spec.epochs > counts / world)
    return refused(
        filled(counts == world ? worded("spec", "only %1 was recorded: what comes after it is not known.")
                               : worded("spec", "only %1 were recorded: what comes after them is not known."),
               wordedCount(counts / world, "epoch")),
        "epochs", filled(worded("spec", "set epochs to %1"), std::to_string(counts / world)));
  if (auto fit = checkLengths(lists); !fit) return fit;
  return checkSamples(spec, lists.ids, "sampler.ids");
}

OrderKey key(const PipelineSpec& /*spec*/, Epoch epoch, Rank /*rank*/) {
  return {info().type, static_cast<std::uint64_t>(epoch.value), 0};
}

/// The sum of the first `count` items.
std::size_t sumOf(const IndexList& list, std::size_t count) {
  const auto& items = list.items();
  return static_cast<std::size_t>(
      std::accumulate(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(count), std::int64_t{0}));
}

OrderPtr orderOf(const IndexList& ids, std::size_t first, std::size_t count) {
  const auto begin = ids.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = begin + static_cast<std::ptrdiff_t>(count);
  if (ids.empty() || ids.facts().greatest <= std::int64_t{std::numeric_limits<std::uint32_t>::max()})
    return Order::of(std::vector<std::uint32_t>(begin, end));
  return Order::of(std::vector<std::int64_t>(begin, end));
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const RecordedLists lists = recordedLists(spec);
  const auto world = static_cast<std::size_t>(spec.worldSize());
  const auto row = static_cast<std::size_t>(key.seed) * world;
  const bool is_recorded = row + world <= lists.rank_batches.size();
  std::size_t batch = is_recorded ? sumOf(lists.rank_batches, row) : 0;
  const std::size_t first = is_recorded ? sumOf(lists.batch_sizes, batch) : 0;
  if (work.stopped()) return cancelled();
  Deal deal;
  deal.lists_batches = true;
  std::int64_t items = 0;
  for (std::size_t rank = 0; rank < world; ++rank) {
    const std::int64_t batches = is_recorded ? lists.rank_batches[row + rank] : 0;
    Deal::Share share{items, 0, 0, deal.batch_ends.size(), batches, 0};
    for (std::int64_t i = 0; i < batches; ++i) {
      items += lists.batch_sizes[batch++];
      deal.batch_ends.push_back(items);
    }
    share.count = items - share.first;
    deal.shares.push_back(share);
  }
  return Order::dealt(orderOf(lists.ids, first, static_cast<std::size_t>(items)), std::move(deal));
}

SamplerClaims claims(const PipelineSpec& /*spec*/) {
  return {.divides = true, .is_recorded = true, .in_order = RepeatCause::ListedTwice};
}

}  // namespace
}  // namespace recorded_batches

SamplerRule recordedBatches() {
  using namespace recorded_batches;
  return {.info = info(),
          .traits = {.knows_peers = true},
          .claims = claims,
          .left_out = always<MissingCause::NotHandedOut>,
          .check = check,
          .key = key,
          .order = order};
}

}  // namespace shardlens::sampling
