// SPDX-License-Identifier: Apache-2.0
// bench_snapshot RANKS: the state of a job of that many ranks in full swing (300 steps, 500 lines of output, a spec of
// a megabyte), taken once for each further step as the window takes it; prints the median time of one.
#include "core/diagnose/reducer.h"
#include "tests/benchmarks/measure.h"
#include "tests/support/events.h"

#include <algorithm>
#include <cstdlib>
#include <string>

using namespace shardlens;

namespace {

/// One step of all ranks, which arrive within a few milliseconds.
void applyStep(Reducer& reducer, std::int64_t ranks, std::uint64_t step) {
  std::vector<Event> events;
  const double from = 50.0 * static_cast<double>(step);
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    test::addStep(events, rank, step, from, 5 + static_cast<double>((rank * 7919 + std::int64_t(step) * 31) % 97) / 20,
                  10, from + 30);
  }
  for (const Event& event : events) reducer.apply(event);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::int64_t ranks = std::atoll(argv[1]);
  Event first = test::begin(ranks);
  std::get<RunBegin>(first.what).spec_yaml = std::string(1'000'000, '#');
  Reducer reducer;
  reducer.apply(first);
  for (int line = 0; line < 500; ++line)
    reducer.apply({test::at(1), LogLine{line % ranks, false, std::string(120, 'x')}});
  std::uint64_t step = 0;
  for (; step < 300; ++step) applyStep(reducer, ranks, step);
  std::vector<double> seconds;
  for (const std::uint64_t end = step + 40; step < end; ++step) {
    applyStep(reducer, ranks, step);
    seconds.push_back(bench::timed([&reducer] { (void)reducer.snapshot(); }));
  }
  std::nth_element(seconds.begin(), seconds.begin() + 20, seconds.end());
  bench::print(seconds[20]);
  return 0;
}
