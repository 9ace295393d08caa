// SPDX-License-Identifier: Apache-2.0
// bench_engine randperm N | find N EPOCHS | overlap strided|local|repeated|whole N RANKS |
// streaming N NODES | audit distributed|wrapper N RANKS | lens N RANKS | diff N EPOCHS:
// single figures of the engine, each as one JSON line.
#include "core/audit/audit.h"
#include "core/base/large_array.h"
#include "core/lens/report.h"
#include "core/plan/diff.h"
#include "core/plan/find_sample.h"
#include "core/random/torch_randperm.h"
#include "core/sampling/streaming/batching.h"
#include "tests/benchmarks/measure.h"

#include <cstdlib>
#include <string>
#include <vector>

using namespace shardlens;

namespace {

PipelineSpec distributed(std::int64_t samples, std::int64_t ranks) {
  PipelineSpec spec;
  spec.dataset.size = samples;
  spec.world = {(ranks + 7) / 8, 8};
  spec.loader.batch_size = 32;
  return spec;
}

bool randperm(std::int64_t samples) {
  auto ids = LargeArray<std::uint32_t>::make(static_cast<std::size_t>(samples), "a permutation");
  TorchGenerator generator(0);
  return ids && torchRandperm(generator, ids->items());
}

/// One sample's life over many epochs.
bool find(std::int64_t samples, std::int64_t epochs) {
  PipelineSpec spec = distributed(samples, 1024);
  spec.epochs = epochs;
  const auto plan = Plan::make(spec);
  const auto found =
      plan ? findSample(*plan, Epoch{0}, epochs, 4711) : Result<std::vector<std::vector<Sighting>>>(plan.error());
  return found && static_cast<std::int64_t>(found->size()) == epochs;
}

/// How ranks come to share samples.
bool overlap(const std::string& kind, std::int64_t samples, std::int64_t ranks) {
  PipelineSpec spec = distributed(samples, ranks);
  if (kind == "local")
    spec.sampler.parameters = {{"num_replicas", std::string("ranks_per_node")}, {"rank", std::string("local_rank")}};
  if (kind == "repeated") spec.sampler.type = "timm.RepeatAugSampler";
  if (kind == "whole") {
    spec.sampler.type = "torch.RandomSampler";
    spec.seeds.rule = "base+rank";
  }
  const auto plan = Plan::make(spec);
  const auto table = plan ? rankOverlap(*plan, Epoch{0}) : Result<Overlap>(plan.error());
  return table && table->size == plan->worldSize();
}

/// Streaming's own epoch: py1e over shards of 10,000 samples.
bool streaming(std::int64_t samples, std::int64_t nodes) {
  sampling::StreamingEpoch epoch;
  epoch.streams.resize(1);
  epoch.streams[0].shards.assign(static_cast<std::size_t>(samples / 10'000), 10'000);
  epoch.num_canonical_nodes = nodes;
  epoch.nodes = nodes;
  epoch.ranks = 8;
  epoch.workers = 8;
  epoch.batch = 32;
  const auto weights = sampling::streamingWeights(epoch.streams, 0, epoch.shuffle_seed);
  return weights && sampling::streamingWork(epoch, *weights, {});
}

/// The whole audit, fixes included, as `shardlens audit` makes it.
bool auditAll(const std::string& kind, std::int64_t samples, std::int64_t ranks) {
  PipelineSpec spec = distributed(samples, ranks);
  spec.epochs = 90;
  if (kind == "wrapper")
    spec.sampler = {"lightning.DistributedSamplerWrapper", {{"inner", std::string("random")}, {"replacement", true}}};
  const auto plan = Plan::make(spec);
  const auto report = plan ? audit(*plan) : Result<AuditReport>(plan.error());
  return report && !report->findings.empty();
}

/// The columns that the lens shows before anybody chose.
bool lens(std::int64_t samples, std::int64_t ranks) {
  const auto report = lensReport(distributed(samples, ranks), {Epoch{0}, isUsualColumn});
  return report && report->columns.front().hasOrder();
}

/// A plan beside itself.
bool diff(std::int64_t samples, std::int64_t epochs) {
  PipelineSpec spec = distributed(samples, 8);
  spec.epochs = epochs;
  const auto plan = Plan::make(spec);
  if (!plan) return false;
  const PlanDiff both(*plan, *plan);
  for (Epoch epoch{0}; epoch.value < epochs; ++epoch) {
    const auto one = both.epoch(epoch);
    if (!one || one->differing > 0) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 2 ? argv[1] : "";
  const auto number = [&](int at) { return argc > at ? static_cast<std::int64_t>(std::atof(argv[at])) : 0; };
  bool ok = false;
  const double seconds = bench::timed([&] {
    if (what == "randperm") ok = randperm(number(2));
    if (what == "find") ok = find(number(2), number(3));
    if (what == "overlap") ok = overlap(argv[2], number(3), number(4));
    if (what == "streaming") ok = streaming(number(2), number(3));
    if (what == "audit") ok = auditAll(argv[2], number(3), number(4));
    if (what == "lens") ok = lens(number(2), number(3));
    if (what == "diff") ok = diff(number(2), number(3));
  });
  if (!ok) return 1;
  bench::print(seconds);
  return 0;
}
