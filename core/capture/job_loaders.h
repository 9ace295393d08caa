// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/capture/datasets.h"
#include "core/capture/facts.h"
#include "core/spec/pipeline_spec.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace shardlens::capture {

/// How one rank used a loader.
struct RankLoader {
  std::int64_t rank = 0;
  std::int64_t world_size = 1;
  std::int64_t local_rank = 0;
  std::size_t process = 0;        ///< which of the processes
  LoaderFacts loader;             ///< as it was at its first pass
  std::vector<PassFacts> passes;  ///< over it, in their order
  std::int64_t looks = 0;         ///< at one batch, which are no passes
  bool has_end = false;           ///< its process wrote all that it had to say
  bool is_placed = false;  ///< torch.distributed or the launcher says which rank it is; else it is taken for rank 0
  bool has_limit = false;  ///< the file of its process was full: passes that began later are not in it

  /// How much of the pass its loop got is known: it read it to its end, or left it, and lived to tell.
  [[nodiscard]] bool knowsEndOf(const PassFacts& pass) const {
    return pass.isReadToEnd() || (has_end && pass.handed.has_value() && !pass.isCut());
  }
  /// Its batches that raised an error when they were loaded. The end of the process interrupts the last one, too.
  [[nodiscard]] std::int64_t raisedIn(const PassFacts& pass) const {
    const bool may_be_the_end =
        !has_end && pass.isCut() && pass.failures() > 0 && pass.failed->back() + 1 == pass.read();
    return pass.failures() - (may_be_the_end ? 1 : 0);
  }
};

enum class Purpose {
  Train,       ///< backward passes follow on its batches
  Validation,  ///< another loader trains, and no backward pass comes between the first and the last batch of any pass
  Unknown,     ///< neither is seen
};

/// A loader of the job: what its ranks read in the same loop of the same program.
struct JobLoader {
  std::string name;           ///< "train", "val", "loader" where its purpose is not known, "train-2"
  std::string site;           ///< of that loop: "folder/train.py:31"
  std::string own_site;       ///< of the job's own code that led there; the same where the loop is its own
  std::int64_t at_site = 1;   ///< how many loaders own_site reads, as zip(one, other) does
  std::int64_t in_order = 1;  ///< the how many-th of them, as they were begun
  Purpose purpose = Purpose::Unknown;
  std::int64_t world_size = 1;
  PipelineSpec::World world;      ///< how its ranks are spread over nodes; all on one when that is not known
  bool knows_nodes = true;        ///< and whether it is
  std::vector<RankLoader> ranks;  ///< ascending
  std::map<std::int64_t, std::size_t>
      elsewhere;                     ///< other ranks of its world, which were not seen to read it: which process
  std::int64_t programs = 1;         ///< processes that say no rank and read it: each is a loader of its own
  std::int64_t starts = 1;           ///< how often these ranks were started: each start is a loader of its own
  std::int64_t start = 0;            ///< which of them, by time
  bool goes_on = false;              ///< the recording is still written: of course more is read than is recorded
  bool has_failed = false;           ///< the recording says that its job did not end well; asked where that matters
  bool at_once = false;              ///< another start ran at the same time, as far as is known
  bool is_meant = true;              ///< of the starts, the one that is meant where none is named
  RankDatasets datasets;             ///< and so what the recorded indices are
  std::vector<std::string> remarks;  ///< what a person should know about how the ranks were found, and their datasets

  /// Batches that raised an error when they were loaded, on all ranks.
  [[nodiscard]] std::int64_t raised() const;
  /// Whether some ranks of its world were not seen to read it.
  [[nodiscard]] bool lacksRanks() const { return static_cast<std::int64_t>(ranks.size()) < world_size; }
  /// Whether a rank was in torch.distributed when it began to read: else nothing is known that waits for another rank.
  [[nodiscard]] bool hasCollectives() const;
  /// Whether every rank ended after it had read its last pass to the end, and the job well, as far as is known: so that
  /// none waited for another for ever.
  [[nodiscard]] bool cameThrough() const;
  /// This one of its ranks; null: it was not seen to read it.
  [[nodiscard]] const RankLoader* rankLoader(std::int64_t rank) const;
};

/// The length of the dataset whose ids are recorded of this rank: of its own, or of that below its Subset.
const std::optional<std::int64_t>& lengthOf(const JobLoader& job, const RankLoader& rank);

/// The loaders that the processes read: those that train first, and so on in the order in which the first rank began
/// to.
std::vector<JobLoader> loadersOf(const std::vector<ProcessFacts>& processes);

/// One start of the ranks that read a loader: no rank is in it twice.
struct Start {
  std::vector<RankLoader> ranks;
  bool at_once = false;  ///< with another one; else one came after the other, as far as the recording tells
};

/// Where the ranks of a process meet: MASTER_ADDR, MASTER_PORT, torchrun's run and restart, and how many they are.
std::string rendezvousOf(std::int64_t world_size, const ProcessFacts& process);

/// Divides ranks of one loop into the starts of the job that they belong to, the earliest first. Where no rank comes
/// twice there is one. Else ranks with one rendezvous belong together, and of a rank that comes twice even so, the
/// earlier one to the earlier start.
std::vector<Start> startsOf(std::vector<RankLoader> ranks, const std::vector<ProcessFacts>& processes);

/// What the recorded batches or seeds of a loader show, computed from what was recorded alone.
struct RunFinding {
  std::string code;            ///< stable, kebab-case: "run-unequal-batches"
  std::string title;           ///< a short verdict
  std::string text;            ///< the sentence with the numbers
  bool is_seed = false;        ///< about random numbers, not about batches
  bool is_of_waiting = false;  ///< wrong only where ranks wait for each other
  bool may_be_meant = false;   ///< as in validation, and the text says so
};

}  // namespace shardlens::capture
