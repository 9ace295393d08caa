// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/spec/fields/entry.h"

namespace shardlens::fields {
namespace {

using Delay = PipelineSpec::Run::Delay;

constexpr std::int64_t kMostSteps = 1'000'000'000'000;

const std::vector<Item<Delay>>& delayItems() {
  static const std::vector<Item<Delay>> kItems = {
      item<&Delay::rank, Delay>({.path = "rank",
                                 .min = 0,
                                 .max = kMostRanks,
                                 .help = marked("fields", "The rank to slow down."),
                                 .required = true}),
      item<&Delay::ms, Delay>({.path = "ms",
                               .min = 0,
                               .max = 3'600'000,
                               .unit = "ms per step",
                               .help = marked("fields", "How much longer each of these steps takes on that rank."),
                               .required = true}),
      item<&Delay::phase, Delay>({.path = "phase",
                                  .choices = {"load", "compute"},
                                  .help = marked("fields", "Where the rank spends the extra time.")}),
      item<&Delay::from_step, Delay>(
          {.path = "from_step",
           .min = 0,
           .max = kMostSteps,
           .help = marked("fields", "The first slowed step, counted from 0 over all epochs.")}),
      item<&Delay::until_step, Delay>({.path = "until_step",
                                       .min = 0,
                                       .max = kMostSteps,
                                       .help = marked("fields",
                                                      "The first step at normal speed again, counted over all epochs; "
                                                      "0 means that all later steps are slowed.")}),
  };
  return kItems;
}

}  // namespace

std::vector<Entry> run() {
  using K = FieldKind;
  using Run = PipelineSpec::Run;
  constexpr auto kRun = &PipelineSpec::run;
  return {
      row<kRun, &Run::launcher>({.path = "run.launcher",
                                 .choices = {"mpirun", "torchrun", "srun", "plain"},
                                 .help = marked("fields", "The program that starts the ranks.")}),
      row<kRun, &Run::program>(
          {.path = "run.program",
           .choices = {"mpi_rank", "nccl_rank", "socket_rank"},
           .help = marked(
               "fields",
               "The stand-in program that runs on every rank: it reduces gradients over MPI, over NCCL on GPUs, or "
               "over a socket. socket_rank also replaces mpi_rank under a launcher that does not start MPI.")}),
      row<kRun, &Run::load_ms>({.path = "run.load_ms",
                                .min = 0,
                                .max = 60'000,
                                .unit = "ms per batch",
                                .help = marked("fields", "Time that a rank takes to load one batch.")}),
      row<kRun, &Run::compute_ms>({.path = "run.compute_ms",
                                   .min = 0,
                                   .max = 60'000,
                                   .unit = "ms per step",
                                   .help = marked("fields", "Time that a rank takes to compute one step.")}),
      row<kRun, &Run::gradient_kb>(
          {.path = "run.gradient_kb",
           .min = 0,
           .max = 10'000'000,
           .unit = "kB",
           .help = marked("fields", "Size of the buffer that all ranks reduce in each step.")}),
      {{.path = "run.delays",
        .kind = K::Records,
        .fallback = RecordList(),
        .help =
            marked("fields",
                   "Ranks that are slowed on purpose, each over a range of steps; empty means that no rank is slowed."),
        .items = fieldsOf(delayItems())},
       [](const PipelineSpec& spec) { return recordsOf(spec.run.delays, delayItems()); },
       [](PipelineSpec& spec, const Value& value) { spec.run.delays = objectsOf(value, delayItems()); }},
  };
}

}  // namespace shardlens::fields
