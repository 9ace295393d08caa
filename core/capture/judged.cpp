// SPDX-License-Identifier: Apache-2.0
#include "core/capture/judged.h"

#include "core/base/phrase.h"
#include "core/capture/capture_words.h"
#include "core/capture/recorded_batches.h"

#include <algorithm>
#include <utility>

namespace shardlens::capture {
namespace {

using Sentences = std::vector<std::string>;

/// The spec that is judged, or the one that has what was recorded, and why that is not judged.
struct JudgedSpec {
  PipelineSpec spec;
  std::int64_t first_epoch = 0;
  std::optional<Error> not_judged = {};
};

/// Of no more epochs than are known whole on every rank.
JudgedSpec ofWholeEpochs(const CapturedLoader& loader, const std::string& path, EpochRange whole, bool by_rule,
                         Sentences& said) {
  JudgedSpec judged{loader.spec.spec, whole.first};
  if (whole.count == 0) {
    judged.first_epoch = 0;
    judged.not_judged = words::nothingToJudge(path, loader, by_rule);
    return judged;
  }
  std::int64_t& epochs = judged.spec.epochs;
  if (whole.count < epochs)
    said.push_back(words::onlyWholeEpochs(whole.first, whole.count, epochs, loader.is_recorded));
  epochs = std::min(whole.first + whole.count, epochs);
  return judged;
}

/// What a rule plans, as far as that was read: its whole epochs, or else all that was read and nothing more.
Result<JudgedSpec> judgedByRule(const RecordedJob& job, std::size_t index, CapturedLoader& loader,
                                const std::string& path, Sentences& said, const Work& work) {
  const auto plan = Plan::make(loader.spec.spec);
  if (!plan) return plan.error();
  const auto not_read = plannedNotRead(loader, *plan, work);
  if (!not_read) return not_read.error();
  if (not_read->isAllRead() && !loader.job.lacksRanks()) return JudgedSpec{loader.spec.spec};
  const EpochRange whole = epochsReadWhole(loader.job, loader.spec);
  if (whole.count > 0) return ofWholeEpochs(loader, path, whole, true, said);
  auto as_read = asRead(job, index, std::move(loader), work);
  if (!as_read) return as_read.error();
  loader = *std::move(as_read);
  if (!loader.isProven()) return words::noPlanOfRecording(path, loader);
  return ofWholeEpochs(loader, path, {0, epochsKnownWhole(loader.job)}, true, said);
}

Result<JudgedSpec> judgedSpec(const RecordedJob& job, std::size_t index, CapturedLoader& loader,
                              const std::string& path, Sentences& said, const Work& work) {
  if (loader.job.datasets.ids == SampleIds::OwnPositions)
    return words::badInput(
        filled(worded("capture", "it is not known what its %1 reads several times. %2"), words::namedLoader(loader.job),
               words::datasetsOfRanks(loader.job)),
        path, worded("capture", "shardlens capture RUN says what is known, shardlens plan RUN shows the positions"));
  if (loader.job.ranks.size() > 1) said.push_back(words::sameDatasets(loader.job));
  if (!loader.is_recorded) return judgedByRule(job, index, loader, path, said, work);
  return ofWholeEpochs(loader, path, {0, epochsKnownWhole(loader.job)}, false, said);
}

/// From the recorded ids, whatever the spec is.
Result<Reading> countReading(const RecordedJob& job, std::size_t index, Sentences& said, const Work& work) {
  const auto passes = recordedPasses(job, index, work);
  if (passes) return readingOf(job.loaders[index], *passes);
  if (passes.error().code == ErrorCode::Cancelled) return passes.error();
  said.push_back(words::notCounted(passes.error()));
  return Reading{};
}

Result<JudgedLoader> judgedLoader(const RecordedJob& job, std::size_t index, CapturedLoader loader,
                                  const std::string& path, Sentences& said, const Work& work) {
  if (!loader.isProven()) {
    for (const RunFinding& finding : loader.findings) said.push_back(finding.text);
    said.insert(said.end(), loader.job.remarks.begin(), loader.job.remarks.end());
    return words::noPlanOfRecording(path, loader);
  }
  auto spec = judgedSpec(job, index, loader, path, said, work);
  if (!spec) return spec.error();
  const auto plan = Plan::make(std::move(spec->spec));
  if (!plan) return plan.error();
  if (std::string ids = words::datasetsOfRanks(loader.job); !ids.empty()) said.push_back(std::move(ids));
  const auto whole = loader.is_recorded ? plan : Plan::make(loader.spec.spec);  // with epochs that are not judged, too
  if (!whole) return whole.error();
  auto sentence = planSentence(path, loader, *whole, work);
  if (!sentence) return sentence.error();
  said.push_back(*std::move(sentence));
  auto reading = countReading(job, index, said, work);
  if (!reading) return reading.error();
  return JudgedLoader{std::move(loader), *plan, spec->first_epoch, *std::move(reading), std::move(spec->not_judged)};
}

}  // namespace

Judgement judge(const RecordedJob& job, std::size_t index, CapturedLoader loader, const std::string& path,
                const Work& work) {
  Sentences said;
  auto judged = judgedLoader(job, index, std::move(loader), path, said, work);
  return {std::move(judged), std::move(said)};
}

Result<std::string> planSentence(const std::string& path, const CapturedLoader& loader, const Plan& plan,
                                 const Work& work) {
  if (loader.is_recorded) return words::batchesOfRecording(path, loader);
  const auto not_read = plannedNotRead(loader, plan, work);
  if (!not_read) return not_read.error();
  return words::planOfRecording(path, loader, *not_read);
}

}  // namespace shardlens::capture
