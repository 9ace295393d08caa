// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/equal_nodes.h"
#include "core/sampling/litdata/pieces.h"
#include "core/sampling/numpy_global.h"
#include "core/sampling/python.h"
#include "core/sampling/rules.h"
#include "core/sampling/torch/shard_streams.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::sampling {
namespace litdata_streaming_dataset {
namespace {

constexpr std::int64_t kMostWindow = 1'000'000'000;

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "litdata.StreamingDataset",
      marked("samplers",
             "Cuts the chunks of an optimized dataset between the workers of all ranks, in whole batches, and "
             "shuffles chunks and the items in them."),
      {
          choiceField("sampler.shuffle", "none", {"none", "full", "window"},
                      marked("fields",
                             "none keeps the order of the chunks (shuffle=False); full shuffles chunks and items "
                             "(shuffle=True); window is the shuffle of local POSIX paths, within a window.")),
          seedField("sampler.seed", 42, INT64_MIN, INT64_MAX,
                    marked("fields", "Seed of all shuffles; NumPy takes 0 to 2^32 - 1.")),
          boolField("sampler.drop_last", true,
                    marked("fields",
                           "Leave out what gives no whole batch on every rank; litData's own default on several "
                           "ranks.")),
          boolField("sampler.node_shard_fits", true,
                    marked("fields",
                           "Whether max_cache_size holds the chunks of each node: from the second epoch on each node "
                           "then keeps its own.")),
          intField("sampler.window", 16, 0, kMostWindow, "",
                   marked("fields", "How far the shuffle window moves a chunk or an item forward.")),
          Field{.path = "sampler.roi",
                .kind = FieldKind::Numbers,
                .fallback = std::string("whole"),
                .min = 0,
                .max = INT64_MAX,
                .choices = {"whole"},
                .help = marked("fields",
                               "First item of each chunk that is used, and the item behind the last one, chunk after "
                               "chunk; whole uses all.")},
      },
      {
          marked("samplers",
                 "With shuffle on several nodes, a chunk that the first epoch cuts between two nodes is read whole by "
                 "both from the second epoch on: its items come twice."),
          marked("samplers",
                 "Another number of ranks or workers, or another batch size, moves every cut: a resumed run continues "
                 "only with the same ones."),
          marked("samplers",
                 "With drop_last off, all that is left goes to one worker of the last rank, which then has more "
                 "batches than the others."),
          marked("samplers",
                 "It divides the dataset among the ranks by itself, and no argument switches that off (litData#368)."),
      },
      {"dataset.shards"}};
  return kInfo;
}

std::string shuffleOf(const PipelineSpec& spec) {
  return std::get<std::string>(parameter(spec, info(), "shuffle"));
}

NumberList roiOf(const PipelineSpec& spec) {
  const Value given = parameter(spec, info(), "roi");
  const auto* list = std::get_if<NumberList>(&given);
  return list == nullptr ? NumberList() : *list;
}

LitdataPieces chunksOf(const PipelineSpec& spec) {
  LitdataPieces chunks;
  if (spec.dataset.size == 0) return chunks;
  const std::vector<std::int64_t> starts = shardStarts(spec);
  const NumberList roi = roiOf(spec);
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    LitdataPiece chunk{static_cast<std::int64_t>(i), starts[i], starts[i + 1]};
    if (!roi.empty()) {
      chunk.first = static_cast<std::int64_t>(roi[2 * i]);
      chunk.last = static_cast<std::int64_t>(roi[2 * i + 1]);
    }
    chunks.push_back(chunk);
  }
  return chunks;
}

/// Each pair lies in its chunk, in order.
Result<void> checkRoi(const PipelineSpec& spec) {
  const NumberList roi = roiOf(spec);
  if (roi.empty()) return {};
  const std::vector<std::int64_t> starts = shardStarts(spec);
  bool good = spec.dataset.size > 0 && roi.size() == 2 * (starts.size() - 1);
  for (std::size_t i = 0; good && i + 1 < starts.size(); ++i) {
    const double first = roi[2 * i];
    const double last = roi[2 * i + 1];
    good = std::floor(first) == first && std::floor(last) == last && first >= static_cast<double>(starts[i]) &&
           first <= last && last <= static_cast<double>(starts[i + 1]);
  }
  if (good) return {};
  return Error{ErrorCode::BadInput,
               worded("checks",
                      "roi needs two items for each chunk: the first one that is used and the one behind "
                      "the last, both in the chunk."),
               {{}, 0, 0, "sampler.roi"},
               worded("checks", "count items through the whole dataset")};
}

