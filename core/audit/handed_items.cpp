// SPDX-License-Identifier: Apache-2.0
#include "core/audit/handed_items.h"

#include "core/sampling/registry.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace shardlens {
namespace {

constexpr std::int64_t kIdsBetweenStops = 1 << 16;  ///< about a millisecond of random writes
constexpr std::int64_t kAhead = 32;                 ///< items that memory is asked for before they are counted

/// Neighbouring items of a view that are not padding.
struct PlainItems {
  const RankEpoch* items = nullptr;
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::uint8_t times = 1;  ///< how many ranks read them
};

std::uint8_t timesOf(const View& view) {
  return static_cast<std::uint8_t>(std::min(view.readers.size(), Tally::kMost));
}

std::vector<PlainItems> plainItems(const View& view, std::span<const std::int64_t> padding) {
  std::vector<PlainItems> plain;
  std::int64_t first = 0;
  for (const std::int64_t k : padding) {
    if (k > first) plain.push_back({&view.items, first, k, timesOf(view)});
    first = k + 1;
  }
  if (view.handed > first) plain.push_back({&view.items, first, view.handed, timesOf(view)});
  return plain;
}

/// Items `first` to `last` - 1 of all, row by row: positions of interleaved views then follow each other in memory.
template <class Take>
void takeRows(std::span<const PlainItems> all, std::int64_t first, std::int64_t last, Take& take) {
  const auto ahead = std::max<std::int64_t>(1, kAhead / static_cast<std::int64_t>(all.size()));
  for (std::int64_t k = first; k < last; ++k) {
    for (const PlainItems& plain : all) {
      if (k + ahead < plain.last) take.expect(plain.items->sample(k + ahead));
      if (k >= plain.first && k < plain.last) take(plain.items->sample(k), plain.times);
    }
  }
}

template <class Take>
Result<void> takeTogether(std::span<const PlainItems> all, Take& take, const Work& work) {
  std::int64_t first = all[0].first;
  std::int64_t last = 0;
  for (const PlainItems& plain : all) {
    first = std::min(first, plain.first);
    last = std::max(last, plain.last);
  }
  const std::int64_t chunk = std::max<std::int64_t>(1, kIdsBetweenStops / static_cast<std::int64_t>(all.size()));
  for (std::int64_t from = first; from < last; from += chunk) {
    if (work.stopped()) return cancelled();
    work.progress(static_cast<double>(from - first) / static_cast<double>(last - first));
    takeRows(all, from, std::min(last, from + chunk), take);
  }
  return {};
}

/// How many places from the first on are read in rows without a gap, by as many ranks each.
std::int64_t gaplessPlaces(std::span<const PlainItems> all) {
  const Slice& slice = all[0].items->slice();
  if (static_cast<std::int64_t>(all.size()) != slice.stride()) return 0;
  std::int64_t rows = slice.order()->size() / slice.stride();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].first > 0 || all[i].times != all[0].times) return 0;
    if (all[i].items->slice().first() != static_cast<std::int64_t>(i)) return 0;
    rows = std::min(rows, all[i].last);
  }
  return rows * slice.stride();
}

/// The order's places 0 to `last` - 1.
template <class Take>
Result<void> takePlaces(const Order& order, std::int64_t last, std::uint8_t times, Take& take, const Work& work) {
  for (std::int64_t from = 0; from < last; from += kIdsBetweenStops) {
    if (work.stopped()) return cancelled();
    work.progress(static_cast<double>(from) / static_cast<double>(last));
    const std::int64_t to = std::min(last, from + kIdsBetweenStops);
    for (std::int64_t place = from; place < to; ++place) {
      if (place + kAhead < last) take.expect(order[place + kAhead]);
      take(order[place], times);
    }
  }
  return {};
}

/// Interleaved views are read side by side, any others one after the other.
template <class Take>
Result<void> takeAll(std::vector<PlainItems> all, bool interleaved, Take& take, const Work& work) {
  if (all.empty()) return {};
  if (interleaved) {
    const std::int64_t places = gaplessPlaces(all);
    const Order& order = *all[0].items->slice().order();
    if (auto taken = takePlaces(order, places, all[0].times, take, work); !taken) return taken;
    for (PlainItems& plain : all) plain.first += places / plain.items->slice().stride();
    return takeTogether<Take>(all, take, work);
  }
  for (const PlainItems& plain : all) {
    if (auto taken = takeTogether({&plain, 1}, take, work); !taken) return taken;
  }
  return {};
}

