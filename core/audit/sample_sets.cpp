// SPDX-License-Identifier: Apache-2.0
#include "core/audit/sample_sets.h"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace shardlens {
namespace {

constexpr std::size_t kPairsBetweenLooks = 1 << 20;
constexpr std::int64_t kSparse =
    32;  ///< a list of 32-bit ids is smaller than bits when under one sample in 32 is there
constexpr std::size_t kWordsAtOnce = 1024;  ///< of each set: 8 kB, so that a row of pairs stays in the cache

using Words = std::span<const std::uint64_t>;

std::int64_t sharedBitsPortable(Words a, Words b) {
  std::int64_t shared = 0;
  for (std::size_t i = 0; i < a.size(); ++i) shared += std::popcount(a[i] & b[i]);
  return shared;
}

#if defined(__x86_64__)
/// The same with the instruction that every x86-64 machine since 2008 has and that compilers may not assume.
__attribute__((target("popcnt"))) std::int64_t sharedBitsPopcnt(Words a, Words b) {
  std::int64_t shared = 0;
  for (std::size_t i = 0; i < a.size(); ++i) shared += __builtin_popcountll(a[i] & b[i]);
  return shared;
}

std::int64_t sharedBits(Words a, Words b) {
  static const bool kFast = __builtin_cpu_supports("popcnt") != 0;
  return kFast ? sharedBitsPopcnt(a, b) : sharedBitsPortable(a, b);
}
#else
std::int64_t sharedBits(Words a, Words b) {
  return sharedBitsPortable(a, b);
}
#endif

std::size_t wordsFor(std::int64_t universe) {
  return static_cast<std::size_t>((universe + 63) / 64);
}

bool hasBit(Words bits, std::int64_t id) {
  return (bits[static_cast<std::size_t>(id / 64)] >> (id % 64) & 1) != 0;
}

/// A square table that is filled on one side of the diagonal.
class Square {
 public:
  explicit Square(std::size_t size) : size_(size), cells_(size * size, 0) {}
  void add(std::size_t row, std::size_t column, std::int64_t count) { cells_[row * size_ + column] += count; }
  std::vector<std::int64_t> mirrored() && {
    for (std::size_t row = 0; row < size_; ++row) {
      for (std::size_t column = 0; column < row; ++column) cells_[row * size_ + column] += cells_[column * size_ + row];
      for (std::size_t column = 0; column < row; ++column) cells_[column * size_ + row] = cells_[row * size_ + column];
    }
    return std::move(cells_);
  }

 private:
  std::size_t size_;
  std::vector<std::int64_t> cells_;
};

using Indices = std::vector<std::size_t>;

Result<void> countDensePairs(std::span<const SampleSet> sets, const Indices& dense, std::int64_t universe, Square& out,
                             const Work& work) {
  const std::size_t words = wordsFor(universe);
  for (std::size_t from = 0; from < words && dense.size() > 1; from += kWordsAtOnce) {
    const std::size_t count = std::min(kWordsAtOnce, words - from);
    work.progress(static_cast<double>(from) / static_cast<double>(words));
    for (std::size_t i = 0; i < dense.size(); ++i) {
      if (work.stopped()) return cancelled();
      const Words row = Words(sets[dense[i]].bits).subspan(from, count);
      for (std::size_t j = i + 1; j < dense.size(); ++j) {
        out.add(dense[i], dense[j], sharedBits(row, Words(sets[dense[j]].bits).subspan(from, count)));
      }
    }
  }
  return {};
}

Result<void> countMixedPairs(std::span<const SampleSet> sets, const Indices& sparse, const Indices& dense, Square& out,
                             const Work& work) {
  for (const std::size_t few : sparse) {
    for (const std::size_t many : dense) {
      if (work.stopped()) return cancelled();
      const Words bits = sets[many].bits;
      const auto& ids = sets[few].ids;
      out.add(few, many, std::ranges::count_if(ids, [&](std::uint32_t id) { return hasBit(bits, id); }));
    }
  }
  return {};
}

/// The sets that hold each sample of one piece of the dataset: an index from sample to sets, rebuilt piece by piece.
class Holders {
 public:
  static constexpr std::int64_t kPiece = 1 << 20;

  explicit Holders(std::size_t sets) : next_(sets, 0) {}

