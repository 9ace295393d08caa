// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/capture/capture.h"
#include "core/capture/capture_words.h"
#include "core/plan/plan.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace shardlens::capture {
namespace {

/// A pass of a rank, with its place among the passes of that rank.
struct EpochPass {
  const PassFacts* facts = nullptr;
  const PassPrint* print = nullptr;
};

/// The passes that are epochs: those that train, or where none does, those that were read to their end. Others only
/// look into an epoch.
std::vector<EpochPass> epochPasses(const RankLoader& rank, const Agreement& agreement) {
  const auto trains = [](const PassFacts& pass) { return pass.backwards > 0; };
  const bool any = std::any_of(rank.passes.begin(), rank.passes.end(), trains);
  std::vector<EpochPass> found;
  for (const PassPrint& print : agreement.passes) {
    if (print.rank != rank.rank) continue;
    const PassFacts& pass = rank.passes[print.index];
    if (any ? trains(pass) : pass.isReadWhole()) found.push_back({&pass, &print});
  }
  return found;
}

/// Its sampler shuffles by the epoch that set_epoch says.
bool shufflesByEpoch(const RankLoader& rank) {
  const SamplerFacts* const sampler = samplerOfSamples(rank.loader);
  return sampler != nullptr && sampler->value<bool>("shuffle").value_or(false) &&
         std::all_of(rank.passes.begin(), rank.passes.end(),
                     [](const PassFacts& pass) { return pass.has_set_epoch && pass.epoch; });
}

/// Whether a pass ended, or is by now, before it had as many batches as this earlier one.
bool isCutBefore(const EpochPass& pass, const EpochPass& earlier) {
  return !pass.facts->isReadWhole() && pass.print->recorded < earlier.print->recorded;
}

/// Whether a pass has the batches of an earlier one, as far as it was read, and not by chance: in one epoch, or with so
/// many samples that two orders of them do not agree.
bool areOne(const EpochPass& earlier, const EpochPass& pass) {
  constexpr std::int64_t kBeyondChance = 12;
  const PassPrint& a = *earlier.print;
  const PassPrint& b = *pass.print;
  const auto there = a.print_after.find(b.recorded);
  const bool is_alike = isCutBefore(pass, earlier) ? there != a.print_after.end() && there->second == b.print
                                                   : a.print == b.print && a.recorded == b.recorded;
  return b.samples > 0 && !a.is_opaque && !b.is_opaque && is_alike &&
         (earlier.facts->epoch == pass.facts->epoch || b.samples >= kBeyondChance);
}

/// Passes that have the batches of an earlier one again, each with the first such one.
std::map<std::int64_t, words::PassAgain> repeats(const std::vector<EpochPass>& passes) {
  std::map<std::int64_t, words::PassAgain> again;
  for (auto pass = passes.begin(); pass != passes.end(); ++pass) {
    const auto first = std::find_if(passes.begin(), pass, [pass](const EpochPass& one) { return areOne(one, *pass); });
    if (first != pass)
      again[static_cast<std::int64_t>(pass->print->index)] = {static_cast<std::int64_t>(first->print->index),
                                                              isCutBefore(*pass, *first),
                                                              first->facts->epoch != pass->facts->epoch};
  }
  return again;
}

/// Leaves out the last pass where it was not read whole, has the batches of an earlier one so far, and others show the
/// same: then what is said of a job that goes on does not change with each of its epochs.
void leaveOutCut(std::vector<EpochPass>& passes, std::map<std::int64_t, words::PassAgain>& again) {
  if (again.size() < 2) return;
  const auto last = std::prev(again.end());
  if (!last->second.is_cut || last->first != static_cast<std::int64_t>(passes.back().print->index)) return;
  again.erase(last);
  passes.pop_back();
}

/// Whether the sampler was told its epoch before each of these passes.
bool wasToldEach(const std::vector<EpochPass>& passes) {
  const auto tells_no_more = [](const EpochPass& one, const EpochPass& next) {
    return next.facts->set_epoch_calls <= one.facts->set_epoch_calls;
  };
  return passes.front().facts->set_epoch_calls > 0 &&
         std::adjacent_find(passes.begin(), passes.end(), tells_no_more) == passes.end();
}

/// What is said of a rank whose passes all have one epoch and the batches of the first one.
struct OneEpoch {
  std::int64_t epoch = 0;
  std::int64_t passes = 0;
  bool is_cut = false;
  bool was_told_none = false;
  bool was_told_each = false;
  auto operator<=>(const OneEpoch&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 takes <=> for a 0
};

OneEpoch oneEpoch(const RankLoader& rank, const std::vector<EpochPass>& passes) {
  const std::int64_t epoch = *passes.front().facts->epoch;
  const bool is_cut = std::any_of(passes.begin(), passes.end(),
                                  [&passes](const EpochPass& pass) { return isCutBefore(pass, passes.front()); });
  // Calls are counted of torch's own set_epoch, which a class of another name may replace.
  const bool counts_calls = samplerOfSamples(rank.loader)->type == "torch.utils.data.distributed.DistributedSampler";
  return {epoch, std::ssize(passes), is_cut, counts_calls && passes.back().facts->set_epoch_calls == 0 && epoch == 0,
          wasToldEach(passes)};
}

std::string oneEpochText(const OneEpoch& one, const std::vector<std::int64_t>& ranks) {
  return one.was_told_none ? words::setEpochNeverCalled(one.passes, one.is_cut, ranks)
                           : words::setEpochSame(one.epoch, one.passes, one.is_cut, one.was_told_each, ranks);
}

/// Epochs that have the batches of an earlier one.
void repeatedEpochs(const JobLoader& job, const Agreement& agreement, std::vector<RunFinding>& findings) {
  std::map<OneEpoch, std::vector<std::int64_t>> of_one_epoch;  // ranks of which all passes are in one epoch
  std::size_t in_one_epoch = 0;
  std::size_t several = 0;  // ranks that read more than one epoch
  std::string text;
  for (const RankLoader& rank : job.ranks) {
    if (!shufflesByEpoch(rank)) {
      ++several;
      continue;
    }
    std::vector<EpochPass> passes = epochPasses(rank, agreement);
    auto again = repeats(passes);
    if (job.goes_on) leaveOutCut(passes, again);
    if (passes.size() > 1 || (!passes.empty() && passes[0].facts->set_epoch_calls > 0)) ++several;
    if (again.empty()) continue;
    const bool is_one = again.size() + 1 == passes.size() &&
                        std::all_of(passes.begin(), passes.end(),
                                    [&](const EpochPass& one) { return one.facts->epoch == passes[0].facts->epoch; });
    if (is_one) {
      of_one_epoch[oneEpoch(rank, passes)].push_back(rank.rank);
      ++in_one_epoch;
    } else if (text.empty()) {
      text = words::epochsAgain(rank.rank, again);
    }
  }
  if (in_one_epoch > 0) text.clear();
  for (const auto& [one, ranks] : of_one_epoch)
    text +=
        (text.empty() ? "" : " ") + oneEpochText(one, ranks.size() == several ? std::vector<std::int64_t>() : ranks);
  if (text.empty()) return;
  findings.push_back({"run-epochs-repeat",
                      in_one_epoch == 0         ? worded("capture", "Epochs repeat")
                      : in_one_epoch == several ? worded("capture", "Every epoch has the same order")
                      : in_one_epoch == 1       ? worded("capture", "A rank has the same order in every epoch")
                                                : worded("capture", "Some ranks have the same order in every epoch"),
                      text});
}

/// Ranks whose samplers had different epochs in the first pass where that is so. Those of datasets that differ in
/// length need not be shares of one epoch.
void differentEpochs(const JobLoader& job, const Agreement& agreement, std::vector<RunFinding>& findings) {
  std::vector<std::vector<EpochPass>> passes;  // by rank
  for (const RankLoader& rank : job.ranks) {
    const SamplerFacts* const sampler = samplerOfSamples(rank.loader);
    const bool is_share = sampler != nullptr && sampler->value<std::int64_t>("num_replicas").value_or(1) > 1 &&
                          rank.loader.dataset_length == job.ranks.front().loader.dataset_length;
    if (!is_share || !shufflesByEpoch(rank)) return;
    passes.push_back(epochPasses(rank, agreement));
  }
  for (std::size_t place = 0;; ++place) {
    std::map<std::int64_t, std::vector<std::int64_t>> by_epoch;
    for (const std::vector<EpochPass>& of_rank : passes) {
      if (place >= of_rank.size()) return;
      by_epoch[*of_rank[place].facts->epoch].push_back(of_rank[place].print->rank);
    }
    if (by_epoch.size() < 2) continue;
    findings.push_back({"run-epochs-differ", worded("capture", "Ranks read different epochs"),
                        words::epochsApart(static_cast<std::int64_t>(passes[0][place].print->index), by_epoch)});
    return;
  }
}

/// The passes with this place on every rank.
std::vector<const PassPrint*> passesAt(const Agreement& agreement, std::size_t index) {
  std::vector<const PassPrint*> passes;
  for (const PassPrint& pass : agreement.passes) {
    if (pass.index == index) passes.push_back(&pass);
  }
  return passes;
}

/// What the sampler adds only so that ranks come out even. Nothing is known of it where a batch is not the planned one.
class Padding {
 public:
  Padding(const JobLoader& job, const LoaderSpec& spec, const Agreement& agreement, const Work& work)
      : job_(job), spec_(spec), work_(work), is_known_(spec.problems.empty() && agreement.isWhole()) {}

