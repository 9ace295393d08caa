// SPDX-License-Identifier: Apache-2.0
#include "core/audit/overlap.h"

#include "core/audit/readers.h"
#include "core/audit/sample_sets.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace shardlens {
namespace {

constexpr std::int64_t kSetBytes = 1'000'000'000;
constexpr std::int64_t kPrefetchAhead = 32;

/// Shared counts between classes, and which readers they are.
struct ClassTable {
  std::vector<ReaderIndices> classes;  ///< readers that are handed item for item the same
  std::vector<std::int64_t> shared;    ///< classes.size() squared
  std::size_t readers = 0;             ///< readers 0 .. readers - 1 are in a class
};

/// Whether no sample stands twice in the order.
Result<bool> isInjective(const Order& order, std::int64_t universe, const Work& work) {
  std::vector<std::uint64_t> seen(static_cast<std::size_t>((universe + 63) / 64));
  for (std::int64_t position = 0; position < order.size(); ++position) {
    if (position % (1 << 18) == 0 && work.stopped()) return cancelled();
    if (position + kPrefetchAhead < order.size()) {
      __builtin_prefetch(&seen[static_cast<std::size_t>(order[position + kPrefetchAhead] / 64)], 1);
    }
    const SampleIndex id = order[position];
    std::uint64_t& word = seen[static_cast<std::size_t>(id / 64)];
    const std::uint64_t bit = std::uint64_t{1} << (id % 64);
    if ((word & bit) != 0) return false;
    word |= bit;
  }
  return true;
}

/// A place of the order, below its size, where a view starts over and reads a second time.
struct Repeat {
  std::int64_t place = 0;
  std::size_t view = 0;
  auto operator<=>(const Repeat&) const = default;
};

/// Every (place, view) that the views read, at the places where any view starts over; sorted, without repeats.
std::vector<Repeat> readersOfRepeats(std::span<const View> views, std::int64_t order_size) {
  const std::int64_t stride = views[0].items.slice().stride();
  std::map<std::int64_t, std::size_t> view_of_first;
  for (std::size_t v = 0; v < views.size(); ++v) view_of_first[views[v].items.slice().first()] = v;
  std::vector<Repeat> repeats;
  for (std::size_t v = 0; v < views.size(); ++v) {
    for (std::int64_t k = views[v].handed - 1; k >= 0 && views[v].items.position(k) >= order_size; --k) {
      const std::int64_t place = views[v].items.position(k) % order_size;
      repeats.push_back({place, v});
      const auto owner = view_of_first.find(place % stride);
      if (owner != view_of_first.end() && place / stride < views[owner->second].handed) {
        repeats.push_back({place, owner->second});
      }
    }
  }
  std::ranges::sort(repeats);
  repeats.erase(std::unique(repeats.begin(), repeats.end()), repeats.end());
  return repeats;
}

/// Interleaved views of an order without repeats share nothing but what the tiled end repeats: O(views squared).
ClassTable countByPosition(std::vector<View> views) {
  const std::int64_t order_size = views[0].items.slice().order()->size();
  const std::size_t size = views.size();
  ClassTable table;
  table.shared.assign(size * size, 0);
  for (std::size_t v = 0; v < size; ++v) {
    std::int64_t inside = views[v].handed;
    while (inside > 0 && views[v].items.position(inside - 1) >= order_size) --inside;
    table.shared[v * size + v] = inside;
  }
  const auto repeats = readersOfRepeats(views, order_size);
  for (auto from = repeats.begin(); from != repeats.end();) {
    const auto to =
        std::find_if(from, repeats.end(), [&](const Repeat& repeat) { return repeat.place != from->place; });
    for (auto a = from; a != to; ++a) {
      for (auto b = from; b != to; ++b) table.shared[a->view * size + b->view] += a->view == b->view ? 0 : 1;
      const Slice& slice = views[a->view].items.slice();
      const bool own =
          from->place % slice.stride() == slice.first() && from->place / slice.stride() < views[a->view].handed;
      table.shared[a->view * size + a->view] += own ? 0 : 1;
    }
    from = to;
  }
  for (View& view : views) table.classes.push_back(std::move(view.readers));
  return table;
}

/// Equal for views that hand out the same batches: the same samples in the same order, and batches of the same sizes,
/// where the deal lists them.
Result<std::uint64_t> fingerprintOf(const View& view, const Work& work) {
  constexpr std::int64_t kPiece = 1 << 16;
  std::vector<SampleIndex> piece;
  std::vector<SampleIndex> prints;
  for (std::int64_t first = 0; first < view.handed; first += kPiece) {
    if (work.stopped()) return cancelled();
    piece.clear();
    for (std::int64_t k = first; k < std::min(view.handed, first + kPiece); ++k) piece.push_back(view.items.sample(k));
    prints.push_back(static_cast<SampleIndex>(shardlens::fingerprintOf(piece)));
  }
  const auto& deal = view.items.slice().order()->deal();
  const bool lists_batches = deal != nullptr && deal->lists_batches;
  for (Step step{0}; lists_batches && step.value < view.items.batches(); ++step) {
    if (step.value % kPiece == 0 && work.stopped()) return cancelled();
    prints.push_back(static_cast<SampleIndex>(view.items.batch(step).size()));
  }
  return shardlens::fingerprintOf(prints);
}

/// Sets of samples, one for each class, as many as fit into kSetBytes.
class SetCounter {
 public:
  explicit SetCounter(std::int64_t universe) : universe_(universe), maker_(universe) {}

