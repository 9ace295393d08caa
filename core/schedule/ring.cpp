// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/ring.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace shardlens::schedule {
namespace {

constexpr std::int64_t kBytes = sizeof(float);  ///< of a value

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
    return part * values_.front().size() / out_.ranks.size();
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
    for (const Message& message : now.messages) {
      const auto to = static_cast<std::size_t>(std::ranges::find(out_.ranks, message.to) - out_.ranks.begin());
      for (std::size_t i = 0; i < message.values.size(); ++i) {
        double& mine = values_[to][message.first + i];
        mine = gathers ? message.values[i] : reduced(out_.reduction, message.values[i], mine);
      }
    }
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

constexpr std::string_view kOf = ": all_reduce of schedule[";
constexpr std::string_view kGave = "] gave ";

template <class Number>
bool readNumber(std::string_view text, Number& number) {
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  return status == std::errc{} && end == text.data() + text.size();
}

}  // namespace

std::string RingAllReduce::text(const std::vector<double>& values) const {
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

RingAllReduce ringAllReduce(const Group& ranks, const NumberLists& by_rank, Reduction reduction) {
  RingAllReduce out;
  out.ranks = ranks;
  out.reduction = reduction;
  out.are_whole = by_rank.are_whole;
  for (const Rank rank : ranks) out.given.push_back(by_rank.lists[static_cast<std::size_t>(rank.value)]);
  Ring(out).run();
  shorten(out.result);
  shorten(out.rounds);
  return out;
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
      for (std::size_t i = 0; i < values[to].size(); ++i)
        values[to][i] = gathers ? values[from][i] : reduced(ring.reduction, values[from][i], values[to][i]);
    }
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

std::int64_t mostBytesBetweenRanks(const std::vector<Round>& rounds) {
  std::map<std::pair<Rank, Rank>, std::int64_t> bytes;
  std::int64_t most = 0;
  for (const Round& round : rounds) {
    for (const Message& message : round.messages) {
      std::int64_t& of_link = bytes[std::minmax(message.from, message.to)];
      of_link += static_cast<std::int64_t>(message.values.size()) * kBytes;
      most = std::max(most, of_link);
    }
  }
  return most;
}

std::vector<RingAllReduce> allReducesOf(const Schedule& schedule) {
  std::vector<RingAllReduce> all;
  for (const At at : {At::Start, At::EpochStart, At::Step, At::EpochEnd, At::End}) {
    for (PlannedPhase phase : schedule.phasesAt(at)) {
      if (phase.values.lists.empty()) continue;
      phase.of_time.clear();
      std::set<std::size_t> groups;
      for (Rank rank{0}; rank.value < schedule.plan().worldSize(); ++rank)
        if (const auto group = schedule.groupOf(phase.group, rank)) groups.insert(*group);
      for (const std::size_t group : groups) {
        const Group& ranks = schedule.groups()[group];
        const auto calls = [&](Rank rank) { return schedule.operation(phase, rank, {Epoch{0}, at, Step{0}}); };
        if (!std::ranges::all_of(ranks, [&](Rank rank) { return calls(rank).has_value(); })) continue;
        all.push_back(ringAllReduce(ranks, phase.values, phase.operation.reduction));
        all.back().line = phase.operation.line;
      }
    }
  }
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
