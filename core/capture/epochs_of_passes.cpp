// SPDX-License-Identifier: Apache-2.0
#include "core/capture/epochs_of_passes.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

namespace shardlens::capture {
namespace {

bool isTrainedOn(const PassFacts& pass) {
  return areTrainedOn(pass.read(), pass.backwards);
}

/// The passes of one rank, and which of them are its epochs.
class PassesOfRank {
 public:
  PassesOfRank(const RankLoader& rank, std::int64_t epochs, bool passes_are_epochs)
      : passes_(rank.passes), is_extra_(passes_.size(), false) {
    const auto knows = [](const PassFacts& pass) { return pass.epoch.has_value(); };
    knows_epochs_ = std::ranges::all_of(passes_, knows);
    if (!knows_epochs_) return;
    std::int64_t longest_told = 0;
    longest_told_.resize(passes_.size());
    for (std::size_t i = passes_.size(); i-- > 0;) {
      if (passes_[i].set_epoch_calls > 0) longest_told = std::max(longest_told, passes_[i].read());
      longest_told_[i] = longest_told;
      const auto [whole, is_new] = whole_.try_emplace(*passes_[i].epoch, i);
      if (!is_new && key(i) > key(whole->second)) whole->second = i;
    }
    for (std::size_t i = 0; i < passes_.size(); ++i) is_extra_[i] = !passes_are_epochs && isExtra(i);
    was_told_ = isTold();
    if (was_told_ || passes_are_epochs || !callsGrow() || static_cast<std::int64_t>(kept().size()) <= epochs) return;
    // More passes than epochs: the sampler was told, and some epochs were read several times.
    for (std::size_t i = 0; i < passes_.size(); ++i) is_extra_[i] = wholeOf(i) != i;
    was_told_ = isTold();
  }

  [[nodiscard]] bool wasTold() const { return was_told_; }
  /// The passes that are epochs.
  [[nodiscard]] std::vector<std::size_t> kept() const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < passes_.size(); ++i) {
      if (!is_extra_[i]) found.push_back(i);
    }
    return found;
  }
  [[nodiscard]] std::int64_t toldEpoch(std::size_t index) const { return passes_[index].epoch.value_or(0); }
  /// Whether its passes were told epochs one after the other, from this one on.
  [[nodiscard]] bool isToldFrom(std::int64_t first) const {
    if (!was_told_) return false;
    for (std::size_t i = 0; i < passes_.size(); ++i) {
      if (toldEpoch(i) != first + static_cast<std::int64_t>(i)) return false;
    }
    return true;
  }
  [[nodiscard]] std::set<std::int64_t> toldEpochs() const {
    std::set<std::int64_t> epochs;
    for (const std::size_t index : kept()) epochs.insert(toldEpoch(index));
    return epochs;
  }

 private:
  /// The greater one reads an epoch: it is trained, else the longest, else the last.
  [[nodiscard]] std::tuple<bool, bool, std::int64_t, std::size_t> key(std::size_t index) const {
    const PassFacts& pass = passes_[index];
    return {isTrainedOn(pass), pass.isReadWhole(), pass.read(), index};
  }

  /// Of the passes in the same epoch, the one that reads it.
  [[nodiscard]] std::size_t wholeOf(std::size_t index) const { return whole_.at(*passes_[index].epoch); }

  [[nodiscard]] bool isExtra(std::size_t index) const {
    const PassFacts& pass = passes_[index];
    const std::size_t at = wholeOf(index);
    const PassFacts& whole = passes_[at];
    if (at != index && isTrainedOn(whole) && !isTrainedOn(pass)) return true;
    if (pass.isReadWhole() || isTrainedOn(pass)) return false;
    if (at > index && (pass.read() < whole.read() || pass.set_epoch_calls < whole.set_epoch_calls)) return true;
    // A look at the first batches before the sampler is told where the run begins.
    return pass.set_epoch_calls == 0 && longest_told_[index] > pass.read();
  }

  [[nodiscard]] bool callsGrow() const { return passes_.back().set_epoch_calls > passes_.front().set_epoch_calls; }

  /// Whether each epoch is another one than those before.
  [[nodiscard]] bool isTold() const {
    const std::vector<std::size_t> all = kept();
    const bool differ = toldEpochs().size() == all.size();
    const bool ascend =
        std::ranges::is_sorted(all, [this](std::size_t a, std::size_t b) { return toldEpoch(a) < toldEpoch(b); });
    const bool is_said = all.size() > 1 || toldEpoch(all.front()) > 0 || passes_[all.front()].set_epoch_calls > 0;
    return differ && is_said && (ascend || callsGrow());
  }

  const std::vector<PassFacts>& passes_;
  std::vector<bool> is_extra_;
  std::map<std::int64_t, std::size_t> whole_;  ///< of each epoch, the pass that reads it
  std::vector<std::int64_t> longest_told_;     ///< from each pass on, the most that is read once the sampler was told
  bool knows_epochs_ = false;
  bool was_told_ = false;
};

}  // namespace

EpochsOfPasses::EpochsOfPasses(const JobLoader& job, std::int64_t epochs, bool passes_are_epochs) {
  constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
  bool all_fit = true;
  std::int64_t first = kNone;
  std::vector<PassesOfRank> ranks;
  ranks.reserve(job.ranks.size());
  for (const RankLoader& rank : job.ranks) {
    const PassesOfRank& passes = ranks.emplace_back(rank, epochs, passes_are_epochs);
    if (!passes.wasTold()) continue;
    const std::set<std::int64_t> told = passes.toldEpochs();
    all_fit = all_fit && *told.begin() >= 0 && *told.rbegin() < epochs;
    first = std::min(first, *told.begin());
  }
  if (passes_are_epochs)
    all_fit = all_fit && std::all_of(ranks.begin(), ranks.end(),
                                     [first](const PassesOfRank& rank) { return rank.isToldFrom(first); });
  are_told_ = all_fit && first != kNone;
  first_ = are_told_ ? first : 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    auto& of_rank = epochs_[job.ranks[i].rank];
    of_rank.resize(job.ranks[i].passes.size());
    std::int64_t next = first_;
    for (const std::size_t index : ranks[i].kept())
      of_rank[index] = all_fit && ranks[i].wasTold() ? ranks[i].toldEpoch(index) : next++;
  }
}

std::optional<std::int64_t> EpochsOfPasses::of(std::int64_t rank, std::size_t index) const {
  const auto found = epochs_.find(rank);
  return found == epochs_.end() || index >= found->second.size() ? std::nullopt : found->second[index];
}

std::int64_t EpochsOfPasses::end() const {
  std::int64_t end = 0;
  for (const auto& [rank, epochs] : epochs_) {
    for (const auto& epoch : epochs) end = std::max(end, epoch.value_or(-1) + 1);
  }
  return end;
}

std::int64_t EpochsOfPasses::extraReads() const {
  std::int64_t count = 0;
  for (const auto& [rank, epochs] : epochs_) count += std::count(epochs.begin(), epochs.end(), std::nullopt);
  return count;
}

}  // namespace shardlens::capture
