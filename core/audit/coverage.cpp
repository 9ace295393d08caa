// SPDX-License-Identifier: Apache-2.0
#include "core/audit/coverage.h"

#include "core/audit/readers.h"
#include "core/audit/tally.h"

#include <algorithm>
#include <array>
#include <span>

namespace shardlens {
namespace {

constexpr std::int64_t kIdsBetweenLooks = 1 << 16;  ///< about a millisecond of random writes
constexpr std::int64_t kPrefetchAhead = 32;
constexpr std::size_t kMostTimes = Tally::kMost;

std::uint8_t timesOf(const View& view) {
  return static_cast<std::uint8_t>(std::min(view.readers.size(), kMostTimes));
}

/// Items first .. last - 1 of every view, row by row: positions of interleaved views then follow each other in memory.
void addRows(std::span<const View> views, std::int64_t first, std::int64_t last, Tally& tally) {
  const auto ahead = std::max<std::int64_t>(1, kPrefetchAhead / static_cast<std::int64_t>(views.size()));
  for (std::int64_t k = first; k < last; ++k) {
    for (const View& view : views) {
      if (k + ahead < view.handed) tally.expect(view.items.sample(k + ahead));
      if (k < view.handed) tally.add(view.items.sample(k), timesOf(view));
    }
  }
}

Result<void> addAll(std::span<const View> views, Tally& tally, const Work& work) {
  std::int64_t rows = 0;
  for (const View& view : views) rows = std::max(rows, view.handed);
  const std::int64_t chunk = std::max<std::int64_t>(1, kIdsBetweenLooks / static_cast<std::int64_t>(views.size()));
  for (std::int64_t first = 0; first < rows; first += chunk) {
    if (work.stopped()) return cancelled();
    work.progress(static_cast<double>(first) / static_cast<double>(rows));
    addRows(views, first, std::min(rows, first + chunk), tally);
  }
  return {};
}

/// Interleaved views are read side by side, any others one after the other.
Result<void> addViews(std::span<const View> views, Tally& tally, const Work& work) {
  if (areInterleaved(views)) return addAll(views, tally, work);
  for (const View& view : views) {
    if (auto added = addAll({&view, 1}, tally, work); !added) return added;
  }
  return {};
}

/// Positions before the padding that no view reaches, batches or not.
std::int64_t unreachedPositions(std::span<const View> views) {
  const Slice& any = views[0].items.slice();
  const std::int64_t size = std::min(any.order()->size(), any.paddingFrom());
  std::int64_t reached = 0;
  std::vector<bool> marks;
  const bool apart = areInterleaved(views);
  if (!apart) marks.resize(static_cast<std::size_t>(size));
  for (const View& view : views) {
    const Slice& slice = view.items.slice();
    const std::int64_t inside = slice.countBelow(size);
    reached += apart ? inside : 0;
    for (std::int64_t k = 0; !apart && k < inside; ++k) marks[static_cast<std::size_t>(slice.position(k))] = true;
  }
  if (!apart) reached = std::count(marks.begin(), marks.end(), true);
  return size - reached;
}

void addCounts(std::span<const View> views, Coverage& coverage, std::vector<SampleIndex>& padding) {
  for (const View& view : views) {
    const auto readers = static_cast<std::int64_t>(view.readers.size());
    const auto items = view.items.slice().paddingAmong(view.handed);
    const auto repeated = static_cast<std::int64_t>(items.size());
    coverage.handed_out += view.handed * readers;
    coverage.padding += repeated * readers;
    coverage.padding_positions += repeated;
    coverage.dropped_by_loader += (view.items.size() - view.handed) * readers;
    for (const std::int64_t k : items) padding.push_back(view.items.sample(k));
  }
  coverage.dropped_by_sampler += unreachedPositions(views);
}

using Histogram = std::array<std::int64_t, kMostTimes + 1>;

/// Counts with four tables: a run of equal bytes would wait for its own last store otherwise.
Histogram histogramOf(std::span<const std::uint8_t> times) {
  std::array<Histogram, 4> tables{};
  for (std::size_t i = 0; i < times.size(); ++i) ++tables[i % 4][times[i]];
  for (std::size_t k = 0; k <= kMostTimes; ++k) tables[0][k] += tables[1][k] + tables[2][k] + tables[3][k];
  return tables[0];
}

template <class Matches>
void listIds(std::span<const std::uint8_t> times, std::int64_t first_id, Matches matches,
             std::vector<SampleIndex>& ids) {
  for (std::size_t i = 0; i < times.size() && ids.size() < kShownIds; ++i) {
    if (matches(times[i])) ids.push_back(first_id + static_cast<std::int64_t>(i));
  }
}

/// Counts readers that are handed all samples: nothing is padding, nothing dropped.
std::int64_t addWhole(const ReaderIndices& readers, Coverage& coverage) {
  const auto count = static_cast<std::int64_t>(readers.size());
  coverage.handed_out += count * coverage.dataset_size;
  return count;
}

/// Fills everything that is counted by sample; each was handed out `everywhere` times more than the tally says.
Result<void> readTally(const Tally& tally, std::int64_t everywhere, Coverage& coverage, const Work& work) {
  constexpr std::int64_t kChunk = 1 << 20;
  Histogram total{};
  const auto more = static_cast<std::size_t>(std::min<std::int64_t>(everywhere, kMostTimes));
  for (std::int64_t from = 0; from < coverage.dataset_size; from += kChunk) {
    if (work.stopped()) return cancelled();
    const auto times = tally.part(from, kChunk);
    const Histogram counts = histogramOf(times);
    for (std::size_t k = 0; k < counts.size(); ++k) total[std::min(k + more, kMostTimes)] += counts[k];
    const auto once = more == 0 ? counts[1] : more == 1 ? counts[0] : 0;
    const auto size = static_cast<std::int64_t>(times.size());
    if (counts[0] > 0 && more == 0)
      listIds(
          times, from, [](std::uint8_t n) { return n == 0; }, coverage.missing_ids);
    if ((more == 0 ? counts[0] : 0) + once < size)
      listIds(
          times, from, [more](std::uint8_t n) { return n + more > 1; }, coverage.duplicated_ids);
  }
  std::size_t most = kMostTimes;
  while (most > 0 && total[most] == 0) --most;
  coverage.times_seen.assign(total.begin(), total.begin() + static_cast<std::ptrdiff_t>(most) + 1);
  coverage.missing = total[0];
  coverage.seen = coverage.dataset_size - total[0];
  coverage.duplicated = coverage.seen - total[1];
  return {};
}

std::vector<SampleIndex> firstIds(std::vector<SampleIndex> ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  if (ids.size() > kShownIds) ids.resize(kShownIds);
  return ids;
}

}  // namespace

Result<Coverage> coverageOf(const Plan& plan, Epoch epoch, const Work& work) {
  Coverage coverage;
  coverage.epoch = epoch.value;
  coverage.dataset_size = plan.spec().dataset.size;
  auto tally = Tally::make(coverage.dataset_size);
  if (!tally) return tally.error();
  const auto readers = ranksOf(plan, epoch, plan.worldSize());
  const auto groups = groupByOrder(plan, readers);
  std::vector<SampleIndex> padding;
  std::int64_t everywhere = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (isHandedAll(plan, readers[groups[i].front()])) {
      everywhere += addWhole(groups[i], coverage);
      continue;
    }
    const auto count = static_cast<double>(groups.size());
    const Work part = work.part(static_cast<double>(i) / count, static_cast<double>(i + 1) / count);
    const auto views = viewsOf(plan, readers, groups[i], part.part(0, 0.5));
    if (!views) return views.error();
    if (auto added = addViews(*views, *tally, part.part(0.5, 1)); !added) return added.error();
    addCounts(*views, coverage, padding);
  }
  coverage.padding_ids = firstIds(std::move(padding));
  if (auto read = readTally(*tally, everywhere, coverage, work); !read) return read.error();
  return coverage;
}

}  // namespace shardlens
