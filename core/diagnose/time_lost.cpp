// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/time_lost.h"

#include "core/diagnose/collective_table.h"
#include "core/diagnose/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace shardlens {
namespace {

constexpr std::size_t kMostRows = 4096;
constexpr std::size_t kFewestRows = 64;
/// Over all members that are known to have left.
float meanTransferMs(const Collective& collective) {
  double sum = 0;
  std::int64_t known = 0;
  for (const Visit& visit : collective.visits) {
    if (visit.is_lost) continue;
    sum += static_cast<double>(std::max<std::int64_t>(0, visit.leave_ns - collective.last_enter_ns));
    ++known;
  }
  return static_cast<float>(sum / 1e6 / static_cast<double>(std::max<std::int64_t>(1, known)));
}

/// A pause that is a matter of its own, whatever came before it.
constexpr std::int64_t kPauseNs = 100'000'000;
/// Members that came to more without having loaded or computed are not starting: they do what is not seen.
constexpr std::size_t kMostAtStart = 8;

/// When the member came, or could have come: not while all of it waited for the collective before.
std::int64_t cameAt(const Visit& visit, std::int64_t waited_until_ns) {
  return std::max(visit.enter_ns, waited_until_ns);
}

/// Whether the last member had not begun its first step when the others were there.
bool isForStarting(const Collective& collective) {
  const auto earlier = [](const Visit& a, const Visit& b) { return a.enter_ns < b.enter_ns; };
  const Visit& last = *std::ranges::max_element(collective.visits, earlier);
  std::int64_t others_ns = collective.first_enter_ns;
  for (const Visit& visit : collective.visits) {
    if (&visit != &last) others_ns = std::max(others_ns, visit.enter_ns);
  }
  return last.started_ns < 0 || last.started_ns > others_ns;
}

constexpr double kWanderingShare = 0.2;
constexpr std::int64_t kFewestWandering = 30;
constexpr double kLeastWanderingMs = 500;
constexpr double kPauseMs = 2000;
constexpr double kShortPauseMs = 500;
constexpr double kShortPausesShare = 0.05;  ///< of the run, that the shorter ones of a rank take together
constexpr double kPauseTimesUsual = 10;
constexpr std::size_t kMostPauses = 5;

std::vector<bool> only(const TimeLost& lost, std::size_t member) {
  std::vector<bool> is_in(lost.memberCount(), false);
  is_in[member] = true;
  return is_in;
}

double perCollective(const LostRow& row, double value) {
  return value / static_cast<double>(row.collectives);
}

double usualMs(const TimeLost& lost) {
  std::vector<double> lengths;
  for (std::size_t i = 1; i < lost.size(); ++i) lengths.push_back(perCollective(lost.row(i), lost.row(i).ms()));
  return median(std::move(lengths));
}

// --- late now and then

constexpr double kMostOfWaiting = 0.8;
constexpr double kNowAndThen = 2.0 / 3;  ///< of the collectives; more is a slow rank, or none
constexpr std::size_t kFewestTimes = 3;
constexpr double kSameMember = 0.9;
constexpr double kLeastLateMs = 10;
constexpr double kLeastGainShare = 0.05;
constexpr double kLeastGainMs = 500;
constexpr double kMostChance = 0.002;

/// The fewest rows that hold most of the waiting, in the order of time; `all_ms` is the whole of it.
std::vector<std::size_t> rowsOfMostWaiting(const TimeLost& lost, double all_ms) {
  std::vector<std::pair<double, std::size_t>> waits;
  for (std::size_t index = 0; index < lost.size(); ++index) waits.emplace_back(lost.waitedMs(index), index);
  std::ranges::stable_sort(waits, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::size_t> rows;
  double sum = 0;
  for (std::size_t i = 0; i < waits.size() && sum < kMostOfWaiting * all_ms; ++i) {
    sum += waits[i].first;
    rows.push_back(waits[i].second);
  }
  std::ranges::sort(rows);
  return rows;
}

/// The probability of at least `hits` in `tries` when each hits one time in `members`, for the best of all members.
double chanceOf(std::size_t hits, std::size_t tries, std::size_t members) {
  const double one = 1 / static_cast<double>(members);
  double sum = 0;
  for (std::size_t k = hits; k <= tries; ++k) {
    const double ways = std::lgamma(static_cast<double>(tries) + 1) - std::lgamma(static_cast<double>(k) + 1) -
                        std::lgamma(static_cast<double>(tries - k) + 1);
    sum += std::exp(ways + static_cast<double>(k) * std::log(one) + static_cast<double>(tries - k) * std::log1p(-one));
  }
  return std::min(1.0, sum * static_cast<double>(members));
}

/// From when the next latest came until the last one did, in one collective of the row.
double gapMs(const TimeLost& lost, std::size_t index) {
  return perCollective(lost.row(index), lost.gainIn(index, only(lost, lost.lastOf(index))));
}

double typicalGapMs(const TimeLost& lost, const std::vector<std::size_t>& rows) {
  std::vector<double> gaps(rows.size());
  std::transform(rows.begin(), rows.end(), gaps.begin(), [&](std::size_t index) { return gapMs(lost, index); });
  return median(std::move(gaps));
}

/// Rows that follow each other are one event: what delays a rank often lasts longer than a step.
std::size_t eventsIn(const std::vector<std::size_t>& rows) {
  std::size_t events = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) events += i == 0 || rows[i] != rows[i - 1] + 1 ? 1 : 0;
  return events;
}

/// The member that came last in most of these rows.
std::size_t mostOftenLast(const TimeLost& lost, const std::vector<std::size_t>& rows) {
  std::vector<std::size_t> last(lost.memberCount());
  for (const std::size_t index : rows) ++last[lost.lastOf(index)];
  return static_cast<std::size_t>(std::ranges::max_element(last) - last.begin());
}

}  // namespace

