// SPDX-License-Identifier: Apache-2.0
#include "core/capture/capture.h"

#include "core/capture/capture_words.h"
#include "core/capture/findings.h"
#include "core/capture/spec_text.h"
#include "core/plan/plan.h"

#include <algorithm>
#include <map>
#include <utility>

namespace shardlens::capture {
namespace {

namespace fs = std::filesystem;

/// Its order is made of a seed that it draws from torch's global generator.
bool drawsSeeds(const PipelineSpec& spec) {
  return spec.sampler.type == "torch.RandomSampler" && !spec.sampler.parameters.contains("generator");
}

}  // namespace

Result<Capture> capture(const fs::path& recording, const Work& work) {
  auto job = readJob(recording, work.part(0, 0.4));
  if (!job) return job.error();
  if (job->loaders.empty()) return words::noLoaders(recording.string(), job->files.size());
  Capture all;
  all.notes = job->notes;
  const double share = 0.6 / static_cast<double>(job->loaders.size());
  for (std::size_t i = 0; i < job->loaders.size(); ++i) {
    const double from = 0.4 + share * static_cast<double>(i);
    auto loader = captured(*job, i, work.part(from, from + share));
    if (!loader) return loader.error();
    all.loaders.push_back(*std::move(loader));
  }
  return all;
}

Result<CapturedLoader> captured(const RecordedJob& job, std::size_t index, const Work& work) {
  CapturedLoader loader{job.loaders[index], {}, {}, std::nullopt, false, {}};
  loader.spec = specOf(loader.job, job.processes);
  if (loader.spec.problems.empty()) {
    const auto plan = Plan::make(loader.spec.spec);
    if (!plan) loader.spec.problems.push_back(words::notPlanned(plan.error()));
  }
  const bool has_spec = loader.spec.problems.empty();
  auto agreement =
      agreementOf(loader.job, loader.spec, has_spec ? Against::Spec : Against::Nothing, job.files, work.part(0, 0.5));
  if (!agreement) return agreement.error();
  loader.agreement = *std::move(agreement);
  loader.findings = findingsOf(loader.job, loader.agreement);
  if (has_spec && !loader.agreement.isWhole() && drawsSeeds(loader.spec.spec)) {
    const auto drawn = agreementOf(loader.job, loader.spec, Against::DrawnSeeds, job.files, work.part(0.5, 1));
    if (!drawn) return drawn.error();
    loader.has_drawn_seeds = drawn->isWhole();
  }
  if (has_spec) loader.yaml = specText(loader);
  return loader;
}

Result<std::optional<std::int64_t>> plannedNotRead(const CapturedLoader& loader, const Plan& plan, const Work& work) {
  constexpr std::int64_t kMostCounted = 100'000;
  const JobLoader& job = loader.job;
  if (plan.epochs() > kMostCounted / static_cast<std::int64_t>(job.ranks.size())) return std::optional<std::int64_t>();
  std::int64_t not_read = 0;
  for (const RankLoader& rank : job.ranks) {
    if (rank.rank >= plan.worldSize()) continue;
    std::map<std::int64_t, std::int64_t> drawn;  // by epoch
    for (std::size_t i = 0; i < rank.passes.size(); ++i) {
      std::int64_t& most = drawn[loader.spec.epochOf(i, rank.passes[i])];
      most = std::max(most, rank.passes[i].drawn);
    }
    for (Epoch epoch{0}; epoch.value < plan.epochs(); ++epoch) {
      const auto shape = plan.shape(epoch, Rank{rank.rank}, work);
      if (!shape) return shape.error();
      not_read += std::max<std::int64_t>(0, shape->batches - drawn[epoch.value]);
    }
  }
  return std::optional(not_read);
}

}  // namespace shardlens::capture
