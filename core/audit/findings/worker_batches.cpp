// SPDX-License-Identifier: Apache-2.0
// What follows where each worker of a rank cuts batches of its own.
#include "core/audit/findings/rules.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace shardlens::findings {
namespace {

constexpr std::int64_t kMostListed = 1'000'000;  ///< that are looked at

/// The rank's batches of the judged epoch, where they are listed worker by worker; more than one takes turns.
std::optional<RankEpoch> cutByWorkers(const Facts& facts, Rank rank) {
  if (facts.spec().loader.num_workers < 2) return std::nullopt;
  const auto items = facts.plan().rankEpoch(facts.epoch(), rank, facts.work());
  if (!items) return std::nullopt;
  const auto& deal = items->slice().order()->deal();
  return deal != nullptr && !deal->batch_workers.empty() ? std::optional(*items) : std::nullopt;
}

/// DataLoader.__len__ over an iterable dataset (torch/utils/data/dataloader.py, 1.13 to 2.9).
std::int64_t torchLength(const PipelineSpec& spec, std::int64_t dataset) {
  const std::int64_t batch = spec.loader.batch_size;
  return spec.loader.drop_last ? dataset / batch : (dataset + batch - 1) / batch;
}

/// Of the first rank that torch's number is wrong of.
std::optional<words::LoaderLength> wrongLength(const Facts& facts) {
  const auto lengths_of = facts.plan().rule().dataset_lengths;
  if (lengths_of == nullptr || !cutByWorkers(facts, Rank{0})) return std::nullopt;
  const std::vector<std::int64_t> lengths = lengths_of(facts.spec());
  std::optional<words::LoaderLength> wrong;
  bool alike = true;
  for (std::int64_t rank = 0; rank < facts.worldSize(); ++rank) {
    const std::int64_t length = lengths[lengths.size() == 1 ? 0 : static_cast<std::size_t>(rank)];
    const std::int64_t says = torchLength(facts.spec(), length);
    const std::int64_t batches = facts.shape().ranks[static_cast<std::size_t>(rank)].batches;
    if (!wrong && says != batches)
      wrong = words::LoaderLength{length,   says, batches, facts.spec().loader.num_workers, rank, facts.worldSize(),
                                  rank == 0};
    alike = alike && wrong && wrong->dataset == length && wrong->batches == batches;
  }
  if (wrong) wrong->alike = alike;
  return wrong;
}

/// How many batches each worker of each rank has; nothing where they are too many to look at.
std::optional<words::CountedByWorker> countByWorker(const Facts& facts) {
  words::CountedByWorker counted;
  counted.workers = facts.spec().loader.num_workers;
  counted.ranks = facts.worldSize();
  counted.fewest = counted.rank_fewest = kMostListed;
  std::int64_t looked_at = 0;
  for (Rank rank{0}; rank.value < facts.worldSize(); ++rank) {
    const auto items = cutByWorkers(facts, rank);
    if (!items) return std::nullopt;
    const std::int64_t batches = items->batches();
    looked_at += batches + counted.workers;
    if (looked_at > kMostListed) return std::nullopt;
    std::vector<std::int64_t> of_worker(static_cast<std::size_t>(counted.workers));
    for (Step step{0}; step.value < batches; ++step) ++of_worker[static_cast<std::size_t>(items->worker(step))];
    const auto [fewest, most] = std::ranges::minmax(of_worker);
    counted.fewest = std::min(counted.fewest, fewest);
    counted.most = std::max(counted.most, most);
    counted.rank_fewest = std::min(counted.rank_fewest, batches);
    counted.rank_most = std::max(counted.rank_most, batches);
  }
  return counted;
}

}  // namespace

void loaderLength(const Facts& facts, std::vector<Finding>& findings) {
  const auto wrong = wrongLength(facts);
  if (!wrong) return;
  Finding finding = told("loader-length", FindingTopic::Batches, Severity::Info, words::loaderLength(*wrong));
  if (!wrong->alike) finding.where.ranks = finding.where.example = {wrong->rank};
  finding.where.epoch = facts.coverage().epoch;
  finding.where.field = "loader.num_workers";
  findings.push_back(std::move(finding));
}

void countedByWorker(const Facts& facts, std::vector<Finding>& findings) {
  const std::string_view name = facts.claims().counted_by_worker;
  if (name.empty()) return;
  auto counted = countByWorker(facts);
  if (!counted || counted->most == 0) return;
  counted->field = "sampler." + std::string(name);
  const Field* field = findField(facts.spec(), sampling::catalogue(), counted->field);
  const Value value = field == nullptr ? Value() : getValue(facts.spec(), *field);
  const auto* number = std::get_if<std::int64_t>(&value);
  if (number == nullptr) return;
  counted->number = *number;
  Finding finding = told("counted-by-worker", FindingTopic::Batches, Severity::Info, words::countedByWorker(*counted));
  finding.where.epoch = facts.coverage().epoch;
  finding.where.field = counted->field;
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
