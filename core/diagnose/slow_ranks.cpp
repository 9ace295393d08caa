// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/slow_ranks.h"

#include "core/diagnose/statistics.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace shardlens {
namespace {

constexpr double kFalseAlarms = 0.01;
constexpr double kForWholeRun = 0.4;  ///< shares of these
constexpr double kForWindows = 0.4;
constexpr double kForNewest = 0.2;
constexpr std::size_t kFewestInWindow = 8;
constexpr double kLeastShare = 0.05;       ///< of the time it is about
constexpr double kLeastShareOfRun = 0.02;  ///< or kLeastMs
constexpr double kLeastMs = 500;
constexpr double kLeastBehindMs = 0.5;
/// A rank that shares its core comes this much later for each other rank there: one and a half time slices of Linux.
constexpr double kSliceMs = 4.5;
constexpr double kSteady = 0.75;  ///< of these slices, in nine of ten collectives
constexpr double kTrifle = 3;     ///< of these slices; such a lateness has to last
constexpr std::int64_t kFewestLasting = 48;
constexpr double kLastingMs = 3000;
/// And one that is named beside another is late by at least this part of that: the rest may be scheduling, too.
constexpr double kLeastOfLatest = 3;
constexpr std::size_t kMostVerdicts = 3;
constexpr double kNewestMs = 1500;
constexpr std::int64_t kFewestNewest = 10;
constexpr double kNearlyAll = 0.9;  ///< of the best gain: further members are not worth naming
/// How much clearer than any fluctuation a lateness has to be, however long such ones last, by what is known of that.
struct Clear {
  std::size_t rows, blocks;
  double times;
};
constexpr Clear kClear[] = {{12, 5, 2.5}, {12, 3, 3.5}, {12, 0, 8}, {2, 0, 16}};
constexpr std::size_t kFewestClear = 5;  ///< rows
constexpr double kLeastIntervalMs = 1000;
constexpr std::int64_t kFewestInInterval = 64;

std::size_t overlap(RowRange a, RowRange b) {
  const std::size_t begin = std::max(a.begin, b.begin);
  const std::size_t end = std::min(a.end, b.end);
  return begin < end ? end - begin : 0;
}

/// A set of members and the rows in which it was found late.
struct Found {
  LateSet set;
  std::vector<bool> is_in;
  RowRange rows;
  double confidence = 0;
};

class Judge {
 public:
  Judge(const TimeLost& lost, const Ground& ground)
      : lost_(lost), ground_(ground), test_(lost), run_ms_(lost.milliseconds(lost.all())) {}

  Judgement judgement() {
    lookAt(lost_.all(), kForWholeRun);
    lookAtWindows();
    lookAtNewest();
    if (found_.empty()) lookAtFew();
    Judgement judgement;
    std::ranges::stable_sort(found_, [this](const Found& a, const Found& b) { return gainOf(a) > gainOf(b); });
    for (const Found& found : found_) {
      if (judgement.slow.size() < kMostVerdicts) judgement.slow.push_back(described(found));
    }
    if (found_.empty()) judgement.sometimes = sometimesLateOf(lost_, floorMs(lost_.all()));
    if (found_.empty() && !judgement.sometimes) judgement.wandering = wanderingOf(lost_, floorMs(lost_.all()));
    judgement.waited_ms = lost_.waitedMs();
    judgement.pauses = pausesOf(lost_);
    return judgement;
  }

 private:
  [[nodiscard]] double gainOf(const Found& found) const { return lost_.owed(found.rows, found.is_in).gain_ms; }
  /// How late a rank may come for want of a core.
  [[nodiscard]] double floorMs(RowRange range) const {
    const double least = std::max(kLeastBehindMs, kSliceMs * static_cast<double>(ground_.ranks_per_core - 1));
    if (!ground_.is_tight) return least;
    std::vector<double> transfers;
    for (std::size_t i = range.begin; i < range.end; ++i) transfers.push_back(double{lost_.row(i).transfer_ms});
    const double usual = median(transfers);
    return std::max(least, quantile(std::move(transfers), 0.9) - usual);
  }