  /// False: no room is left, the view was not taken.
  Result<bool> take(View view, const Work& work) {
    const auto fingerprint = fingerprintOf(view, work);
    if (!fingerprint) return fingerprint.error();
    const auto known = by_fingerprint_.find({*fingerprint, view.handed});
    if (known != by_fingerprint_.end()) {
      ReaderIndices& readers = classes_[known->second];
      readers.insert(readers.end(), view.readers.begin(), view.readers.end());
      return true;
    }
    auto set = maker_.of(view.items, view.handed, work);
    if (!set) return set.error();
    if (bytes_ + set->bytes() > kSetBytes && !sets_.empty()) return false;
    bytes_ += set->bytes();
    by_fingerprint_[{*fingerprint, view.handed}] = sets_.size();
    sets_.push_back(*std::move(set));
    classes_.push_back(std::move(view.readers));
    return true;
  }

  /// Readers of one order that are handed all samples.
  void takeAll(const ReaderIndices& readers) {
    SampleSet set;
    set.count = universe_;
    set.all = true;
    sets_.push_back(std::move(set));
    classes_.push_back(readers);
  }

  Result<ClassTable> count(const Work& work) && {
    auto shared = sharedCounts(sets_, universe_, work);
    if (!shared) return shared.error();
    return ClassTable{std::move(classes_), *std::move(shared), 0};
  }