struct AddTimes {
  Tally& tally;
  void expect(SampleIndex id) const { tally.expect(id); }
  void operator()(SampleIndex id, std::uint8_t times) const { tally.add(id, times); }
};

/// Sets the bit of each sample, and counts those that were not set.
struct CountDistinct {
  std::span<std::uint64_t> bits;
  std::int64_t distinct = 0;
  void expect(SampleIndex id) const { __builtin_prefetch(&bits[static_cast<std::size_t>(id / 64)], 1); }
  void operator()(SampleIndex id, std::uint8_t /*times*/) {
    std::uint64_t& word = bits[static_cast<std::size_t>(id / 64)];
    const std::uint64_t bit = std::uint64_t{1} << (id % 64);
    distinct += (word & bit) == 0 ? 1 : 0;
    word |= bit;
  }
};

/// Sets the bits of the samples at places `from` to `to` - 1; false when one of them was set. Places up to `last`
/// follow.
bool setBits(const Order& order, std::int64_t from, std::int64_t to, std::int64_t last, std::span<std::uint64_t> bits) {
  std::uint64_t again = 0;
  for (std::int64_t place = from; place < to; ++place) {
    if (place + kAhead < last) __builtin_prefetch(&bits[static_cast<std::size_t>(order[place + kAhead] / 64)], 1);
    const SampleIndex id = order[place];
    std::uint64_t& word = bits[static_cast<std::size_t>(id / 64)];
    const std::uint64_t bit = std::uint64_t{1} << (id % 64);
    again |= word & bit;
    word |= bit;
  }
  return again == 0;
}

struct ClearBits {
  std::span<std::uint64_t> bits;
  void expect(SampleIndex id) const { __builtin_prefetch(&bits[static_cast<std::size_t>(id / 64)], 1); }
  void operator()(SampleIndex id, std::uint8_t /*times*/) const { bits[static_cast<std::size_t>(id / 64)] = 0; }
};

std::int64_t countNonzero(const Tally& tally) {
  const auto all = tally.part(0, tally.size());
  return static_cast<std::int64_t>(all.size()) - std::count(all.begin(), all.end(), std::uint8_t{0});
}

/// The view's padding among what it hands out, and the items that are none.
struct Split {
  std::vector<std::int64_t> padding;
  std::vector<PlainItems> plain;
};

std::vector<Split> splitsOf(std::span<const View> views) {
  std::vector<Split> splits;
  for (const View& view : views) {
    Split split;
    split.padding = view.items.slice().addedAmong(view.handed);
    split.plain = plainItems(view, split.padding);
    splits.push_back(std::move(split));
  }
  return splits;
}

std::vector<PlainItems> allPlain(std::span<const View> views) {
  std::vector<PlainItems> all;
  for (const Split& split : splitsOf(views)) all.insert(all.end(), split.plain.begin(), split.plain.end());
  return all;
}

/// Distinct places among items that may share some.
std::int64_t distinctPlaces(std::span<const PlainItems> all) {
  std::vector<bool> marks;
  for (const PlainItems& plain : all) {
    marks.resize(std::max(marks.size(), static_cast<std::size_t>(plain.items->position(plain.last - 1)) + 1));
    for (std::int64_t k = plain.first; k < plain.last; ++k) {
      marks[static_cast<std::size_t>(plain.items->position(k))] = true;
    }
  }
  return std::count(marks.begin(), marks.end(), true);
}

std::int64_t itemsAmong(std::span<const PlainItems> all) {
  std::int64_t items = 0;
  for (const PlainItems& plain : all) items += plain.last - plain.first;
  return items;
}

/// Whether these items of the views, none of which is padding, are every place of their order once, each read by as
/// many ranks.
bool readEveryPlace(std::span<const View> views, std::span<const PlainItems> plain) {
  const Order& order = *views[0].items.slice().order();
  const auto wraps = [&](const View& view) { return view.items.slice().addedFrom() > order.size(); };
  const auto differs = [&](const View& view) { return view.readers.size() != views[0].readers.size(); };
  return itemsAmong(plain) == order.size() && areApart(views) && std::ranges::none_of(views, wraps) &&
         std::ranges::none_of(views, differs);
}

}  // namespace

