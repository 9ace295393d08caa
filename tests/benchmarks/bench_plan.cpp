// SPDX-License-Identifier: Apache-2.0
// bench_plan SAMPLES RANKS: one epoch of a shuffled DistributedSampler for every rank.
#include "core/plan/plan.h"
#include "tests/benchmarks/measure.h"

#include <cstdlib>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  shardlens::PipelineSpec spec;
  spec.dataset.size = std::atoll(argv[1]);
  spec.world.nodes = std::atoll(argv[2]) / 8;
  spec.world.ranks_per_node = 8;
  spec.loader.batch_size = 32;
  bool ok = false;
  std::int64_t sum = 0;
  const double seconds = bench::timed([&] {
    const auto plan = shardlens::Plan::make(spec);
    if (!plan) return;
    const auto epoch = plan->epoch(shardlens::Epoch{0});
    if (!epoch) return;
    for (const auto& rank : epoch->ranks) sum += rank.sample(rank.size() - 1);
    ok = true;
  });
  if (!ok || sum == 0) return 1;
  bench::print(seconds);
  return 0;
}
