// SPDX-License-Identifier: Apache-2.0
#include "core/film/film_epoch.h"

#include "core/audit/handed_items.h"
#include "core/audit/readers.h"
#include "core/base/large_array.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace shardlens {
namespace {

constexpr std::int64_t kMostMoments = 48;
using Histogram = std::array<std::uint32_t, kFilmParts>;

/// The first part that `share` of the samples reach, by nearest rank.
std::uint8_t partAt(const Histogram& parts, std::int64_t samples, double share) {
  auto left = static_cast<std::int64_t>(std::lround(share * static_cast<double>(samples - 1)));
  std::size_t part = 0;
  while (part + 1 < parts.size() && left >= parts[part]) left -= parts[part++];
  return static_cast<std::uint8_t>(part);
}

/// Counts one epoch, order by order: no more than one order and what reads it is at hand at a time.
class EpochPass {
 public:
  EpochPass(const Plan& plan, Epoch epoch, const FilmDetail& detail)
      : plan_(plan), epoch_(epoch), detail_(detail), size_(plan.spec().dataset.size), ranks_(plan.worldSize()) {}

  Result<FilmEpoch> run(const Work& work);

 private:
  Result<void> count(const Work& work);
  Result<void> addGroup(const ReaderIndices& group, const Work& work);
  Result<void> addView(const View& view, const Work& work);
  FilmCell cellOf(const View& view, std::int64_t step);
  Result<void> freeFirstReadings(const Work& work);
  void addHairs(const View& view, std::int64_t step);
  Result<void> addIds(const Work& work);
  void countFresh();
  void countCoverage();

  [[nodiscard]] bool isDuplicate(SampleIndex sample) const {
    return handed_->times()[sample] + handed_->everywhere() > 1;
  }
  [[nodiscard]] std::int64_t partOf(SampleIndex sample) const { return sample * kFilmParts / size_; }
  [[nodiscard]] std::size_t cellIndex(std::int64_t step, std::int64_t rank) const {
    return static_cast<std::size_t>(step * ranks_ + rank);
  }

  const Plan& plan_;
  Epoch epoch_;
  const FilmDetail& detail_;
  std::int64_t size_;
  std::int64_t ranks_;
  std::vector<Reader> readers_;
  std::vector<ReaderIndices> groups_;
  std::optional<HandedItems> handed_;
  LargeArray<std::uint32_t> first_;    ///< by sample: 1 + the first step that hands it out, 0 = none that is shown
  std::vector<std::int64_t> padding_;  ///< of the view at hand: its padded items, ascending
  std::size_t next_padding_ = 0;
  std::int64_t next_look_ = 0;
  FilmEpoch film_;
};

Result<void> EpochPass::count(const Work& work) {
  auto handed = HandedItems::make(plan_, groups_.size(), work);
  if (!handed) return handed.error();
  handed_.emplace(*std::move(handed));
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (isHandedAll(plan_, readers_[groups_[i].front()])) {
      handed_->addWhole(static_cast<std::int64_t>(groups_[i].size()));
      continue;
    }
    const auto groups = static_cast<double>(groups_.size());
    const Work part = work.part(static_cast<double>(i) / groups, static_cast<double>(i + 1) / groups);
    const auto views = viewsOf(plan_, readers_, groups_[i], part.part(0, 0.5));
    if (!views) return views.error();
    if (auto added = handed_->add(*views, part.part(0.5, 1)); !added) return added;
  }
  return {};
}

