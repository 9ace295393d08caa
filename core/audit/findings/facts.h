// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/audit.h"
#include "core/audit/words/finding_words.h"
#include "core/base/work.h"
#include "core/plan/plan.h"
#include "core/sampling/registry.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace shardlens {

/// How many workers of a rank ever load a batch, and how that is known.
struct LoadingWorkers {
  std::int64_t count = 0;  ///< of the rank that has most of them
  bool named = false;  ///< the order itself says which worker loads what; otherwise batch i goes to i mod num_workers
};

/// Counts them in the epoch of `shape`; may draw its order.
LoadingWorkers loadingWorkers(const Plan& plan, const EpochShape& shape, const Work& work);

/// An order that is dealt like cards: slice s has every `slices`-th place from s on.
struct Division {
  std::int64_t size = 0;  ///< places of the order
  std::int64_t slices = 0;
};

/// What is counted of an audited epoch in addition to its ledger.
struct AuditedEpoch {
  EpochShape shape;
  /// The counts of its ledger and of its ranks, and the sizes of its batches, are those of the first: rules see no
  /// other.
  bool like_first = false;
  Overlap ranks;  ///< of a later epoch; empty where the ledger shows that none but padding repeats
};

/// What the rules of this folder judge: a plan, and what was counted about it. All of it outlives the facts.
class Facts {
 public:
  /// Of the `at`-th audited epoch; `epochs` has one for each ledger of the report; `loader_cuts` is
  /// Plan::loaderCutsBatches().
  Facts(const Plan& plan, const std::vector<AuditedEpoch>& epochs, std::size_t at, bool loader_cuts,
        const AuditReport& report, const Work& work)
      : plan_(plan),
        epochs_(epochs),
        at_(at),
        lockstep_(shardlens::lockstep(epochs[at].shape)),
        loader_cuts_(loader_cuts),
        report_(report),
        work_(work) {}

  /// The same about another audited epoch, in sentences that name `epochs`, whichever are like it.
  [[nodiscard]] Facts toldOf(std::size_t at, std::vector<std::int64_t> epochs) const;

  [[nodiscard]] const Plan& plan() const { return plan_; }
  [[nodiscard]] const PipelineSpec& spec() const { return plan_.spec(); }
  [[nodiscard]] const AuditReport& report() const { return report_; }
  [[nodiscard]] std::int64_t worldSize() const { return plan_.worldSize(); }
  /// Ranks that ought to read samples of their own: each copy of the model is one.
  [[nodiscard]] std::int64_t dataParallelSize() const { return spec().world.dataParallelSize(); }
  /// Whether these ranks divide one copy of the model, and so ought to read the same.
  [[nodiscard]] bool arePeers(std::int64_t a, std::int64_t b) const {
    return spec().world.dataParallelRankOf(Rank{a}) == spec().world.dataParallelRankOf(Rank{b});
  }
  /// The judged epoch, one of the audited ones.
  [[nodiscard]] const Ledger& coverage() const { return report_.coverage[at_]; }
  [[nodiscard]] Epoch epoch() const { return Epoch{coverage().epoch}; }
  [[nodiscard]] const EpochShape& shape() const { return epochs_[at_].shape; }
  [[nodiscard]] const Lockstep& lockstep() const { return lockstep_; }
  [[nodiscard]] const Overlap& ranks() const { return at_ == 0 ? report_.ranks : epochs_[at_].ranks; }
  /// All audited epochs, as many as the report has ledgers.
  [[nodiscard]] const std::vector<AuditedEpoch>& epochs() const { return epochs_; }
  [[nodiscard]] bool loaderCutsBatches() const { return loader_cuts_; }
  /// That sentences count: those of the plan, or of the job that it has a part of.
  [[nodiscard]] std::int64_t allEpochs() const { return report_.all_epochs; }
  /// The sampler hands out whole batches, and obeys loader.drop_last in its own way.
  [[nodiscard]] bool samplerListsBatches() const;
  /// What a rule that draws passes on. A stopped rule may add anything: the report is then thrown away.
  [[nodiscard]] const Work& work() const { return work_; }

  /// What the sampler's parameters mean; rules ask for meanings, never for a parameter by its name.
  [[nodiscard]] const sampling::SamplerTraits& traits() const { return sampling::traitsOf(spec()); }
  /// The parameter that means this, with the catalogue's fallback; nothing when the sampler has none.
  [[nodiscard]] std::optional<Value> parameter(sampling::SamplerTrait trait) const;
  [[nodiscard]] bool takes(sampling::SamplerTrait trait) const { return !(traits().*trait).empty(); }
  /// True when the sampler takes the flag and it is on.
  [[nodiscard]] bool isOn(sampling::SamplerTrait trait) const;
  /// The spec's field that means this, "sampler.drop_last"; "sampler.type" when the sampler has none.
  [[nodiscard]] std::string fieldOf(sampling::SamplerTrait trait) const;

  /// What gives the ranks different orders: the sampler's seed where it is made for each rank, else "seeds.rule".
  [[nodiscard]] std::string orderSeedField() const;

