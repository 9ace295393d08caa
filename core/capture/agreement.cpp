// SPDX-License-Identifier: Apache-2.0
#include "core/capture/agreement.h"

#include "core/capture/probe_reader.h"
#include "core/plan/plan.h"
#include "core/sampling/recorded_lists.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace shardlens::capture {
namespace {

std::uint64_t mixed(std::uint64_t print, std::uint64_t number) {
  std::uint64_t value = print ^ (number + 0x9E3779B97F4A7C15U);
  value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
  value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
  return value ^ (value >> 31U);
}

/// What each pass of each rank should be.
class Expected {
 public:
  Expected(const LoaderSpec& spec, Against against, const Work& work) : spec_(spec), against_(against), work_(work) {}

  /// Which step a batch is: a spec that holds what was read lacks the batches that raised when they were loaded.
  [[nodiscard]] std::int64_t stepOf(const PassFacts& pass, std::int64_t step) const {
    return spec_.spec.sampler.type == sampling::kRecordedBatches ? pass.placeOf(step) : step;
  }

  [[nodiscard]] bool isKnown() const { return against_ != Against::Nothing; }
  [[nodiscard]] std::int64_t epochOf(const RankLoader& rank, std::size_t index) const {
    return spec_.epochOf(rank, index);
  }
  /// Nothing when there is no such epoch or rank, or no seed.
  Result<std::optional<RankEpoch>> pass(const RankLoader& rank, std::size_t index) {
    PipelineSpec spec = spec_.spec;
    std::int64_t epoch = epochOf(rank, index);
    if (against_ == Against::DrawnSeeds) {
      const auto seed = rank.passes[index].order_seed;
      if (!seed) return std::optional<RankEpoch>();
      spec.sampler.parameters["generator"] = std::string("sampler");
      spec.sampler.parameters["generator_seed"] = static_cast<std::int64_t>(*seed);
      epoch = 0;
    }
    // A generator that was not asked for the last sample of a pass drew no second permutation, as of fewer samples.
    if (against_ == Against::LeftPasses) spec.sampler.parameters["num_samples"] = spec.dataset.size - 1;
    if (!plan_ || against_ == Against::DrawnSeeds) {
      auto made = Plan::make(std::move(spec));
      if (!made) return made.error();
      plan_ = *std::move(made);
    }
    if (epoch < 0 || epoch >= plan_->epochs() || rank.rank >= plan_->worldSize()) return std::optional<RankEpoch>();
    auto drawn = plan_->rankEpoch(Epoch{epoch}, Rank{rank.rank}, work_);
    if (!drawn) return drawn.error();
    return std::optional(*std::move(drawn));
  }

 private:
  const LoaderSpec& spec_;
  Against against_;
  const Work& work_;
  std::optional<Plan> plan_;
};

constexpr std::size_t kMostCuts = 16;  ///< places in a pass whose print is kept

/// Compares what one rank read, batch by batch.
class RankCheck {
 public:
  RankCheck(const RankLoader& rank, Expected& expected, Agreement& agreement)
      : rank_(rank), expected_(expected), agreement_(agreement) {
    for (std::size_t i = 0; i < rank.passes.size(); ++i) {
      const PassFacts& pass = rank.passes[i];
      place_[pass.number] = i;
      const bool is_stream = rank.loader.is_iterable;
      prints_.push_back({rank.rank, i, is_stream ? pass.read() : pass.drawn, 0, 0,
                         is_stream ? pass.ended : pass.exhausted, false, 0});
      if (!pass.isReadWhole() && cuts_.size() < kMostCuts) cuts_.insert(pass.read() - pass.failures());
    }
  }

  void take(const BatchFacts& batch) {
    const auto found = place_.find(batch.pass);
    if (found == place_.end() || error_ || !batch.is_handed) return;
    PassPrint& print = prints_[found->second];
    print.is_opaque = print.is_opaque || batch.is_opaque;
    ++print.recorded;
    ++agreement_.batches;
    print.samples += batch.items;
    print.print = mixed(print.print, static_cast<std::uint64_t>(batch.items));
    for (const SampleIndex sample : batch.samples) print.print = mixed(print.print, static_cast<std::uint64_t>(sample));
    if (cuts_.contains(print.recorded)) print.print_after[print.recorded] = print.print;
    if (expected_.isKnown()) compare(found->second, batch);
  }