  /// More than the want of a core explains; or so steadily that it is none of that, which comes and goes. A trifle on a
  /// busy host has to last: what else uses a core makes its ranks late as steadily for a second or so.
  [[nodiscard]] bool isLate(const std::vector<double>& behind_ms, RowRange range) const {
    const double typical = median(behind_ms);
    if (!ground_.is_tight) return typical >= floorMs(range);
    const double slices = kSliceMs * static_cast<double>(std::max<std::int64_t>(1, ground_.ranks_per_core - 1));
    const bool lasts = lost_.collectives(range) >= kFewestLasting || lost_.milliseconds(range) >= kLastingMs;
    if (!lasts && typical < kTrifle * slices) return false;
    return typical >= floorMs(range) || (typical >= slices && quantile(behind_ms, 0.1) >= kSteady * slices);
  }

  void lookAtWindows() {
    std::vector<std::size_t> lengths;
    for (std::size_t length = lost_.size() / 2; length >= kFewestInWindow; length /= 2) lengths.push_back(length);
    for (const std::size_t length : lengths) {
      const std::size_t stride = std::max<std::size_t>(1, length / 2);
      const std::size_t windows = (lost_.size() - length) / stride + 1;
      const double share = kForWindows / static_cast<double>(lengths.size() * windows);
      for (std::size_t i = 0; i < windows; ++i) {
        const std::size_t begin = i + 1 == windows ? lost_.size() - length : i * stride;
        lookAt({begin, begin + length}, share);
      }
    }
  }

  /// The last one and a half seconds, or ten collectives when these take longer. How often that is asked in the course
  /// of a run depends on its length.
  void lookAtNewest() {
    std::size_t begin = lost_.size();
    while (begin > 0 && (lost_.milliseconds({begin, lost_.size()}) < kNewestMs ||
                         lost_.collectives({begin, lost_.size()}) < kFewestNewest)) {
      --begin;
    }
    const RowRange newest{begin, lost_.size()};
    if (newest.size() == 0 || 2 * newest.size() > lost_.size()) return;
    lookAt(newest, kForNewest / (4 * static_cast<double>(lost_.size()) / static_cast<double>(newest.size())));
  }

  /// So few collectives that the places of their ranks show little.
  void lookAtFew() {
    const RowRange all = lost_.all();
    if (all.size() < kFewestClear || all.size() >= std::begin(kClear)->rows) return;
    auto set = worthiest(all, test_.lateSets(all, 0, 1));
    if (!set) return;
    Found found{*set, setOf(set->members), all, 1 - std::exp(set->ln_chance)};
    const bool is_clear =
        clearness(found.is_in, all, behind(all, found.is_in, found.is_in)) >= std::rbegin(kClear)->times;
    if (is_clear && gainOf(found) >= kLeastMs && isWorthIt(found)) found_.push_back(std::move(found));
  }

  void lookAt(RowRange range, double share_of_alarms) {
    const double duration = lost_.milliseconds(range);
    if (duration <= 0 || test_.spreadMs(range) < kLeastShare * duration) return;
    const double allowed = kFalseAlarms * share_of_alarms / static_cast<double>(ground_.groups);
    auto set = worthiest(range, test_.lateSets(range, std::log(allowed), 1));
    if (!set) return;
    Found found;
    found.is_in = setOf(set->members);
    found.set = *std::move(set);
    found.rows = extended(found.is_in, range);
    const double ln_chance =
        std::min(lnChanceOf(found.is_in, range, allowed), lnChanceOf(found.is_in, found.rows, allowed));
    if (ln_chance > std::log(allowed)) return;
    found.set.ln_chance = ln_chance;
    found.confidence = 1 - kFalseAlarms * std::exp(found.set.ln_chance - std::log(allowed));
    if (isWorthIt(found)) add(std::move(found));
  }

