// SPDX-License-Identifier: Apache-2.0
// bench_time_lost RANKS COLLECTIVES: the history of time lost in so many collectives of so many ranks is kept, and
// judged once at its end. Prints the seconds that all of it took, and on stderr what a collective and the judgement
// cost.
#include "core/diagnose/slow_ranks.h"
#include "tests/benchmarks/measure.h"
#include "tests/support/histories.h"

#include <cstdio>
#include <cstdlib>

using namespace shardlens;

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto ranks = static_cast<std::size_t>(std::atoll(argv[1]));
  const auto collectives = std::atoll(argv[2]);
  test::HistoryMaker maker(ranks);
  std::mt19937 random(1);
  std::exponential_distribution<float> noise(0.5F);
  std::vector<double> work(ranks);
  const double added = bench::timed([&] {
    for (long long i = 0; i < collectives; ++i) {
      for (double& one : work) one = 10 + double{noise(random)};
      work[ranks / 2] += 5;
      maker.add(work);
    }
  });
  std::size_t found = 0;
  const double judged = bench::timed([&] { found = judge(maker.lost(), Ground{}).slow.size(); });
  (void)std::fprintf(stderr, "%.2f us a collective (drawing its times included), judged in %.2f ms: %zu verdicts\n",
                     1e6 * added / static_cast<double>(collectives), 1e3 * judged, found);
  bench::print(added + judged);
  return found == 1 ? 0 : 1;
}
