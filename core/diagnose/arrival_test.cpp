// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/arrival_test.h"

#include "core/diagnose/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace shardlens {
namespace {

constexpr std::size_t kMostBlocks = 24;
constexpr double kAgreeing = 0.6;  ///< of the blocks

}  // namespace

ArrivalTest::ArrivalTest(const TimeLost& lost)
    : lost_(lost),
      members_(lost.memberCount()),
      sums_((lost.size() + 1) * members_),
      spread_(lost.size() + 1),
      counts_(lost.size() + 1) {
  for (std::size_t row = 0; row < lost.size(); ++row) {
    const auto order = lost.order(row);
    const std::uint32_t* const before = sums_.data() + row * members_;
    std::uint32_t* const after = sums_.data() + (row + 1) * members_;
    for (std::size_t i = 0; i < members_; ++i) after[i] = before[i] + order[i];
    spread_[row + 1] = spread_[row] + lost.row(row).weight * double{lost.late(row)[lost.lastOf(row)]};
    counts_[row + 1] = counts_[row] + lost.row(row).collectives;
  }
}

/// Of equally many collectives, nearly; never less than a row.
std::vector<RowRange> ArrivalTest::blocks(RowRange range, std::size_t rows_in_block) const {
  const std::size_t count = std::clamp<std::size_t>(range.size() / rows_in_block, 1, kMostBlocks);
  const std::int64_t first = counts_[range.begin];
  const std::int64_t all = counts_[range.end] - first;
  std::vector<RowRange> blocks;
  std::size_t begin = range.begin;
  for (std::size_t i = 1; i <= count && begin < range.end; ++i) {
    const std::int64_t until = first + all * static_cast<std::int64_t>(i) / static_cast<std::int64_t>(count);
    std::size_t end = begin + 1;
    while (end < range.end && counts_[end] < until) ++end;
    if (i == count) end = range.end;
    blocks.push_back({begin, end});
    begin = end;
  }
  return blocks;
}

std::vector<std::size_t> ArrivalTest::agreeing(const std::vector<RowRange>& blocks,
                                               const std::vector<std::size_t>& by_score) const {
  std::vector<std::size_t> hits(members_);
  std::vector<std::uint32_t> highest_after(members_ + 1);
  for (const RowRange& block : blocks) {
    highest_after[members_] = 0;
    for (std::size_t i = members_; i-- > 1;)
      highest_after[i] = std::max(highest_after[i + 1], score(block, by_score[i]));
    std::uint32_t lowest = UINT32_MAX;
    for (std::size_t size = 1; size < members_; ++size) {
      lowest = std::min(lowest, score(block, by_score[size - 1]));
      hits[size] += lowest > highest_after[size] ? 1 : 0;
    }
  }
  return hits;
}

std::vector<LateSet> ArrivalTest::lateSets(RowRange range, double ln_allowed, std::size_t rows_in_block) const {
  if (members_ < 2 || range.size() < 2) return {};
  std::vector<std::size_t> by_score(members_);
  std::iota(by_score.begin(), by_score.end(), std::size_t{0});
  std::stable_sort(by_score.begin(), by_score.end(),
                   [&](std::size_t a, std::size_t b) { return score(range, a) > score(range, b); });
  const auto cut = blocks(range, rows_in_block);
  const auto hits = agreeing(cut, by_score);
  std::vector<LateSet> sets;
  for (std::size_t size = 1; size < members_; ++size) {
    if (static_cast<double>(hits[size]) < kAgreeing * static_cast<double>(cut.size())) continue;
    const double ways = lnChoose(members_, size);
    const double ln_chance =
        ways + std::log(static_cast<double>(members_ - 1)) + lnAtLeast(cut.size(), hits[size], -ways);
    if (ln_chance > ln_allowed) continue;
    const auto end = by_score.begin() + static_cast<std::ptrdiff_t>(size);
    sets.push_back({{by_score.begin(), end}, ln_chance, 0});
  }
  return sets;
}

void ArrivalTest::addGains(RowRange range, std::vector<LateSet>& sets) const {
  if (sets.empty()) return;
  const std::vector<std::size_t>& chain = sets.back().members;
  std::vector<bool> is_in(members_, false);
  for (const std::size_t member : chain) is_in[member] = true;
  std::vector<float> latest(chain.size() + 1);  // of those that are not among the first so many of the chain
  for (std::size_t index = range.begin; index < range.end; ++index) {
    const auto late = lost_.late(index);
    float others = 0;
    for (std::size_t i = 0; i < members_; ++i) others = is_in[i] ? others : std::max(others, late[i]);
    latest[chain.size()] = others;
    for (std::size_t i = chain.size(); i-- > 0;) latest[i] = std::max(latest[i + 1], late[chain[i]]);
    for (LateSet& set : sets) set.gain_ms += lost_.row(index).weight * double{latest[0] - latest[set.members.size()]};
  }
}

}  // namespace shardlens