  /// Of this very set, in blocks long enough that one hardly depends on the one before; 0 when chance does it too
  /// often.
  [[nodiscard]] double lnChanceOf(const std::vector<bool>& is_in, RowRange range, double allowed) const {
    for (const LateSet& set : test_.lateSets(range, std::log(allowed), rowsInBlock(is_in, range))) {
      if (setOf(set.members) == is_in) return set.ln_chance;
    }
    return 0;
  }

  /// As many rows as it takes until the lateness of the set no longer depends on what it was: measured by how often it
  /// stays on one side of its median from one collective to the next, inside of these rows and outside of them, as if
  /// it were autoregressive, and with a margin for what so many rows cannot tell. One, when it is clear without that.
  [[nodiscard]] std::size_t rowsInBlock(const std::vector<bool>& is_in, RowRange range) const {
    const std::vector<double> late = behind(lost_.all(), is_in, is_in);
    const auto begin = late.begin() + static_cast<std::ptrdiff_t>(range.begin);
    const auto end = late.begin() + static_cast<std::ptrdiff_t>(range.end);
    std::vector<double> rest(late.begin(), begin);
    rest.insert(rest.end(), end, late.end());
    const double inside = median({begin, end});
    const double outside = median(std::move(rest));
    const auto is_inside = [&](std::size_t row) { return row >= range.begin && row < range.end; };
    const auto side = [&](std::size_t row) {
      const double above = late[row] - (is_inside(row) ? inside : outside);
      return above > 0 ? 1 : (above < 0 ? -1 : 0);
    };
    double same = 0;
    double pairs = 0;
    for (std::size_t row = 1; row < late.size(); ++row) {
      if (is_inside(row) != is_inside(row - 1)) continue;
      same += side(row) * side(row - 1);
      ++pairs;
    }
    const double agreement = std::max(0.0, same / pairs) + 1 / std::sqrt(pairs);
    const double correlation = std::sin(std::numbers::pi / 2 * std::min(agreement, 0.98));
    const auto rows = static_cast<std::size_t>(std::ceil((1 + correlation) / (1 - correlation)));
    const auto needed = std::find_if(std::begin(kClear), std::end(kClear), [&](const Clear& clear) {
      return range.size() >= clear.rows && range.size() >= clear.blocks * rows;
    });
    return needed != std::end(kClear) && clearness(is_in, range, late) >= needed->times ? 1 : rows;
  }

  /// By how many times more than it or the others vary the set is late in nine of ten rows.
  [[nodiscard]] double clearness(const std::vector<bool>& is_in, RowRange range,
                                 const std::vector<double>& late) const {
    std::vector<double> inside(late.begin() + static_cast<std::ptrdiff_t>(range.begin),
                               late.begin() + static_cast<std::ptrdiff_t>(range.end));
    std::vector<double> spreads;
    for (std::size_t index = range.begin; index < range.end; ++index) {
      const auto times = lost_.late(index);
      float first = INFINITY;
      float last = 0;
      for (std::size_t i = 0; i < times.size(); ++i) {
        if (is_in[i]) continue;
        first = std::min(first, times[i]);
        last = std::max(last, times[i]);
      }
      spreads.push_back(last - first);
    }
    const double low = quantile(inside, 0.1);
    const double varies = std::max(quantile(inside, 0.9) - low, quantile(std::move(spreads), 0.9));
    return low / std::max(varies, 1e-6);
  }

  [[nodiscard]] std::vector<bool> setOf(const std::vector<std::size_t>& members) const {
    std::vector<bool> is_in(lost_.memberCount(), false);
    for (const std::size_t member : members) is_in[member] = true;
    return is_in;
  }