FilmCell EpochPass::cellOf(const View& view, std::int64_t step) {
  FilmCell cell;
  const RankEpoch::Range range = view.items.batch(Step{step});
  if (range.size() <= 0 || size_ <= 0) return cell;
  Histogram parts{};
  double sum = 0;
  while (next_padding_ < padding_.size() && padding_[next_padding_] < range.first) ++next_padding_;
  for (std::int64_t k = range.first; k < range.last; ++k) {
    const SampleIndex sample = view.items.sample(k);
    const bool is_padding = next_padding_ < padding_.size() && padding_[next_padding_] == k;
    if (is_padding) ++next_padding_;
    cell.padding += is_padding ? 1 : 0;
    cell.duplicates += !is_padding && isDuplicate(sample) ? 1 : 0;
    ++parts[static_cast<std::size_t>(partOf(sample))];
    sum += static_cast<double>(sample);
    std::uint32_t& first = first_.items()[static_cast<std::size_t>(sample)];
    const auto now = static_cast<std::uint32_t>(step + 1);
    if (first == 0 || first > now) first = now;
  }
  cell.samples = static_cast<std::uint32_t>(range.size());
  const double mean = sum / static_cast<double>(range.size());
  cell.mean = static_cast<std::uint8_t>(mean * static_cast<double>(kFilmParts) / static_cast<double>(size_));
  cell.low = partAt(parts, range.size(), 0.05);
  cell.high = partAt(parts, range.size(), 0.95);
  return cell;
}

/// What a sampler adds and nobody read before repeats nothing.
Result<void> EpochPass::freeFirstReadings(const Work& work) {
  const auto first = plan_.firstReadings(epoch_, work);
  if (!first) return first.error();
  for (const auto& [rank, items] : first->byRank()) {
    const auto drawn = plan_.rankEpoch(epoch_, rank, {work.stop, {}});
    if (!drawn) return drawn.error();
    for (const std::int64_t k : *items) {
      const std::int64_t step = drawn->stepOf(k)->value;
      if (step < film_.steps) --film_.cells[cellIndex(step, rank.value)].padding;
    }
  }
  return {};
}

