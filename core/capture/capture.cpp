// SPDX-License-Identifier: Apache-2.0
#include "core/capture/capture.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/capture/capture_words.h"
#include "core/capture/probe_reader.h"
#include "core/capture/seeds_seen.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_writer.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace shardlens::capture {
namespace {

namespace fs = std::filesystem;

/// Its order is made of a seed that it draws from torch's global generator.
bool drawsSeeds(const PipelineSpec& spec) {
  return spec.sampler.type == "torch.RandomSampler" && !spec.sampler.parameters.contains("generator");
}

/// Its order is drawn from NumPy's global stream, of which a spec says no more than the seed.
bool drawsFromNumpy(const PipelineSpec& spec) {
  return sampling::traitsOf(spec).draws_from_numpy;
}

/// Its order is drawn from torch's global generator itself, whose state no recording has.
bool drawsGlobally(const PipelineSpec& spec) {
  const std::string& type = spec.sampler.type;
  const bool draws = type == "torch.WeightedRandomSampler" || type == "torch.SubsetRandomSampler";
  return (draws && !spec.sampler.parameters.contains("generator")) || type == "trl.RepeatRandomSampler";
}

/// That the spec can be planned, or why not.
void checkPlanned(CapturedLoader& loader) {
  const auto plan = Plan::make(loader.spec.spec);
  if (!plan) loader.spec.problems.push_back(words::notPlanned(plan.error()));
}

/// Whether the batches are a RandomSampler's by the seeds that it drew.
Result<bool> followsDrawnSeeds(const RecordedJob& job, const CapturedLoader& loader, const Work& work) {
  if (!loader.spec.problems.empty() || !drawsSeeds(loader.spec.spec)) return false;
  const auto drawn = agreementOf(loader.job, loader.spec, Against::DrawnSeeds, job.files, work);
  if (!drawn) return drawn.error();
  return drawn->isWhole();
}

/// Whether the batches are a RandomSampler's by a generator of its own, where each pass is left before its end.
Result<bool> followsLeftPasses(const RecordedJob& job, const CapturedLoader& loader, const Work& work) {
  const PipelineSpec& spec = loader.spec.spec;
  const auto& parameters = spec.sampler.parameters;
  const auto replacement = parameters.find("replacement");
  const bool is_drawn_again = replacement != parameters.end() && replacement->second == Value(true);
  if (!loader.spec.problems.empty() || spec.sampler.type != "torch.RandomSampler" || spec.dataset.size < 2 ||
      !parameters.contains("generator") || parameters.contains("num_samples") || is_drawn_again)
    return false;
  const auto left = agreementOf(loader.job, loader.spec, Against::LeftPasses, job.files, work);
  if (!left) return left.error();
  return left->isWhole();
}

/// Whether another start of the ranks at the same time read the same batches, rank by rank.
Result<bool> readTheSame(const RecordedJob& job, const CapturedLoader& loader, const Work& work) {
  const auto key = [](const PassPrint& pass) { return std::tuple(pass.rank, pass.index, pass.recorded, pass.print); };
  const auto is_like = [&key](const PassPrint& one, const PassPrint& other) { return key(one) == key(other); };
  const std::vector<PassPrint>& mine = loader.agreement.passes;
  const bool is_opaque = std::ranges::any_of(mine, &PassPrint::is_opaque);
  if (loader.agreement.batches == 0 || is_opaque) return false;
  for (const JobLoader& other : job.loaders) {
    if (!other.at_once || other.start == loader.job.start || other.site != loader.job.site) continue;
    const auto read = agreementOf(other, {}, Against::Nothing, job.files, work);
    if (!read) return read.error();
    if (std::equal(mine.begin(), mine.end(), read->passes.begin(), read->passes.end(), is_like)) return true;
  }
  return false;
}

/// The batch at this place, as far as it is recorded.
Result<std::vector<SampleIndex>> batchAt(const RecordedJob& job, const JobLoader& loader, const RankLoader& rank,
                                         const PassFacts& pass, const Work& work) {
  std::vector<SampleIndex> samples;
  const auto use = [&](const BatchFacts& batch) {
    if (batch.pass == pass.number && batch.step == pass.read() && !batch.is_opaque)
      samples.assign(batch.samples.begin(), batch.samples.end());
  };
  const auto read = readBatches(job.files[rank.process], loader, rank, use, work);
  return read ? Result<std::vector<SampleIndex>>(std::move(samples)) : read.error();
}

/// Ranks whose loops waited for a batch when they were last heard of, for more than a second, and that others are ahead
/// of: what they wait for is what the others wait for.
Result<std::optional<RunFinding>> stuckInLoader(const RecordedJob& job, const JobLoader& loader, const Work& work) {
  std::vector<const RankLoader*> stuck;
  std::vector<std::int64_t> ahead;
  const auto place = [](const RankLoader& rank) { return std::pair(rank.passes.size(), rank.passes.back().read()); };
  const auto least = std::ranges::min_element(loader.ranks, {}, place);
  for (const RankLoader& rank : loader.ranks) {
    if (place(rank) > place(*least)) ahead.push_back(rank.rank);
    if (place(rank) == place(*least) && !rank.has_end && rank.passes.back().quiet == true) stuck.push_back(&rank);
  }
  if (stuck.empty() || stuck.size() + ahead.size() < loader.ranks.size() || ahead.empty())
    return std::optional<RunFinding>();
  const PassFacts& pass = stuck.front()->passes.back();
  auto samples = batchAt(job, loader, *stuck.front(), pass, work);
  if (!samples) return samples.error();
  std::vector<std::int64_t> ranks;
  for (const RankLoader* rank : stuck) ranks.push_back(rank->rank);
  return std::optional(
      RunFinding{"run-stuck-in-loader", worded("capture", "A rank waits for its loader"),
                 words::stuckInLoader(ranks, static_cast<std::int64_t>(stuck.front()->passes.size()) - 1, pass.read(),
                                      *samples, ahead)});
}

/// The first rank whose sampler says other epochs than one after the other, as a spec has them: one again, or not those
/// of other ranks. Null where there is none.
const RankLoader* toldOtherwise(const CapturedLoader& loader) {
  if (!loader.isProven() || !loader.spec.epoch_is_set) return nullptr;
  std::size_t most = 0;
  for (const RankLoader& rank : loader.job.ranks) most = std::max(most, rank.passes.size());
  const EpochsOfPasses epochs(loader.job, std::max(loader.spec.spec.epochs, static_cast<std::int64_t>(most)));
  for (const RankLoader& rank : loader.job.ranks) {
    for (std::size_t i = 0; i < rank.passes.size(); ++i) {
      const auto epoch = epochs.of(rank.rank, i);
      if (epoch && *epoch != loader.spec.epochOf(rank, i)) return &rank;
    }
  }
  return nullptr;
}

/// Whether the ranks that read it got all that its rule plans for them.
bool gotAllPlanned(const CapturedLoader& loader) {
  return std::ranges::all_of(loader.job.ranks, [&loader](const RankLoader& rank) {
    return std::ssize(rank.passes) == loader.spec.spec.epochs &&
           std::ranges::all_of(rank.passes, &PassFacts::isReadWhole);
  });
}

/// Why the spec that the loader shows is not written.
std::vector<std::string> reasonsOf(const CapturedLoader& loader) {
  if (!loader.spec.problems.empty()) return loader.spec.problems;
  if (const RankLoader* const rank = toldOtherwise(loader)) return {words::epochsToldOtherwise(loader, *rank)};
  if (loader.isProven() && loader.job.lacksRanks() && gotAllPlanned(loader))
    return {filled(worded("capture",
                          "%1 gives all of these batches. Its batches for ranks that were not seen to read this loader "
                          "are left out here."),
                   loader.spec.spec.sampler.type)};
  if (loader.isProven())
    return {filled(
        worded("capture",
               "%1 gives all of these batches and others; the others are not recorded as read and are left out here."),
        loader.spec.spec.sampler.type)};
  if (drawsGlobally(loader.spec.spec)) return {words::stateNotKnown(loader.spec.spec.sampler.type)};
  if (drawsFromNumpy(loader.spec.spec))
    return {
        filled(worded("capture",
                      "Its sampler appears as %1, which draws from NumPy's global stream. Its rule does not give what "
                      "was read if that stream has torch's seed and nothing else draws from it. Otherwise it can be "
                      "neither confirmed nor ruled out, and no key of a spec describes that case."),
               loader.spec.spec.sampler.type)};
  if (loader.has_drawn_seeds) return {words::drawnSeeds(loader.job)};
  if (loader.has_left_passes)
    return {
        filled(worded("capture",
                      "Every batch is what %1 gives with its generator if every pass is left before its end, as these "
                      "were: it draws one permutation for such a pass, and two for a whole one. No key of a spec says "
                      "that passes are left early."),
               loader.spec.spec.sampler.type)};
  return {words::notItsRule(loader)};
}

/// Whether a rule of the registry may explain what was read: not where the sampler's class is known, and what its ranks
/// or its generator have is all that no spec says.
bool looksForRules(const CapturedLoader& loader) {
  if (loader.has_drawn_seeds || loader.has_left_passes || toldOtherwise(loader) != nullptr) return false;
  const bool is_explained =
      !loader.spec.problems.empty() || drawsGlobally(loader.spec.spec) || drawsFromNumpy(loader.spec.spec);
  return !(loader.spec.knows_class && is_explained) || loader.job.datasets.ids == SampleIds::Below;
}

/// The first rule that gives the recorded batches becomes the spec.
bool takeRule(CapturedLoader& loader) {
  const auto& matches = loader.rules.matches;
  if (matches.empty() || !matches.front().batches_alike) return false;
  loader.spec.spec = matches.front().spec;
  loader.spec.epoch_is_set = matches.front().by_attribute;
  return true;
}

/// Which rules give what the sampler gave: what it decided of a batch does not depend on whether that could be loaded.
Result<RuleSearch> rulesThatGive(const RecordedJob& job, std::size_t index, std::vector<RecordedPass> passes,
                                 const CapturedLoader& loader, const CaptureOptions& options, const Work& work) {
  if (loader.job.raised() > 0) {
    auto given = recordedPasses(job, index, work.part(0, 0.1), BatchesOf::Sampler);
    if (given) passes = *std::move(given);  // else a batch that raised has items that are no ids
    if (work.stopped()) return cancelled();
  }
  return searchRules(passes, loader.spec.spec, seedsSeen(loader.job), options.bounds, work.part(0.1, 1));
}

/// What was read becomes the spec, and the rules that give it are looked for.
Result<void> takeRecorded(const RecordedJob& job, std::size_t index, const CaptureOptions& options,
                          CapturedLoader& loader, const Work& work) {
  if (loader.job.ranks.front().loader.is_iterable || isDispatched(loader.job)) return {};
  auto passes = recordedPasses(job, index, work.part(0, 0.3));
  if (!passes && passes.error().code == ErrorCode::Cancelled) return passes.error();
  loader.reasons = reasonsOf(loader);
  const bool looks_for_rules = looksForRules(loader);
  if (!passes) {
    loader.spec.problems = loader.reasons;
    loader.spec.problems.push_back(filled(
        worded("capture", "Its batches cannot be written as they were read, either: %1"), passes.error().text()));
    return {};
  }
  loader.spec = recordedSpec(loader.job, loader.spec, *passes);
  if (loader.spec.problems.empty()) checkPlanned(loader);
  if (!loader.spec.problems.empty()) {
    loader.spec.problems.insert(loader.spec.problems.begin(), loader.reasons.begin(), loader.reasons.end());
    return {};
  }
  if (options.search && looks_for_rules) {
    auto rules = rulesThatGive(job, index, *std::move(passes), loader, options, work.part(0.3, 0.8));
    if (!rules) return rules.error();
    loader.rules = *std::move(rules);
  }
  loader.is_recorded = !options.writes_rules || !takeRule(loader);
  auto agreement = agreementOf(loader.job, loader.spec, Against::Spec, job.files, work.part(0.8, 1));
  if (!agreement) return agreement.error();
  loader.agreement = *std::move(agreement);
  return {};
}

/// Of a stream: what it gave is told apart by what it holds.
Result<void> takeContents(const RecordedJob& job, std::size_t index, CapturedLoader& loader, const Work& work) {
  if (!loader.job.ranks.front().loader.is_iterable || loader.agreement.batches == 0) return {};
  auto contents = contentsOf(job, index, work);
  if (!contents) return contents.error();
  if (!contents->not_compared.empty()) loader.job.remarks.push_back(contents->not_compared);
  for (const PassReading& pass : contents->passes) {
    if (pass.items > 0) loader.job.remarks.push_back(words::contentsRead(pass, contents->by_batch));
  }
  std::move(contents->findings.begin(), contents->findings.end(), std::back_inserter(loader.findings));
  return {};
}

void comment(std::string& text, const std::string& sentence, const char* indent = "") {
  text += std::string("# ") + indent + oneLine(sentence) + "\n";
}

}  // namespace