Result<HandedItems> HandedItems::make(const Plan& plan, std::size_t orders, const Work& work) {
  constexpr std::int64_t kPiece = 1 << 22;
  auto times = Tally::make(plan.spec().dataset.size);
  if (!times) return times.error();
  for (std::int64_t from = 0; from < times->size(); from += kPiece) {
    if (work.stopped()) return cancelled();
    times->clear(from, kPiece);
  }
  auto bits = Bits::make(static_cast<std::size_t>((times->size() + 63) / 64), "a bit for each sample");
  if (!bits) return bits.error();
  return HandedItems(plan, *std::move(times), *std::move(bits), orders);
}

HandedItems::HandedItems(const Plan& plan, Tally times, Bits bits, std::size_t orders)
    : universe_(plan.spec().dataset.size),
      claims_(sampling::claimsOf(plan.spec())),
      times_(std::move(times)),
      single_order_(orders == 1),
      bits_(std::move(bits)) {}

void HandedItems::addWhole(std::int64_t readers) {
  everywhere_ += readers;
  handed_out_ += readers * universe_;
  same_place_ += (readers - 1) * universe_;
  of_orders_ += universe_;
}

/// Adds the items that are no padding; gives those that are.
Result<std::vector<HandedItems::Padded>> HandedItems::addItems(std::span<const View> views, const Work& work) {
  std::vector<Padded> padded;
  std::vector<PlainItems> plain;
  const auto splits = splitsOf(views);
  for (std::size_t v = 0; v < views.size(); ++v) {
    const Slice& slice = views[v].items.slice();
    const auto readers = static_cast<std::int64_t>(views[v].readers.size());
    const auto& deal = slice.order()->deal();
    const std::int64_t filled = deal == nullptr ? 0 : deal->shareOf(views[v].items.rank()).filled;
    handed_out_ += views[v].handed * readers;
    for (const std::int64_t k : splits[v].padding) {
      padded.push_back({slice.sample(k), readers, k >= slice.size() - filled});
    }
    plain.insert(plain.end(), splits[v].plain.begin(), splits[v].plain.end());
  }
  const Order& order = *views[0].items.slice().order();
  last_is_whole_ = universe_ > 0 && order.size() == universe_ && readEveryPlace(views, plain);
  if (last_is_whole_) {
    // Most orders are permutations of the dataset: then each sample is handed out once more.
    const auto once = markOnce(order, universe_, work);
    if (!once) return once.error();
    last_is_whole_ = *once;
    if (*once) std::ranges::fill(bits_.items(), 0);
  }
  if (last_is_whole_) {
    everywhere_ += static_cast<std::int64_t>(views[0].readers.size());
    return padded;
  }
  const bool interleaved = areInterleaved(views);
  if (const std::int64_t places = interleaved && !plain.empty() ? gaplessPlaces(plain) : 0; places > 0) {
    const Slice& slice = plain[0].items->slice();
    const auto once = addOnce(*slice.order(), places, plain[0].times, work);
    if (!once) return once.error();
    for (PlainItems& of_view : plain) of_view.first += *once ? places / slice.stride() : 0;
  }
  AddTimes add{times_};
  if (auto added = takeAll(std::move(plain), interleaved, add, work); !added) return added.error();
  return padded;
}

/// Bits are an eighth of the table of counts, and stay in the processor's cache up to much larger datasets.
Result<bool> HandedItems::markOnce(const Order& order, std::int64_t places, const Work& work) {
  const std::span<std::uint64_t> bits = bits_.items();
  for (std::int64_t from = 0; from < places; from += kIdsBetweenStops) {
    if (work.stopped()) return cancelled();
    work.progress(static_cast<double>(from) / static_cast<double>(places));
    if (setBits(order, from, std::min(places, from + kIdsBetweenStops), places, bits)) continue;
    std::ranges::fill(bits, 0);
    return false;
  }
  return true;
}

Result<bool> HandedItems::addOnce(const Order& order, std::int64_t places, std::uint8_t times, const Work& work) {
  if (auto once = markOnce(order, places, work); !once || !*once) return once;
  const std::span<std::uint64_t> bits = bits_.items();
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const auto first = static_cast<std::int64_t>(i * 64);
    const std::uint64_t word = std::exchange(bits[i], 0);
    if (word == ~std::uint64_t{0}) {
      times_.addAll(first, 64, times);
    } else {
      for (std::uint64_t left = word; left != 0; left &= left - 1) times_.add(first + __builtin_ctzll(left), times);
    }
    if (i % kIdsBetweenStops == 0 && work.stopped()) return cancelled();
  }
  return true;
}

