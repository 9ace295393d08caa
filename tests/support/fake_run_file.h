// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan.h"
#include "core/record/recording_writer.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace shardlens::test {

/// Writes a recording as `shardlens run` would, step by step, of a job that consumes a plan's batches.
class FakeRunFile {
 public:
  static constexpr std::int64_t kMs = 1'000'000;

  /// `cores` 0 = one for each rank.
  FakeRunFile(const std::filesystem::path& path, const Plan& plan, const std::string& spec_yaml, std::int64_t cores = 0)
      : plan_(plan), writer_(made(path)) {
    RunBegin begin;
    begin.name = plan.spec().name;
    begin.command = "mpirun -n " + std::to_string(plan.worldSize()) + " mpi_rank";
    begin.spec_yaml = spec_yaml;
    begin.host = "n0";
    begin.world_size = plan.worldSize();
    begin.nodes = plan.spec().world.nodes;
    begin.cores = cores > 0 ? cores : plan.worldSize();
    begin.planned_steps = *plan.steps(Epoch{0}) * plan.epochs();
    writer_.add({now_ns_, begin});
    for (std::int64_t rank = 0; rank < plan.worldSize(); ++rank) {
      writer_.add({now_ns_, RankProcess{rank, 1000 + rank, ProcessState::Running, "n0"}});
    }
    (void)writer_.flush();
  }

  /// What a step takes; `noise_ms` is spread over the ranks in a way that is the same each time.
  struct Pace {
    std::int64_t load_ms = 10;
    std::int64_t late_ms = 20;  ///< more, for the late rank
    std::int64_t compute_ms = 10;
    std::int64_t transfer_ms = 2;
    std::int64_t noise_ms = 0;
    std::int64_t bytes = 0;  ///< of the all-reduce; 0: not told
  };
  Pace pace;

  /// Every rank loads (the late one longer), computes, and meets the others in an all-reduce. `wrong` reports another
  /// batch than the planned one.
  void step(std::int64_t epoch, std::int64_t step, std::int64_t late_rank = -1, std::int64_t wrong = -1) {
    const std::int64_t begin = now_ns_;
    std::int64_t last = 0;
    for (std::int64_t rank = 0; rank < plan_.worldSize(); ++rank) last = std::max(last, arrival(rank, step, late_rank));
    for (std::int64_t rank = 0; rank < plan_.worldSize(); ++rank) {
      const std::int64_t load = loadOf(rank, step, late_rank);
      put(rank, record(begin, SL_STEP_BEGIN, 0, epoch, step));
      phase(rank, SL_PHASE_LOAD, begin, load, epoch, step);
      batch(rank, begin + load, epoch, step, rank == wrong);
      phase(rank, SL_PHASE_COMPUTE, begin + load, arrival(rank, step, late_rank) - load, epoch, step);
      collective(rank, begin + arrival(rank, step, late_rank), begin + last + pace.transfer_ms * kMs, epoch, step);
      put(rank, record(begin + last + pace.transfer_ms * kMs, SL_STEP_END, 0, epoch, step));
    }
    ++seq_;
    now_ns_ = begin + last + pace.transfer_ms * kMs;
    (void)writer_.flush();
  }

  /// The job is in the middle of a step: the late rank still loads, the others have computed and wait.
  void halfStep(std::int64_t epoch, std::int64_t step, std::int64_t late_rank) {
    const std::int64_t begin = now_ns_;
    for (std::int64_t rank = 0; rank < plan_.worldSize(); ++rank) {
      put(rank, record(begin, SL_STEP_BEGIN, 0, epoch, step));
      put(rank, record(begin, SL_PHASE_BEGIN, SL_PHASE_LOAD, epoch, step));
      if (rank == late_rank) continue;
      const std::int64_t load = loadOf(rank, step, late_rank);
      phase(rank, SL_PHASE_LOAD, begin, load, epoch, step);
      batch(rank, begin + load, epoch, step, false);
      phase(rank, SL_PHASE_COMPUTE, begin + load, arrival(rank, step, late_rank) - load, epoch, step);
      sl_record in = record(begin + arrival(rank, step, late_rank), SL_COLL_ENTER, SL_OP_ALLREDUCE, epoch, step);
      in.seq = seq_;
      put(rank, in);
    }
    now_ns_ = begin + (pace.load_ms + pace.compute_ms + pace.late_ms - 2) * kMs;
    writer_.add({now_ns_, Tick{}});
    (void)writer_.flush();
  }

