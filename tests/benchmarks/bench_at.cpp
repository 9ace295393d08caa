// SPDX-License-Identifier: Apache-2.0
// bench_at BATCHES RANKS: the samples of an optimizer step in the middle of a recording of so many batches of 8
// samples, as `shardlens at` finds them.
#include "core/capture/optimizer_steps.h"
#include "core/capture/recorded_job.h"
#include "tests/benchmarks/measure.h"
#include "tests/core/capture/probe_text.h"
#include "tests/support/temp_folder.h"

#include <cstdlib>
#include <vector>

using namespace shardlens;

namespace {

constexpr std::int64_t kInPass = 10'000;
constexpr std::int64_t kBatchSize = 8;

/// Each batch has a backward pass and a step.
test::ProbeText rankThatRead(std::int64_t rank, std::int64_t ranks, std::int64_t batches) {
  test::ProbeText text(rank, ranks, ranks);
  text.loader(0, rank, ranks, true, "train.py:7", kInPass * kBatchSize * ranks);
  std::vector<SampleIndex> ids(kBatchSize);
  for (std::int64_t pass = 0; pass * kInPass < batches; ++pass) {
    text.pass(pass, 0, pass, pass + 1);
    std::vector<std::vector<SampleIndex>> read;
    std::vector<test::ProbeText::Step> steps;
    for (std::int64_t batch = 0; batch < kInPass; ++batch) {
      for (SampleIndex& id : ids) id = (batch * kBatchSize + (&id - ids.data())) * ranks + rank;
      read.push_back(ids);
      steps.push_back({static_cast<std::uint32_t>(batch + 1), static_cast<std::uint32_t>(batch + 1)});
    }
    text.batches(pass, 0, read);
    text.steps(pass, 0, steps);
    text.news(pass, {.drawn = kInPass, .handed = kInPass, .backwards = kInPass, .beside = kInPass, .ended = true});
  }
  text.end();
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::int64_t ranks = std::atoll(argv[2]);
  const std::int64_t of_a_rank = std::atoll(argv[1]) / ranks;
  const test::TempFolder folder;
  for (std::int64_t rank = 0; rank < ranks; ++rank)
    test::spill(folder / ("h-" + std::to_string(rank) + ".slprobe"), rankThatRead(rank, ranks, of_a_rank).bytes());
  bool ok = false;
  const double seconds = bench::timed([&] {
    const auto job = capture::skimJob(folder / ".");
    if (!job) return;
    const auto step = capture::samplesOfStep(*job, 0, of_a_rank / 2, {}, {});
    ok = step && step->known == capture::StepsKnown::Recorded && std::ssize(step->ranks) == ranks;
  });
  if (!ok) return 1;
  bench::print(seconds);
  return 0;
}