Result<std::int64_t> HandedItems::distinctOf(std::span<const View> views, const Work& work) {
  const auto plain = allPlain(views);
  const bool interleaved = areInterleaved(views);
  CountDistinct count{bits_.items()};
  if (auto counted = takeAll(plain, interleaved, count, work); !counted) return counted.error();
  if (count.distinct > universe_ / 64) {
    std::ranges::fill(bits_.items(), 0);
    return count.distinct;
  }
  ClearBits clear{bits_.items()};
  if (auto cleared = takeAll(plain, interleaved, clear, work); !cleared) return cleared.error();
  return count.distinct;
}

Result<std::int64_t> HandedItems::distinctInOrder(std::span<const View> views, const Work& work) {
  if (last_is_whole_) return universe_;
  return single_order_ ? Result<std::int64_t>(countNonzero(times_)) : distinctOf(views, work);
}

Result<void> HandedItems::add(std::span<const View> views, const Work& work) {
  const std::int64_t before = handed_out_;
  auto padded = addItems(views, work);
  if (!padded) return padded.error();
  const auto plain = allPlain(views);
  const std::int64_t places = areApart(views) ? itemsAmong(plain) : distinctPlaces(plain);
  same_place_ += handed_out_ - before - places;
  for (const Padded& item : *padded) same_place_ -= item.readers;
  padded_.insert(padded_.end(), padded->begin(), padded->end());

  const auto distinct = distinctInOrder(views, {work.stop, {}});
  if (!distinct) return distinct.error();
  of_orders_ += *distinct;
  std::int64_t of_shares = *distinct;
  if (views[0].items.slice().order()->deal() != nullptr && views.size() > 1 && places > *distinct) {
    of_shares = 0;
    for (const View& view : views) {
      const auto of_share = distinctOf({&view, 1}, {work.stop, {}});
      if (!of_share) return of_share.error();
      of_shares += *of_share;
    }
  }
  in_order_ += places - of_shares;
  across_shares_ += of_shares - *distinct;
  return claims_.in_order == RepeatCause::DuplicatingWorkers ? moveToWorkers(views, work) : Result<void>();
}

/// What a rank's workers read twice is so on each rank, also where ranks read alike: the ranks share what is left.
Result<void> HandedItems::moveToWorkers(std::span<const View> views, const Work& work) {
  for (const View& view : views) {
    const auto others = static_cast<std::int64_t>(view.readers.size()) - 1;
    if (others == 0) continue;
    const auto distinct = distinctOf({&view, 1}, {work.stop, {}});
    if (!distinct) return distinct.error();
    const std::int64_t again = others * (itemsAmong(allPlain({&view, 1})) - *distinct);
    same_place_ -= again;
    in_order_ += again;
  }
  return {};
}

void HandedItems::takePadding(std::vector<Padded>& padded, Ledger& ledger) {
  std::ranges::sort(padded, [](const Padded& a, const Padded& b) {
    return std::tie(a.sample, a.filled) < std::tie(b.sample, b.filled);
  });
  for (auto at = padded.begin(); at != padded.end();) {
    const SampleIndex sample = at->sample;
    bool first = everywhere_ == 0 && times_[sample] == 0;  // the sampler's own place of it is cut: no repeat then
    for (; at != padded.end() && at->sample == sample; ++at) {
      times_.add(sample, static_cast<std::uint8_t>(std::min<std::int64_t>(at->readers, Tally::kMost)));
      const std::int64_t first_readings = std::exchange(first, false) ? 1 : 0;
      ledger.seen += first_readings;
      ledger.repeats[at->filled ? RepeatCause::BatchFilling : claims_.padding] += at->readers - first_readings;
      if (at->readers == first_readings) continue;
      const bool known = !ledger.padding_ids.empty() && ledger.padding_ids.back() == sample;
      if (!known && ledger.padding_ids.size() < kShownIds) ledger.padding_ids.push_back(sample);
    }
  }
}

void HandedItems::close(Ledger& ledger) {
  const std::int64_t plain = everywhere_ > 0 ? universe_ : single_order_ ? of_orders_ : countNonzero(times_);
  ledger.handed_out = handed_out_;
  ledger.seen = plain;
  ledger.repeats[claims_.same_place] += same_place_;
  ledger.repeats[claims_.in_order] += in_order_;
  ledger.repeats[claims_.across_shares] += across_shares_;
  ledger.repeats[RepeatCause::OverlappingRanks] += of_orders_ - plain;
  takePadding(padded_, ledger);
}

}  // namespace shardlens
