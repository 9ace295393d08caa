// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/spec/parallel_groups.h"
#include "core/spec/value.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens {

/// How many ranks each node runs: one number for all nodes, or one number for each.
class RanksPerNode {
 public:
  RanksPerNode(std::int64_t each) : each_(each) {}  // NOLINT(google-explicit-constructor): most worlds have one number
  explicit RanksPerNode(IndexList of_nodes);

  /// One number for each node, node 0 first; empty where one is said for all.
  [[nodiscard]] const IndexList& list() const { return of_nodes_; }
  /// The number of ranks that all nodes have; nothing where nodes differ.
  [[nodiscard]] std::optional<std::int64_t> ofEveryNode() const;
  /// As the spec says it: int64 or IndexList.
  [[nodiscard]] Value value() const { return of_nodes_.empty() ? Value(each_) : Value(of_nodes_); }

  friend bool operator==(const RanksPerNode& a, const RanksPerNode& b) {
    return a.each_ == b.each_ && a.of_nodes_ == b.of_nodes_;
  }

 private:
  friend struct PipelineSpec;  // its World

  std::int64_t each_ = 0;  ///< 0 where each node has its own number
  IndexList of_nodes_;
  IndexList first_ranks_;  ///< of each node, so that looking a rank up does not walk all nodes
};

/// The world size as a process computes it that takes its own node's ranks for those of every node: Lightning's
/// num_nodes * num_processes (strategies/ddp.py, distributed_sampler_kwargs, 2.6).
constexpr const char* kNodesTimesRanks = "nodes * ranks_per_node";

/// What the user asks for: dataset, world, loader, sampler, seeds, run. A plain value; the keys, defaults, ranges and
/// help of all members are in field_table.h.
struct PipelineSpec {
  std::string name = "untitled";

  struct Dataset {
    std::int64_t size = 16;  ///< samples
    IndexList shards;        ///< samples in each stored piece, in their order; empty = one piece
    IndexList lengths;       ///< of each sample, in tokens or frames: what length-grouped samplers sort by
    IndexList labels;        ///< class of each sample: what balancing samplers count
    bool operator==(const Dataset&) const = default;
  } dataset;

  /// The processes of a job. Ranks are numbered node by node. A rank or node that the world does not have counts as one
  /// of the last node.
  struct World {
    std::int64_t nodes = 1;
    RanksPerNode ranks_per_node = 2;
    ParallelGroups groups = {};

    /// The world size: ranks on all nodes.
    [[nodiscard]] std::int64_t size() const {
      return ranks_per_node.of_nodes_.empty() ? nodes * ranks_per_node.each_ : ranks_per_node.of_nodes_.facts().total;
    }
    [[nodiscard]] std::int64_t nodeOf(Rank rank) const {
      return ranks_per_node.of_nodes_.empty() ? rank.value / ranks_per_node.each_ : listedNodeOf(rank);
    }
    [[nodiscard]] std::int64_t localRankOf(Rank rank) const {
      return ranks_per_node.of_nodes_.empty() ? rank.value % ranks_per_node.each_
                                              : rank.value - firstRankOn(nodeOf(rank));
    }
    /// The local world size of the ranks on `node`.
    [[nodiscard]] std::int64_t ranksOn(std::int64_t node) const;
    [[nodiscard]] std::int64_t firstRankOn(std::int64_t node) const;
    /// Of the node that has most.
    [[nodiscard]] std::int64_t mostRanksOnNode() const;
    /// What a script passes on `rank` by this name: world_size, nodes, ranks_per_node (of the rank's own node), rank,
    /// local_rank, node, data_parallel_size, data_parallel_rank, or kNodesTimesRanks.
    [[nodiscard]] std::int64_t numberNamed(std::string_view name, Rank rank) const;

    /// Copies of the model that are trained side by side, each on samples of its own.
    [[nodiscard]] std::int64_t dataParallelSize() const { return size() / groups.ranksOfModel(); }
    /// Which of them `rank` belongs to.
    [[nodiscard]] std::int64_t dataParallelRankOf(Rank rank) const {
      return groups.ranksOfModel() == 1 ? rank.value : groups.coordinatesOf(rank, size())[Parallelism::Data];
    }

    /// How many ranks a group of this name has ("world", "data"), and which ones that of `rank` has, ascending.
    [[nodiscard]] std::int64_t sizeOf(std::string_view group) const;
    [[nodiscard]] std::vector<Rank> groupOf(std::string_view group, Rank rank) const;

    /// "2 x 4", nodes and ranks of each; "2 + 1" where nodes differ, cut after some nodes.
    [[nodiscard]] std::string text() const;
    /// Makes `nodes` the length of the list of ranks_per_node, where there is one.
    void countListedNodes();

    bool operator==(const World&) const = default;

   private:
    [[nodiscard]] std::int64_t listedNodeOf(Rank rank) const;
  } world;

  struct Loader {
    std::int64_t batch_size = 2;  ///< per rank
    std::int64_t num_workers = 0;
    bool drop_last = false;
    std::int64_t prefetch_factor = 2;
    bool persistent_workers = false;
    Value generator_seed = std::string("none");  ///< of the generator handed to the DataLoader: int64, or "none"
    std::string worker_seeds = "torch";          ///< torch | lightning | unknown
    /// Batches of a rank whose gradients go into one optimizer step; see sampling::batchesPerStep().
    std::int64_t gradient_accumulation_steps = 1;
    bool operator==(const Loader&) const = default;
  } loader;

