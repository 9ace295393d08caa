// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/work.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace shardlens {

/// What came in place of a rank's batches of an epoch, if it is elsewhere in the plan.
struct Instead {
  std::int64_t rank = 0, epoch = 0;          ///< whose place
  std::int64_t got_rank = 0, got_epoch = 0;  ///< whose batches came
  std::int64_t later = 0;                    ///< by how many steps these are later in the plan; negative: earlier
  std::int64_t batches = 0;                  ///< that were compared; all of them are equal

  bool operator==(const Instead&) const = default;
};

/// The first batches of a run that are not the planned ones, of each rank and epoch, and the first that are. Bounded.
class WrongBatches {
 public:
  struct Wrong {
    std::int64_t step = 0;
    std::uint64_t fingerprint = 0;
  };
  using Place = std::pair<std::int64_t, std::int64_t>;  ///< epoch, rank
  using Places = std::map<Place, std::vector<Wrong>>;

  void add(std::int64_t rank, std::int64_t epoch, std::int64_t step, std::uint64_t fingerprint);
  void addRight(std::int64_t rank, std::int64_t epoch, std::int64_t step, std::uint64_t fingerprint);
  /// The sampler of this rank was told an epoch that is not 0.
  void tellEpoch(std::int64_t rank) { told_.insert(rank); }
  [[nodiscard]] bool wasTold(std::int64_t rank) const { return told_.contains(rank); }
  [[nodiscard]] const Places& places() const { return places_; }
  [[nodiscard]] const Places& rightPlaces() const { return right_; }

 private:
  Places places_;
  Places right_;
  std::set<std::int64_t> told_;
};

/// Whether a rank's epoch has every one of these batches, each later by this many steps.
bool holds(const RankEpoch& slice, const std::vector<WrongBatches::Wrong>& batches, std::int64_t later = 0);

/// Looks for the wrong batches elsewhere in the plan: in other epochs of the rank, in other ranks' shares of the epoch,
/// in both, and at other steps. An answer has every wrong batch that was kept for its place. Orders of at most a few
/// dozen epochs are drawn for a place, and the search ends after a few places for which nothing is found; they have no
/// answer.
std::vector<Instead> findInstead(const Plan& plan, const WrongBatches& wrong, const Work& work = {});

/// What that means, in sentences: "Epoch 1 got the order of epoch 0. The order stays ..." Empty for none.
/// A cause is named only if no batch contradicts it.
std::string insteadText(const Plan& plan, const WrongBatches& wrong, const std::vector<Instead>& found);

/// What a run says about itself, as far as this decides which batches it reads.
struct RunShape {
  std::int64_t nodes = 0;
  std::int64_t world_size = 0;
  std::int64_t batch_size = 0;  ///< the most samples of one batch; 0 when the run does not say
};

/// A field of the spec, and the value with which the plan has other batches.
struct OtherValue {
  std::string path;  ///< "sampler.seed"
  std::string planned;
  std::string other;
  bool is_seed = false;
};

/// Looks for the spec that the batches of a run come from, when the given plan has them nowhere: with the world and the
/// batch size of the run, with one other seed, with or without shuffling or dropping, with another rule for the seeds.
/// An answer has each batch that was kept, wrong or right, and there are at least four of them; otherwise nothing. The
/// number of orders that are drawn is bounded, and smaller for large datasets.
std::optional<std::vector<OtherValue>> findOtherSpec(const Plan& plan, const WrongBatches& batches, const RunShape& run,
                                                     const Work& work = {});

/// "All compared batches match the plan with sampler.seed 7 instead of 0." What was found in the plan itself helps to
/// distinguish an epoch that is counted differently from another seed.
std::string otherSpecText(const std::vector<OtherValue>& values, const std::vector<Instead>& found);

}  // namespace shardlens