  /// Whether these ranks, which read the same batches in this pass, share nothing else: of each item, all but one of
  /// them have only a repetition.
  Result<bool> explains(const std::vector<std::int64_t>& ranks, std::size_t index) {
    if (!is_known_) return false;
    const std::optional<std::int64_t> epoch = epochOf(ranks, index);
    if (!epoch) return false;
    if (!plan_) {
      auto plan = Plan::make(spec_.spec);
      if (!plan) return plan.error();
      plan_ = *std::move(plan);
    }
    const auto drawn = plan_->epoch(Epoch{*epoch}, work_);
    if (!drawn) return drawn.error();
    std::int64_t items = 0;
    for (const std::int64_t rank : ranks)
      items = std::max(items, drawn->ranks[static_cast<std::size_t>(rank)].handedOut());
    for (std::int64_t item = 0; item < items; ++item) {
      const auto reads = [&](std::int64_t rank) {
        const RankEpoch& one = drawn->ranks[static_cast<std::size_t>(rank)];
        return item < one.handedOut() && !one.isPadding(item);
      };
      if (std::count_if(ranks.begin(), ranks.end(), reads) > 1) return false;
    }
    return true;
  }

 private:
  /// That all of them are in; none where the plan has no such epoch or rank.
  [[nodiscard]] std::optional<std::int64_t> epochOf(const std::vector<std::int64_t>& ranks, std::size_t index) const {
    std::optional<std::int64_t> epoch;
    for (const RankLoader& rank : job_.ranks) {
      if (std::find(ranks.begin(), ranks.end(), rank.rank) == ranks.end()) continue;
      const std::int64_t its = spec_.epochOf(rank, index);
      const bool is_planned = its >= 0 && its < spec_.spec.epochs && rank.rank < spec_.spec.worldSize();
      if (!is_planned || epoch.value_or(its) != its) return std::nullopt;
      epoch = its;
    }
    return epoch;
  }

