// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/reducer_state.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace shardlens {
namespace {

/// Whether a verdict blames the same ranks for the same as the one before, or says by now whom to blame.
bool isSame(const Verdict& now, const Verdict& before) {
  if (now.kind != before.kind) return false;
  return (now.rank == before.rank && now.ranks == before.ranks) || (before.rank < 0 && now.title == before.title);
}

bool isStallOf(const Verdict& verdict, std::int64_t rank) {
  const bool is_blamed = verdict.rank == rank || std::ranges::find(verdict.ranks, rank) != verdict.ranks.end();
  return verdict.kind == VerdictKind::Stalled && is_blamed;
}

std::vector<Verdict> standingStill(const RunState& run) {
  std::vector<Verdict> found;
  std::copy_if(run.verdicts.begin(), run.verdicts.end(), std::back_inserter(found), [](const Verdict& verdict) {
    return verdict.kind == VerdictKind::Stalled || verdict.kind == VerdictKind::Mismatch;
  });
  return found;
}

constexpr std::size_t kMostStops = 16;

}  // namespace

void StandStills::add(const StandStill& stop) {
  const auto length = [](const StandStill& one) { return one.to_ns - one.from_ns; };
  // Of one that a signal stopped, a third of it counts.
  if (length(stop) < (stop.rank < 0 ? kShortestNs : kShortestNs / 3)) return;
  stops_.push_back(stop);
  if (stops_.size() <= kMostStops) return;
  stops_.erase(std::ranges::min_element(stops_, [&](const auto& a, const auto& b) { return length(a) < length(b); }));
}

void VerdictsAtStop::keep(const RunState& before) {
  if (!verdicts_.empty()) return;
  verdicts_ = standingStill(before);
}

void VerdictsAtStop::suspect(const RunState& before) {
  suspected_ = standingStill(before);
}

void VerdictsAtStop::heardOf(std::int64_t rank) {
  const auto is_of_it = [rank](const Verdict& verdict) { return isStallOf(verdict, rank); };
  std::erase_if(suspected_, is_of_it);
  std::erase_if(loading_, is_of_it);
}

void VerdictsAtStop::endsLoading(std::int64_t rank) {
  std::vector<Verdict> before = suspected_;
  heardOf(rank);
  std::erase_if(before, [rank](const Verdict& verdict) { return !isStallOf(verdict, rank); });
  loading_.insert(loading_.end(), before.begin(), before.end());
}

void VerdictsAtStop::givesUp(bool by_signal) {
  if (verdicts_.empty()) verdicts_ = std::move(suspected_);
  if (verdicts_.empty() && by_signal) verdicts_ = std::exchange(loading_, {});
  suspected_.clear();
}

void VerdictsAtStop::addTo(RunState& run) const {
  std::vector<Verdict> gone;
  for (const Verdict& verdict : verdicts_) {
    const bool is_there = std::ranges::any_of(run.verdicts, [&](const Verdict& one) { return isSame(one, verdict); });
    if (!is_there) gone.push_back(verdict);
  }
  run.verdicts.insert(run.verdicts.begin(), gone.begin(), gone.end());
}

}  // namespace shardlens
