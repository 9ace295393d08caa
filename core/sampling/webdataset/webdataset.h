// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/random/python_random.h"

#include <cstdint>
#include <span>
#include <vector>

namespace shardlens::sampling {

/// WebDataset's shuffle by a buffer: two items come in for each that goes out, drawn by randint, until `bufsize` are
/// held; nothing goes out before `initial` are. Source: webdataset/webdataset @e0953f9, src/webdataset/filters.py.
struct WebDatasetShuffle {
  std::int64_t bufsize = 1000;
  std::int64_t initial = 100;

  [[nodiscard]] std::vector<std::int64_t> run(std::span<const std::int64_t> items, PythonRandom random) const;
};

/// make_seed of whole numbers (utils.py): a fold by 31 over their hash(), in 31 bits.
std::int64_t webDatasetSeed(std::span<const std::int64_t> numbers);

/// pytorch_worker_seed: equal for worker 1000 of one rank and worker 0 of the next.
constexpr std::int64_t webDatasetWorkerSeed(std::int64_t rank, std::int64_t worker) {
  return rank * 1000 + worker;
}

/// ResampledShards(deterministic=True) of num_urls >= 1 shards: draws them one by one, with replacement
/// (shardlists.py). `epoch` counts how often the object was iterated, from 0.
class WebDatasetResampling {
 public:
  WebDatasetResampling(std::int64_t num_urls, std::int64_t worker_seed, std::int64_t epoch, std::int64_t seed);
  std::int64_t next() { return static_cast<std::int64_t>(random_.randbelow(num_urls_)); }

 private:
  std::uint64_t num_urls_;
  PythonRandom random_;
};

/// The first nshards of them.
std::vector<std::int64_t> webDatasetResampled(std::int64_t num_urls, std::int64_t nshards, std::int64_t worker_seed,
                                              std::int64_t epoch, std::int64_t seed);

/// split_by_node, then split_by_worker: the shards that this worker opens; 0 workers mean the rank itself.
std::vector<std::int64_t> webDatasetShare(std::int64_t num_shards, std::int64_t rank, std::int64_t world_size,
                                          std::int64_t worker, std::int64_t num_workers);

}  // namespace shardlens::sampling
