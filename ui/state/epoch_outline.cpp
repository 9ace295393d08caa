// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/epoch_outline.h"

#include "ui/state/released.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace shardlens::ui {
namespace {

bool listsBatches(const RankEpoch& rank) {
  const OrderPtr& order = rank.slice().order();
  return order != nullptr && order->deal() != nullptr && order->deal()->lists_batches;
}

qint64 firstBatch(const RankEpoch& rank) {
  return rank.batches() > 0 ? rank.batch(Step{0}).size() : 0;
}

/// Whether the batches of every step have equal sizes. Batches that a sampler lists are not compared.
bool isAlike(const RankEpoch& a, const RankEpoch& b) {
  return !listsBatches(a) && !listsBatches(b) && a.size() == b.size() && a.batches() == b.batches() &&
         firstBatch(a) == firstBatch(b);
}

}  // namespace

std::shared_ptr<const EpochOutline> EpochOutline::of(const EpochPlan& epoch, const Work& work) {
  EpochOutline out;
  out.steps = epoch.steps();
  out.fewest_steps = out.steps;
  for (qint64 at = 0; at < std::ssize(epoch.ranks); ++at) {
    if (work.stopped()) return nullptr;
    const RankEpoch& rank = epoch.ranks[static_cast<std::size_t>(at)];
    out.fewest_steps = std::min<qint64>(out.fewest_steps, rank.batches());
    out.items += rank.size();
    out.handed_out += rank.handedOut();
    out.most_in_first_batch = std::max(out.most_in_first_batch, firstBatch(rank));
    if (rank.batches() < out.steps) out.ragged.push_back({at, rank.batches(), out.steps - 1});
    const std::vector<std::int64_t> padding = rank.padding();
    if (!padding.empty()) {
      out.padded.push_back({at, rank.stepOf(padding.front())->value, rank.stepOf(padding.back())->value});
    }
    if (at == 0 || !isAlike(epoch.ranks[static_cast<std::size_t>(at - 1)], rank)) out.alike.push_back(at);
  }
  return releasedElsewhere(std::move(out));
}

qint64 EpochOutline::samplesOf(const EpochPlan& epoch, Step step, qint64 first, qint64 last) const {
  qint64 samples = 0;
  auto next = std::ranges::upper_bound(alike, first);
  while (first < last) {
    const RankEpoch& rank = epoch.ranks[static_cast<std::size_t>(*std::prev(next))];
    const qint64 end = next == alike.end() ? last : std::min(*next++, last);
    if (step.value < rank.batches()) samples += rank.batch(step).size() * (end - first);
    first = end;
  }
  return samples;
}

}  // namespace shardlens::ui