TimeLost::TimeLost(Members members, std::size_t most_cells) : members_(std::move(members)) {
  most_rows_ = std::clamp(most_cells / std::max<std::size_t>(1, memberCount()), kFewestRows, kMostRows);
}

std::span<const float> TimeLost::late(std::size_t index) const {
  return std::span(late_).subspan(index * memberCount(), memberCount());
}

std::span<const std::uint16_t> TimeLost::order(std::size_t index) const {
  return std::span(order_).subspan(index * memberCount(), memberCount());
}

std::size_t TimeLost::lastOf(std::size_t index) const {
  const auto times = late(index);
  return static_cast<std::size_t>(std::ranges::max_element(times) - times.begin());
}

void TimeLost::add(const Collective& collective) {
  const std::int64_t last = collective.last_enter_ns;
  const std::int64_t waited_until_ns = std::min(last_to_ns_, last);
  const bool worked = std::ranges::any_of(collective.visits, &Visit::worked);
  if (worked || last - std::max(collective.first_enter_ns, waited_until_ns) >= kPauseNs) {
    push(collective, waited_until_ns);
  } else {
    leaveOut();
  }
  last_to_ns_ = std::max(last_to_ns_, last);
  const auto has_started = [](const Visit& visit) { return visit.started_ns >= 0; };
  if (is_starting_ && std::ranges::any_of(collective.visits, has_started)) dropStart();
  is_starting_ = is_starting_ && rows_.size() <= kMostAtStart;
  if (rows_.size() > most_rows_) (void)shrink();
}

void TimeLost::push(const Collective& collective, std::int64_t waited_until_ns) {
  const std::int64_t first = std::max(collective.first_enter_ns, waited_until_ns);
  const std::int64_t last = collective.last_enter_ns;
  const Visit& visit = collective.visits.front();
  LostRow row{waited_until_ns >= 0 ? waited_until_ns : first, last, visit.epoch, visit.step, visit.epoch, visit.step};
  row.last_is_after_steps = std::ranges::any_of(collective.visits, &Visit::after_steps);
  row.transfer_ms = meanTransferMs(collective);
  row.left_out = std::exchange(left_out_, 0);
  row.is_start = is_starting_ && isForStarting(collective);
  rows_.push_back(row);
  for (const Visit& one : collective.visits)
    late_.push_back(static_cast<float>(cameAt(one, waited_until_ns) - first) / 1e6F);
  addOrder();
}

