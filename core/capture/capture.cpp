// SPDX-License-Identifier: Apache-2.0
#include "core/capture/capture.h"

#include "core/capture/capture_words.h"
#include "core/capture/findings.h"
#include "core/capture/probe_reader.h"
#include "core/capture/spec_text.h"
#include "core/plan/plan.h"

#include <utility>

namespace shardlens::capture {
namespace {

namespace fs = std::filesystem;

void noteTroubles(const ProcessFacts& process, std::vector<std::string>& notes) {
  if (process.damaged_bytes > 0) notes.push_back(words::damaged(process.file, process.damaged_bytes));
  if (process.troubles > 0) notes.push_back(words::probeFailed(process));
  if (process.has_limit) notes.push_back(words::limitReached(process.file));
}

/// Its order is made of a seed that it draws from torch's global generator.
bool drawsSeeds(const PipelineSpec& spec) {
  return spec.sampler.type == "torch.RandomSampler" && !spec.sampler.parameters.contains("generator");
}

Result<CapturedLoader> captured(JobLoader job, const std::vector<ProcessFacts>& processes,
                                const std::vector<fs::path>& files, const Work& work) {
  CapturedLoader loader{std::move(job), {}, {}, std::nullopt, false, {}};
  loader.spec = specOf(loader.job, processes);
  if (loader.spec.problems.empty()) {
    const auto plan = Plan::make(loader.spec.spec);
    if (!plan) loader.spec.problems.push_back(words::notPlanned(plan.error()));
  }
  const bool has_spec = loader.spec.problems.empty();
  auto agreement =
      agreementOf(loader.job, loader.spec, has_spec ? Against::Spec : Against::Nothing, files, work.part(0, 0.5));
  if (!agreement) return agreement.error();
  loader.agreement = *std::move(agreement);
  loader.findings = findingsOf(loader.job, loader.agreement);
  if (has_spec && !loader.agreement.isWhole() && drawsSeeds(loader.spec.spec)) {
    const auto drawn = agreementOf(loader.job, loader.spec, Against::DrawnSeeds, files, work.part(0.5, 1));
    if (!drawn) return drawn.error();
    loader.has_drawn_seeds = drawn->isWhole();
  }
  if (has_spec) loader.yaml = specText(loader);
  return loader;
}

}  // namespace

Result<Capture> capture(const fs::path& recording, const Work& work) {
  const auto files = probeFiles(recording);
  if (!files) return files.error();
  Capture all;
  std::vector<ProcessFacts> processes;
  for (const fs::path& file : *files) {
    auto process = readProbe(file, {}, work.part(0, 0.4));
    if (!process) return process.error();
    noteTroubles(*process, all.notes);
    processes.push_back(*std::move(process));
  }
  std::vector<JobLoader> loaders = loadersOf(processes);
  if (loaders.empty()) return words::noLoaders(recording.string(), files->size());
  const double share = 0.6 / static_cast<double>(loaders.size());
  for (std::size_t i = 0; i < loaders.size(); ++i) {
    const double from = 0.4 + share * static_cast<double>(i);
    auto loader = captured(std::move(loaders[i]), processes, *files, work.part(from, from + share));
    if (!loader) return loader.error();
    all.loaders.push_back(*std::move(loader));
  }
  return all;
}

}  // namespace shardlens::capture