  /// Must be called for ascending pieces: remembers where each set's list goes on.
  void load(std::span<const SampleSet> sets, const Indices& sparse, std::int64_t first) {
    begins_.assign(kPiece + 1, 0);
    const auto held = [&](std::size_t set) {
      const auto& ids = sets[set].ids;
      const auto from = ids.begin() + static_cast<std::ptrdiff_t>(next_[set]);
      return std::span(from, std::lower_bound(from, ids.end(), first + kPiece));
    };
    for (const std::size_t set : sparse) {
      for (const std::uint32_t id : held(set)) ++begins_[static_cast<std::size_t>(id - first) + 1];
    }
    for (std::size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
    holders_.resize(begins_.back());
    std::vector<std::size_t> place(begins_.begin(), begins_.end() - 1);
    for (const std::size_t set : sparse) {
      const auto ids = held(set);
      for (const std::uint32_t id : ids) holders_[place[static_cast<std::size_t>(id - first)]++] = set;
      next_[set] += ids.size();
    }
  }

  /// The sets that hold sample first + offset, in the order of `sparse`.
  [[nodiscard]] std::span<const std::size_t> of(std::int64_t offset) const {
    const auto at = static_cast<std::size_t>(offset);
    return std::span(holders_).subspan(begins_[at], begins_[at + 1] - begins_[at]);
  }

 private:
  std::vector<std::size_t> next_;
  std::vector<std::size_t> begins_;
  std::vector<std::size_t> holders_;
};

/// Of two ascending lists.
std::int64_t sharedIds(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  std::int64_t shared = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    shared += a[i] == b[j] ? 1 : 0;
    const bool step_a = a[i] <= b[j];
    j += b[j] <= a[i] ? 1 : 0;
    i += step_a ? 1 : 0;
  }
  return shared;
}

Result<void> countSparsePairs(std::span<const SampleSet> sets, const Indices& sparse, std::int64_t universe,
                              Square& out, const Work& work) {
  if (sparse.size() < 2) return {};
  if (sparse.size() == 2) {
    out.add(sparse[0], sparse[1], sharedIds(sets[sparse[0]].ids, sets[sparse[1]].ids));
    return {};
  }
  Holders holders(sets.size());
  std::size_t counted = 0;  // pairs since the last look at the stop token
  for (std::int64_t first = 0; first < universe; first += Holders::kPiece) {
    holders.load(sets, sparse, first);
    for (std::int64_t offset = 0; offset < std::min(Holders::kPiece, universe - first); ++offset) {
      const auto who = holders.of(offset);
      for (std::size_t i = 0; i < who.size(); ++i) {
        for (std::size_t j = i + 1; j < who.size(); ++j) out.add(who[i], who[j], 1);
      }
      counted += who.size() * who.size() / 2 + 1;
      if (counted < kPairsBetweenLooks) continue;
      if (work.stopped()) return cancelled();
      counted = 0;
    }
  }
  return {};
}

/// Whoever holds all samples shares all of the other's.
void countWholes(std::span<const SampleSet> sets, Square& out) {
  for (std::size_t i = 0; i < sets.size(); ++i) {
    out.add(i, i, sets[i].count);
    for (std::size_t j = i + 1; j < sets.size(); ++j) {
      if (sets[i].all || sets[j].all) out.add(i, j, std::min(sets[i].count, sets[j].count));
    }
  }
}

}  // namespace

std::int64_t SampleSet::bytes() const {
  return static_cast<std::int64_t>(bits.size() * 8 + ids.size() * 4);
}

Result<SampleSet> SampleSetMaker::of(const RankEpoch& rank_epoch, std::int64_t items, const Work& work) {
  SampleSet set;
  bits_.resize(wordsFor(universe_));
  for (std::int64_t k = 0; k < items; ++k) {
    if (k % kItemsBetweenLooks == 0 && work.stopped()) {
      bits_.clear();
      return cancelled();
    }
    const SampleIndex id = rank_epoch.sample(k);
    std::uint64_t& word = bits_[static_cast<std::size_t>(id / 64)];
    const std::uint64_t bit = std::uint64_t{1} << (id % 64);
    set.count += (word & bit) == 0 ? 1 : 0;
    word |= bit;
  }
  set.all = set.count == universe_;
  if (set.all || set.count >= universe_ / kSparse) {
    if (!set.all) set.bits = std::move(bits_);
    bits_.clear();
    return set;
  }
  set.ids.reserve(static_cast<std::size_t>(set.count));
  forEachBit(bits_, [&](std::int64_t id) { return set.ids.push_back(static_cast<std::uint32_t>(id)), true; });
  for (const std::uint32_t id : set.ids) bits_[id / 64] = 0;
  return set;
}

Result<std::vector<std::int64_t>> sharedCounts(std::span<const SampleSet> sets, std::int64_t universe,
                                               const Work& work) {
  Square out(sets.size());
  Indices dense;
  Indices sparse;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (!sets[i].all) (sets[i].bits.empty() ? sparse : dense).push_back(i);
  }
  countWholes(sets, out);
  if (auto done = countDensePairs(sets, dense, universe, out, work.part(0, 0.8)); !done) return done.error();
  if (auto done = countMixedPairs(sets, sparse, dense, out, work); !done) return done.error();
  if (auto done = countSparsePairs(sets, sparse, universe, out, work.part(0.8, 1)); !done) return done.error();
  return std::move(out).mirrored();
}

std::vector<SampleIndex> firstShared(const SampleSet& a, const SampleSet& b, std::int64_t universe, std::size_t most) {
  std::vector<SampleIndex> shared;
  const auto holds = [](const SampleSet& set, std::int64_t id) {
    if (set.all || !set.bits.empty()) return set.all || hasBit(set.bits, id);
    return std::binary_search(set.ids.begin(), set.ids.end(), static_cast<std::uint32_t>(id));
  };
  const auto visit = [&](std::int64_t id) {
    if (shared.size() < most && holds(b, id)) shared.push_back(id);
    return shared.size() < most;
  };
  if (!a.bits.empty()) {
    forEachBit(a.bits, visit);
  } else if (a.all) {
    for (std::int64_t id = 0; id < universe && visit(id); ++id) continue;
  } else {
    for (std::size_t i = 0; i < a.ids.size() && visit(a.ids[i]); ++i) continue;
  }
  return shared;
}

}  // namespace shardlens