  /// The smallest set that gains nearly as much as the best, of those that gain enough and of which also the least late
  /// member is typically late enough. Nothing when that set is known.
  [[nodiscard]] std::optional<LateSet> worthiest(RowRange range, std::vector<LateSet> sets) const {
    test_.addGains(range, sets);
    const double least = kLeastShare * lost_.milliseconds(range);
    std::erase_if(sets, [least](const LateSet& set) { return set.gain_ms < least; });
    const double trifle = floorMs(range) * static_cast<double>(lost_.collectives(range));
    while (!sets.empty()) {
      const auto less = [](const LateSet& a, const LateSet& b) { return a.gain_ms < b.gain_ms; };
      const double best = std::ranges::max_element(sets, less)->gain_ms;
      const auto found = std::ranges::find_if(
          sets, [&](const LateSet& set) { return set.gain_ms >= std::min(kNearlyAll * best, best - trifle); });
      if (isKnown(found->members, range)) return std::nullopt;
      const std::vector<bool> set = setOf(found->members);
      const std::vector<double> least_late = behind(range, setOf({found->members.back()}), set);
      const double latest = median(behind(range, setOf({found->members.front()}), set));
      const bool is_like_others = ground_.ranks_per_core == 1 || median(least_late) >= latest / kLeastOfLatest;
      if (isLate(least_late, range) && is_like_others) return std::move(*found);
      sets.erase(found);
    }
    return std::nullopt;
  }

  /// The same members, or some of them, were found late in most of these rows already.
  [[nodiscard]] bool isKnown(const std::vector<std::size_t>& members, RowRange range) const {
    return std::ranges::any_of(found_, [&](const Found& known) {
      const bool is_part = std::ranges::all_of(members, [&](std::size_t member) { return known.is_in[member]; });
      return is_part && 2 * overlap(known.rows, range) >= range.size();
    });
  }

  /// One that says the same of more time, or of more members, replaces what was found before.
  void add(Found found) {
    std::erase_if(found_, [&](const Found& known) {
      const bool is_part =
          std::ranges::all_of(known.set.members, [&](std::size_t member) { return found.is_in[member]; });
      return is_part && 2 * overlap(known.rows, found.rows) >= known.rows.size();
    });
    found_.push_back(std::move(found));
  }

  /// To where the set is no longer late, or from where on it is: the sums of its gains, less half of the typical one
  /// for each collective, are largest.
  [[nodiscard]] RowRange extended(const std::vector<bool>& is_in, RowRange range) const {
    std::vector<double> gains(lost_.size());
    std::vector<double> inside;
    for (std::size_t i = 0; i < lost_.size(); ++i) {
      const auto count = static_cast<double>(lost_.row(i).collectives);
      gains[i] = lost_.gainIn(i, is_in) / count;
      if (i >= range.begin && i < range.end) inside.push_back(gains[i]);
    }
    const double typical = median(std::move(inside));
    const auto excess = [&](std::size_t i) {
      const auto count = static_cast<double>(lost_.row(i).collectives);
      return count * (std::min(gains[i], 2 * typical) - typical / 2);
    };
    const std::size_t middle = range.begin + range.size() / 2;
    RowRange best{middle, middle + 1};
    double sum = 0;
    double most = 0;
    for (std::size_t i = middle; i < lost_.size() && sum >= most / 2; ++i) {
      sum += excess(i);
      if (sum > most) std::tie(most, best.end) = std::pair(sum, i + 1);
    }
    sum = most = 0;
    for (std::size_t i = middle; i-- > 0 && sum >= most / 2;) {
      sum += excess(i);
      if (sum > most) std::tie(most, best.begin) = std::pair(sum, i);
    }
    if (meanOf(excess, {best.end, lost_.size()}) >= -typical / 4) best.end = lost_.size();
    if (meanOf(excess, {0, best.begin}) >= -typical / 4) best.begin = 0;
    return isNearlyAll(best) ? lost_.all() : best;
  }

