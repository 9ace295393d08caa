// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/collective_table.h"
#include "core/diagnose/time_lost.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

/// Histories of collectives made by hand, without a reducer.
namespace shardlens::test {

/// Adds collective after collective: each begins when the one before was over.
class HistoryMaker {
 public:
  explicit HistoryMaker(std::size_t ranks, std::size_t most_cells = 1'000'000)
      : members_(std::make_shared<const std::vector<std::int64_t>>(numbers(ranks))), lost_(members_, most_cells) {}

  /// Every rank works for so many milliseconds before it comes; all leave so many after the last has come.
  void add(const std::vector<double>& work_ms, std::uint32_t epoch = 0, double transfer_ms = 0) {
    Collective collective;
    collective.members = members_;
    collective.first_enter_ns = INT64_MAX;
    for (std::size_t i = 0; i < work_ms.size(); ++i) {
      Visit visit;
      visit.rank = static_cast<std::int64_t>(i);
      visit.enter_ns = now_ns_ + static_cast<std::int64_t>(work_ms[i] * 1e6);
      visit.epoch = epoch;
      visit.step = step_;
      visit.worked = true;
      collective.visits.push_back(visit);
      collective.first_enter_ns = std::min(collective.first_enter_ns, visit.enter_ns);
      collective.last_enter_ns = std::max(collective.last_enter_ns, visit.enter_ns);
    }
    for (Visit& visit : collective.visits)
      visit.leave_ns = collective.last_enter_ns + static_cast<std::int64_t>(transfer_ms * 1e6);
    lost_.add(collective);
    now_ns_ = collective.last_enter_ns;
    ++step_;
  }
  void beginEpoch() { step_ = 0; }

  [[nodiscard]] const TimeLost& lost() const { return lost_; }

 private:
  static std::vector<std::int64_t> numbers(std::size_t count) {
    std::vector<std::int64_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), std::int64_t{0});
    return numbers;
  }

  Members members_;
  TimeLost lost_;
  std::int64_t now_ns_ = 0;
  std::uint32_t step_ = 0;
};

}  // namespace shardlens::test
