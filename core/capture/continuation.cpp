// SPDX-License-Identifier: Apache-2.0
#include "core/capture/continuation.h"

#include "core/base/phrase.h"
#include "core/capture/capture.h"
#include "core/capture/capture_words.h"
#include "core/capture/epochs_of_passes.h"
#include "core/capture/recorded_batches.h"
#include "core/plan/plan.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace shardlens::capture {
namespace {

using Ids = std::vector<SampleIndex>;

/// What a rank read in a pass, and which epoch that was.
struct Part {
  std::int64_t epoch = 0;
  RecordedPass read;
  bool is_to_end = false;
  bool may_have_more = false;

  [[nodiscard]] std::int64_t batches() const { return std::ssize(read.ends); }
  [[nodiscard]] Ids batch(std::int64_t step) const {
    const auto at = static_cast<std::size_t>(step);
    return {read.ids.begin() + (at == 0 ? 0 : read.ends[at - 1]), read.ids.begin() + read.ends[at]};
  }
};

/// What a job read, rank by rank and pass by pass.
struct Run {
  const JobLoader& job;
  std::map<std::int64_t, std::vector<Part>> ranks;
  bool is_told = false;  ///< its sampler was told its epochs
};

bool isTold(const JobLoader& job) {
  const auto said = [](const PassFacts& pass) {
    return pass.epoch && (*pass.epoch > 0 || (pass.has_set_epoch && pass.set_epoch_calls > 0));
  };
  return std::ranges::any_of(job.ranks, [&](const RankLoader& rank) { return std::ranges::any_of(rank.passes, said); });
}

Result<Run> runOf(const RecordedJob& recorded, std::size_t loader, const Work& work) {
  constexpr std::int64_t kMany = std::int64_t{1} << 40;
  const JobLoader& job = recorded.loaders[loader];
  auto passes = recordedPasses(recorded, loader, work);
  if (!passes) return passes.error();
  const EpochsOfPasses epochs(job, kMany);
  Run run{job, {}, isTold(job)};
  for (RecordedPass& pass : *passes) {
    const auto epoch = epochs.of(pass.rank, pass.index);
    const RankLoader* const rank = job.rankLoader(pass.rank);
    if (!epoch || rank == nullptr) continue;
    const PassFacts& facts = rank->passes[pass.index];
    const bool may_have_more = !rank->knowsEndOf(facts) || facts.read() > facts.recorded;
    run.is_told = run.is_told && facts.epoch == epoch;
    run.ranks[pass.rank].push_back({*epoch, std::move(pass), facts.isReadToEnd(), may_have_more});
  }
  return run;
}

/// The next batch of a rank behind what it read.
PlanPlace placeAfter(const std::vector<Part>& parts, const Plan* plan, std::int64_t rank) {
  const Part& last = parts.back();
  const bool fits = plan != nullptr && last.epoch < plan->epochs() && rank < plan->worldSize();
  const auto planned = fits ? plan->rankEpoch(Epoch{last.epoch}, Rank{rank}) : Result<RankEpoch>(RankEpoch{});
  const bool is_over = last.is_to_end || (fits && planned && last.batches() >= planned->batches());
  return is_over ? PlanPlace{last.epoch + 1, 0} : PlanPlace{last.epoch, last.batches()};
}

/// Ranks that may have read more than is recorded, and those that were not seen.
void findOpen(const Run& run, std::vector<std::int64_t>& open, std::vector<std::int64_t>& unseen) {
  for (const auto& [rank, parts] : run.ranks) {
    const bool is_open = std::ranges::any_of(parts, &Part::may_have_more);
    if (is_open || run.job.goes_on || run.job.rankLoader(rank)->has_limit) open.push_back(rank);
  }
  for (std::int64_t rank = 0; run.job.lacksRanks() && rank < run.job.world_size && std::ssize(unseen) < 64; ++rank) {
    if (run.job.rankLoader(rank) == nullptr) unseen.push_back(rank);
  }
}

/// Whether equal ids are the same sample in both.
bool areComparable(const JobLoader& before, const JobLoader& after) {
  std::vector<LoaderOfRank> loaders;
  for (const JobLoader* job : {&before, &after}) {
    for (const RankLoader& rank : job->ranks) loaders.push_back({rank.rank, &rank.loader});
  }
  const SampleIds ids = compareDatasets(loaders).ids;
  return ids == before.datasets.ids && ids == after.datasets.ids &&
         (ids == SampleIds::Positions || ids == SampleIds::Below);
}

/// The plan of the first job, and that of its rule in the world of the second one.
struct Plans {
  std::optional<Plan> before;
  std::optional<Plan> after;
};

Result<Plans> plansOf(const RecordedJob& before, std::size_t loader, const Run& after, std::int64_t epochs,
                      Continuation& into, const Work& work) {
  CaptureOptions how;
  how.search = false;
  auto captured = capture::captured(before, loader, how, work);
  if (!captured) return captured.error();
  if (!captured->isProven() || captured->is_recorded) {
    into.no_plan = captured->spec.problems.empty() ? captured->reasons : captured->spec.problems;
    return Plans{};
  }
  PipelineSpec spec = captured->spec.spec;
  spec.epochs = std::max(spec.epochs, epochs);
  into.sampler = spec.sampler.type;
  Plans plans;
  auto plan = Plan::make(spec);
  if (plan) plans.before = *plan;
  if (spec.worldSize() != after.job.world_size) {
    const ParallelGroups groups = spec.world.groups;
    spec.world = after.job.world;
    spec.world.groups = groups;
  }
  const auto stated = statedBatchSize(after.job.ranks.front().loader);
  if (stated && statedBatchSize(captured->job.ranks.front().loader)) spec.loader.batch_size = *stated;
  if (plan) plan = Plan::make(std::move(spec));
  if (!plan) {
    into.no_plan = {words::notPlanned(plan.error())};
    return Plans{};
  }
  plans.after = *std::move(plan);
  return plans;
}

void keepEach(Ids& ids) {
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

/// The samples of an epoch, ascending and each once.
Ids readIn(const Run& run, std::int64_t epoch) {
  Ids ids;
  for (const auto& [rank, parts] : run.ranks) {
    for (const Part& part : parts) {
      if (part.epoch == epoch) ids.insert(ids.end(), part.read.ids.begin(), part.read.ids.end());
    }
  }
  keepEach(ids);
  return ids;
}

/// Likewise, what the plan has before this place, on all ranks; nothing where it cannot be drawn.
std::optional<Ids> readUpTo(const Plan& plan, const PlanPlace& place) {
  Ids ids;
  for (Rank rank{0}; rank.value < plan.worldSize(); ++rank.value) {
    const auto planned = plan.rankEpoch(Epoch{place.epoch}, rank);
    if (!planned) return std::nullopt;
    for (Step step{0}; step.value < std::min(place.step, planned->batches()); ++step.value) {
      const Ids batch = planned->batchSamples(step);
      ids.insert(ids.end(), batch.begin(), batch.end());
    }
  }
  keepEach(ids);
  return ids;
}

/// Where every rank of the first job ended, in steps of the second one's world; nothing where no step of its plan comes
/// after exactly what was read.
std::optional<PlanPlace> commonPlace(const Run& before, const Plans& plans) {
  std::set<std::pair<std::int64_t, std::int64_t>> places;
  std::int64_t items = 0;
  for (const auto& [rank, parts] : before.ranks) {
    const PlanPlace place = placeAfter(parts, &*plans.before, rank);
    places.insert({place.epoch, place.step});
    items += parts.back().epoch == place.epoch ? std::ssize(parts.back().read.ids) : 0;
  }
  if (places.size() != 1 || before.job.lacksRanks()) return std::nullopt;
  const PlanPlace place{places.begin()->first, places.begin()->second};
  if (place.step == 0 || place.epoch >= plans.after->epochs()) return PlanPlace{place.epoch, 0};
  std::int64_t in_step = 0;
  for (Rank rank{0}; rank.value < plans.after->worldSize(); ++rank.value) {
    const auto planned = plans.after->rankEpoch(Epoch{place.epoch}, rank);
    if (!planned || planned->batches() == 0) return std::nullopt;
    const RankEpoch::Range range = planned->batch(Step{0});
    in_step += range.last - range.first;
  }
  if (in_step == 0 || items % in_step != 0) return std::nullopt;
  const PlanPlace found{place.epoch, items / in_step};
  const auto same = readUpTo(*plans.after, found);
  return same && *same == readIn(before, place.epoch) ? std::optional(found) : std::nullopt;
}

bool isSameShape(const Run& before, const Plans& plans) {
  return before.job.world_size == plans.after->worldSize() &&
         plans.before->spec().loader.batch_size == plans.after->spec().loader.batch_size;
}

/// How many batches of the part are the plan's, from this step of it on.
std::int64_t alikeFrom(const Part& part, const RankEpoch& planned, std::int64_t step) {
  std::int64_t count = 0;
  while (count < part.batches() && step + count < planned.batches() &&
         part.batch(count) == planned.batchSamples(Step{step + count}))
    ++count;
  return count;
}

/// Holds the batches of a rank against the plan.
class OrderOfRank {
 public:
  OrderOfRank(const Plan& plan, RankContinuation& rank, Continuation& into) : plan_(plan), rank_(rank), into_(into) {}

  Result<void> use(const std::vector<Part>& parts, const Work& work) {
    for (const Part& part : parts) {
      if (part.batches() == 0 && !part.is_to_end) continue;
      // Behind the first batches every epoch is read from its beginning to its end, one after the other.
      const PlanPlace begin{part.epoch, 0};
      if (next_ && begin != *next_) differ(*next_, planAt(*next_), {});
      const auto planned = epochOf(part.epoch, work);
      if (!planned) return planned.error();
      usePart(part, *planned);
    }
    return {};
  }

 private:
  /// Empty where the plan has no such epoch or rank.
  Result<RankEpoch> epochOf(std::int64_t epoch, const Work& work = {}) const {
    if (epoch >= plan_.epochs() || rank_.rank >= plan_.worldSize()) return RankEpoch{};
    return plan_.rankEpoch(Epoch{epoch}, Rank{rank_.rank}, work);
  }

  [[nodiscard]] std::optional<Ids> planAt(const PlanPlace& place) const {
    const auto planned = epochOf(place.epoch);
    if (!planned || place.step >= planned->batches()) return std::nullopt;
    return planned->batchSamples(Step{place.step});
  }

  void usePart(const Part& part, const RankEpoch& planned) {
    into_.compared += part.batches();
    const std::int64_t from = startOf(part, planned);
    if (!rank_.began) rank_.began = PlanPlace{part.epoch, from};
    const std::int64_t alike = alikeFrom(part, planned, from);
    const std::int64_t end = from + part.batches();
    const bool is_end = !part.is_to_end || end == planned.batches();
    if (alike < part.batches() || !is_end) {
      const auto read = alike < part.batches() ? std::optional(part.batch(alike)) : std::nullopt;
      differ({part.epoch, from + alike}, planAt({part.epoch, from + alike}), read);
    }
    next_ = part.is_to_end || end >= planned.batches() ? PlanPlace{part.epoch + 1, 0} : PlanPlace{part.epoch, end};
  }

  /// The first batches may begin anywhere in an epoch: best where they should.
  [[nodiscard]] std::int64_t startOf(const Part& part, const RankEpoch& planned) const {
    if (rank_.began) return 0;
    const bool is_there = rank_.expected && rank_.expected->epoch == part.epoch;
    const std::int64_t expected = is_there ? rank_.expected->step : 0;
    if (alikeFrom(part, planned, expected) == part.batches()) return expected;
    for (std::int64_t step = 0; step + part.batches() <= planned.batches(); ++step) {
      if (alikeFrom(part, planned, step) == part.batches()) return step;
    }
    return expected;
  }

  void differ(const PlanPlace& place, std::optional<Ids> planned, std::optional<Ids> read) {
    into_.order = PlanOrder::Differs;
    const auto key = [](const FirstDifference& one) { return std::tuple(one.epoch, one.step, one.rank); };
    FirstDifference found{rank_.rank, place.epoch, place.step, std::move(planned), std::move(read)};
    if (!into_.first_difference || key(found) < key(*into_.first_difference)) into_.first_difference = std::move(found);
  }

  const Plan& plan_;
  RankContinuation& rank_;
  Continuation& into_;
  std::optional<PlanPlace> next_;
};

Result<void> compareOrder(const Run& before, const Run& after, const Plans& plans, Continuation& into,
                          const Work& work) {
  if (!plans.after) return {};
  into.order = PlanOrder::Followed;
  const bool is_same = isSameShape(before, plans);
  const auto common = is_same ? std::nullopt : commonPlace(before, plans);
  for (RankContinuation& rank : into.ranks) {
    const auto found = before.ranks.find(rank.rank);
    rank.expected = common;
    if (is_same && found != before.ranks.end()) rank.expected = placeAfter(found->second, &*plans.before, rank.rank);
    OrderOfRank order(*plans.after, rank, into);
    if (auto used = order.use(after.ranks.at(rank.rank), work); !used) return used;
  }
  if (into.compared == 0) into.order = PlanOrder::NotKnown;
  return {};
}

/// The length that the datasets of all ranks of both have, unless ids go beyond it.
std::optional<std::int64_t> sizeOfBoth(const Run& before, const Run& after, const Ids& read) {
  const std::optional<std::int64_t> size = lengthOf(before.job, before.job.ranks.front());
  for (const Run* run : {&before, &after}) {
    for (const RankLoader& rank : run->job.ranks) {
      if (lengthOf(run->job, rank) != size) return std::nullopt;
    }
  }
  return size && (read.empty() || read.back() < *size) ? size : std::nullopt;
}

/// Whether no rank of the second job reads on in the epoch.
bool isDone(const Run& after, std::int64_t epoch) {
  return !after.job.lacksRanks() && std::ranges::all_of(after.ranks, [&](const auto& rank) {
    const std::vector<Part>& parts = rank.second;
    const bool is_past = !parts.empty() && parts.back().epoch > epoch;
    const bool may_go_on = after.job.goes_on || after.job.rankLoader(rank.first)->has_limit;
    return is_past || (!may_go_on && std::ranges::none_of(parts, &Part::may_have_more));
  });
}

/// What the second job's ranks repeated of `old`, which the first one read in the epoch, and read first.
void countItems(const Run& after, std::int64_t epoch, const Ids& old, std::vector<RankContinuation>& ranks) {
  for (RankContinuation& rank : ranks) {
    for (const Part& part : after.ranks.at(rank.rank)) {
      if (part.epoch != epoch) continue;
      const auto was_read = [&](SampleIndex id) { return std::binary_search(old.begin(), old.end(), id); };
      const auto repeated = std::ranges::count_if(part.read.ids, was_read);
      rank.batches += part.batches();
      rank.repeated += repeated;
      rank.read_first += std::ssize(part.read.ids) - repeated;
    }
  }
}

/// How many different samples the plan has in the epoch that are not among those of `read`; adds those of each rank.
Result<std::int64_t> plannedUnread(const Plan& plan, std::int64_t epoch, const Ids& read,
                                   std::vector<RankContinuation>& ranks, const Work& work) {
  Ids all;
  for (RankContinuation& rank : ranks) {
    if (rank.rank >= plan.worldSize()) continue;
    const auto of_rank = plan.rankEpoch(Epoch{epoch}, Rank{rank.rank}, work);
    if (!of_rank) return of_rank.error();
    Ids ids;
    for (Step step{0}; step.value < of_rank->batches(); ++step.value) {
      const Ids batch = of_rank->batchSamples(step);
      ids.insert(ids.end(), batch.begin(), batch.end());
    }
    keepEach(ids);
    const std::int64_t before = std::ssize(all);
    std::set_difference(ids.begin(), ids.end(), read.begin(), read.end(), std::back_inserter(all));
    rank.skipped = rank.skipped.value_or(0) + std::ssize(all) - before;
  }
  keepEach(all);
  return std::ssize(all);
}

Result<EpochContinuation> countEpoch(const Run& before, const Run& after, const std::optional<Plan>& plan,
                                     std::int64_t epoch, std::vector<RankContinuation>& ranks, const Work& work) {
  EpochContinuation out{epoch, 0, 0, 0, {}, {}};
  const Ids old = readIn(before, epoch);
  const Ids now = readIn(after, epoch);
  Ids both;
  std::set_union(old.begin(), old.end(), now.begin(), now.end(), std::back_inserter(both));
  out.read_before = std::ssize(old);
  out.read_first = std::ssize(both) - std::ssize(old);
  out.repeated = std::ssize(now) - out.read_first;
  countItems(after, epoch, old, ranks);
  const auto size = isDone(after, epoch) ? sizeOfBoth(before, after, both) : std::nullopt;
  if (!size) return out;
  out.skipped = *size - std::ssize(both);
  if (!plan || epoch >= plan->epochs()) return out;
  const auto unread = plannedUnread(*plan, epoch, both, ranks, work);
  if (!unread) return unread.error();
  out.left_out = *out.skipped - *unread;
  return out;
}

/// The first epoch that a rank of the job has not read to its end.
std::int64_t endedIn(const Run& before, const Plans& plans) {
  std::int64_t ended = std::numeric_limits<std::int64_t>::max();
  for (const auto& [rank, parts] : before.ranks)
    ended = std::min(ended, placeAfter(parts, plans.before ? &*plans.before : nullptr, rank).epoch);
  return ended;
}

/// From where the first job ended, or the second began before that, up to where both have been.
std::pair<std::int64_t, std::int64_t> epochsAtStake(const Run& before, const Run& after, const Plans& plans) {
  std::int64_t last = 0;
  for (const auto& [rank, parts] : before.ranks) last = std::max(last, parts.back().epoch);
  std::int64_t began = std::numeric_limits<std::int64_t>::max();
  for (const auto& [rank, parts] : after.ranks) began = std::min(began, parts.front().epoch);
  return {std::min(endedIn(before, plans), began), std::max(last, began - 1)};
}

/// As many epochs as the plan must have to compare both jobs.
std::int64_t epochsOfBoth(const Run& before, const Run& after) {
  std::int64_t end = 0;
  for (const auto& [rank, parts] : before.ranks) end = std::max(end, parts.back().epoch + 1);
  std::int64_t most = end;
  for (const auto& [rank, parts] : after.ranks) most = std::max({most, parts.back().epoch, end + std::ssize(parts)});
  return most + 1;
}

}  // namespace

bool Continuation::beganWhereEnded() const {
  return std::ranges::all_of(
      ranks, [](const RankContinuation& rank) { return rank.expected && rank.began && *rank.expected == *rank.began; });
}

Result<Continuation> continuationOf(const RecordedJob& first, std::size_t loader_before, const RecordedJob& second,
                                    std::size_t loader_after, const Work& work) {
  constexpr std::int64_t kMostEpochs = 1000;
  const auto before = runOf(first, loader_before, work.part(0, 0.2));
  if (!before) return before.error();
  auto after = runOf(second, loader_after, work.part(0.2, 0.4));
  if (!after) return after.error();
  if (before->ranks.empty() || after->ranks.empty() || !areComparable(before->job, after->job))
    return Error::of(
        ErrorCode::BadInput,
        filled(
            worded(
                "capture",
                "it is not known whether both runs read the same dataset, so their ids are not compared: %1, and %2."),
            words::loaderText(before->job), words::loaderText(after->job)));
  Continuation out;
  for (const auto& [rank, parts] : after->ranks) out.ranks.emplace_back().rank = rank;
  findOpen(*before, out.open_before, out.unseen_before);
  findOpen(*after, out.open_after, out.unseen_after);
  const auto plans = plansOf(first, loader_before, *after, epochsOfBoth(*before, *after), out, work.part(0.4, 0.7));
  if (!plans) return plans.error();
  out.epochs_are_told = after->is_told;
  for (auto& [rank, parts] : after->ranks) {
    for (Part& part : parts) part.epoch += after->is_told ? 0 : endedIn(*before, *plans);
  }
  if (auto compared = compareOrder(*before, *after, *plans, out, work.part(0.7, 0.9)); !compared)
    return compared.error();
  const auto [from, to] = epochsAtStake(*before, *after, *plans);
  if (to - from > kMostEpochs)
    return Error::of(ErrorCode::BadInput,
                     filled(worded("capture", "the epochs of these runs are too far apart to compare: %1 and %2."),
                            std::to_string(from), std::to_string(to)));
  for (std::int64_t epoch = from; epoch <= to; ++epoch) {
    auto counted = countEpoch(*before, *after, plans->after, epoch, out.ranks, work);
    if (!counted) return counted.error();
    out.epochs.push_back(*std::move(counted));
  }
  return out;
}

}  // namespace shardlens::capture
