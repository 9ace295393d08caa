// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/streaming/partition.h"

#include "core/base/phrase.h"
#include "core/sampling/python.h"

#include <algorithm>
#include <string>

namespace shardlens::sampling {
namespace {

constexpr std::int64_t kMostIds = 4'000'000'000;

/// The matrix of ids, a row for each canonical node, as a function of its column-major position.
class NodeRows {
 public:
  explicit NodeRows(const StreamingPartition& a)
      : samples_(a.samples), rows_(a.canonical_nodes), filled_((a.samples + rows_ - 1) / rows_) {
    if (rows_ < a.nodes) {
      ratio_ = a.nodes / rows_;
      padding_ = (ratio_ - filled_ % ratio_) % ratio_;
    }
    repeats_ = !(samples_ > rows_ || (samples_ == rows_ && rows_ >= a.nodes));
  }

  [[nodiscard]] std::int64_t size() const { return rows_ * (filled_ + padding_); }
  /// With kRepeated where a short row, or a row that is filled up, repeats an id.
  [[nodiscard]] std::uint32_t operator[](std::int64_t position) const { return at(position % rows_, position / rows_); }
  /// NumPy's refusal to fill the padding from fewer columns.
  [[nodiscard]] Result<void> check() const {
    if (repeats_ || padding_ == 0 || sourceWidth() == padding_ || sourceWidth() == 1) return {};
    const std::string row = "(" + std::to_string(rows_) + ",";
    return raised(
        "ValueError",
        "could not broadcast input array from shape " + row + std::to_string(sourceWidth()) + ") into shape " + row +
            std::to_string(padding_) + ")",
        "sampler.num_canonical_nodes",
        filled(worded("checks", "the samples of a canonical node are too few to fill up its %1 physical nodes"),
               std::to_string(ratio_)));
  }

 private:
  [[nodiscard]] std::int64_t sourceBegin() const { return std::max<std::int64_t>(0, filled_ - ratio_ + 1 - padding_); }
  [[nodiscard]] std::int64_t sourceWidth() const {
    return std::max<std::int64_t>(0, filled_ - ratio_ + 1) - sourceBegin();
  }
  static std::uint32_t id(std::int64_t sample, bool repeated) {
    return static_cast<std::uint32_t>(sample) | (repeated ? kRepeated : 0);
  }
  [[nodiscard]] std::uint32_t at(std::int64_t row, std::int64_t column) const {
    if (repeats_) {
      const std::int64_t place = row * (filled_ + padding_) + column;
      return id(place % samples_, place >= samples_);
    }
    const bool pads = column >= filled_;
    if (pads) column = sourceBegin() + (sourceWidth() == 1 ? 0 : column - filled_);
    const std::int64_t start = row * samples_ / rows_;
    const std::int64_t stop = (row + 1) * samples_ / rows_;
    const bool is_short = column == filled_ - 1 && stop - start < filled_;
    return id(start + column - (is_short ? 1 : 0), pads || is_short);
  }