/// A member has begun to load or compute: this is a job whose ranks do.
void TimeLost::dropStart() {
  is_starting_ = false;
  std::size_t kept = 0;
  for (std::size_t index = 0; index < rows_.size(); ++index) {
    if (!rows_[index].is_start) {
      move(index, kept++);
      continue;
    }
    const Pause wait = pauseAt(index);
    if (!at_start_ || wait.to_ns - wait.from_ns > at_start_->to_ns - at_start_->from_ns) at_start_ = wait;
    left_out_ += rows_[index].collectives + rows_[index].left_out;
  }
  rows_.resize(kept);
  late_.resize(kept * memberCount());
  order_.resize(late_.size());
}

Pause TimeLost::pauseAt(std::size_t index) const {
  const LostRow& one = row(index);
  const std::size_t last = lastOf(index);
  std::vector<bool> is_it(memberCount(), false);
  is_it[last] = true;
  const auto length_ns = static_cast<std::int64_t>(std::llround(gainIn(index, is_it) / one.weight * 1e6));
  return {(*members_)[last],
          one.to_ns - length_ns,
          one.to_ns,
          owed({index, index + 1}, is_it).lost_ms / one.weight,
          one.last_epoch,
          one.last_step,
          one.last_is_after_steps,
          one.is_start};
}

void TimeLost::addOrder() {
  const std::size_t members = memberCount();
  const float* const late = late_.data() + (late_.size() - members);
  sorted_.resize(members);
  std::iota(sorted_.begin(), sorted_.end(), 0U);
  std::ranges::sort(sorted_, [late](std::uint32_t a, std::uint32_t b) { return late[a] < late[b]; });
  const std::size_t begin = order_.size();
  order_.resize(begin + members);
  for (std::size_t i = 0; i < members;) {
    std::size_t end = i + 1;
    while (end < members && late[sorted_[end]] == late[sorted_[i]]) ++end;
    const auto place = static_cast<std::uint16_t>(std::min<std::size_t>(i + end - 1, UINT16_MAX));
    for (; i < end; ++i) order_[begin + sorted_[i]] = place;
  }
}

double TimeLost::waitedMs(std::size_t index) const {
  const auto times = late(index);
  const double last = times[lastOf(index)];
  double waited = 0;
  for (const float one : times) waited += last - double{one};
  return waited * rows_[index].weight;
}

double TimeLost::waitedMs() const {
  double waited = 0;
  for (std::size_t index = 0; index < rows_.size(); ++index) waited += waitedMs(index);
  return waited;
}

double TimeLost::wait(std::size_t index) const {
  const auto times = late(index);
  return rows_[index].weight * double{*std::ranges::max_element(times)};
}

/// In [0, 1); the same in every run of the program.
double TimeLost::draw() {
  std::uint64_t mixed = ++draws_ * 0x9E3779B97F4A7C15ULL;
  mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBULL;
  return static_cast<double>((mixed ^ (mixed >> 31U)) >> 11U) * 0x1.0p-53;
}

void TimeLost::move(std::size_t from, std::size_t to) {
  if (from == to) return;
  const auto members = static_cast<std::ptrdiff_t>(memberCount());
  rows_[to] = rows_[from];
  const auto begin = static_cast<std::ptrdiff_t>(from) * members;
  std::copy_n(late_.begin() + begin, members, late_.begin() + static_cast<std::ptrdiff_t>(to) * members);
  std::copy_n(order_.begin() + begin, members, order_.begin() + static_cast<std::ptrdiff_t>(to) * members);
}

void TimeLost::merge(std::size_t into, std::size_t other) {
  const LostRow first = rows_[into];
  const LostRow second = rows_[other];
  const double before = wait(into);
  const double all = before + wait(other);
  const bool takes_other = all > 0 ? draw() * all >= before : draw() >= 0.5;
  if (takes_other) move(other, into);
  LostRow& row = rows_[into];
  const double one = wait(into) / row.weight;
  row.weight = one > 0 ? all / one : static_cast<double>(first.collectives + second.collectives);
  row.from_ns = first.from_ns;
  row.to_ns = second.to_ns;
  row.epoch = first.epoch;
  row.step = first.step;
  row.last_epoch = second.last_epoch;
  row.last_step = second.last_step;
  row.last_is_after_steps = second.last_is_after_steps;
  row.collectives = first.collectives + second.collectives;
  row.left_out = first.left_out + second.left_out;
}