void EpochPass::addHairs(const View& view, std::int64_t step) {
  const RankEpoch::Range range = view.items.batch(Step{step});
  if (range.size() <= 0) return;
  for (const std::size_t reader : view.readers) {
    const std::size_t from = cellIndex(step, readers_[reader].rank.value) * static_cast<std::size_t>(detail_.hairs);
    for (std::int64_t i = 0; i < detail_.hairs; ++i) {
      const std::int64_t item = range.first + (2 * i + 1) * range.size() / (2 * detail_.hairs);
      film_.hairs[from + static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(partOf(view.items.sample(item)));
    }
  }
}

Result<void> EpochPass::addView(const View& view, const Work& work) {
  padding_ = view.items.slice().addedAmong(view.handed);
  next_padding_ = 0;
  next_look_ = 0;
  const std::int64_t steps = std::min(view.items.batches(), film_.steps);
  film_.batches += steps * std::ssize(view.readers);
  for (std::int64_t step = 0; step < steps; ++step) {
    if (const std::int64_t items = view.items.batch(Step{step}).first; items >= next_look_) {
      if (work.stopped()) return cancelled();
      work.progress(static_cast<double>(step) / static_cast<double>(steps));
      next_look_ = items + kItemsBetweenLooks;
    }
    const FilmCell cell = cellOf(view, step);
    for (const std::size_t reader : view.readers) film_.cells[cellIndex(step, readers_[reader].rank.value)] = cell;
    addHairs(view, step);
  }
  return {};
}

Result<void> EpochPass::addGroup(const ReaderIndices& group, const Work& work) {
  const auto views = viewsOf(plan_, readers_, group, work.part(0, 0.3));
  if (!views) return views.error();
  const Work reading = work.part(0.3, 1);
  const auto count = static_cast<double>(views->size());
  for (std::size_t i = 0; i < views->size(); ++i) {
    const Work part = reading.part(static_cast<double>(i) / count, static_cast<double>(i + 1) / count);
    if (auto added = addView((*views)[i], part); !added) return added;
  }
  return {};
}

Result<void> EpochPass::addIds(const Work& work) {
  const auto epoch = plan_.epoch(epoch_, work);
  if (!epoch) return epoch.error();
  for (std::int64_t step = 0; step < film_.steps; ++step) {
    if (work.stopped()) return cancelled();
    for (const RankEpoch& rank : epoch->ranks) {
      if (step >= rank.batches()) continue;
      const RankEpoch::Range range = rank.batch(Step{step});
      for (std::int64_t k = range.first; k < range.last; ++k) {
        const SampleIndex sample = rank.sample(k);
        film_.ids.push_back(sample);
        film_.marks.push_back(rank.isPadding(k)     ? kFilmPadding
                              : isDuplicate(sample) ? kFilmDuplicate
                                                    : std::uint8_t{0});
      }
    }
  }
  return {};
}

void EpochPass::countFresh() {
  film_.fresh.assign(static_cast<std::size_t>(film_.steps), 0);
  for (const std::uint32_t first : first_.items()) {
    if (first > 0) ++film_.fresh[first - 1];
  }
}

/// Moment m is when m * steps / moments steps are dealt, from 1 to `moments`; nothing is handed out before.
void EpochPass::countCoverage() {
  film_.moments = std::min(film_.steps, kMostMoments);
  if (film_.moments == 0 || size_ == 0) return;
  std::vector<std::uint32_t> seen(static_cast<std::size_t>(film_.moments * kFilmParts), 0);
  const auto samples = first_.items();
  for (std::size_t sample = 0; sample < samples.size(); ++sample) {
    if (samples[sample] == 0) continue;
    // The first moment that has the step behind it: the least m with m * steps / moments >= first.
    const std::int64_t moment = (samples[sample] * film_.moments + film_.steps - 1) / film_.steps;
    const std::int64_t part = partOf(static_cast<SampleIndex>(sample));
    ++seen[static_cast<std::size_t>((moment - 1) * kFilmParts + part)];
  }
  film_.coverage.reserve(seen.size());
  for (std::int64_t moment = 0; moment < film_.moments; ++moment) {
    for (std::int64_t part = 0; part < kFilmParts; ++part) {
      const auto at = static_cast<std::size_t>(moment * kFilmParts + part);
      if (moment > 0) seen[at] += seen[at - static_cast<std::size_t>(kFilmParts)];
      const std::int64_t begin = (part * size_ + kFilmParts - 1) / kFilmParts;
      const std::int64_t end = ((part + 1) * size_ + kFilmParts - 1) / kFilmParts;
      const double share = end > begin ? static_cast<double>(seen[at]) / static_cast<double>(end - begin) : 0;
      film_.coverage.push_back(static_cast<std::uint16_t>(std::lround(share * 65535)));
    }
  }
}

Result<FilmEpoch> EpochPass::run(const Work& work) {
  const auto steps = plan_.steps(epoch_, work.part(0, 0.1));
  if (!steps) return steps.error();
  film_.epoch = epoch_.value;
  film_.all_steps = *steps;
  film_.steps = std::min(*steps, detail_.steps);
  readers_ = ranksOf(plan_, epoch_, ranks_);
  groups_ = groupByOrder(plan_, readers_);
  if (auto counted = count(work.part(0.1, 0.4)); !counted) return counted.error();
  auto first = LargeArray<std::uint32_t>::make(static_cast<std::size_t>(size_), "the first step of each sample");
  if (!first) return first.error();
  first_ = *std::move(first);
  film_.cells.resize(cellIndex(film_.steps, 0));
  film_.hairs.resize(film_.cells.size() * static_cast<std::size_t>(detail_.hairs));
  const Work reading = work.part(0.4, 0.95);
  const auto groups = static_cast<double>(groups_.size());
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const Work part = reading.part(static_cast<double>(i) / groups, static_cast<double>(i + 1) / groups);
    if (auto added = addGroup(groups_[i], part); !added) return added.error();
  }
  if (auto freed = freeFirstReadings({work.stop, {}}); !freed) return freed.error();
  countFresh();
  if (!detail_.ids) {
    countCoverage();
  } else if (auto added = addIds(work.part(0.95, 1)); !added) {
    return added.error();
  }
  return std::move(film_);
}

}  // namespace

Result<FilmEpoch> filmEpoch(const Plan& plan, Epoch epoch, const FilmDetail& detail, const Work& work) {
  return EpochPass(plan, epoch, detail).run(work);
}

}  // namespace shardlens
