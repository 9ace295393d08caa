// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/time_lost.h"

#include "core/diagnose/collective_table.h"

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
  const Visit& last = *std::max_element(collective.visits.begin(), collective.visits.end(), earlier);
  std::int64_t others_ns = collective.first_enter_ns;
  for (const Visit& visit : collective.visits) {
    if (&visit != &last) others_ns = std::max(others_ns, visit.enter_ns);
  }
  return last.started_ns < 0 || last.started_ns > others_ns;
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
  return static_cast<std::size_t>(std::max_element(times.begin(), times.end()) - times.begin());
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
  std::sort(sorted_.begin(), sorted_.end(), [late](std::uint32_t a, std::uint32_t b) { return late[a] < late[b]; });
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
  return rows_[index].weight * double{*std::max_element(times.begin(), times.end())};
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
    const double last = *std::max_element(times.begin(), times.end());
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

}  // namespace shardlens
