// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/yolov5/samplers.h"
#include "core/selftest/replay.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace shardlens::selftest {
namespace yolov5_rows {
namespace {

PipelineSpec specOf(const VectorRow& row, std::int64_t size, std::int64_t ranks) {
  PipelineSpec spec;
  spec.dataset.size = size;
  spec.world = {1, ranks};
  spec.framework.torch = torchReleaseIn(row.version);
  spec.sampler.type = "yolov5." + row.sampler;
  return spec;
}

/// The plan names images of the dataset; the class numbers them within the rank.
std::vector<std::int64_t> numbersOf(const std::vector<std::int64_t>& ids, const std::vector<std::uint32_t>& images) {
  std::vector<std::int64_t> numbers;
  numbers.reserve(ids.size());
  for (const std::int64_t id : ids)
    numbers.push_back(std::distance(images.begin(), std::ranges::lower_bound(images, static_cast<std::uint32_t>(id))));
  return numbers;
}

RowVerdict replaySmart(const VectorRow& row, Planner& planner) {
  const auto size = row.params.integer("dataset_size");
  const auto world = row.params.integer("world_size");
  const auto shuffle = row.params.flag("shuffle");
  const auto seed = row.params.bits("seed");
  const auto drop_last = row.params.flag("drop_last");
  const auto epoch = row.fields.integer("epoch");
  const auto rank = row.fields.integer("rank");
  const bool known = row.params.onlyHas({"dataset_size", "world_size", "shuffle", "seed", "drop_last"});
  if (!size || !world || !shuffle || !seed || !drop_last || !epoch || !rank || *size < 0 || *rank < 0 ||
      *rank >= *world || !known)
    return unknownParameters();
  const sampling::Yolov5Pass pass{*size, *world, *shuffle, *drop_last, *seed + static_cast<std::uint64_t>(*epoch)};
  Answer answer;
  answer.length = pass.yielded();
  answer.indices = pass.numbers(torchReleaseIn(row.version), Rank{*rank});
  RowVerdict numbers = compare(row, answer);
  // Without images a rank has no plan, but it yields the number 0.
  if (numbers.outcome != Outcome::Passed || !sampling::checkYolov5Rank(pass, Rank{*rank})) return numbers;
  PipelineSpec spec = specOf(row, *size, *world);
  spec.sampler.parameters = {
      {"shuffle", *shuffle}, {"seed", static_cast<std::int64_t>(*seed)}, {"drop_last", *drop_last}};
  const auto drawn = planner.rankEpoch(spec, Epoch{*epoch}, Rank{*rank});
  if (!drawn) return compareError(row, drawn.error());
  answer.indices = numbersOf(Answer::ofItems(*drawn).indices, sampling::yolov5Images(*size, *world, Rank{*rank}));
  return compare(row, answer);
}

RowVerdict replayLoader(const VectorRow& row, Planner& planner) {
  const auto size = row.params.integer("dataset_size");
  const auto world = row.params.integer("world_size");
  const auto batch = row.params.integer("batch_size");
  const auto workers = row.params.integer("num_workers");
  const auto seed = row.params.bits("seed");
  const auto drop_last = row.params.flag("drop_last");
  const auto shuffle = row.params.flag("shuffle");
  const auto epoch = row.fields.integer("epoch");
  const std::int64_t rank = std::max<std::int64_t>(0, row.fields.integer("rank").value_or(0));
  const bool known =
      row.params.onlyHas({"dataset_size", "world_size", "batch_size", "num_workers", "seed", "drop_last", "shuffle"});
  if (!size || !world || !batch || !workers || !seed || !drop_last || !shuffle || !epoch || *size < 0 || !known)
    return unknownParameters();
  PipelineSpec spec = specOf(row, *size, std::max<std::int64_t>(1, *world));
  spec.loader.batch_size = *batch;
  spec.loader.num_workers = *workers;
  spec.loader.drop_last = *drop_last;
  spec.epochs = *epoch + 1;
  spec.sampler.parameters = {
      {"shuffle", *shuffle}, {"seed", static_cast<std::int64_t>(*seed)}, {"process_group", *world > 0}};
  const sampling::Yolov5Pass pass{*size, *world, *shuffle, false, 0};
  if (*world > 0 && !sampling::checkYolov5Rank(pass, Rank{rank})) {
    // Without images a rank has no plan, but its loader asks for the number 0.
    return compare(row, Answer{pass.numbers(spec.framework.torch, Rank{rank}), std::vector<std::int64_t>{1}, 1});
  }
  const auto drawn = planner.rankEpoch(spec, Epoch{*epoch}, Rank{rank});
  if (!drawn) return compareError(row, drawn.error());
  Answer answer = Answer::ofBatches(*drawn);
  answer.length = drawn->batches();
  if (*world > 0) answer.indices = numbersOf(answer.indices, sampling::yolov5Images(*size, *world, Rank{rank}));
  return compare(row, answer);
}

}  // namespace
}  // namespace yolov5_rows

std::vector<Replay> yolov5Replays() {
  using namespace yolov5_rows;
  return {
      {"yolov5", "InfiniteDataLoader", replayLoader},
      {"yolov5", "SmartDistributedSampler", replaySmart},
  };
}

}  // namespace shardlens::selftest