  std::int64_t samples_, rows_, filled_;
  std::int64_t ratio_ = 0;
  std::int64_t padding_ = 0;
  bool repeats_ = false;
};

Result<void> checkNodes(std::int64_t canonical, std::int64_t physical) {
  if (std::max(canonical, physical) % std::min(canonical, physical) == 0) return {};
  return raised("ValueError",
                "Either canonical or physical nodes must be evenly divisible by the other, otherwise striping slices "
                "of shards over nodes may lead to each node downloading all shards",
                "sampler.num_canonical_nodes");
}

Result<StreamingWork> partitionOrig(const StreamingPartition& a, const Work& work) {
  if (auto done = checkNodes(a.canonical_nodes, a.nodes); !done) return done.error();
  if (a.samples == 0)
    return raised("ZeroDivisionError", "integer division or modulo by zero", {},
                  worded("checks", "the epoch draws no sample"));
  const NodeRows rows(a);
  if (auto done = rows.check(); !done) return done.error();
  const std::int64_t drop = a.drop_first - a.drop_first % a.nodes;
  const std::int64_t on_node = std::max<std::int64_t>(0, rows.size() - drop) / a.nodes;
  const std::int64_t missing = (a.ranks - on_node % a.ranks) % a.ranks;
  const std::int64_t repeat_from = a.ranks + missing - 1 <= on_node ? on_node - a.ranks - missing + 1 : 0;
  const std::int64_t on_rank = on_node == 0 ? 0 : (on_node + missing) / a.ranks;
  const std::int64_t round = a.workers * a.batch;
  const std::int64_t padded = (on_rank + round - 1) / round * round;
  if (padded > kMostIds / (a.nodes * a.ranks)) {
    return tooLarge(worded("checks", "The epoch has too many places to list."), "loader.batch_size",
                    worded("checks", "use smaller batches"));
  }
  StreamingWork out{a.nodes, a.ranks, a.workers, a.batch, {}};
  out.ids.assign(static_cast<std::size_t>(padded * a.nodes * a.ranks), kNoSample);
  std::size_t next = 0;
  for (std::int64_t first = 0; first < padded; first += a.batch) {
    if ((next & 0xFFFF) < static_cast<std::size_t>(out.globalBatch()) && work.stopped()) return cancelled();
    for (std::int64_t node = 0; node < a.nodes; ++node) {
      for (std::int64_t rank = 0; rank < a.ranks; ++rank) {
        for (std::int64_t s = first; s < first + a.batch; ++s, ++next) {
          if (s >= on_rank) continue;
          std::int64_t place = s * a.ranks + rank;
          const bool pads = place >= on_node;
          if (pads) place = repeat_from + (place - on_node) % on_node;
          out.ids[next] = rows[drop + place * a.nodes + node] | (pads ? kRepeated : 0);
        }
      }
    }
  }
  return out;
}

Result<StreamingWork> partitionRelaxed(const StreamingPartition& a, const Work& work) {
  const bool fits = std::max(a.nodes, a.canonical_nodes) % std::min(a.nodes, a.canonical_nodes) == 0;
  if (!a.initial_nodes || fits) return partitionOrig(a, work);
  const std::int64_t global = a.nodes * a.ranks * a.batch;
  const std::int64_t devices = *a.initial_nodes * a.ranks;
  if (global % devices != 0) {
    return raised("ValueError",
                  "A global batch size of " + std::to_string(global) +
                      " is not evenly divisible by the initial total number of devices of " + std::to_string(devices) +
                      ". Make sure that when using the `relaxed` partitioning algorithm, the global batch size does "
                      "not change during resumption of training.",
                  "loader.batch_size");
  }
  StreamingPartition initial = a;
  initial.nodes = *a.initial_nodes;
  initial.batch = global / devices;
  Result<StreamingWork> first = partitionOrig(initial, work);
  if (!first) return first;
  return StreamingWork{a.nodes, a.ranks, a.workers, a.batch, std::move(first->ids)};  // both are in training order
}

}  // namespace

Result<StreamingWork> streamingPartition(const StreamingPartition& a, const Work& work) {
  if (a.samples > kMostStreamingSamples) {
    return tooLarge(worded("checks", "The epoch has too many samples to list."), "",
                    worded("checks", "draw fewer samples"));
  }
  const std::int64_t world = a.nodes * a.ranks;
  if (a.samples + world - a.samples % world < a.drop_first) {
    return raised("ValueError",
                  "Resuming further into the dataset (" + std::to_string(a.drop_first) + ") than it has samples (" +
                      std::to_string(a.samples) + ")",
                  "sampler.sample_in_epoch");
  }
  return a.relaxed ? partitionRelaxed(a, work) : partitionOrig(a, work);
}

}  // namespace shardlens::sampling