bool TimeLost::shrink() {
  const std::size_t old = rows_.size() / 4 * 3;
  if (old < kFewestRows / 2) return false;
  // Rows that stand for few collectives are merged first, so that all of the old part has one grain.
  const std::int64_t most = std::max<std::int64_t>(2, collectives({0, old}) * 2 / static_cast<std::int64_t>(old));
  std::size_t kept = 0;
  for (std::size_t next = 1; next < old; ++next) {
    if (rows_[kept].collectives + rows_[next].collectives <= most) {
      merge(kept, next);
    } else {
      move(next, ++kept);
    }
  }
  for (std::size_t next = old; next < rows_.size(); ++next) move(next, ++kept);
  rows_.resize(kept + 1);
  late_.resize(rows_.size() * memberCount());
  order_.resize(late_.size());
  return true;
}

double TimeLost::gainIn(std::size_t index, const std::vector<bool>& is_in) const {
  const auto times = late(index);
  float last = 0;
  float last_of_others = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    last = std::max(last, times[i]);
    if (!is_in[i]) last_of_others = std::max(last_of_others, times[i]);
  }
  return rows_[index].weight * double{last - last_of_others};
}

Owed TimeLost::owed(RowRange range, const std::vector<bool>& is_in) const {
  const auto in = static_cast<std::size_t>(std::count(is_in.begin(), is_in.end(), true));
  Owed owed;
  if (in == 0 || in == memberCount()) return owed;
  for (std::size_t index = range.begin; index < range.end; ++index) {
    const auto times = late(index);
    const double gain = gainIn(index, is_in) / rows_[index].weight;
    const double last = *std::ranges::max_element(times);
    double lost = gain * static_cast<double>(times.size() - in);
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (is_in[i]) lost += last - std::max(double{times[i]}, last - gain);
    }
    owed.gain_ms += rows_[index].weight * gain;
    owed.lost_ms += rows_[index].weight * lost;
  }
  return owed;
}

std::int64_t TimeLost::collectives(RowRange range) const {
  std::int64_t count = 0;
  for (std::size_t i = range.begin; i < range.end; ++i) count += rows_[i].collectives;
  return count;
}

std::int64_t TimeLost::leftOut(RowRange range) const {
  std::int64_t count = range.end == rows_.size() ? left_out_ : 0;
  for (std::size_t i = range.begin; i < range.end; ++i) count += rows_[i].left_out;
  return count;
}

double TimeLost::milliseconds(RowRange range) const {
  if (range.size() == 0) return 0;
  return static_cast<double>(rows_[range.end - 1].to_ns - rows_[range.begin].from_ns) / 1e6;
}

RowRange TimeLost::newest(std::size_t count) const {
  return {rows_.size() - std::min(count, rows_.size()), rows_.size()};
}

std::optional<SometimesLate> sometimesLateOf(const TimeLost& lost, double least_ms) {
  SometimesLate out;
  out.all_lost_ms = lost.waitedMs();
  const std::vector<std::size_t> most = rowsOfMostWaiting(lost, out.all_lost_ms);
  if (most.size() < kFewestTimes || double(most.size()) > kNowAndThen * double(lost.size())) return std::nullopt;
  const std::size_t member = mostOftenLast(lost, most);
  const std::vector<bool> is_it = only(lost, member);
  const double least = std::max({kLeastLateMs, least_ms, typicalGapMs(lost, most) / 2});
  std::vector<std::size_t> own;
  std::vector<std::size_t> all;
  std::vector<double> gaps;
  for (std::size_t index = 0; index < lost.size(); ++index) {
    const double gap = gapMs(lost, index);
    if (gap < least) continue;
    all.push_back(index);
    if (lost.lastOf(index) != member) continue;
    own.push_back(index);
    gaps.push_back(gap);
    out.gain_ms += lost.gainIn(index, is_it);
    out.lost_ms += lost.owed({index, index + 1}, is_it).lost_ms;
    out.times += lost.row(index).collectives;
  }
  const double run_ms = lost.milliseconds(lost.all());
  const std::size_t events = eventsIn(own);
  const bool is_most = out.lost_ms >= kSameMember * kMostOfWaiting * out.all_lost_ms;
  const bool is_costly = out.gain_ms >= std::max(kLeastGainMs, kLeastGainShare * run_ms);
  if (events < kFewestTimes || !is_most || !is_costly) return std::nullopt;
  out.chance = chanceOf(events, std::max(events, eventsIn(all)), lost.memberCount());
  if (out.chance > kMostChance) return std::nullopt;
  out.rank = (*lost.members())[member];
  out.collectives = lost.collectives(lost.all());
  out.left_out = lost.leftOut(lost.all());
  out.typical_ms = median(std::move(gaps));
  out.share = std::clamp(out.gain_ms / run_ms, 0.0, 1.0);
  out.from_ns = lost.row(own.front()).from_ns;
  out.to_ns = lost.row(own.back()).to_ns;
  out.epoch = lost.row(own.front()).epoch;
  out.step = lost.row(own.front()).step;
  return out;
}