  const JobLoader& job_;
  const LoaderSpec& spec_;
  const Work& work_;
  bool is_known_;
  std::optional<Plan> plan_;
};

/// Ranks that read the same batches in the first pass where any do.
Result<void> sameBatches(const JobLoader& job, const Agreement& agreement, std::size_t most, Padding& padding,
                         std::vector<RunFinding>& findings) {
  for (std::size_t index = 0; index < most; ++index) {
    std::map<std::pair<std::uint64_t, std::int64_t>, std::vector<std::int64_t>> by_print;
    for (const PassPrint* pass : passesAt(agreement, index)) {
      if (pass->samples > 0 && !pass->is_opaque) by_print[{pass->print, pass->recorded}].push_back(pass->rank);
    }
    std::vector<std::vector<std::int64_t>> groups;
    for (const auto& [print, ranks] : by_print) {
      if (ranks.size() < 2) continue;
      const auto is_padding = padding.explains(ranks, index);
      if (!is_padding) return is_padding.error();
      if (!*is_padding) groups.push_back(ranks);
    }
    if (groups.empty()) continue;
    std::sort(groups.begin(), groups.end());
    findings.push_back({"run-ranks-share-samples", worded("capture", "Ranks read the same batches"),
                        words::ranksReadTheSame(job, groups, static_cast<std::int64_t>(index)), false, false,
                        job.purpose == Purpose::Validation});
    break;
  }
  return {};
}

/// Ranks that left a pass, and lived to tell, after fewer batches than others read of it to its end. One that took none
/// may get what another one reads for it.
void leftBefore(const JobLoader& job, std::size_t index, std::vector<RunFinding>& findings) {
  std::map<std::int64_t, std::vector<std::int64_t>> left;
  std::map<std::int64_t, std::vector<std::int64_t>> whole;
  for (const RankLoader& rank : job.ranks) {
    if (index >= rank.passes.size()) continue;
    const PassFacts& pass = rank.passes[index];
    const bool is_whole = rank.loader.is_iterable ? pass.ended : pass.isReadWhole();
    if (is_whole || (pass.read() > 0 && rank.knowsEndOf(pass)))
      (is_whole ? whole : left)[pass.read()].push_back(rank.rank);
  }
  if (left.empty() || whole.empty() || left.begin()->first >= whole.begin()->first) return;
  findings.push_back({"run-unequal-batches", worded("capture", "Ranks have unequal numbers of batches"),
                      words::endedBefore(job, left, whole, static_cast<std::int64_t>(index), true), false, true});
}

/// Another number of batches before there were no more, or already more of them, in the first pass where that is so.
void unequalCounts(const JobLoader& job, const Agreement& agreement, std::size_t most,
                   std::vector<RunFinding>& findings) {
  const std::size_t before = findings.size();
  for (std::size_t index = 0; index < most && findings.size() == before; ++index) {
    std::map<std::int64_t, std::vector<std::int64_t>> ended;
    std::map<std::int64_t, std::vector<std::int64_t>> going_on;
    for (const PassPrint* pass : passesAt(agreement, index))
      (pass->exhausted ? ended : going_on)[pass->drawn].push_back(pass->rank);
    if (ended.empty()) continue;
    going_on.erase(going_on.begin(), going_on.upper_bound(ended.begin()->first));
    if (ended.size() < 2 && going_on.empty()) {
      leftBefore(job, index, findings);
      continue;
    }
    const auto place = static_cast<std::int64_t>(index);
    findings.push_back({"run-unequal-batches", worded("capture", "Ranks have unequal numbers of batches"),
                        ended.size() > 1 ? words::unequalBatches(job, ended, place)
                                         : words::endedBefore(job, ended, going_on, place, false),
                        false, true});
  }
}

}  // namespace

Result<std::vector<RunFinding>> findingsOf(const JobLoader& job, const LoaderSpec& spec, const Agreement& agreement,
                                           const Work& work) {
  std::vector<RunFinding> findings;
  std::size_t most = 0;
  for (const RankLoader& rank : job.ranks) most = std::max(most, rank.passes.size());
  repeatedEpochs(job, agreement, findings);
  differentEpochs(job, agreement, findings);
  const bool has_ids = job.datasets.ids == SampleIds::Positions || job.datasets.ids == SampleIds::Below;
  if (has_ids) {
    Padding padding(job, spec, agreement, work);
    if (auto found = sameBatches(job, agreement, most, padding, findings); !found) return found.error();
  }
  unequalCounts(job, agreement, most, findings);
  return findings;
}

}  // namespace shardlens::capture
