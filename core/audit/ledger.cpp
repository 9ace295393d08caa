// SPDX-License-Identifier: Apache-2.0
#include "core/audit/ledger.h"

#include "core/audit/handed_items.h"
#include "core/audit/missing_causes.h"
#include "core/audit/readers.h"
#include "core/audit/sample_counts.h"
#include "core/base/phrase.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

namespace shardlens {
namespace {

constexpr std::size_t kMostTimes = Tally::kMost;

using Histogram = std::array<std::int64_t, kMostTimes + 1>;

constexpr std::size_t kWord = 8;  ///< bytes that are looked at together
constexpr std::uint64_t kOnes = 0x0101010101010101;

std::uint64_t wordAt(std::span<const std::uint8_t> times, std::size_t at) {
  std::uint64_t word = 0;
  std::memcpy(&word, times.data() + at, kWord);
  return word;
}

/// Most samples are handed out once, or not at all: eight that are alike are counted together.
Histogram histogramOf(std::span<const std::uint8_t> times) {
  Histogram counts{};
  std::size_t i = 0;
  for (; i + kWord <= times.size(); i += kWord) {
    const std::uint64_t word = wordAt(times, i);
    if (word == 0 || word == kOnes) {
      counts[word == 0 ? 0 : 1] += kWord;
    } else {
      for (std::size_t k = i; k < i + kWord; ++k) ++counts[times[k]];
    }
  }
  for (; i < times.size(); ++i) ++counts[times[i]];
  return counts;
}

/// A stretch of samples, and how often each was handed out.
struct Stretch {
  std::span<const std::uint8_t> times;
  std::int64_t first = 0;
};

void listRepeated(const Stretch& stretch, std::size_t everywhere, std::vector<SampleIndex>& ids) {
  for (std::size_t i = 0; i < stretch.times.size() && ids.size() < kShownIds; ++i) {
    if (stretch.times[i] + everywhere > 1) ids.push_back(stretch.first + static_cast<std::int64_t>(i));
  }
}

void listMissing(const Stretch& stretch, MissingCauses& causes, Ledger& ledger) {
  for (std::size_t i = 0; i < stretch.times.size(); ++i) {
    if (stretch.times[i] > 0) continue;
    const SampleIndex sample = stretch.first + static_cast<std::int64_t>(i);
    const MissingCause cause = causes.of(sample);
    ++ledger.missing_by[cause];
    auto& of_cause = ledger.missing_ids_by[static_cast<std::size_t>(cause)];
    if (of_cause.size() < kShownIds) of_cause.push_back(sample);
    if (ledger.missing_ids.size() < kShownIds) ledger.missing_ids.push_back(sample);
  }
}

/// The stretch begins at a multiple of 64.
void markSeen(const Stretch& stretch, std::size_t everywhere, SeenSamples& ever) {
  std::size_t i = 0;
  for (; i + kWord <= stretch.times.size(); i += kWord) {
    const std::uint64_t word = wordAt(stretch.times, i);
    const auto sample = static_cast<std::size_t>(stretch.first) + i;
    std::uint64_t seen = everywhere > 0 || word == kOnes ? 0xFF : 0;
    if (seen == 0 && word != 0) {
      for (std::size_t k = 0; k < kWord; ++k) seen |= std::uint64_t{stretch.times[i + k] > 0 ? 1U : 0U} << k;
    }
    ever[sample / 64] |= seen << (sample % 64);
  }
  for (; i < stretch.times.size(); ++i) {
    const auto sample = static_cast<std::size_t>(stretch.first) + i;
    const std::uint64_t seen = stretch.times[i] + everywhere > 0 ? 1 : 0;
    ever[sample / 64] |= seen << (sample % 64);
  }
}

/// Fills in everything that is counted by sample.
Result<void> readTimes(const HandedItems& items, MissingCauses& causes, Ledger& ledger, SeenSamples* ever,
                       const Work& work) {
  constexpr std::int64_t kChunk = 1 << 20;
  Histogram total{};
  const auto more = static_cast<std::size_t>(std::min<std::int64_t>(items.everywhere(), kMostTimes));
  for (std::int64_t from = 0; from < ledger.dataset_size; from += kChunk) {
    if (work.stopped()) return cancelled();
    const Stretch stretch{items.times().part(from, kChunk), from};
    const Histogram counts = histogramOf(stretch.times);
    for (std::size_t k = 0; k < counts.size(); ++k) total[std::min(k + more, kMostTimes)] += counts[k];
    const std::int64_t never = more == 0 ? counts[0] : 0;
    const std::int64_t once = more == 0 ? counts[1] : more == 1 ? counts[0] : 0;
    if (never > 0) listMissing(stretch, causes, ledger);
    if (never + once < static_cast<std::int64_t>(stretch.times.size()))
      listRepeated(stretch, more, ledger.duplicated_ids);
    if (ever != nullptr) markSeen(stretch, more, *ever);
  }
  std::size_t most = kMostTimes;
  while (most > 0 && total[most] == 0) --most;
  ledger.times_seen.assign(total.begin(), total.begin() + static_cast<std::ptrdiff_t>(most) + 1);
  ledger.missing = total[0];
  ledger.duplicated = ledger.dataset_size - total[0] - total[1];
  return {};
}

}  // namespace

std::int64_t Ledger::missingFor(const MissingCauseSet& causes) const {
  std::int64_t samples = 0;
  for (std::size_t i = 0; i < kMissingCauses; ++i) samples += causes[i] ? missing_by.counts[i] : 0;
  return samples;
}

std::vector<SampleIndex> Ledger::missingIdsFor(const MissingCauseSet& causes) const {
  std::vector<SampleIndex> ids;
  for (std::size_t i = 0; i < kMissingCauses; ++i) {
    if (causes[i]) ids.insert(ids.end(), missing_ids_by[i].begin(), missing_ids_by[i].end());
  }
  std::ranges::sort(ids);
  ids.resize(std::min(ids.size(), kShownIds));
  return ids;
}

Result<Ledger> ledgerOf(const Plan& plan, Epoch epoch, const Work& work, SeenSamples* ever) {
  Ledger ledger;
  ledger.epoch = epoch.value;
  ledger.dataset_size = plan.spec().dataset.size;
  if (ever != nullptr) ever->resize(static_cast<std::size_t>((ledger.dataset_size + 63) / 64));
  const auto readers = ranksOf(plan, epoch, plan.worldSize());
  auto groups = groupByOrder(plan, readers);
  auto items = HandedItems::make(plan, groups.size(), work);
  if (!items) return items.error();
  MissingCauses causes(plan, epoch, groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (isHandedAll(plan, readers[groups[i].front()])) {
      countPeersOnce(plan, readers, groups[i]);
      items->addWhole(static_cast<std::int64_t>(groups[i].size()));
      continue;
    }
    const auto count = static_cast<double>(groups.size());
    const Work part = work.part(static_cast<double>(i) / count, static_cast<double>(i + 1) / count);
    auto views = viewsOf(plan, readers, groups[i], part.part(0, 0.5));
    if (!views) return views.error();
    for (View& view : *views) countPeersOnce(plan, readers, view.readers);
    if (auto added = items->add(*views, part.part(0.5, 1)); !added) return added.error();
    if (auto added = causes.add(*views, part); !added) return added.error();
  }
  items->close(ledger);
  if (auto read = readTimes(*items, causes, ledger, ever, work); !read) return read.error();
  return ledger;
}

namespace {

constexpr std::array<const char*, kRepeatCauses> kRepeatTexts = {
    marked("ledger", "padding of the sampler"),
    marked("ledger", "filling of last batches"),
    marked("ledger", "drawn with replacement"),
    marked("ledger", "repeated by factors"),
    marked("ledger", "drawn to balance classes"),
    marked("ledger", "listed more than once"),
    marked("ledger", "from a second stream"),
    marked("ledger", "from another pass"),
    marked("ledger", "by a defect of the shuffle"),
    marked("ledger", "also read by other ranks"),
    marked("ledger", "read by several workers"),
    marked("ledger", "replicated by design"),
    marked("ledger", "not explained"),
};

constexpr std::array<const char*, kMissingCauses> kMissingTexts = {
    marked("ledger", "cut by the sampler"),
    marked("ledger", "cut by the loader"),
    marked("ledger", "for lack of a whole step"),
    marked("ledger", "not among the indices"),
    marked("ledger", "outside the sampler's part"),
    marked("ledger", "with weight 0"),
    marked("ledger", "without a weight"),
    marked("ledger", "not drawn"),
    marked("ledger", "not handed out"),
    marked("ledger", "read before the saved state"),
    marked("ledger", "skipped by a count carried over"),
    marked("ledger", "waiting for a later batch"),
    marked("ledger", "for rank numbers that no rank uses"),
    marked("ledger", "divided twice"),
    marked("ledger", "lost between different orders"),
    marked("ledger", "by a defect of the shuffle"),
    marked("ledger", "not explained"),
};

template <class Cause, std::size_t kCauses>
std::vector<std::string> partsOf(const CountByCause<Cause, kCauses>& counts,
                                 const std::array<const char*, kCauses>& texts) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < kCauses; ++i) {
    if (counts.counts[i] == 0) continue;
    parts.push_back(grouped(counts.counts[i]) + " " + worded("ledger", texts[i]));
  }
  return parts;
}

}  // namespace

std::vector<std::string> repeatsText(const Ledger& ledger) {
  return partsOf(ledger.repeats, kRepeatTexts);
}

std::vector<std::string> missingText(const Ledger& ledger) {
  return partsOf(ledger.missing_by, kMissingTexts);
}

}  // namespace shardlens