  /// For each collective; below all bounds for no rows.
  template <class Value>
  [[nodiscard]] double meanOf(const Value& value, RowRange range) const {
    double sum = 0;
    for (std::size_t i = range.begin; i < range.end; ++i) sum += value(i);
    return range.size() == 0 ? -INFINITY : sum / static_cast<double>(lost_.collectives(range));
  }

  [[nodiscard]] bool isNearlyAll(RowRange range) const {
    const std::size_t slack = std::max<std::size_t>(1, lost_.size() / 20);
    return range.begin <= slack && lost_.size() - range.end <= slack;
  }

  /// By how much the typical one of `who` comes after the typical one outside of `set`, collective by collective.
  [[nodiscard]] std::vector<double> behind(RowRange range, const std::vector<bool>& who,
                                           const std::vector<bool>& set) const {
    std::vector<double> behind;
    std::vector<double> late;
    std::vector<double> others;
    for (std::size_t index = range.begin; index < range.end; ++index) {
      const auto times = lost_.late(index);
      late.clear();
      others.clear();
      for (std::size_t i = 0; i < times.size(); ++i) {
        if (who[i]) late.push_back(times[i]);
        if (!set[i]) others.push_back(times[i]);
      }
      const LostRow& row = lost_.row(index);
      behind.push_back((median(late) - median(others)) * row.weight / static_cast<double>(row.collectives));
    }
    return behind;
  }

  [[nodiscard]] bool isWorthIt(const Found& found) const {
    const bool is_brief = found.rows != lost_.all() && lost_.milliseconds(found.rows) < kLeastIntervalMs &&
                          lost_.collectives(found.rows) < kFewestInInterval;
    const double gain = gainOf(found);
    if (is_brief || gain < kLeastShare * lost_.milliseconds(found.rows)) return false;
    if (gain < std::min(kLeastMs, kLeastShareOfRun * run_ms_)) return false;
    return isLate(behind(found.rows, found.is_in, found.is_in), found.rows);
  }

  [[nodiscard]] SlowRanks described(const Found& found) const {
    SlowRanks slow;
    slow.rows = found.rows;
    slow.is_whole_run = found.rows == lost_.all();
    slow.is_open = found.rows.end == lost_.size();
    slow.from_ns = lost_.row(found.rows.begin).from_ns;
    slow.to_ns = lost_.row(found.rows.end - 1).to_ns;
    slow.collectives = lost_.collectives(found.rows);
    slow.left_out = lost_.leftOut(found.rows);
    slow.owed = lost_.owed(found.rows, found.is_in);
    slow.behind_ms = median(behind(found.rows, found.is_in, found.is_in));
    slow.share = std::clamp(slow.owed.gain_ms / lost_.milliseconds(found.rows), 0.0, 1.0);
    slow.confidence = found.confidence;
    double most = -1;
    for (std::size_t member = 0; member < found.is_in.size(); ++member) {
      if (!found.is_in[member]) continue;
      std::vector<bool> alone(found.is_in.size(), false);
      alone[member] = true;
      slow.ranks.push_back((*lost_.members())[member]);
      slow.alone_ms.push_back(lost_.owed(found.rows, alone).gain_ms);
      if (slow.alone_ms.back() > most) std::tie(most, slow.worst) = std::pair(slow.alone_ms.back(), slow.ranks.back());
    }
    for (std::size_t i = found.rows.begin; i < found.rows.end; ++i)
      slow.last_in += found.is_in[lost_.lastOf(i)] ? lost_.row(i).collectives : 0;
    return slow;
  }

  const TimeLost& lost_;
  const Ground ground_;
  ArrivalTest test_;
  double run_ms_;
  std::vector<Found> found_;
};

}  // namespace

Judgement judge(const TimeLost& lost, const Ground& ground) {
  Judgement judgement;
  if (lost.size() > 0 && lost.memberCount() >= 2) judgement = Judge(lost, ground).judgement();
  judgement.at_start = lost.atStart();
  return judgement;
}

}  // namespace shardlens
