// SPDX-License-Identifier: Apache-2.0
#include "core/audit/ledger.h"

#include "core/audit/handed_items.h"
#include "core/audit/readers.h"
#include "core/audit/sample_counts.h"
#include "core/base/large_array.h"
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/sampling/claims.h"
#include "core/sampling/registry.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace shardlens {
namespace {

/// Why samples are in no batch of an epoch: collects those that an order holds without handing them out, and gives the
/// cause of each sample that turned out to be missing.
class MissingCauses {
 public:
  /// `orders`: how many different ones the ranks read.
  MissingCauses(const Plan& plan, Epoch epoch, std::size_t orders);

  /// What the views of one order leave out: places that none reads, and items that the loader drops.
  Result<void> add(std::span<const View> views, const Work& work);
  /// The cause for a sample that no batch holds.
  [[nodiscard]] MissingCause of(SampleIndex sample);

 private:
  Result<void> mark(SampleIndex sample, MissingCause cause);
  Result<void> addUnread(std::span<const View> views, const Work& work);
  Result<void> addShares(std::span<const View> views, const Work& work);
  [[nodiscard]] std::vector<bool> placesOfRanks(const OrderPtr& order) const;

  const Plan& plan_;
  Epoch epoch_;
  std::int64_t universe_;
  bool shares_of_orders_;  ///< ranks take shares, and not all of one order
  sampling::UnreadCause unread_;
  sampling::LeftOutCause left_out_;  ///< made when it is first needed
  std::function<sampling::LeftOutCause()> make_left_out_;
  std::optional<LargeArray<std::uint8_t>> causes_;  ///< by sample; 0: in no order. Made when there is something to mark
};

/// How near to a batch a sample came; of several causes the nearest counts.
std::uint8_t nearness(MissingCause cause) {
  if (cause == MissingCause::NotExplained) return 0;
  return cause == MissingCause::CutByLoader ? 2 : 1;
}

/// Places below the order's end, before padding, that the views could read and how many they do.
struct PlacesRead {
  std::int64_t places = 0;
  std::int64_t read = 0;
};

std::int64_t ownPlaces(const Slice& slice) {
  return std::min(slice.order()->size(), slice.addedFrom());
}

/// Exact for views that are apart and do not go round; else too few are said to be read.
PlacesRead countRead(std::span<const View> views) {
  PlacesRead reach{ownPlaces(views[0].items.slice()), 0};
  if (!areApart(views)) return reach;
  for (const View& view : views) reach.read += view.items.slice().countBelow(reach.places);
  return reach;
}

void markPlaces(const Slice& slice, std::vector<bool>& read) {
  const std::int64_t size = slice.order()->size();
  for (std::int64_t k = 0; k < slice.size(); ++k) read[static_cast<std::size_t>(slice.position(k) % size)] = true;
}

std::vector<bool> placesRead(std::span<const View> views) {
  std::vector<bool> read(static_cast<std::size_t>(views[0].items.slice().order()->size()));
  for (const View& view : views) markPlaces(view.items.slice(), read);
  return read;
}

MissingCauses::MissingCauses(const Plan& plan, Epoch epoch, std::size_t orders)
    : plan_(plan),
      epoch_(epoch),
      universe_(plan.spec().dataset.size),
      shares_of_orders_(orders > 1 && sampling::claimsOf(plan.spec()).divides) {
  const sampling::SamplerRule& rule = plan.rule();
  const auto unknown = sampling::always(MissingCause::NotExplained);
  unread_ = rule.unread == nullptr ? unknown : rule.unread(plan.spec(), epoch);
  make_left_out_ = [&plan, &rule, unknown, epoch] {
    return rule.left_out == nullptr ? unknown : rule.left_out(plan.spec(), epoch);
  };
}

Result<void> MissingCauses::mark(SampleIndex sample, MissingCause cause) {
  if (!causes_) {
    auto made = LargeArray<std::uint8_t>::make(static_cast<std::size_t>(universe_), "causes of missing samples");
    if (!made) return made.error();
    causes_ = *std::move(made);
  }
  std::uint8_t& now = causes_->items()[static_cast<std::size_t>(sample)];
  const bool nearer = now == 0 || nearness(cause) > nearness(static_cast<MissingCause>(now - 1));
  if (nearer) now = static_cast<std::uint8_t>(static_cast<std::uint8_t>(cause) + 1);
  return {};
}

/// The places that the ranks would read if all of them drew this order.
std::vector<bool> MissingCauses::placesOfRanks(const OrderPtr& order) const {
  std::vector<bool> read(static_cast<std::size_t>(order->size()));
  for (Rank rank{0}; shares_of_orders_ && rank.value < plan_.worldSize(); ++rank) {
    markPlaces(plan_.rankEpochOver(order, epoch_, rank).slice(), read);
  }
  return read;
}

Result<void> MissingCauses::addUnread(std::span<const View> views, const Work& work) {
  constexpr std::int64_t kPlacesBetweenStops = 1 << 18;
  const Order& order = *views[0].items.slice().order();
  const PlacesRead reach = countRead(views);
  if (reach.read == reach.places) return {};
  const std::vector<bool> read = placesRead(views);
  const std::vector<bool> of_ranks = placesOfRanks(views[0].items.slice().order());
  for (std::int64_t place = 0; place < reach.places; ++place) {
    if (place % kPlacesBetweenStops == 0 && work.stopped()) return cancelled();
    if (read[static_cast<std::size_t>(place)]) continue;
    const bool of_other = of_ranks[static_cast<std::size_t>(place)];
    const MissingCause cause = of_other ? MissingCause::DifferentOrders : unread_(place);
    if (auto marked = mark(order[place], cause); !marked) return marked;
  }
  return {};
}

/// Of a dealt order: what it leaves over, and the shares of ranks that read another order.
Result<void> MissingCauses::addShares(std::span<const View> views, const Work& work) {
  const Order& order = *views[0].items.slice().order();
  const Deal& deal = *order.deal();
  for (std::size_t i = 0; i < deal.left_over.size(); ++i) {
    if (auto marked = mark(deal.left_over[i], unread_(static_cast<std::int64_t>(i))); !marked) return marked;
  }
  if (!shares_of_orders_ || deal.shares.size() == 1) return {};
  const std::vector<bool> read = placesRead(views);
  for (std::int64_t place = 0; place < order.size(); ++place) {
    if (work.stopped()) return cancelled();
    if (read[static_cast<std::size_t>(place)]) continue;
    if (auto marked = mark(order[place], MissingCause::DifferentOrders); !marked) return marked;
  }
  return {};
}

Result<void> MissingCauses::add(std::span<const View> views, const Work& work) {
  for (const View& view : views) {
    for (std::int64_t k = view.handed; k < view.items.size(); ++k) {
      if (auto marked = mark(view.items.sample(k), MissingCause::CutByLoader); !marked) return marked;
    }
  }
  const bool dealt = views[0].items.slice().order()->deal() != nullptr;
  return dealt ? addShares(views, work) : addUnread(views, work);
}

MissingCause MissingCauses::of(SampleIndex sample) {
  const std::uint8_t marked = causes_ ? causes_->items()[static_cast<std::size_t>(sample)] : 0;
  if (marked > 0) return static_cast<MissingCause>(marked - 1);
  if (!left_out_) left_out_ = make_left_out_();
  return left_out_(sample);
}

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
