// SPDX-License-Identifier: Apache-2.0
#include "core/capture/reading.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace shardlens::capture {
namespace {

using Passes = std::vector<const RecordedPass*>;

/// The recorded passes by their place, each with its ranks ascending.
std::vector<Passes> byIndex(const std::vector<RecordedPass>& passes) {
  std::vector<Passes> all;
  for (const RecordedPass& pass : passes) {
    if (pass.index >= all.size()) all.resize(pass.index + 1);
    all[pass.index].push_back(&pass);
  }
  return all;
}

bool areAlike(const Passes& a, const Passes& b) {
  const auto is_alike = [](const RecordedPass* one, const RecordedPass* other) {
    return one->rank == other->rank && one->ids == other->ids && one->ends == other->ends;
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), is_alike);
}

/// Counts the items; the different samples among them, ascending.
std::vector<SampleIndex> countInto(PassReading& reading, const Passes& passes) {
  std::vector<std::pair<SampleIndex, std::int64_t>> items;  // and the rank that read it
  for (const RecordedPass* pass : passes) {
    for (const SampleIndex id : pass->ids) items.emplace_back(id, pass->rank);
  }
  std::ranges::sort(items);
  reading.items = static_cast<std::int64_t>(items.size());
  std::vector<SampleIndex> samples;
  for (std::size_t i = 0; i < items.size();) {
    std::int64_t ranks = 0;
    std::size_t next = i;
    for (; next < items.size() && items[next].first == items[i].first; ++next) {
      const bool is_new_rank = next == i || items[next].second != items[next - 1].second;
      ranks += is_new_rank ? 1 : 0;
      reading.repeated += is_new_rank ? 0 : 1;
    }
    reading.shared += ranks > 1 ? 1 : 0;
    samples.push_back(items[i].first);
    i = next;
  }
  reading.samples = static_cast<std::int64_t>(samples.size());
  return samples;
}

/// How the pass ended for this rank, where its loop did not get every batch.
void addEnd(const JobLoader& job, const RecordedPass& recorded, PassReading& reading) {
  const RankLoader* const rank = job.rankLoader(recorded.rank);
  const PassFacts* const pass =
      rank != nullptr && recorded.index < rank->passes.size() ? &rank->passes[recorded.index] : nullptr;
  if (pass == nullptr) return reading.unfinished.push_back(recorded.rank);
  reading.failed += rank->raisedIn(*pass);
  const bool has_raised = recorded.ends.empty() && rank->raisedIn(*pass) > 0;
  if (has_raised) reading.raised.push_back(recorded.rank);
  if (recorded.exhausted || pass->isReadToEnd() || (has_raised && rank->has_end)) return;
  if (rank->has_end && pass->isCut()) return reading.cut.push_back(recorded.rank);
  if (!rank->knowsEndOf(*pass)) return reading.unfinished.push_back(recorded.rank);
  (pass->open ? reading.left : reading.stopped).push_back(recorded.rank);
}

/// The length that all ranks' datasets have.
std::optional<std::int64_t> sizeOf(const JobLoader& job) {
  const std::optional<std::int64_t> size = lengthOf(job, job.ranks.front());
  const auto has_size = [&](const RankLoader& rank) { return lengthOf(job, rank) == size; };
  return std::ranges::all_of(job.ranks, has_size) ? size : std::nullopt;
}

}  // namespace

Reading readingOf(const JobLoader& job, const std::vector<RecordedPass>& passes) {
  Reading reading;
  reading.dataset_size = sizeOf(job);
  const std::vector<Passes> all = byIndex(passes);
  std::vector<SampleIndex> read;  // in any pass, ascending
  for (std::size_t index = 0; index < all.size(); ++index) {
    PassReading& pass = reading.passes.emplace_back();
    pass.index = index;
    pass.goes_on = job.goes_on;
    for (const RecordedPass* of_rank : all[index]) {
      pass.ranks.push_back(of_rank->rank);
      if (of_rank->ends.empty()) pass.without.push_back(of_rank->rank);
      addEnd(job, *of_rank, pass);
      pass.batches += static_cast<std::int64_t>(of_rank->ends.size());
    }
    const std::vector<SampleIndex> samples = countInto(pass, all[index]);
    std::vector<SampleIndex> both;
    std::set_union(read.begin(), read.end(), samples.begin(), samples.end(), std::back_inserter(both));
    read = std::move(both);
    const auto alike = std::find_if(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(index),
                                    [&](const Passes& one) { return areAlike(one, all[index]); });
    if (pass.items > 0 && alike != all.begin() + static_cast<std::ptrdiff_t>(index))
      pass.same_as = static_cast<std::size_t>(alike - all.begin());
  }
  // One that grew: its length was asked for when its first pass began.
  if (reading.dataset_size && !read.empty() && read.back() >= *reading.dataset_size) reading.dataset_size.reset();
  if (reading.dataset_size) {
    const auto end = std::lower_bound(read.begin(), read.end(), *reading.dataset_size);
    reading.never_read = *reading.dataset_size - static_cast<std::int64_t>(end - read.begin());
  }
  return reading;
}

}  // namespace shardlens::capture