  /// After the last batch: passes that ended, but not where the plan ends.
  void finish() {
    for (const PassPrint& print : prints_) {
      const std::int64_t read = rank_.passes[print.index].read();
      const std::int64_t failures = rank_.passes[print.index].failures();
      agreement_.not_recorded += std::max<std::int64_t>(0, read - failures - print.recorded);
      // A batch whose loading raised is not handed out either; which one that was, an older probe does not tell.
      if (print.drawn > read && !rank_.passes[print.index].failed) agreement_.is_ended = false;
      agreement_.queued += std::max<std::int64_t>(0, print.drawn - read);
      if (!expected_.isKnown() || error_ || !print.exhausted) continue;
      const RankEpoch* const drawn = draw(print.index);
      if (drawn != nullptr && print.drawn < drawn->batches())
        differ({rank_.rank, epochOf(print.index), print.drawn, drawn->batchSamples(Step{print.drawn}), std::nullopt});
    }
    agreement_.is_ended = agreement_.is_ended && rank_.has_end;
    const bool goes_on = !rank_.has_end && !rank_.passes.empty() && !rank_.knowsEndOf(rank_.passes.back());
    if (goes_on || rank_.has_limit) agreement_.unfinished.push_back(rank_.rank);
    agreement_.passes.insert(agreement_.passes.end(), prints_.begin(), prints_.end());
  }

  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  [[nodiscard]] std::int64_t epochOf(std::size_t index) const { return expected_.epochOf(rank_, index); }

  /// What the pass is expected to be; null when there is no such epoch.
  const RankEpoch* draw(std::size_t index) {
    if (drawn_index_ == index) return drawn_ ? &*drawn_ : nullptr;
    auto drawn = expected_.pass(rank_, index);
    drawn_index_ = index;
    drawn_.reset();
    if (drawn) {
      drawn_ = *std::move(drawn);
    } else {
      error_ = drawn.error();
    }
    return drawn_ ? &*drawn_ : nullptr;
  }

  void compare(std::size_t index, const BatchFacts& batch) {
    const RankEpoch* const drawn = draw(index);
    if (error_) return;
    std::vector<SampleIndex> read(batch.samples.begin(), batch.samples.end());
    std::optional<std::vector<SampleIndex>> planned;
    const std::int64_t step = expected_.stepOf(rank_.passes[index], batch.step);
    if (drawn != nullptr && step < drawn->batches()) planned = drawn->batchSamples(Step{step});
    if (planned && !batch.is_opaque && *planned == read) {
      ++agreement_.as_planned;
      return;
    }
    FirstDifference difference{rank_.rank, epochOf(index), step, std::move(planned), std::nullopt};
    if (!batch.is_opaque) difference.read = std::move(read);
    differ(std::move(difference));
  }

  void differ(FirstDifference difference) {
    const auto key = [](const FirstDifference& one) { return std::tuple(one.epoch, one.step, one.rank); };
    auto& first = agreement_.first_difference;
    if (!first || key(difference) < key(*first)) first = std::move(difference);
  }

  const RankLoader& rank_;
  Expected& expected_;
  Agreement& agreement_;
  std::map<std::int64_t, std::size_t> place_;  ///< of a pass, by its number in the process
  std::vector<PassPrint> prints_;
  std::set<std::int64_t> cuts_;             ///< batches of passes that were not read whole
  std::optional<std::size_t> drawn_index_;  ///< of the pass that drawn_ is about
  std::optional<RankEpoch> drawn_;
  std::optional<Error> error_;
};

}  // namespace

Result<Agreement> agreementOf(const JobLoader& job, const LoaderSpec& spec, Against against,
                              const std::vector<RecordedFile>& files, const Work& work) {
  Agreement agreement;
  Expected expected(spec, against, work);
  for (std::size_t i = 0; i < job.ranks.size(); ++i) {
    RankCheck check(job.ranks[i], expected, agreement);
    const auto read = readBatches(
        files[job.ranks[i].process], job, job.ranks[i], [&check](const BatchFacts& batch) { check.take(batch); }, work);
    if (!read) return read.error();
    check.finish();
    if (check.error()) return *check.error();
    if (work.stopped()) return cancelled();
    work.progress(static_cast<double>(i + 1) / static_cast<double>(job.ranks.size()));
  }
  if (job.goes_on) agreement.unfinished.clear();
  return agreement;
}

}  // namespace shardlens::capture