std::optional<Wandering> wanderingOf(const TimeLost& lost, double least_ms) {
  const double run_ms = lost.milliseconds(lost.all());
  Wandering out;
  out.collectives = lost.collectives(lost.all());
  if (out.collectives < kFewestWandering || run_ms < kLeastWanderingMs) return std::nullopt;
  std::vector<std::int64_t> last(lost.memberCount());
  std::vector<double> alone(lost.memberCount());
  std::vector<double> spreads;
  for (std::size_t index = 0; index < lost.size(); ++index) {
    const LostRow& row = lost.row(index);
    const std::size_t latest = lost.lastOf(index);
    const std::vector<double> times(lost.late(index).begin(), lost.late(index).end());
    const double spread = row.weight * (times[latest] - median(times));
    out.lost_ms += lost.waitedMs(index);
    last[latest] += row.collectives;
    alone[latest] += lost.gainIn(index, only(lost, latest));
    out.spread_ms += spread;
    spreads.push_back(perCollective(row, spread));
  }
  out.share = std::clamp(out.spread_ms / run_ms, 0.0, 1.0);
  out.spread_ms /= static_cast<double>(out.collectives);
  if (out.share < kWanderingShare || quantile(std::move(spreads), 0.25) < least_ms) return std::nullopt;
  out.most_last = static_cast<double>(*std::ranges::max_element(last)) / static_cast<double>(out.collectives);
  out.left_out = lost.leftOut(lost.all());
  out.from_ns = lost.row(0).from_ns;
  out.to_ns = lost.row(lost.size() - 1).to_ns;
  out.best_alone_ms = *std::ranges::max_element(alone);
  return out;
}

std::vector<Pause> pausesOf(const TimeLost& lost) {
  const double least = std::max(kShortPauseMs, kPauseTimesUsual * usualMs(lost));
  std::vector<std::pair<double, std::size_t>> longest;
  std::vector<double> sums(lost.memberCount());
  for (std::size_t index = 0; index < lost.size(); ++index) {
    const auto late = lost.late(index);
    const std::size_t last = lost.lastOf(index);
    if (double{late[last]} < least) continue;
    const double alone = lost.gainIn(index, only(lost, last)) / lost.row(index).weight;
    // Ranks of one job come to their first collective at different times.
    const bool is_first = index == 0 && lost.row(index).is_start;
    if (alone < (is_first ? std::max(least, kPauseMs) : least)) continue;
    longest.emplace_back(alone, index);
    sums[last] += alone;
  }
  const double much = kShortPausesShare * lost.milliseconds(lost.all());
  std::erase_if(longest, [&](const auto& one) { return one.first < kPauseMs && sums[lost.lastOf(one.second)] < much; });
  std::ranges::stable_sort(longest, [](const auto& a, const auto& b) { return a.first > b.first; });
  if (longest.size() > kMostPauses) longest.resize(kMostPauses);
  std::vector<Pause> pauses;
  pauses.reserve(longest.size());
  for (const auto& [ms, index] : longest) pauses.push_back(lost.pauseAt(index));
  std::ranges::sort(pauses, [](const Pause& a, const Pause& b) { return a.from_ns < b.from_ns; });
  return pauses;
}

}  // namespace shardlens