 private:
  std::int64_t universe_;
  SampleSetMaker maker_;
  std::int64_t bytes_ = 0;
  std::map<std::pair<std::uint64_t, std::int64_t>, std::size_t> by_fingerprint_;
  std::vector<SampleSet> sets_;
  std::vector<ReaderIndices> classes_;
};

/// The number of leading readers that are in some class: a table must not have holes.
std::size_t leadingReaders(const std::vector<ReaderIndices>& classes, std::size_t all) {
  std::vector<bool> taken(all, false);
  for (const ReaderIndices& one : classes) {
    for (const std::size_t reader : one) taken[reader] = true;
  }
  return static_cast<std::size_t>(std::find(taken.begin(), taken.end(), false) - taken.begin());
}

Result<ClassTable> countBySets(const Plan& plan, std::span<const Reader> readers,
                               const std::vector<ReaderIndices>& groups, const Work& work) {
  SetCounter counter(plan.spec().dataset.size);
  bool room = true;
  for (std::size_t i = 0; i < groups.size() && room; ++i) {
    const auto count = static_cast<double>(groups.size());
    const Work part = work.part(0.8 * static_cast<double>(i) / count, 0.8 * static_cast<double>(i + 1) / count);
    if (isHandedAll(plan, readers[groups[i].front()])) {
      counter.takeAll(groups[i]);
      continue;
    }
    auto views = viewsOf(plan, readers, groups[i], part);
    if (!views) return views.error();
    for (std::size_t v = 0; v < views->size() && room; ++v) {
      const auto taken = counter.take(std::move((*views)[v]), part);
      if (!taken) return taken.error();
      room = *taken;
    }
  }
  return std::move(counter).count(work.part(0.8, 1));
}

/// The quick way, where it holds: nothing when it does not.
Result<std::optional<ClassTable>> tryByPosition(const Plan& plan, std::span<const Reader> readers,
                                                const std::vector<ReaderIndices>& groups, bool is_complete,
                                                const Work& work) {
  std::optional<ClassTable> none;
  if (groups.size() != 1) return none;
  auto views = viewsOf(plan, readers, groups[0], work);
  if (!views) return views.error();
  const Order& order = *views->front().items.slice().order();
  // With a first item of its own, below the order's size, no view can be item for item another one.
  const bool own = std::ranges::all_of(
      *views, [&](const View& view) { return view.handed > 0 && view.items.slice().first() < order.size(); });
  if (!own || !areInterleaved(*views)) return none;
  // An order that is no longer than the dataset and has every sample has each of them once.
  const bool known = is_complete && order.size() <= plan.spec().dataset.size;
  const auto injective = known ? Result<bool>(true) : isInjective(order, plan.spec().dataset.size, work);
  if (!injective) return injective.error();
  return *injective ? std::optional(countByPosition(*std::move(views))) : none;
}

/// Writes the counts between classes out for every two readers.
Overlap spread(const ClassTable& table, std::size_t readers) {
  std::vector<std::size_t> class_of(readers, 0);
  Overlap overlap;
  overlap.size = static_cast<std::int64_t>(readers);
  overlap.same_as.assign(readers, 0);
  for (std::size_t c = 0; c < table.classes.size(); ++c) {
    const ReaderIndices& members = table.classes[c];
    const std::size_t first = *std::ranges::min_element(members);
    for (const std::size_t reader : members) {
      if (reader >= readers) continue;
      class_of[reader] = c;
      overlap.same_as[reader] = static_cast<std::int64_t>(first);
    }
  }
  overlap.shared.resize(readers * readers);
  for (std::size_t row = 0; row < readers; ++row) {
    const auto counts = std::span(table.shared).subspan(class_of[row] * table.classes.size(), table.classes.size());
    for (std::size_t column = 0; column < readers; ++column)
      overlap.shared[row * readers + column] = counts[class_of[column]];
  }
  return overlap;
}

Result<Overlap> overlapOf(const Plan& plan, std::span<const Reader> readers, bool is_complete, const Work& work) {
  if (readers.empty()) return Overlap{};
  const auto groups = groupByOrder(plan, readers);
  auto quick = tryByPosition(plan, readers, groups, is_complete, work);
  if (!quick) return quick.error();
  if (quick->has_value()) return spread(**quick, readers.size());
  const auto table = countBySets(plan, readers, groups, work);
  if (!table) return table.error();
  return spread(*table, leadingReaders(table->classes, readers.size()));
}

}  // namespace

Result<Overlap> rankOverlap(const Plan& plan, Epoch epoch, bool is_complete, const Work& work) {
  auto overlap = overlapOf(plan, ranksOf(plan, epoch, kOverlapRanks), is_complete, work);
  const PipelineSpec::World& world = plan.spec().world;
  if (!overlap || world.dataParallelSize() == world.size()) return overlap;
  for (std::int64_t rank = 0; rank < overlap->size; ++rank)
    overlap->copies.push_back(world.dataParallelRankOf(Rank{rank}));
  return overlap;
}

Result<Overlap> epochOverlap(const Plan& plan, Rank rank, Epoch first, std::int64_t count, const Work& work) {
  std::vector<Reader> readers;
  for (std::int64_t epoch = first.value; epoch < std::min(plan.epochs(), first.value + count); ++epoch) {
    readers.push_back({Epoch{epoch}, rank});
  }
  return overlapOf(plan, readers, false, work);
}

Result<std::vector<SampleIndex>> sharedSamples(const Plan& plan, Epoch epoch, Rank a, Rank b, std::size_t most,
                                               const Work& work) {
  const std::vector<Reader> readers = {{epoch, a}, {epoch, b}};
  std::vector<SampleSet> sets;
  const std::int64_t universe = plan.spec().dataset.size;
  SampleSetMaker maker(universe);
  for (std::size_t i = 0; i < readers.size(); ++i) {
    const auto views = viewsOf(plan, readers, {i}, work);
    if (!views) return views.error();
    auto set = maker.of(views->front().items, views->front().handed, work);
    if (!set) return set.error();
    sets.push_back(*std::move(set));
  }
  return firstShared(sets[0], sets[1], universe, most);
}

}  // namespace shardlens