Result<void> check(const PipelineSpec& spec) {
  if (auto equal = checkEqualNodes(spec); !equal && shuffleOf(spec) == "full") return equal;
  if (auto roi = checkRoi(spec); !roi) return roi;
  if (shuffleOf(spec) == "none") return {};
  const std::int64_t seed = intParameter(spec, info(), "seed");
  if (auto good = checkNumpySeed(std::vector<std::int64_t>{seed}); !good) {
    Error error = good.error();
    error.place.field = "sampler.seed";
    error.hint = worded("checks", "NumPy takes no other seed");
    return error;
  }
  if (spec.dataset.size > 0 || shuffleOf(spec) == "window") return checkRoomForStreams(spec.dataset.size);
  return raised("IndexError", "arrays used as indices must be of integer (or boolean) type", "dataset.size",
                worded("checks", "give at least 1 sample"));
}

/// Epochs of litData count from 1.
OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  const std::string shuffle = shuffleOf(spec);
  if (shuffle == "none") return {"litdata " + shuffle, 0, 0};
  return {"litdata " + shuffle, static_cast<std::uint64_t>(intParameter(spec, info(), "seed")),
          static_cast<std::uint64_t>(epoch.value) + 1};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const LitdataPieces chunks = chunksOf(spec);
  const std::int64_t workers = std::max<std::int64_t>(1, spec.loader.num_workers);
  const LitdataReaders readers{spec.world.nodes, spec.worldSize(), workers, spec.loader.batch_size,
                               boolParameter(spec, info(), "drop_last")};
  const LitdataShuffle shuffle{static_cast<std::int64_t>(key.seed), static_cast<std::int64_t>(key.skip),
                               boolParameter(spec, info(), "node_shard_fits"), intParameter(spec, info(), "window")};
  const std::string how = shuffleOf(spec);
  const std::vector<LitdataPieces> all = how == "none"   ? litdataUnshuffled(chunks, readers)
                                         : how == "full" ? litdataFull(chunks, readers, shuffle)
                                                         : litdataWindow(chunks, readers, shuffle);
  const auto read = [&](Rank rank, std::int64_t worker) -> Result<std::vector<std::int64_t>> {
    std::vector<std::int64_t> items;
    for (const LitdataPiece& piece : all[static_cast<std::size_t>(rank.value * workers + worker)]) {
      if (work.stopped()) return cancelled();
      std::vector<std::int64_t> part =
          how == "full"
              ? litdataFullItems(piece, std::ssize(chunks), shuffle)
              : litdataWindowItems(piece, std::ssize(chunks), how == "none" ? LitdataShuffle{.window = 0} : shuffle);
      items.insert(items.end(), part.begin(), part.end());
    }
    return items;
  };
  return dealStreams(spec, StreamReaders{spec.worldSize(), workers, spec.dataset.size}, read, work);
}

SamplerClaims claims(const PipelineSpec& /*spec*/) {
  return {.divides = true, .is_stream = true, .across_shares = RepeatCause::ShuffleDefect};
}

LeftOutCause leftOut(const PipelineSpec& spec, Epoch /*epoch*/) {
  if (roiOf(spec).empty()) return always(MissingCause::CutBySampler);
  return [chunks = chunksOf(spec)](SampleIndex sample) {
    const bool used = std::ranges::any_of(
        chunks, [sample](const LitdataPiece& chunk) { return chunk.first <= sample && sample < chunk.last; });
    return used ? MissingCause::CutBySampler : MissingCause::OutsideSubset;
  };
}

}  // namespace
}  // namespace litdata_streaming_dataset

SamplerRule litdataStreamingDataset() {
  using namespace litdata_streaming_dataset;
  return {.info = info(),
          .traits = {.shuffle = "shuffle", .seed = "seed", .drop_last = "drop_last"},
          .claims = claims,
          .left_out = leftOut,
          .check = check,
          .key = key,
          .order = order};
}

}  // namespace shardlens::sampling
