// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/detectron2/samplers.h"
#include "core/sampling/ffcv/traversal_order.h"
#include "core/sampling/python.h"
#include "core/sampling/timm/samplers.h"
#include "core/sampling/torch/arguments.h"
#include "core/sampling/yolov5/samplers.h"
#include "core/selftest/by_name.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::selftest {
namespace vision_rows {
namespace {

RowVerdict replayRepeatFactor(const VectorRow& row, Planner& planner) {
  const auto factors = row.params.numbers("repeat_factors");
  auto spec = specByName(row, "repeat_factors world_size shuffle? seed? taken=samples_per_epoch");
  if (!spec || !factors) return unknownParameters();
  if (factors->empty() || std::ranges::max(*factors) > 1000) return unsupported("no such factors");
  spec->dataset.size = std::ssize(*factors);
  return judgeItems(row, planner.rankEpoch(*spec, row));
}

RowVerdict replayFactors(const VectorRow& row, Planner& /*planner*/) {
  const auto categories = row.params.lists("categories_per_image");
  const auto thresh = row.params.number("repeat_thresh");
  const auto root = row.params.flag("sqrt");
  const nlohmann::json* wanted = row.fields.find("values_f32");
  const bool known = row.params.onlyHas({"categories_per_image", "repeat_thresh", "sqrt"});
  if (!categories || !thresh || !root || wanted == nullptr || !wanted->is_array() || !known) return unknownParameters();
  const std::vector<float> got = sampling::repeatFactorsFromCategories(*categories, *thresh, *root);
  if (wanted->size() != got.size()) return failed("values_f32: another number of factors");
  for (std::size_t i = 0; i < got.size(); ++i) {
    const nlohmann::json& value = (*wanted)[i];
    if (!value.is_number() || value.get<float>() != got[i]) return failed("values_f32: [" + std::to_string(i) + "]");
  }
  return passed();
}

RowVerdict replayGrouped(const VectorRow& row, Planner& planner) {
  auto spec = specByName(row, "size=dataset_size batch_size group_ids=- inner=- taken_batches=-");
  const auto groups = row.params.integers("group_ids");
  const auto batch_size = row.params.integer("batch_size");
  const auto taken = row.params.integer("taken_batches");
  const auto inner = row.params.text("inner");
  const std::string begin = "TrainingSampler(seed=";
  if (!spec || !groups || !batch_size || !taken || !inner || !inner->starts_with(begin)) return unknownParameters();
  const auto distinct = static_cast<std::int64_t>(std::set<std::int64_t>(groups->begin(), groups->end()).size());
  if (*batch_size < 1 || *taken < 1 || !planner.allows(*batch_size) || *taken > 100'000)
    return unsupported("no such batches");
  spec->dataset.labels = *groups;
  spec->sampler.parameters["seed"] = static_cast<std::int64_t>(std::atoll(inner->c_str() + begin.size()));
  // Enough samples to fill so many batches, whatever waits in the buffers.
  const std::int64_t enough = (*taken + distinct) * *batch_size;
  if (!planner.allows(enough)) return unsupported("too many batches");
  spec->sampler.parameters["samples_per_epoch"] = enough;
  const auto drawn = planner.rankEpoch(*spec, Epoch{0}, Rank{0});
  if (!drawn) return compareError(row, drawn.error());
  Answer answer;
  for (Step step{0}; step.value < std::min(*taken, drawn->batches()); ++step) answer.add(drawn->batchSamples(step));
  return compare(row, answer);
}

/// The list that a row names: "even", "reversed", "tail"; empty for "all".
std::optional<std::vector<std::int64_t>> listOf(const std::string& name, std::int64_t size) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(size));
  std::iota(all.begin(), all.end(), std::int64_t{0});
  if (name == "all") return std::vector<std::int64_t>();
  if (name == "reversed") std::ranges::reverse(all);
  if (name == "even") std::erase_if(all, [](std::int64_t id) { return id % 2 != 0; });
  if (name == "tail") all.erase(all.begin(), all.begin() + size / 2);
  const bool known = name == "reversed" || name == "even" || name == "tail";
  return known ? std::optional(std::move(all)) : std::nullopt;
}

RowVerdict replayOrder(const VectorRow& row, Planner& planner) {
  auto spec = specByName(row, "dataset_size indices=- distributed world_size seed=-");
  const auto name = row.params.text("indices");
  const auto seed = row.params.bits("seed");
  const auto list = spec && name ? listOf(*name, spec->dataset.size) : std::nullopt;
  if (!list || !seed) return unknownParameters();
  spec->sampler.parameters["indices"] = IndexList(*list);
  if (row.sampler == "Random") spec->sampler.parameters["seed"] = static_cast<std::int64_t>(*seed);
  return judgeItems(row, planner.rankEpoch(*spec, row));
}

/// Calls on one object, of epochs in any order: the plan has them in their own.
RowVerdict replayQuasi(const VectorRow& row, Planner& planner) {
  auto sizes = row.params.integers("page_sizes");
  const auto listed = row.params.integers("pages_listed");
  const auto name = row.params.text("indices");
  const auto batch = row.params.integer("batch_size");
  const auto seed = row.params.bits("seed");
  const auto distributed = row.params.flag("distributed");
  const auto earlier = row.params.integers("earlier_calls").value_or(std::vector<std::int64_t>());
  const bool known = row.params.onlyHas(
      {"page_sizes", "pages_listed", "indices", "batch_size", "seed", "distributed", "earlier_calls"});
  if (!sizes || !listed || !name || !batch || *batch < 1 || !seed || !distributed || !known) return unknownParameters();
  if (std::ranges::any_of(*sizes, [](std::int64_t size) { return size < 0; })) return unknownParameters();
  if (*distributed)
    return compareError(
        row, Result<void>(sampling::raised("NotImplementedError", "distributed Not implemented yet for QuasiRandom")));
  // The class knows the pages up to the last one of its map; those behind it hold nothing.
  const std::int64_t known_pages = listed->empty() ? 0 : std::ranges::max(*listed) + 1;
  while (std::ssize(*sizes) > known_pages && sizes->back() == 0) sizes->pop_back();
  PipelineSpec spec;
  spec.dataset.shards = *sizes;
  spec.dataset.size = std::accumulate(sizes->begin(), sizes->end(), std::int64_t{0});
  const auto list = listOf(*name, spec.dataset.size);
  const auto epoch = row.fields.integer("epoch");
  if (!list || !epoch) return unknownParameters();
  spec.world = {1, 1};
  spec.loader.batch_size = *batch;
  spec.sampler = {"ffcv.QuasiRandom", {{"indices", IndexList(*list)}, {"seed", static_cast<std::int64_t>(*seed)}}};
  // The plan's own calls are epoch 0 at the start, if there is one, and then every epoch in turn.
  std::vector<std::int64_t> in_turn(static_cast<std::size_t>(*epoch < 0 || *epoch > 64 ? 0 : *epoch));
  std::iota(in_turn.begin(), in_turn.end(), std::int64_t{0});
  std::vector<std::int64_t> with_start = in_turn;
  with_start.insert(with_start.begin(), 0);
  if (earlier == in_turn || earlier == with_start) {
    spec.sampler.parameters["asked_at_start"] = earlier == with_start;
    return judgeItems(row, planner.rankEpoch(spec, Epoch{*epoch}, Rank{0}));
  }
  planner.judges("ffcv.QuasiRandom");
  Answer answer;
  sampling::FfcvPages pages = sampling::ffcvPages(spec);
  for (const std::int64_t call : earlier) pages.call(static_cast<std::int64_t>(*seed), call);
  answer.indices = pages.call(static_cast<std::int64_t>(*seed), *epoch);
  return compare(row, answer);
}

RowVerdict replayClasses(const VectorRow& row, Planner& planner) {
  auto spec = specByName(row, "dataset_size categories=- num_classes=-? world_size seed? num_sample_class");
  const auto categories = row.params.lists("categories");
  if (!spec || !categories) return unknownParameters();
  std::vector<double> flat;
  for (const auto& classes : *categories) {
    flat.insert(flat.end(), classes.begin(), classes.end());
    flat.push_back(-1);
  }
  spec->sampler.parameters["categories"] = NumberList(std::move(flat));
  return judgeItems(row, planner.rankEpoch(*spec, row));
}

RowVerdict replayAspectRatio(const VectorRow& row, Planner& planner) {
  auto spec = specByName(row, "dataset_size wide=- batch_size=- drop_last inner world_size inner_seed?");
  const auto wide = row.params.integers("wide");
  const auto batch = row.params.integer("batch_size");
  if (!spec || !wide || !batch) return unknownParameters();
  const bool drop_last = spec->loader.drop_last;
  if (*batch < 1) return compareError(row, sampling::checkBatchSampler(*batch, drop_last));
  spec->loader.batch_size = *batch;
  std::vector<double> ratios;
  for (const std::int64_t one : *wide) ratios.push_back(one != 0 ? 2 : 0.5);
  if (!ratios.empty()) spec->sampler.parameters["aspect_ratios"] = NumberList(std::move(ratios));
  const auto drawn = planner.rankEpoch(*spec, row);
  if (!drawn) return compareError(row, drawn.error());
  Answer answer = Answer::ofBatches(*drawn);
  // __len__ counts the samples of the sampler inside.
  const std::int64_t ranks = row.params.text("inner") == "distributed" ? spec->worldSize() : 1;
  const std::int64_t samples = (spec->dataset.size + ranks - 1) / ranks;
  answer.length = drop_last ? samples / *batch : (samples + *batch - 1) / *batch;
  return compare(row, answer);
}

/// Which images are wide, and the seed of NumPy's global stream; false when the row lacks them.
bool addGroups(const VectorRow& row, PipelineSpec& spec) {
  const auto wide = row.params.lists("wide");
  const auto seed = row.params.integer("numpy_global_seed");
  if (!wide || !seed) return false;
  std::vector<double> ratios;
  for (const auto& dataset : *wide) {
    for (const std::int64_t one : dataset) ratios.push_back(one != 0 ? 2 : 0.5);
  }
  spec.sampler.parameters["aspect_ratios"] = NumberList(std::move(ratios));
  spec.seeds = {*seed, "same"};
  return true;
}

/// The first `taken` samples are one epoch of the plan.
RowVerdict replaySources(const VectorRow& row, Planner& planner) {
  auto spec =
      specByName(row,
                 "sizes=shards batch_size source_ratio shuffle seed? world_size taken=samples_per_epoch wide=-? "
                 "numpy_global_seed=-?");
  if (!spec || (row.sampler == "GroupMultiSourceSampler" && !addGroups(row, *spec))) return unknownParameters();
  const auto drawn = planner.rankEpoch(*spec, row);
  if (!drawn) return compareError(row, drawn.error());
  Answer answer = Answer::ofItems(*drawn);
  answer.length = spec->dataset.size;
  return compare(row, answer);
}

RowVerdict replayRepeatAug(const VectorRow& row, Planner& planner) {
  const auto spec = specByName(row, "dataset_size world_size shuffle num_repeats selected_round selected_ratio");
  if (!spec) return unknownParameters();
  const Result<RankEpoch> drawn = planner.rankEpoch(*spec, row);
  if (!drawn) return compareError(row, drawn.error());
  Answer answer = Answer::ofItems(*drawn);
  answer.length = sampling::timmRepeatAugLength(*spec);
  return compare(row, answer);
}

/// A row without a world has the dataset in order inside.
RowVerdict replayScheduled(const VectorRow& row, Planner& planner) {
  const auto world = row.params.integer("world_size");
  const std::int64_t rank = row.fields.integer("rank").value_or(0);
  const std::int64_t epoch = row.fields.integer("epoch").value_or(0);
  auto spec = specByName(row,
                         "dataset_size world_size=- inner_seed? batch_sizes choice_weights? seed? drop_last? "
                         "shuffle_schedule? num_batches? choice_schedule? schedule_epochs? schedule_spread? "
                         "schedule_random_mix?");
  if (!spec || !world || *world < 0) return unknownParameters();
  spec->world = {1, std::max<std::int64_t>(1, *world)};
  spec->sampler.parameters["inner"] = std::string(*world == 0 ? "sequential" : "distributed");
  const auto drawn = planner.rankEpoch(*spec, Epoch{epoch}, Rank{rank});
  if (!drawn) return compareError(row, drawn.error());
  Answer answer = Answer::ofBatches(*drawn);
  RowVerdict verdict = compare(row, answer);
  const auto wanted = row.fields.integers("choices");
  if (verdict.outcome != Outcome::Passed || !wanted) return verdict;
  std::vector<std::int64_t> choices;
  for (const sampling::TimmScheduled& batch : sampling::timmSchedule(*spec, epoch)) choices.push_back(batch.choice);
  return judged("choices", difference(choices, *wanted));
}

/// The first `taken` samples are one epoch of the plan, and what a second iterator gives begins the next one.
RowVerdict replayInfinite(const VectorRow& row, Planner& planner) {
  const auto spec = specByName(row, "dataset_size world_size shuffle seed taken=samples_per_epoch");
  if (!spec) return unknownParameters();
  RowVerdict first = judgeItems(row, planner.rankEpoch(*spec, row));
  if (first.outcome != Outcome::Passed || !row.fields.has("next_ten_from_a_second_iter")) return first;
  const auto wanted = row.fields.integers("next_ten_from_a_second_iter");
  if (!wanted) return unsupported("next_ten_from_a_second_iter is no list");
  const auto second = planner.rankEpoch(*spec, Epoch{1}, Rank{row.fields.integer("rank").value_or(0)});
  if (!second) return failed(second.error().text());
  std::vector<std::int64_t> next = Answer::ofItems(*second).indices;
  if (wanted->size() > next.size()) return unsupported("the second iterator goes on for longer than the first");
  next.resize(wanted->size());
  return judged("next_ten_from_a_second_iter", difference(next, *wanted));
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
  const auto spec = specByName(row, "dataset_size world_size shuffle seed drop_last");
  const auto epoch = row.fields.integer("epoch");
  if (!spec || !epoch) return unknownParameters();
  const Rank rank{row.fields.integer("rank").value_or(0)};
  const std::int64_t size = spec->dataset.size;
  const std::int64_t world = spec->worldSize();
  const sampling::Yolov5Pass pass{size, world, *row.params.flag("shuffle"), *row.params.flag("drop_last"),
                                  *row.params.bits("seed") + static_cast<std::uint64_t>(*epoch)};
  Answer answer;
  answer.length = pass.yielded();
  answer.indices = pass.numbers(spec->framework.torch, rank);
  RowVerdict numbers = compare(row, answer);
  // Without images a rank has no plan, but it yields the number 0.
  if (numbers.outcome != Outcome::Passed || !sampling::checkYolov5Rank(pass, rank)) return numbers;
  const auto drawn = planner.rankEpoch(*spec, row);
  if (!drawn) return compareError(row, drawn.error());
  answer.indices = numbersOf(Answer::ofItems(*drawn).indices, sampling::yolov5Images(size, world, rank));
  return compare(row, answer);
}

RowVerdict replayInfiniteLoader(const VectorRow& row, Planner& planner) {
  auto spec = specByName(row, "dataset_size world_size=- batch_size num_workers seed drop_last shuffle");
  const auto world = row.params.integer("world_size");
  const auto epoch = row.fields.integer("epoch");
  if (!spec || !world || !epoch) return unknownParameters();
  const Rank rank{std::max<std::int64_t>(0, row.fields.integer("rank").value_or(0))};
  spec->world = {1, std::max<std::int64_t>(1, *world)};
  spec->sampler.parameters["process_group"] = *world > 0;
  const sampling::Yolov5Pass pass{spec->dataset.size, *world, *row.params.flag("shuffle"), false, 0};
  if (*world > 0 && !sampling::checkYolov5Rank(pass, rank)) {
    // Without images a rank has no plan, but its loader asks for the number 0.
    return compare(row, Answer{pass.numbers(spec->framework.torch, rank), std::vector<std::int64_t>{1}, 1});
  }
  const auto drawn = planner.rankEpoch(*spec, Epoch{*epoch}, rank);
  if (!drawn) return compareError(row, drawn.error());
  Answer answer = Answer::ofBatches(*drawn);
  if (*world > 0) answer.indices = numbersOf(answer.indices, sampling::yolov5Images(spec->dataset.size, *world, rank));
  return compare(row, answer);
}

}  // namespace
}  // namespace vision_rows

std::vector<Replay> visionReplays() {
  using namespace vision_rows;
  return {
      {"detectron2", "GroupedBatchSampler", replayGrouped},
      {"detectron2", "RepeatFactorTrainingSampler", replayRepeatFactor},
      {"detectron2", "repeat_factors_from_category_frequency", replayFactors},
      {"ffcv", "QuasiRandom", replayQuasi},
      {"ffcv", "Random", replayOrder},
      {"ffcv", "Sequential", replayOrder},
      {"mmdet", "AspectRatioBatchSampler", replayAspectRatio},
      {"mmdet", "ClassAwareSampler", replayClasses},
      {"mmdet", "GroupMultiSourceSampler", replaySources},
      {"mmdet", "MultiSourceSampler", replaySources},
      {"mmengine", "InfiniteSampler", replayInfinite},
      {"timm", "RepeatAugSampler", replayRepeatAug},
      {"timm", "ScheduledBatchSampler", replayScheduled},
      {"yolov5", "InfiniteDataLoader", replayInfiniteLoader},
      {"yolov5", "SmartDistributedSampler", replaySmart},
  };
}

}  // namespace shardlens::selftest
