// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/starter.h"

#include "core/base/phrase.h"
#include "core/sampling/recorded_lists.h"
#include "core/sampling/registry.h"
#include "core/spec/field_table.h"
#include "core/spec/value.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

namespace shardlens::sampling {
namespace {

const std::string kRounded = "sampler.selected_round";
constexpr std::int64_t kClasses = 10;
constexpr std::int64_t kShortest = 8;
constexpr std::int64_t kLengths = 505;
constexpr std::int64_t kStride = 7919;  ///< a prime: neighbouring samples differ in length

bool canRun(const SamplerRule& rule, const PipelineSpec& spec) {
  if (!rule.check(spec)) return false;
  for (std::int64_t rank = 0; rule.check_rank && rank < spec.worldSize(); ++rank) {
    if (!rule.check_rank(spec, Rank{rank})) return false;
  }
  return true;
}

bool isRecorded(const PipelineSpec& spec) {
  return spec.sampler.type == kRecordedBatches;
}

/// It runs, and some rank gets an item, as far as that can be told without drawing.
bool handsOut(const SamplerRule& rule, const PipelineSpec& spec) {
  if (!canRun(rule, spec)) return false;
  if (isRecorded(spec)) return !recordedLists(spec).ids.empty();
  bool any = rule.shape == nullptr;
  for (std::int64_t rank = 0; !any && rank < spec.worldSize(); ++rank) {
    any = rule.shape(spec, Epoch{0}, Rank{rank}).count > 0;
  }
  return any;
}

constexpr std::int64_t classOf(std::int64_t sample) {
  return sample % kClasses;
}

constexpr std::int64_t lengthOf(std::int64_t sample) {
  return kShortest + sample * kStride % kLengths;
}

/// Whether item i of the list is item(i), for as many items as there are samples.
template <class Item>
bool isListOf(const PipelineSpec& spec, const IndexList& list, Item item) {
  const auto count = static_cast<std::int64_t>(list.size());
  if (count != spec.dataset.size) return false;
  for (std::int64_t i = 0; i < count; ++i) {
    if (list[static_cast<std::size_t>(i)] != item(i)) return false;
  }
  return true;
}

/// Part `part` of the dataset cut into `parts` pieces of equal size, but for one.
std::pair<std::int64_t, std::int64_t> pieceOf(std::int64_t size, std::int64_t part, std::int64_t parts) {
  return {size * part / parts, size * (part + 1) / parts};
}

IndexList shardsOf(const PipelineSpec& spec) {
  const std::int64_t readers = spec.worldSize() * std::max<std::int64_t>(1, spec.loader.num_workers);
  const std::int64_t shards = std::min(2 * readers, spec.dataset.size);
  return listOf(shards, [&](std::int64_t shard) {
    const auto [first, last] = pieceOf(spec.dataset.size, shard, shards);
    return last - first;
  });
}

void fillDataset(const PipelineSpec& spec, const SamplerInfo& info, std::vector<Edit>& edits) {
  const auto reads = [&](const char* path) {
    return std::find(info.reads.begin(), info.reads.end(), path) != info.reads.end();
  };
  const std::int64_t size = spec.dataset.size;
  if (reads("dataset.labels") && spec.dataset.labels.empty()) {
    edits.push_back({"dataset.labels", listOf(size, classOf)});
  }
  if (reads("dataset.lengths") && spec.dataset.lengths.empty()) {
    edits.push_back({"dataset.lengths", listOf(size, lengthOf)});
  }
  if (reads("dataset.shards") && spec.dataset.shards.empty()) edits.push_back({"dataset.shards", shardsOf(spec)});
}

/// Lists of samples that the sampler takes together share the dataset between them.
void fillLists(const PipelineSpec& spec, const SamplerInfo& info, std::vector<Edit>& edits) {
  std::vector<const Field*> empty;
  for (const Field& field : info.parameters) {
    if (field.kind == FieldKind::Indices && std::get<IndexList>(getValue(spec, field)).empty()) empty.push_back(&field);
  }
  const auto parts = static_cast<std::int64_t>(empty.size());
  for (std::int64_t part = 0; part < parts; ++part) {
    const auto [first, last] = pieceOf(spec.dataset.size, part, parts);
    edits.push_back({empty[static_cast<std::size_t>(part)]->path,
                     listOf(last - first, [first = first](std::int64_t i) { return first + i; })});
  }
}

/// A job that read the dataset in order; a list that the spec has stays.
void fillRecorded(const PipelineSpec& spec, std::vector<Edit>& edits) {
  if (spec.epochs > kMostExamples / std::max<std::int64_t>(1, spec.dataset.size)) return;
  const RecordedLists said = recordedLists(spec);
  RecordedLists lists = recordedExample(spec);
  if (said.ids.empty()) edits.push_back({"sampler.ids", std::move(lists.ids)});
  if (said.batch_sizes.empty()) edits.push_back({"sampler.batch_sizes", std::move(lists.batch_sizes)});
  if (said.rank_batches.empty()) edits.push_back({"sampler.rank_batches", std::move(lists.rank_batches)});
}

/// timm takes a multiple of so many samples, which is nothing of a smaller dataset; 0 takes all of them.
void fillRounds(const PipelineSpec& spec, const SamplerInfo& info, std::vector<Edit>& edits) {
  const auto round = std::ranges::find(info.parameters, kRounded, &Field::path);
  if (round == info.parameters.end()) return;
  if (std::get<std::int64_t>(getValue(spec, *round)) > spec.dataset.size) edits.push_back({kRounded, std::int64_t{0}});
}

std::size_t listsOf(const SamplerInfo& info) {
  return static_cast<std::size_t>(std::ranges::count(info.parameters, FieldKind::Indices, &Field::kind));
}

/// Which piece of the dataset a run of samples is, when the sampler takes up to `most` lists.
std::string pieceText(const PipelineSpec& spec, const IndexList& list, std::size_t most) {
  const std::int64_t size = spec.dataset.size;
  if (list.empty() || !list.facts().is_run) return {};
  const std::pair run{list.front(), list.back() + 1};
  if (run == std::pair{std::int64_t{0}, size}) return worded("samplers", "every sample of the dataset");
  if (most != 2) return {};
  if (run == pieceOf(size, 0, 2)) return worded("samplers", "the first half of the dataset");
  return run == pieceOf(size, 1, 2) ? worded("samplers", "the second half of the dataset") : "";
}

/// Likewise of a recorded job's lists.
std::string recordedText(const PipelineSpec& spec, const std::string& path) {
  if (spec.epochs > kMostExamples / std::max<std::int64_t>(1, spec.dataset.size)) return {};
  const RecordedLists said = recordedLists(spec);
  const RecordedLists example = recordedExample(spec);
  if (path == "sampler.ids" && !said.ids.empty() && said.ids == example.ids)
    return worded("samplers", "every sample of the dataset, in each epoch");
  if (path == "sampler.batch_sizes" && !said.batch_sizes.empty() && said.batch_sizes == example.batch_sizes)
    return worded("samplers", "batches of one sample");
  if (path == "sampler.rank_batches" && !said.rank_batches.empty() && said.rank_batches == example.rank_batches)
    return worded("samplers", "equal pieces for all ranks");
  return {};
}

}  // namespace

std::string exampleText(const PipelineSpec& spec, const std::string& path) {
  const PipelineSpec::Dataset& dataset = spec.dataset;
  if (dataset.size > kMostExamples) return {};
  if (path == "dataset.labels")
    return isListOf(spec, dataset.labels, classOf) ? worded("samplers", "ten classes in turn") : "";
  if (path == "dataset.lengths")
    return isListOf(spec, dataset.lengths, lengthOf) ? worded("samplers", "lengths from 8 to 512") : "";
  if (path == "dataset.shards") {
    return !dataset.shards.empty() && dataset.shards == shardsOf(spec)
               ? worded("samplers", "two equal shards for each worker")
               : "";
  }
  if (isRecorded(spec)) return recordedText(spec, path);
  const SamplerRule* rule = findRule(spec.sampler.type);
  const Field* field = rule == nullptr ? nullptr : findField(spec, catalogue(), path);
  if (field == nullptr || field->kind != FieldKind::Indices || !path.starts_with("sampler.")) return {};
  return pieceText(spec, std::get<IndexList>(getValue(spec, *field)), listsOf(rule->info));
}

std::vector<Edit> starterEdits(const PipelineSpec& spec) {
  const SamplerRule* rule = findRule(spec.sampler.type);
  if (rule == nullptr || spec.dataset.size > kMostExamples || handsOut(*rule, spec)) return {};
  std::vector<Edit> edits;
  fillDataset(spec, rule->info, edits);
  isRecorded(spec) ? fillRecorded(spec, edits) : fillLists(spec, rule->info, edits);
  fillRounds(spec, rule->info, edits);
  const auto filled = applyEdits(spec, edits, catalogue());
  return filled && handsOut(*rule, *filled) ? edits : std::vector<Edit>();
}

}  // namespace shardlens::sampling