  struct Sampler {
    std::string type = "torch.DistributedSampler";
    /// By the parameter's own name ("shuffle"), only what the type takes; a missing one has its field's fallback.
    std::map<std::string, Value> parameters;

    /// The parameter that the spec itself says, where it is of this type; otherwise null.
    template <class T>
    [[nodiscard]] const T* said(const std::string& name) const {
      const auto found = parameters.find(name);
      return found == parameters.end() ? nullptr : std::get_if<T>(&found->second);
    }

    bool operator==(const Sampler&) const = default;
  } sampler;

  struct Seeds {
    std::int64_t base = 0;
    /// same | base+rank | base+local_rank | base+data_parallel_rank | base+rank+epoch | unseeded | unknown
    std::string rule = "same";
    bool operator==(const Seeds&) const = default;
  } seeds;

  struct Framework {
    std::string torch = "2.9";
    bool torch_mkl = true;  ///< built with Intel's MKL, as the usual x86 wheels are
    std::string torchdata = "0.11";

    /// What a Lightning Trainer or Fabric would know: only the framework lens uses it.
    struct Lightning {
      std::string stage = "train";    ///< train | validate | test | predict
      std::string strategy = "auto";  ///< auto | ddp
      bool use_distributed_sampler = true;
      std::int64_t overfit_batches = 0;
      std::int64_t global_seed = 0;  ///< PL_GLOBAL_SEED; 0 without seed_everything
      bool dataloader_hook = true;   ///< the loader is made inside a *_dataloader hook
      bool operator==(const Lightning&) const = default;
    } lightning;
    bool operator==(const Framework&) const = default;
  } framework;

  std::int64_t epochs = 2;

  /// One line of the schedule: what ranks do, and when.
  struct Phase {
    std::string what = "compute";  ///< an operation or a preset, as the field's choices say
    std::string at = "step";       ///< start | epoch_start | step | epoch_end | end
    std::string condition = "always";
    std::string group = "world";  ///< world | tensor | context | data | pipeline | expert | expert_data
    std::string ranks = {};       ///< "[[0, 1], [2, 3]]": such groups instead of those of `group`; empty: none
    std::string op = "sum";       ///< sum | avg | max
    /// By its number in the group, or "next" or "previous" to the rank in a ring: the other rank of a send or recv. Of
    /// a broadcast the rank whose values are sent; 0 where it is no number.
    Value peer = std::string("next");
    double ms = 0;  ///< of what ranks do together, once all of them are there: for the prediction alone
    std::int64_t kb = 0;
    std::string values = {};  ///< "[[1, 2], [3, 4]]": of all_reduce what each rank of the world gives; empty: any
    /// Whether it stands for several phases.
    [[nodiscard]] bool isPreset() const {
      return what == "ddp" || what == "zero_first" || what == "rank0_saves" || what == "evaluation";
    }
    bool operator==(const Phase&) const = default;
  };
  /// What each rank does besides reading its batches, in this order; empty: nothing is said about it.
  std::vector<Phase> schedule;

  struct Run {
    std::string launcher = "mpirun";
    std::string program = "mpi_rank";
    double load_ms = 2;               ///< a batch's loading time
    double compute_ms = 5;            ///< a step's compute time
    std::int64_t gradient_kb = 1024;  ///< bytes / 1000 in the all-reduce of a step

    /// A rank that is slowed on purpose. Steps count from 0 over all epochs.
    struct Delay {
      std::int64_t rank = 0;
      double ms = 0;               ///< added to each of these steps
      std::string phase = "load";  ///< load | compute
      std::int64_t from_step = 0;
      std::int64_t until_step = 0;  ///< the first step that is no longer slowed; 0 = slowed to the end
      bool operator==(const Delay&) const = default;
    };
    std::vector<Delay> delays;

    /// How many milliseconds all delays together add to `phase` of this step, counted over all epochs, on `rank`.
    [[nodiscard]] double delayMs(Rank rank, std::string_view phase, std::int64_t global_step) const;
    bool operator==(const Run&) const = default;
  } run;

  /// What `shardlens check` holds the plan against.
  struct Check {
    /// No epoch may have more of something than this.
    struct Budget {
      std::string of = "missing";  ///< missing | repeated | padded | shared | uneven | same_epochs | colliding_seeds
      double most = 0;
      std::string unit = "count";  ///< count | percent
      bool operator==(const Budget&) const = default;
    };
    std::vector<Budget> budgets;
    std::string findings = "error";  ///< the mildest finding that fails the check: error | warning | none
    bool operator==(const Check&) const = default;
  } check;

  [[nodiscard]] std::int64_t worldSize() const { return world.size(); }
  [[nodiscard]] std::int64_t nodeOf(Rank rank) const { return world.nodeOf(rank); }
  [[nodiscard]] std::int64_t localRankOf(Rank rank) const { return world.localRankOf(rank); }

  bool operator==(const PipelineSpec&) const = default;
};

/// The script never seeds: the generators of every process start from different numbers in each run.
inline bool neverSeeds(const PipelineSpec& spec) {
  return spec.seeds.rule == "unseeded";
}

/// What each rank seeds its generators with is known. Otherwise only what does not depend on them can be predicted.
inline bool isSeeded(const PipelineSpec& spec) {
  return !neverSeeds(spec) && spec.seeds.rule != "unknown";
}

}  // namespace shardlens