  void bye() {
    for (std::int64_t rank = 0; rank < plan_.worldSize(); ++rank) put(rank, record(now_ns_, SL_BYE, 0, 0, 0));
  }
  void end(JobStatus status = JobStatus::Finished) {
    writer_.add({now_ns_, RunEnd{status, status == JobStatus::Finished ? 0 : 4, {}}});
    (void)writer_.flush();
  }
  void add(const Event& event) {
    writer_.add(event);
    (void)writer_.flush();
  }
  [[nodiscard]] std::int64_t now() const { return now_ns_; }

 private:
  [[nodiscard]] std::int64_t noise(std::int64_t rank, std::int64_t step) const {
    const auto mixed = static_cast<std::uint64_t>(rank * 7919 + step * 104'729 + 1) * 0x9E3779B97F4A7C15ULL;
    return pace.noise_ms == 0
               ? 0
               : static_cast<std::int64_t>((mixed >> 40U) % static_cast<std::uint64_t>(pace.noise_ms * kMs));
  }
  [[nodiscard]] std::int64_t loadOf(std::int64_t rank, std::int64_t step, std::int64_t late_rank) const {
    return (pace.load_ms + (rank == late_rank ? pace.late_ms : 0)) * kMs + noise(rank, step);
  }
  [[nodiscard]] std::int64_t arrival(std::int64_t rank, std::int64_t step, std::int64_t late_rank) const {
    return loadOf(rank, step, late_rank) + pace.compute_ms * kMs + noise(rank + 977, step);
  }
  static RecordingWriter made(const std::filesystem::path& path) {
    auto writer = RecordingWriter::create(path);
    if (!writer) throw std::runtime_error(writer.error().text());
    return *std::move(writer);
  }
  static sl_record record(std::int64_t time_ns, std::uint16_t kind, std::uint16_t op, std::int64_t epoch,
                          std::int64_t step) {
    sl_record out{};
    out.time_ns = static_cast<std::uint64_t>(time_ns);
    out.kind = kind;
    out.op = op;
    out.epoch = static_cast<std::uint32_t>(epoch);
    out.step = static_cast<std::uint32_t>(step);
    return out;
  }
  void put(std::int64_t rank, const sl_record& one) {
    writer_.add({static_cast<std::int64_t>(one.time_ns), RankRecord{rank, one}});
  }
  void phase(std::int64_t rank, std::uint16_t op, std::int64_t begin, std::int64_t length, std::int64_t epoch,
             std::int64_t step) {
    put(rank, record(begin, SL_PHASE_BEGIN, op, epoch, step));
    sl_record end = record(begin + length, SL_PHASE_END, op, epoch, step);
    end.a = static_cast<std::uint64_t>(length);
    put(rank, end);
  }
  void batch(std::int64_t rank, std::int64_t at, std::int64_t epoch, std::int64_t step, bool wrong) {
    const auto mine = plan_.rankEpoch(Epoch{epoch}, Rank{rank});
    sl_record out = record(at, SL_BATCH, 0, epoch, step);
    out.a = mine->batchFingerprint(Step{step}) + (wrong ? 1 : 0);
    out.b = static_cast<std::uint64_t>(mine->batch(Step{step}).size());
    put(rank, out);
  }
  void collective(std::int64_t rank, std::int64_t enter, std::int64_t leave, std::int64_t epoch, std::int64_t step) {
    sl_record in = record(enter, SL_COLL_ENTER, SL_OP_ALLREDUCE, epoch, step);
    in.seq = seq_;
    in.a = static_cast<std::uint64_t>(pace.bytes);
    put(rank, in);
    sl_record out = record(leave, SL_COLL_LEAVE, SL_OP_ALLREDUCE, epoch, step);
    out.seq = seq_;
    out.a = static_cast<std::uint64_t>(leave - enter);
    put(rank, out);
  }

  Plan plan_;
  RecordingWriter writer_;
  std::int64_t now_ns_ = 1'000'000'000;
  std::uint64_t seq_ = 0;
};

}  // namespace shardlens::test