Result<Capture> capture(const fs::path& recording, const CaptureOptions& options, const Work& work) {
  auto job = readJob(recording, work.part(0, 0.2));
  if (!job) return job.error();
  if (job->loaders.empty()) return words::noLoaders(recording.string(), job->files.size());
  Capture all;
  all.notes = job->notes;
  const double share = 0.8 / static_cast<double>(job->loaders.size());
  for (std::size_t i = 0; i < job->loaders.size(); ++i) {
    const double from = 0.2 + share * static_cast<double>(i);
    auto loader = captured(*job, i, options, work.part(from, from + share));
    if (!loader) return loader.error();
    all.loaders.push_back(*std::move(loader));
  }
  return all;
}

Result<CapturedLoader> captured(const RecordedJob& job, std::size_t index, const CaptureOptions& options,
                                const Work& work) {
  CapturedLoader loader;
  loader.job = job.loaders[index];
  loader.spec = specOf(loader.job, job.processes);
  if (loader.spec.problems.empty()) checkPlanned(loader);
  const bool has_spec = loader.spec.problems.empty();
  auto agreement =
      agreementOf(loader.job, loader.spec, has_spec ? Against::Spec : Against::Nothing, job.files, work.part(0, 0.3));
  if (!agreement) return agreement.error();
  loader.agreement = *std::move(agreement);
  auto findings = findingsOf(loader.job, loader.spec, loader.agreement, work);
  if (!findings) return findings.error();
  loader.findings = *std::move(findings);
  auto stuck = stuckInLoader(job, loader.job, work);
  if (!stuck) return stuck.error();
  if (*stuck) loader.findings.insert(loader.findings.begin(), **std::move(stuck));
  if (auto taken = takeContents(job, index, loader, work); !taken) return taken.error();
  if (loader.job.at_once) {
    const auto same = readTheSame(job, loader, work);
    if (!same) return same.error();
    // Programs of one rank that read different batches, such as the runs of a sweep, take nothing from each other.
    if (*same || loader.job.world_size > 1)
      loader.findings.insert(loader.findings.begin(),
                             {"run-jobs-at-once", worded("capture", "Several jobs ran at the same time"),
                              words::jobsAtOnce(loader.job, *same, job.processes)});
  }
  if (options.search) loader.seeds = seedsText(loader.job, job.processes);
  for (RunFinding& finding : seedFindings(loader.job, job.processes)) loader.findings.push_back(std::move(finding));
  if ((!loader.isProven() || toldOtherwise(loader) != nullptr) && loader.agreement.batches > 0) {
    const auto drawn = followsDrawnSeeds(job, loader, work.part(0.3, 0.5));
    if (!drawn) return drawn.error();
    loader.has_drawn_seeds = *drawn;
    const auto left = followsLeftPasses(job, loader, work);
    if (!left) return left.error();
    loader.has_left_passes = *left;
    if (auto taken = takeRecorded(job, index, options, loader, work.part(0.5, 1)); !taken) return taken.error();
  }
  if (!loader.spec.problems.empty()) return loader;
  if (loader.job.datasets.ids == SampleIds::OwnPositions) {
    loader.job.remarks.push_back(
        worded("capture", "No file is written: a spec has one dataset, which all ranks read in all epochs."));
    return loader;
  }
  if (auto too_long = tooLongForFile(loader.spec.spec)) {
    loader.spec.unknown.push_back(*too_long);
  } else {
    loader.yaml = specText(loader);
  }
  return loader;
}