  /// What the sampler does by design.
  [[nodiscard]] sampling::SamplerClaims claims() const { return sampling::claimsOf(spec()); }
  /// Whether the samples are used to evaluate or to predict: no gradients are reduced, and repeats distort the result.
  [[nodiscard]] bool evaluates() const { return claims().evaluates || spec().framework.lightning.stage != "train"; }
  /// Whether this many items are worth a warning: one in a hundred, or more.
  [[nodiscard]] bool isMuch(std::int64_t items) const {
    return items * 100 >= std::max(coverage().dataset_size, coverage().handed_out);
  }

  /// Whether the sampler deals one order to replicas: those that the script passes to it, or the world's.
  [[nodiscard]] bool dealsToReplicas() const {
    return takes(&sampling::SamplerTraits::num_replicas) || traits().deals_to_world;
  }
  /// What such a sampler divides by on this rank; the least and the greatest such number; whether all are one number.
  [[nodiscard]] std::int64_t replicas(Rank rank) const;
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> replicas() const;
  [[nodiscard]] bool dividesAlike() const;
  /// What each process passes as its rank: "rank", "local_rank", "node", "data_parallel_rank", or a number.
  [[nodiscard]] std::string rankArgument() const;
  /// Whether that is its rank, or its data-parallel rank.
  [[nodiscard]] bool passesRank() const;
  /// How many of the slices the processes ask for.
  [[nodiscard]] std::int64_t slicesRead() const;
  /// Whether each process passes the number of its slice: its rank, or its data-parallel rank where there are groups.
  [[nodiscard]] bool passesOwnSlice() const;
  /// Whether such a sampler divides by the data-parallel size, and each process passes the number of its slice.
  [[nodiscard]] bool dealsToThisWorld() const;
  /// Whether the sampler shuffles at all.
  [[nodiscard]] bool shuffles() const;
  /// How the judged epoch is divided; nothing where ranks do not read every n-th place of one order.
  [[nodiscard]] std::optional<Division> division() const;
  /// Whether every rank's batches follow the order of the dataset: compared item by item in the judged epoch, of
  /// long epochs only the first million.
  [[nodiscard]] bool readsInOrder() const;
  /// Whether a rank's batches of the judged epoch have items that the sampler adds; readsInOrder() leaves them out.
  [[nodiscard]] bool hasAddedItems() const;
  /// The loading workers of the audited epoch in which most workers of a rank load a batch.
  [[nodiscard]] LoadingWorkers loadingWorkers() const;
  /// Whether the recorded ranks read every sample that was theirs, equally many each, and no more again than it takes
  /// for that: what a sampler's padding does, too.
  [[nodiscard]] bool repeatsToBeEven() const;
  /// The fewest samples of a rank that has some; 0 when no rank has any.
  [[nodiscard]] std::int64_t smallestSlice() const;

  /// The epochs that sentences name, where toldOf() said so.
  [[nodiscard]] const std::optional<std::vector<std::int64_t>>& toldEpochs() const { return told_; }
  /// "in epoch 0 of 90", "in epochs 0 and 1 of 90": the audited epochs that are `like` the judged one, or toldEpochs();
  /// empty where they are all audited ones.
  [[nodiscard]] std::string epochsLike(const std::function<bool(const EpochShape& shape)>& like) const;
  /// Whether every epoch was audited, or none can have other counts of items.
  [[nodiscard]] bool countsForAll() const;
  /// The same for all audited epochs.
  [[nodiscard]] std::string epochsAudited() const;
  /// " 3 samples are never read in any of epochs 0 to 8 of 90."; empty when each is read, or when one epoch was
  /// counted. `in_all`: they also have other causes than those that the sentence before is about.
  [[nodiscard]] std::string neverRead(bool in_all) const;

 private:
  [[nodiscard]] Value numReplicas() const;

  const Plan& plan_;
  const std::vector<AuditedEpoch>& epochs_;
  std::size_t at_;
  Lockstep lockstep_;
  bool loader_cuts_;
  const AuditReport& report_;
  Work work_;
  std::optional<std::vector<std::int64_t>> told_;
};

/// A rule looks at the facts and adds the findings it sees.
using FindingRule = void (*)(const Facts& facts, std::vector<Finding>& findings);

/// Every rule of this build, one row each.
std::span<const FindingRule> findingRules();
/// The rules that judge an epoch by itself.
std::span<const FindingRule> epochRules();

/// A finding of this topic with its words.
Finding told(std::string code, FindingTopic topic, Severity severity, words::FindingWords words);
/// A finding about `amount` samples or items of the judged epoch; the cause is the sampler, until a rule names another
/// field.
Finding toldOf(const Facts& facts, std::string code, Severity severity, std::int64_t amount,
               const std::vector<SampleIndex>& ids, words::FindingWords words);
/// A finding about the samples of the judged epoch that are missing for one of these causes: number, epochs and list
/// are theirs.
words::Lost lostOf(const Facts& facts, const MissingCauseSet& causes);
MissingCauseSet only(MissingCause cause);
/// The items of the judged epoch that repeat samples for these causes: number and epochs are theirs.
words::Repeated repeatedOf(const Facts& facts, const RepeatCauseSet& causes);
RepeatCauseSet only(RepeatCause cause);

}  // namespace shardlens
