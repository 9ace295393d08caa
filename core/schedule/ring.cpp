// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/ring.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace shardlens::schedule {
namespace {

constexpr std::int64_t kBytes = sizeof(float);  ///< of a value

/// Where a part of so many values begins; as many parts as ranks.
template <class Count>
Count beginOf(Count part, Count values, Count ranks) {
  return part * values / ranks;
}

double reduced(Reduction reduction, double a, double b) {
  return reduction == Reduction::Max ? std::max(a, b) : a + b;
}

/// The parts of the values go round; each rank has as many parts as there are ranks.
class Ring {
 public:
  explicit Ring(RingAllReduce& out) : out_(out), values_(out.given), sent_(out.ranks.size()) {}

  void run() {
    const std::size_t ranks = out_.ranks.size();
    for (std::size_t turn = 0; turn + 1 < ranks; ++turn) go(turn, false);
    if (out_.reduction == Reduction::Avg) {
      for (std::size_t place = 0; place < ranks; ++place) divide(place);
    }
    for (std::size_t turn = 0; turn + 1 < ranks; ++turn) go(turn, true);
    out_.result = values_.front();
    out_.most_bytes = *std::ranges::max_element(sent_) * kBytes;
  }

 private:
  [[nodiscard]] std::size_t beginOf(std::size_t part) const {
    return schedule::beginOf(part, values_.front().size(), out_.ranks.size());
  }

  /// After the reduce-scatter a rank has the part behind its own number.
  void divide(std::size_t place) {
    const std::size_t part = (place + 1) % out_.ranks.size();
    for (std::size_t i = beginOf(part); i < beginOf(part + 1); ++i)
      values_[place][i] /= static_cast<double>(out_.ranks.size());
  }

  void go(std::size_t turn, bool gathers) {
    Round& now = out_.rounds.emplace_back();
    now.gathers = gathers;
    const std::size_t ranks = out_.ranks.size();
    for (std::size_t place = 0; place < ranks; ++place) {
      const std::size_t part = (place + (gathers ? 1 : 0) + ranks - turn) % ranks;
      const auto first = values_[place].begin() + static_cast<std::ptrdiff_t>(beginOf(part));
      const auto last = values_[place].begin() + static_cast<std::ptrdiff_t>(beginOf(part + 1));
      if (first == last) continue;
      now.messages.push_back({out_.ranks[place], out_.ranks[(place + 1) % ranks], beginOf(part), {first, last}});
      sent_[place] += last - first;
    }
    exchange(now, out_, values_);
  }

  RingAllReduce& out_;
  std::vector<std::vector<double>> values_;  ///< by place
  std::vector<std::int64_t> sent_;           ///< values, by place
};

bool areIntegral(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double value) { return value == std::floor(value); });
}

/// The number with the fewest digits that is the same 32-bit float.
double shortened(double value) {
  std::array<char, 32> text{};
  const auto [end, status] = std::to_chars(text.data(), text.data() + text.size(), static_cast<float>(value));
  (void)std::from_chars(text.data(), end, value);
  return value;
}

void shorten(std::vector<double>& values) {
  std::ranges::transform(values, values.begin(), shortened);
}

void shorten(std::vector<Round>& rounds) {
  for (Round& round : rounds) {
    for (Message& message : round.messages) shorten(message.values);
  }
}

AllReduce callOf(const Group& ranks, const NumberLists& by_rank, Reduction reduction) {
  AllReduce call;
  call.ranks = ranks;
  call.reduction = reduction;
  call.are_whole = by_rank.are_whole;
  if (by_rank.lists.empty()) return call;
  for (const Rank rank : ranks) call.given.push_back(by_rank.lists[static_cast<std::size_t>(rank.value)]);
  return call;
}

/// Of each rank.
std::int64_t valuesOf(const AllReduce& call) {
  return call.given.empty() ? call.bytes / kBytes : static_cast<std::int64_t>(call.given.front().size());
}

constexpr std::string_view kOf = ": all_reduce of schedule[";
constexpr std::string_view kGave = "] gave ";

template <class Number>
bool readNumber(std::string_view text, Number& number) {
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  return status == std::errc{} && end == text.data() + text.size();
}

}  // namespace

std::size_t AllReduce::placeOf(Rank rank) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(ranks, rank) - ranks.begin());
}

std::string AllReduce::text(const std::vector<double>& values) const {
  std::vector<double> shown;
  for (const double value : values) shown.push_back(shortened(value));
  return listText(shown, are_whole && areIntegral(values));
}

bool RingAllReduce::mayBe(const std::vector<float>& values) const {
  if (values.size() != result.size()) return false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    double size = 0;
    for (const std::vector<double>& of_rank : given) size += std::abs(of_rank[i]);
    if (reduction == Reduction::Avg) size /= static_cast<double>(given.size());
    const double sums = reduction == Reduction::Max ? 0 : static_cast<double>(given.size() + 1);
    const double rounding = std::numeric_limits<float>::epsilon() * sums * size;
    const double expected = static_cast<float>(result[i]);
    if (!(std::abs(static_cast<double>(values[i]) - expected) <= rounding)) return false;
  }
  return true;
}

RingAllReduce ringAllReduce(AllReduce call) {
  RingAllReduce out{std::move(call), {}, {}, 0};
  if (out.given.empty()) out.given.assign(out.ranks.size(), std::vector<double>(out.ranks.size()));
  Ring(out).run();
  shorten(out.result);
  shorten(out.rounds);
  return out;
}