Result<CapturedLoader> asRead(const RecordedJob& job, std::size_t index, CapturedLoader loader, const Work& work) {
  CaptureOptions how;
  how.search = false;
  if (auto taken = takeRecorded(job, index, how, loader, work); !taken) return taken.error();
  loader.yaml.reset();
  return loader;
}

Result<NotRead> plannedNotRead(const CapturedLoader& loader, const Plan& plan, const Work& work) {
  constexpr std::int64_t kMostCounted = 100'000;
  const JobLoader& job = loader.job;
  NotRead found;
  found.is_counted = plan.epochs() <= kMostCounted / static_cast<std::int64_t>(job.ranks.size());
  if (!found.is_counted) return found;
  for (const RankLoader& rank : job.ranks) {
    if (rank.rank >= plan.worldSize()) continue;
    std::map<std::int64_t, std::int64_t> read;  // by epoch
    std::set<std::int64_t> open;                // epochs of which it may have read more
    for (std::size_t i = 0; i < rank.passes.size(); ++i) {
      const PassFacts& pass = rank.passes[i];
      const std::int64_t epoch = loader.spec.epochOf(rank, i);
      std::int64_t& most = read[epoch];
      most = std::max(most, pass.read() - pass.failures());
      const bool is_known = pass.isReadToEnd() || (rank.has_end && pass.handed);
      if (!is_known) open.insert(epoch);
    }
    for (Epoch epoch{0}; epoch.value < plan.epochs(); ++epoch) {
      const auto shape = plan.shape(epoch, Rank{rank.rank}, work);
      if (!shape) return shape.error();
      const std::int64_t more = shape->batches - read[epoch.value];
      const bool may_follow =
          (!rank.has_end || rank.has_limit) && epoch.value > loader.spec.epochOf(rank, rank.passes.size() - 1);
      const bool is_open = open.contains(epoch.value) || may_follow;
      found.may_have_more = found.may_have_more || (is_open && more > 0);
      found.batches += is_open ? 0 : std::max<std::int64_t>(0, more);
    }
  }
  return found;
}

