// SPDX-License-Identifier: Apache-2.0
#include "core/capture/recorded_batches.h"

#include "core/capture/capture_words.h"
#include "core/capture/probe_reader.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace shardlens::capture {
namespace {

/// One pass of one rank: its ids, and where its batches end.
struct Pass {
  std::vector<SampleIndex> ids;
  std::vector<std::int64_t> ends;
};

OrderPtr orderOf(Pass pass) {
  Deal deal;
  const auto count = static_cast<std::int64_t>(pass.ids.size());
  deal.shares.push_back({0, count, 0, 0, static_cast<std::int64_t>(pass.ends.size()), 0});
  deal.lists_batches = true;
  deal.batch_ends = std::move(pass.ends);
  constexpr SampleIndex kNarrow = std::numeric_limits<std::uint32_t>::max();
  const bool is_narrow =
      std::all_of(pass.ids.begin(), pass.ids.end(), [](SampleIndex id) { return id >= 0 && id <= kNarrow; });
  const OrderPtr ids = is_narrow ? Order::of(std::vector<std::uint32_t>(pass.ids.begin(), pass.ids.end()))
                                 : Order::of(std::move(pass.ids));
  return Order::dealt(ids, std::move(deal));
}

}  // namespace

Result<RecordedBatches> RecordedBatches::read(const RecordedJob& job, std::size_t loader, const Work& work) {
  RecordedBatches all;
  all.loader_ = job.loaders[loader];
  for (const RankLoader& rank : all.loader_.ranks) {
    std::map<std::int64_t, std::size_t> place;  // of a pass, by its number in the process
    for (std::size_t i = 0; i < rank.passes.size(); ++i) place[rank.passes[i].number] = i;
    std::vector<Pass> passes(rank.passes.size());
    bool is_opaque = false;
    std::optional<BatchFacts> misplaced;  // the first one whose step is not the next
    const auto use = [&](const BatchFacts& batch) {
      const auto found = place.find(batch.pass);
      if (found == place.end()) return;
      is_opaque = is_opaque || batch.is_opaque;
      Pass& pass = passes[found->second];
      if (!misplaced && batch.step != static_cast<std::int64_t>(pass.ends.size())) misplaced = batch;
      if (misplaced) return;
      pass.ids.insert(pass.ids.end(), batch.samples.begin(), batch.samples.end());
      pass.ends.push_back(static_cast<std::int64_t>(pass.ids.size()));
    };
    const auto read = readProbe(job.files[rank.process], use, work);
    if (!read) return read.error();
    if (work.stopped()) return cancelled();
    if (is_opaque) return words::itemsAreNoIds(rank.rank);
    if (misplaced)
      return words::batchesLacking(rank.rank, static_cast<std::int64_t>(place[misplaced->pass]), misplaced->step);
    for (std::size_t i = 0; i < passes.size(); ++i) {
      all.batches_ += static_cast<std::int64_t>(passes[i].ends.size());
      all.orders_[{rank.rank, static_cast<std::int64_t>(i)}] = orderOf(std::move(passes[i]));
    }
    all.epochs_ = std::max(all.epochs_, static_cast<std::int64_t>(passes.size()));
  }
  return all;
}

std::optional<RankEpoch> RecordedBatches::rankEpoch(Epoch epoch, Rank rank) const {
  const auto found = orders_.find({rank.value, epoch.value});
  if (found == orders_.end()) return std::nullopt;
  const OrderPtr& order = found->second;
  return RankEpoch(rank, epoch, Slice::ofDeal(order, rank), Batching::listed(order->deal(), rank),
                   loader_.ranks.front().loader.num_workers);
}

}  // namespace shardlens::capture
