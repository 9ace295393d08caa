// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/streaming/parameters.h"

#include "core/base/phrase.h"
#include "core/sampling/streaming/batching.h"
#include "core/sampling/streaming/deal.h"

#include <string>
#include <utility>

namespace shardlens::sampling {
namespace {

constexpr std::int64_t kMostOfAField = kMostStreamingSamples;
constexpr std::int64_t kMostNodes = 100'000'000;
constexpr std::int64_t kMostBlock = std::int64_t{1} << 53;

using K = FieldKind;

Field weights(const char* path, K kind, Value none, std::string help) {
  return {path, kind, std::move(none), kStreamingUnset, kMostOfAField, {}, "one per stream", std::move(help)};
}

/// How samples are shuffled and cut into nodes and batches.
std::vector<Field> shuffling() {
  return {
      boolField("sampler.shuffle", false, marked("fields", "Shuffle the samples; Streaming's default is off.")),
      choiceField("sampler.shuffle_algo", "py1e", {"py1e", "py1s", "py2s", "py1br", "naive"},
                  marked("fields",
                         "How samples are shuffled: by moving spans at random, within shards once or twice, within "
                         "blocks, or all at once.")),
      seedField("sampler.shuffle_seed", 9176, INT64_MIN, INT64_MAX,
                marked("fields", "Seed of sampling and shuffling.")),
      intOrNameField(
          "sampler.shuffle_block_size", "none", -kMostOfAField, kMostBlock, "samples",
          marked("fields", "Unit of py1e and py1br; none means max(4 000 000 // num_canonical_nodes, 262 144).")),
      intOrNameField("sampler.num_canonical_nodes", "none", 0, kMostNodes, "nodes",
                     marked("fields",
                            "Parts that the samples are cut into before the nodes share them; none means the nodes of "
                            "the first run, or 64 times as many with py1s and py2s.")),
      choiceField("sampler.partition_algo", "relaxed", {"relaxed", "orig"},
                  marked("fields",
                         "Whether a resumed run may use a number of nodes that does not divide the canonical nodes.")),
      choiceField("sampler.batching_method", "random", {"random", "stratified", "per_stream", "device_per_stream"},
                  marked("fields",
                         "What a batch holds: samples of any stream, a fixed share of every stream, or one stream per "
                         "global batch or per rank's batch.")),
      Field{.path = "sampler.batch_size",
            .kind = K::IntOrName,
            .fallback = std::string("loader"),
            .min = 1,
            .max = kMostOfAField,
            .choices = {"loader", "none"},
            .unit = "per rank",
            .help = marked("fields", "batch_size of the dataset: the loader's, as it must be, another one, or none.")},
  };
}

/// What an epoch takes from each stream, and where a resumed run begins.
std::vector<Field> streams() {
  return {
      choiceField(
          "sampler.sampling_method", "balanced", {"balanced", "fixed"},
          marked(
              "fields",
              "Whether a stream that is only partly used gives different samples in each epoch, or always the same.")),
      intField("sampler.sampling_granularity", 1, -kMostOfAField, kMostOfAField, "samples",
               marked("fields", "Samples that a partial repeat of a stream takes from one shard at a time.")),
      intOrNameField(
          "sampler.epoch_size", "none", -kMostOfAField, kMostOfAField, "samples",
          marked("fields", "Samples in an epoch, over all streams; none means as many as the streams have.")),
      {"sampler.streams",
       K::Indices,
       IndexList{},
       0,
       kMostOfAField,
       {},
       "shards each",
       marked("fields",
              "How many of dataset.shards each stream has, in order; an empty list means one stream of all shards.")},
      weights(
          "sampler.proportion", K::Numbers, NumberList{},
          marked("fields",
                 "Weight of each stream relative to the others; an empty list, or -1 for a stream, means not set.")),
      weights("sampler.repeat", K::Numbers, NumberList{},
              marked("fields", "How often each stream is repeated; an empty list, or -1 for a stream, means not set.")),
      weights("sampler.choose", K::Indices, IndexList{},
              marked("fields", "Samples taken from each stream; an empty list, or -1 for a stream, means not set.")),
      intOrNameField(
          "sampler.replication", "none", -kMostOfAField, kMostOfAField, "ranks",
          marked("fields", "How many neighbouring ranks read the same samples, for tensor or sequence parallelism.")),
      intField("sampler.epoch", 0, 0, kMostOfAField, "",
               marked("fields", "Epoch that the loaded state was saved in: only this one begins at sample_in_epoch.")),
      intField("sampler.sample_in_epoch", 0, 0, kMostOfAField, "samples",
               marked("fields", "Samples that all ranks together had seen of that epoch when the state was saved.")),
      intOrNameField("sampler.initial_physical_nodes", "none", 1, kMostNodes, "nodes",
                     marked("fields", "Nodes of the run that saved the first state; none when nothing is resumed.")),
  };
}

}  // namespace

std::vector<Field> streamingParameters() {
  std::vector<Field> all = shuffling();
  for (Field& field : streams()) all.push_back(std::move(field));
  return all;
}

}  // namespace shardlens::sampling