LoaderAccount accountOf(const CapturedLoader& loader) {
  LoaderAccount account;
  account.title = words::loaderText(loader.job);
  if (loader.yaml) account.sampler = words::samplerText(loader);
  account.checked = loader.yaml ? words::agreement(loader) : words::recorded(loader.job, loader.agreement);
  const auto add = [&account](const std::vector<std::string>& sentences) {
    account.remarks.insert(account.remarks.end(), sentences.begin(), sentences.end());
  };
  add(loader.yaml ? loader.reasons : loader.spec.problems);
  add(loader.job.remarks);
  add(words::rulesFound(loader.rules));
  for (const RunFinding& finding : loader.findings) account.findings.push_back(finding.text);
  account.is_plain = loader.isProven() && loader.reasons.empty();
  return account;
}

std::string specText(const CapturedLoader& loader) {
  std::string text;
  comment(text, words::capturedFrom(loader.job));
  comment(text, words::agreement(loader));
  if (loader.is_recorded) comment(text, words::heldAsRead());
  for (const std::string& reason : loader.reasons) comment(text, reason);
  for (const std::string& sentence : words::rulesFound(loader.rules)) comment(text, sentence);
  for (const RunFinding& finding : loader.findings) comment(text, finding.text);
  for (const std::string& sentence : loader.seeds) comment(text, sentence);
  if (!loader.spec.unknown.empty()) comment(text, "Not known, or not said below:");
  for (const std::string& sentence : loader.spec.unknown) comment(text, sentence, "- ");
  return text + yaml::writeSpec(loader.spec.spec, sampling::catalogue());
}

}  // namespace shardlens::capture
