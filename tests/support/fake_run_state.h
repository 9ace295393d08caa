// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/run_state.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace shardlens::test {

/// A job in full swing, believable in every number: each rank loads, computes, waits for the others and transfers.
/// One rank may be late because of its loading.
struct FakeRun {
  std::int64_t ranks = 8;
  std::int64_t late_rank = 5;  ///< -1 = nobody
  std::int64_t cores = 8;
  std::int64_t steps_done = 4812;
  std::int64_t planned_steps = 10'010;
  std::int64_t recent_ms = 3000;
};

namespace fake {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kTransfer = 5 * kMs;

/// A number that looks like measurement noise and is the same each time.
inline std::int64_t noise(std::int64_t a, std::int64_t b, std::int64_t most) {
  const auto mixed = static_cast<std::uint64_t>(a * 7919 + b * 104'729) * 0x9E3779B97F4A7C15ULL;
  return static_cast<std::int64_t>((mixed >> 40U) % static_cast<std::uint64_t>(most));
}

inline std::int64_t loadOf(const FakeRun& run, std::int64_t rank, std::int64_t step) {
  return (rank == run.late_rank ? 28 : 8) * kMs + noise(rank, step, kMs);
}
inline std::int64_t computeOf(std::int64_t rank, std::int64_t step) {
  return 35 * kMs + noise(rank + 50, step, 2 * kMs);
}

inline std::int64_t stepLength(const FakeRun& run, std::int64_t step) {
  std::int64_t longest = 0;
  for (std::int64_t rank = 0; rank < run.ranks; ++rank) {
    longest = std::max(longest, loadOf(run, rank, step) + computeOf(rank, step));
  }
  return longest + kTransfer;
}

inline void addStep(const FakeRun& run, RunState& state, std::int64_t step, std::int64_t begin) {
  const std::int64_t release = begin + stepLength(run, step) - kTransfer;
  for (std::int64_t rank = 0; rank < run.ranks; ++rank) {
    auto& spans = state.recent.lanes[static_cast<std::size_t>(rank)].spans;
    const std::int64_t loaded = begin + loadOf(run, rank, step);
    const std::int64_t computed = loaded + computeOf(rank, step);
    const auto number = static_cast<std::int32_t>(step);
    spans.push_back({Phase::Load, begin, loaded, 0, number});
    spans.push_back({Phase::Compute, loaded, computed, 0, number});
    if (release > computed) spans.push_back({Phase::Wait, computed, release, 0, number});
    spans.push_back({Phase::Transfer, release, release + kTransfer, 0, number});
  }
}

/// Now is in the middle of a step: the late rank still loads, the others have computed and wait.
inline void addNow(const FakeRun& run, RunState& state, std::int64_t step, std::int64_t begin) {
  const std::int64_t now = begin + 55 * kMs;
  for (RankState& rank : state.ranks) {
    auto& spans = state.recent.lanes[static_cast<std::size_t>(rank.rank)].spans;
    const std::int64_t loaded = begin + loadOf(run, rank.rank, step);
    const std::int64_t computed = std::min(now, loaded + computeOf(rank.rank, step));
    spans.push_back({Phase::Load, begin, loaded, 0, 0});
    spans.push_back({Phase::Compute, loaded, computed, 0, 0});
    const bool waits = computed < now;
    if (waits) spans.push_back({Phase::Wait, computed, now, 0, 0});
    rank.status = waits ? RankStatus::InCollective : RankStatus::Computing;
    rank.operation.reset();
    if (waits) rank.operation = Operation{SL_OP_ALLREDUCE, SL_WORLD, SL_NO_PEER, 1, std::uint64_t(step), computed};
    rank.since_ns = waits ? computed : loaded;
  }
  state.elapsed_ns = now;
}

inline RankState rankState(const FakeRun& run, std::int64_t rank) {
  RankState out;
  out.rank = rank;
  out.host = "node-a";
  out.pid = 4000 + rank;
  out.step = run.steps_done;
  out.steps_done = run.steps_done;
  out.samples = 32 * run.steps_done;
  out.samples_per_s = 1200 + static_cast<double>(noise(rank, 3, 12));
  out.collectives = run.steps_done;
  out.matched = run.steps_done;
  const std::int64_t load = loadOf(run, rank, 0);
  const std::int64_t compute = computeOf(rank, 0);
  out.is_measured = true;
  out.load_ns = run.steps_done * load;
  out.compute_ns = run.steps_done * compute;
  out.transfer_ns = run.steps_done * kTransfer;
  out.wait_ns = run.steps_done * std::max<std::int64_t>(0, stepLength(run, 0) - kTransfer - load - compute);
  return out;
}

inline Arrival arrival(const FakeRun& run, std::int64_t rank) {
  const bool late = rank == run.late_rank;
  const double median = late ? 18.2 : 0.9 + 0.1 * static_cast<double>(noise(rank, 9, 8));
  return {rank, 200, late ? 188 : noise(rank, 4, 3), median, median - (late ? 1.9 : 0.5), median + (late ? 2.1 : 0.6)};
}

}  // namespace fake

inline RunState fakeRunState(const FakeRun& run = {}) {
  RunState state;
  state.status = JobStatus::Running;
  state.name = "imagenet-8gpu";
  state.host = "node-a";
  state.clock_error_us = 0;
  state.command = "mpirun -n " + std::to_string(run.ranks) + " --bind-to none --tag-output mpi_rank --spec spec.yaml";
  state.world_size = run.ranks;
  state.cores = run.cores;
  state.planned_steps = run.planned_steps;
  for (std::int64_t rank = 0; rank < run.ranks; ++rank) {
    state.ranks.push_back(fake::rankState(run, rank));
    state.arrivals.push_back(fake::arrival(run, rank));
    state.recent.lanes.push_back({rank, {}});
  }
  const std::int64_t end = run.steps_done * 80 * fake::kMs;
  std::int64_t at = std::max<std::int64_t>(0, end - run.recent_ms * fake::kMs);
  state.recent.begin_ns = at;
  const std::int64_t steps = run.recent_ms / 70;
  for (std::int64_t step = run.steps_done - steps; step < run.steps_done; ++step) {
    fake::addStep(run, state, step, at);
    at += fake::stepLength(run, step);
  }
  fake::addNow(run, state, run.steps_done, at);
  state.recent.end_ns = state.elapsed_ns;
  state.log = {{-1, false, "8 ranks share 2 cores"},
               {0, false, "epoch 0 step 4 800"},
               {5, true, "loader: worker 1 restarted"},
               {0, false, "epoch 0 step 4 810"}};
  if (run.late_rank >= 0) {
    Verdict verdict;
    verdict.kind = VerdictKind::Straggler;
    verdict.rank = run.late_rank;
    verdict.title = "Everyone waits for rank " + std::to_string(run.late_rank);
    verdict.message = "Rank " + std::to_string(run.late_rank) +
                      " comes last in 4 524 of 4 812 collectives, 18.2 ms after the others (median). It spends "
                      "28 ms loading a batch, the others 8.4 ms. Fixing it would save 93.1 s of 300.2 s (31 %).";
    verdict.evidence =
        "in total, the ranks waited 613.0 s for it; chance alone does this in less than one run in a million";
    verdict.ranks = {run.late_rank};
    verdict.from_ns = 0;
    verdict.to_ns = 300'200 * fake::kMs;
    verdict.lost_s = 613;
    verdict.gain_s = 93.1;
    verdict.gain_alone_s = {93.1};
    verdict.next = "Compare its lane with another rank's, then check that rank's storage and node.";
    verdict.cost = 0.31;
    state.verdicts = {verdict};
    state.waiting_for = run.late_rank;
  }
  return state;
}

/// The same job after its end.
inline RunState fakeFinishedState(const FakeRun& run = {}) {
  RunState state = fakeRunState(run);
  state.status = JobStatus::Finished;
  state.waiting_for.reset();
  for (RankState& rank : state.ranks) rank.status = RankStatus::Done;
  return state;
}

/// The same job after one rank was killed and the launcher ended the others.
inline RunState fakeFailedState(const FakeRun& run = {}, std::int64_t dead = 3) {
  RunState state = fakeRunState(run);
  state.status = JobStatus::Failed;
  state.exit_code = 4;
  state.failure = "Rank 3 was killed (signal 9).";
  for (RankState& rank : state.ranks) rank.status = rank.rank == dead ? RankStatus::Dead : RankStatus::Ended;
  Verdict verdict;
  verdict.kind = VerdictKind::Dead;
  verdict.rank = dead;
  verdict.title = "Rank " + std::to_string(dead) + " died";
  verdict.message =
      "Its process 4003 on node-a was gone in epoch 0, step 4812, without a good-bye. The launcher then "
      "ended the others.";
  verdict.next = "Look at the last lines of rank " + std::to_string(dead) +
                 "; the kernel's log says whether it ran out of memory.";
  state.verdicts.insert(state.verdicts.begin(), verdict);
  state.waiting_for.reset();
  return state;
}

}  // namespace shardlens::test
