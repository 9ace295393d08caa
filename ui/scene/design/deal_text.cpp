// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/design/deal_text.h"

#include "ui/scene/number_text.h"
#include "ui/state/phrase.h"

#include <algorithm>
#include <set>

namespace shardlens::ui {
namespace {

/// Whether an order is the dataset as it lies on disk.
bool isInOrder(const Order& order) {
  for (std::int64_t place = 0; place < order.size(); ++place) {
    if (order[place] != place) return false;
  }
  return true;
}

bool haveCommonSamples(const RankEpoch& first, const RankEpoch& second) {
  std::set<SampleIndex> samples;
  for (std::int64_t item = 0; item < first.size(); ++item) samples.insert(first.sample(item));
  for (std::int64_t item = 0; item < second.size(); ++item) {
    if (!second.slice().isAdded(item) && samples.contains(second.sample(item))) return true;
  }
  return false;
}

/// Both ranks read the same order, each its own places of it or both the same.
QString ofOneOrder(const Slice& first, const Slice& second) {
  const bool in_order = isInOrder(*first.order());
  if (first.geometry() == second.geometry()) {
    return in_order ? phrase("design", "Both ranks read the dataset in its own order.")
                    : phrase("design", "Both ranks read one and the same order.");
  }
  const std::int64_t apart = second.first() - first.first();
  const bool by_turns = first.stride() == 2 * first.block() && apart == first.block();
  if (by_turns && first.block() == 1) {
    return in_order ? phrase("design",
                             "From the dataset in its own order, rank 0 takes the 1st, 3rd, 5th… sample and rank 1 "
                             "the 2nd, 4th, 6th…")
                    : phrase("design",
                             "From one order for all ranks, rank 0 takes the 1st, 3rd, 5th… sample and rank 1 the "
                             "2nd, 4th, 6th…");
  }
  if (by_turns) {
    const QString turn = countOf(first.block(), "sample");
    return in_order ? phrase("design", "From the dataset in its own order, the ranks take %1 in turn.").arg(turn)
                    : phrase("design", "From one order for all ranks, the ranks take %1 in turn.").arg(turn);
  }
  if (first.stride() == first.block() && apart >= first.size()) {
    return in_order ? phrase("design", "The dataset is cut in two: rank 0 reads its first part, rank 1 the second.")
                    : phrase("design", "One order is cut in two: rank 0 reads its first part, rank 1 the second.");
  }
  return phrase("design", "Each rank reads its own places of one order.");
}

}  // namespace

QString howItDeals(const EpochPlan& epoch) {
  if (epoch.ranks.size() != 2) return {};
  const RankEpoch& first = epoch.ranks[0];
  const RankEpoch& second = epoch.ranks[1];
  const Slice& of_first = first.slice();
  const Slice& of_second = second.slice();
  if (first.size() == 0 || second.size() == 0 || of_first.order() == nullptr) return {};
  const bool shares = haveCommonSamples(first, second);
  if (of_first.order() != of_second.order()) {
    return shares ? phrase("design", "Each rank draws an order of its own, and the two have samples in common.")
                  : phrase("design", "Each rank draws an order of its own, and no sample is in both.");
  }
  if (of_first.order()->deal() == nullptr) return ofOneOrder(of_first, of_second);
  return shares ? phrase("design", "The sampler puts the samples of each rank together; some go to both.")
                : phrase("design", "The sampler puts the samples of each rank together; none goes to both.");
}

}  // namespace shardlens::ui
