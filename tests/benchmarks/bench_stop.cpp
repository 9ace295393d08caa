// SPDX-License-Identifier: Apache-2.0
// bench_stop SAMPLES RANKS: asks a plan of that size to stop at ten moments of its work, from its beginning to near its
// end, and prints the longest time from the request until it has returned. The moments are shares of its progress.
#include "core/plan/plan.h"
#include "tests/benchmarks/measure.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <thread>

using namespace shardlens;

namespace {

using Clock = std::chrono::steady_clock;

/// Seconds from the request, given by another thread a while after that share is reported, until the plan returns;
/// nothing when it came to its end before.
std::optional<double> stopAt(const PipelineSpec& spec, double share) {
  const auto plan = Plan::make(spec);
  if (!plan) return std::nullopt;
  std::stop_source stop;
  std::atomic<bool> reached = false;
  Clock::time_point asked;
  std::jthread asker([&](const std::stop_token& over) {
    while (!reached && !over.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(3));
    asked = Clock::now();
    stop.request_stop();
  });
  const Work work{stop.get_token(), [&](double fraction) { reached = reached || fraction >= share; }};
  const auto epoch = plan->epoch(Epoch{0}, work);
  const auto returned = Clock::now();
  asker.request_stop();
  asker.join();
  if (epoch || epoch.error().code != ErrorCode::Cancelled) return std::nullopt;
  return std::chrono::duration<double>(returned - asked).count();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  PipelineSpec spec;
  spec.dataset.size = std::atoll(argv[1]);
  spec.world = {std::atoll(argv[2]) / 8, 8};
  spec.loader.batch_size = 32;
  double slowest = 0;
  for (const double share : {0.0, 0.03, 0.07, 0.09, 0.11, 0.15, 0.2, 0.3, 0.6, 0.9}) {
    const auto seconds = stopAt(spec, share);
    if (!seconds) return 1;
    std::fprintf(stderr, "stopped from %.0f %% on: %.1f ms\n", share * 100, *seconds * 1e3);
    slowest = std::max(slowest, *seconds);
  }
  bench::print(slowest);
  return 0;
}