RingAllReduce ringAllReduce(const Group& ranks, const NumberLists& by_rank, Reduction reduction) {
  return ringAllReduce(callOf(ranks, by_rank, reduction));
}

void exchange(const Round& round, const AllReduce& call, std::vector<std::vector<double>>& values) {
  for (const Message& message : round.messages) {
    std::vector<double>& from = values[call.placeOf(message.from)];
    std::vector<double>& to = values[call.placeOf(message.to)];
    for (std::size_t i = 0; i < message.values.size(); ++i) {
      const std::size_t place = message.first + i;
      to[place] = round.gathers ? message.values[i] : reduced(call.reduction, message.values[i], to[place]);
      if (round.gathers) from[place] = message.values[i];
    }
  }
}

std::vector<Round> treeRounds(const RingAllReduce& ring) {
  std::vector<Round> rounds;
  std::vector<std::vector<double>> values = ring.given;  // by place
  const std::size_t ranks = ring.ranks.size();
  const auto go = [&](std::size_t distance, bool gathers) {
    Round& now = rounds.emplace_back();
    now.gathers = gathers;
    for (std::size_t parent = 0; parent + distance < ranks; parent += 2 * distance) {
      const std::size_t from = gathers ? parent : parent + distance;
      const std::size_t to = gathers ? parent + distance : parent;
      now.messages.push_back({ring.ranks[from], ring.ranks[to], 0, values[from]});
    }
    exchange(now, ring, values);
  };
  std::size_t distance = 1;
  for (; distance < ranks; distance *= 2) go(distance, false);
  if (ring.reduction == Reduction::Avg) {
    for (double& value : values.front()) value /= static_cast<double>(ranks);
  }
  while (distance > 1) {
    distance /= 2;
    go(distance, true);
  }
  shorten(rounds);
  return rounds;
}

/// Of two neighbours in the ring, one sends the other all values but a part in each half of the rounds, and these two
/// parts are neighbours, too. Two ranks are neighbours twice.
AllReduceCost ringCost(const AllReduce& call) {
  const auto ranks = static_cast<std::int64_t>(call.ranks.size());
  const std::int64_t values = valuesOf(call);
  if (ranks < 2) return {};
  std::int64_t least = ranks == 2 ? 0 : values;  // in two neighbouring parts
  for (std::int64_t part = 0; ranks > 2 && part < ranks; ++part) {
    const auto sizeOf = [&](std::int64_t one) { return beginOf(one + 1, values, ranks) - beginOf(one, values, ranks); };
    least = std::min(least, sizeOf(part) + sizeOf((part + 1) % ranks));
  }
  return {2 * (ranks - 1), (2 * values - least) * kBytes};
}

AllReduceCost treeCost(const AllReduce& call) {
  if (call.ranks.size() < 2) return {};
  return {2 * static_cast<std::int64_t>(std::bit_width(call.ranks.size() - 1)), 2 * valuesOf(call) * kBytes};
}

std::vector<AllReduce> allReduceCalls(const Schedule& schedule) {
  std::vector<AllReduce> all;
  for (const At at : {At::Start, At::EpochStart, At::Step, At::EpochEnd, At::End}) {
    for (PlannedPhase phase : schedule.phasesAt(at)) {
      if (phase.operation.kind != Kind::AllReduce) continue;
      phase.of_time.clear();
      std::set<std::size_t> groups;
      for (Rank rank{0}; rank.value < schedule.plan().worldSize(); ++rank)
        if (const auto group = schedule.groupOf(phase.group, rank)) groups.insert(*group);
      std::set<std::size_t> sizes;
      for (const std::size_t group : groups) {
        const Group& ranks = schedule.groups()[group];
        const auto calls = [&](Rank rank) { return schedule.operation(phase, rank, {Epoch{0}, at, Step{0}}); };
        if (!std::ranges::all_of(ranks, [&](Rank rank) { return calls(rank).has_value(); })) continue;
        const bool is_new = sizes.insert(ranks.size()).second;
        if (phase.values.lists.empty() && !is_new) continue;
        all.push_back(callOf(ranks, phase.values, phase.operation.reduction));
        all.back().line = phase.operation.line;
        all.back().bytes = phase.operation.bytes;
      }
    }
  }
  return all;
}

std::vector<RingAllReduce> allReducesOf(const Schedule& schedule) {
  std::vector<RingAllReduce> all;
  for (AllReduce& call : allReduceCalls(schedule))
    if (!call.given.empty()) all.push_back(ringAllReduce(std::move(call)));
  return all;
}

std::string textOf(const RankResult& result) {
  return "rank " + std::to_string(result.rank.value) + std::string(kOf) + std::to_string(result.line) +
         std::string(kGave) + result.values;
}

std::optional<RankResult> resultIn(std::string_view text) {
  constexpr std::string_view kRank = "rank ";
  const std::size_t of = text.find(kOf);
  const std::size_t gave = text.find(kGave);
  if (!text.starts_with(kRank) || of == std::string_view::npos || gave == std::string_view::npos) return std::nullopt;
  RankResult result;
  const std::size_t line = of + kOf.size();
  if (gave < line || !readNumber(text.substr(kRank.size(), of - kRank.size()), result.rank.value) ||
      !readNumber(text.substr(line, gave - line), result.line))
    return std::nullopt;
  result.values = text.substr(gave + kGave.size());
  return result;
}

}  // namespace shardlens::schedule
