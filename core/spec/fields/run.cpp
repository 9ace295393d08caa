// SPDX-License-Identifier: Apache-2.0
#include "core/spec/fields/entry.h"

namespace shardlens::fields {

std::vector<Entry> run() {
  using K = FieldKind;
  using Run = PipelineSpec::Run;
  constexpr auto kRun = &PipelineSpec::run;
  return {
      row<kRun, &Run::launcher>(
          {.path = "run.launcher", .kind = K::Choice, .choices = {"mpirun"}, .help = "What starts the ranks."}),
      row<kRun, &Run::program>(
          {.path = "run.program",
           .kind = K::Choice,
           .choices = {"mpi_rank", "nccl_rank"},
           .help = "The program that runs as every rank: gradients over MPI, or over NCCL on GPUs."}),
      row<kRun, &Run::load_ms>({.path = "run.load_ms",
                                .kind = K::Float,
                                .min = 0,
                                .max = 60'000,
                                .unit = "ms per batch",
                                .help = "Time a rank spends loading one batch."}),
      row<kRun, &Run::compute_ms>({.path = "run.compute_ms",
                                   .kind = K::Float,
                                   .min = 0,
                                   .max = 60'000,
                                   .unit = "ms per step",
                                   .help = "Time a rank spends computing in one step."}),
      row<kRun, &Run::gradient_kb>({.path = "run.gradient_kb",
                                    .kind = K::Int,
                                    .min = 0,
                                    .max = 10'000'000,
                                    .unit = "kB",
                                    .help = "Size of the buffer that all ranks reduce in every step."}),
      row<kRun, &Run::delay_rank>({.path = "run.delay.rank",
                                   .kind = K::Int,
                                   .min = 0,
                                   .max = kMostRanks,
                                   .help = "The rank that is slowed on purpose."}),
      row<kRun, &Run::delay_ms>({.path = "run.delay.ms",
                                 .kind = K::Float,
                                 .min = 0,
                                 .max = 3'600'000,
                                 .unit = "ms per step",
                                 .help = "How much that rank is slowed; 0 slows nobody."}),
      row<kRun, &Run::delay_phase>({.path = "run.delay.phase",
                                    .kind = K::Choice,
                                    .choices = {"load", "compute"},
                                    .help = "Where the slowed rank spends the extra time."}),
  };
}

}  // namespace shardlens::fields
