// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/community/two_stream.h"

#include "core/selftest/replay.h"

#include <algorithm>

namespace shardlens::selftest {
namespace two_stream_rows {
namespace {

constexpr const char* kExtra =
    "after each batch one np.random.randint(0,1000) is drawn from the same global stream and appended as the last "
    "element";

std::optional<PipelineSpec> specOf(const VectorRow& row) {
  const auto primary = row.params.integers("primary_indices");
  const auto secondary = row.params.integers("secondary_indices");
  const auto batch_size = row.params.integer("batch_size");
  const auto secondary_batch_size = row.params.integer("secondary_batch_size");
  const auto seed = row.params.integer("numpy_global_seed");
  if (!primary || !secondary || !batch_size || !secondary_batch_size || !seed) return std::nullopt;
  PipelineSpec spec;
  spec.world = {1, 1};
  for (const auto* list : {&*primary, &*secondary}) {
    for (const SampleIndex index : *list) spec.dataset.size = std::max(spec.dataset.size, index + 1);
  }
  spec.loader.batch_size = *batch_size;
  spec.seeds.base = *seed;
  spec.epochs = row.fields.integer("epoch").value_or(0) + 1;
  spec.sampler = {row.framework + "." + row.sampler,
                  {{"primary_indices", *primary},
                   {"secondary_indices", *secondary},
                   {"secondary_batch_size", *secondary_batch_size}}};
  return spec;
}

/// Batches of an epoch with another draw from the same stream behind each.
RowVerdict replayInterleaved(const VectorRow& row, const PipelineSpec& spec) {
  const sampling::TwoStreamArguments arguments = sampling::twoStreamArguments(spec);
  if (auto made = arguments.check(); !made) return compareError(row, made);
  NumpyLegacy numpy(static_cast<std::uint32_t>(spec.seeds.base));
  auto stream = sampling::TwoStream::start(arguments, numpy, {});
  if (!stream) return failed(stream.error().text());
  Answer answer;
  answer.batch_sizes.emplace();
  std::vector<std::uint32_t> batch(static_cast<std::size_t>(spec.loader.batch_size));
  for (auto more = stream->next(numpy, batch, {}); more && *more; more = stream->next(numpy, batch, {})) {
    answer.indices.insert(answer.indices.end(), batch.begin(), batch.end());
    answer.indices.push_back(static_cast<std::int64_t>(numpy.bounded(999)));
    answer.batch_sizes->push_back(spec.loader.batch_size + 1);
  }
  return compare(row, answer);
}

RowVerdict replayTwoStream(const VectorRow& row, Planner& planner) {
  const auto spec = specOf(row);
  const bool known = row.params.onlyHas(
      {"primary_indices", "secondary_indices", "batch_size", "secondary_batch_size", "numpy_global_seed", "extra"});
  if (!spec || !known) return unknownParameters();
  if (row.params.has("extra")) {
    if (row.params.text("extra") != kExtra) return unsupported("an unknown extra draw");
    return replayInterleaved(row, *spec);
  }
  if (*row.params.integer("batch_size") < 1 || *row.params.integer("secondary_batch_size") < 0) {
    return compareError(row, sampling::twoStreamArguments(*spec).check());  // sizes that no spec may hold
  }
  return judgeBatches(row, planner.rankEpoch(*spec, Epoch{spec->epochs - 1}, Rank{0}));
}

}  // namespace
}  // namespace two_stream_rows

std::vector<Replay> twoStreamReplays() {
  using namespace two_stream_rows;
  return {
      {"meanteacher", "TwoStreamBatchSampler", replayTwoStream},
      {"ssl4mis", "TwoStreamBatchSampler", replayTwoStream},
  };
}

}  // namespace shardlens::selftest
