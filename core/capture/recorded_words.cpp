// SPDX-License-Identifier: Apache-2.0
// Sentences about specs that hold what was read, and about recordings in the place of specs.
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/capture/capture_words.h"
#include "core/sampling/recorded_lists.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace shardlens::words {

using capture::Agreement;
using capture::CapturedLoader;
using capture::JobLoader;
using capture::RankLoader;

namespace {

/// "ranks 0 and 1": those that got a batch, or all where none did.
std::string readersText(const capture::PassReading& pass) {
  std::vector<std::int64_t> readers;
  std::set_difference(pass.ranks.begin(), pass.ranks.end(), pass.without.begin(), pass.without.end(),
                      std::back_inserter(readers));
  return listedRanks(readers.empty() ? pass.ranks : readers);
}

/// " Rank 2 got none."; empty where all got a batch, or none did. Those that may have gone on may have got some. Of a
/// rank whose first batch raised, it is said why.
std::string withoutText(const capture::PassReading& pass) {
  std::vector<std::int64_t> none;
  std::set_difference(pass.without.begin(), pass.without.end(), pass.unfinished.begin(), pass.unfinished.end(),
                      std::back_inserter(none));
  std::erase_if(none, [&pass](std::int64_t rank) { return std::ranges::find(pass.raised, rank) != pass.raised.end(); });
  std::string text =
      none.empty() || none == pass.ranks ? "" : filled(worded("capture", " %1 got none."), capitalRanks(none));
  if (!pass.raised.empty())
    text +=
        filled(pass.raised.size() == 1 ? worded("capture", " %1 got none: loading its first batch raised an error.")
                                       : worded("capture", " %1 got none: loading their first batch raised an error."),
               capitalRanks(pass.raised));
  return text;
}

/// "1 item repeats what the same rank had read"
std::string repeatedText(std::int64_t items) {
  return filled(items == 1 ? worded("capture", "%1 repeats what the same rank had read")
                           : worded("capture", "%1 repeat what the same rank had read"),
                wordedCount(items, "item"));
}

/// What became of the pass on the ranks that did not read it to its end, and of batches that could not be loaded.
std::string endsText(const capture::PassReading& pass) {
  std::string text;
  if (!pass.left.empty())
    text += filled(worded("capture", " %1 left it there, without asking for another batch."), capitalRanks(pass.left));
  if (!pass.stopped.empty()) text += filled(worded("capture", " %1 got no more of it."), capitalRanks(pass.stopped));
  if (!pass.cut.empty())
    text += filled(worded("capture",
                          " %1 asked for another batch and got none: loading it raised an error, or the rank ended "
                          "first."),
                   capitalRanks(pass.cut));
  if (pass.failed > std::ssize(pass.raised)) text += raisedText(pass.failed);
  if (!pass.unfinished.empty() && !pass.goes_on)
    text += filled(worded("capture", " %1 may have read more of it than was recorded."), capitalRanks(pass.unfinished));
  return text;
}

}  // namespace

std::string notItsRule(const CapturedLoader& loader) {
  const auto was_left = [](const RankLoader& rank) {
    return std::any_of(rank.passes.begin(), rank.passes.end() - 1,
                       [](const capture::PassFacts& pass) { return !pass.isReadToEnd(); });
  };
  const auto& ranks = loader.job.ranks;
  const auto& sampler = loader.spec.spec.sampler;
  const bool is_shorter = sampler.type == "torch.RandomSampler" && sampler.parameters.contains("generator") &&
                          std::ranges::any_of(ranks, was_left);
  return filled(
      is_shorter
          ? worded("capture",
                   "Its sampler appears as %1, whose rule does not give what was read: the rule reads every pass to "
                   "its end. Here some passes were left early, and the generator then continues from another place. %2")
          : worded("capture", "Its sampler appears as %1, whose rule does not give what was read. %2"),
      sampler.type, comparison(loader.job, loader.spec, loader.agreement));
}

std::string stateNotKnown(const std::string& sampler) {
  return filled(
      worded("capture",
             "Its sampler appears as %1, which draws from torch's global generator. The state of that generator is not "
             "recorded, so the rule can be neither confirmed nor ruled out, and no key of a spec gives that state. If "
             "the sampler had its own generator (generator=...), the order would be known beforehand."),
      sampler);
}

std::string nothingRecorded() {
  return worded("capture", "No batch was recorded.");
}

std::string heldAgainstCaptured() {
  return worded(
      "capture",
      "The command was run without a spec: what a loader read is compared with the spec that was captured from it.");
}

std::string heldAsRead() {
  return worded("capture", "The spec holds the batches as they were read: epochs are passes over the loader.");
}

std::string samplerText(const CapturedLoader& loader) {
  const std::string& type = loader.spec.spec.sampler.type;
  if (!loader.is_recorded) return type;
  const capture::LoaderFacts& first = loader.job.ranks.front().loader;
  const capture::SamplerFacts* const of_samples = capture::samplerOfSamples(first);
  const auto& own = first.batch_sampler ? first.batch_sampler : first.sampler;
  const std::string shown = of_samples != nullptr ? of_samples->type : own ? own->type : std::string();
  return shown.empty() ? sampling::samplerName(type)
                       : filled(worded("capture", "recorded batches of the sampler %1"), shown);
}

std::string datasetSizeByIds(std::int64_t length, SampleIndex greatest) {
  const std::string sample = std::to_string(greatest);
  if (length == 0)
    return filled(
        worded("capture", "The dataset has no len(), and sample %1 was read: dataset.size is one more than that."),
        sample);
  return filled(worded("capture", "len(dataset) is %1, and sample %2 was read: dataset.size is one more than that."),
                grouped(length), sample);
}

std::string leftOutOfRecorded(bool drops_last, std::int64_t raised) {
  std::string text = worded("capture", "These are the recorded batches.");
  if (drops_last)
    text += worded("capture", " The loader has drop_last=True, which leaves out a short last batch of each rank.");
  return text + raisedText(raised) + worded("capture", " The recording does not say what else leaves samples out.");
}

std::string unequalPasses(const JobLoader& job) {
  const RankLoader* fewest = nullptr;
  const RankLoader* most = nullptr;
  for (const RankLoader& rank : job.ranks) {
    if (rank.has_limit) continue;  // it may have read more
    if (fewest == nullptr || rank.passes.size() < fewest->passes.size()) fewest = &rank;
    if (most == nullptr || rank.passes.size() >= most->passes.size()) most = &rank;
  }
  if (fewest == nullptr || fewest->passes.size() == most->passes.size()) return {};
  return filled(worded("capture",
                       "Rank %1 read %2, rank %3 %4: epoch e is the e-th pass of each rank, and need not be the same "
                       "epoch of the job."),
                std::to_string(most->rank), wordedCount(std::ssize(most->passes), "pass"), std::to_string(fewest->rank),
                grouped(std::ssize(fewest->passes)));
}

std::string planOfRecording(const std::string& path, const CapturedLoader& loader, const capture::NotRead& not_read) {
  const Agreement& found = loader.agreement;
  std::string text =
      filled(found.batches == 1
                 ? worded("capture", "%1: the spec captured from its %2, which plans the recorded batch.")
                 : worded("capture", "%1: the spec captured from its %2, which plans all %3 recorded batches."),
             path, namedLoader(loader.job), grouped(found.batches)) +
      lostText(found.not_recorded) + queuedText(loader.job, found) + raisedText(loader.job.raised());
  if (!not_read.is_counted) text += worded("capture", " How many of the planned batches were read was not counted.");
  if (not_read.batches == 1) text += worded("capture", " 1 more batch that it plans was not read.");
  if (not_read.batches > 1)
    text += filled(worded("capture", " %1 more batches that it plans were not read."), grouped(not_read.batches));
  if (not_read.may_have_more) text += unfinishedText(found);
  if (loader.job.lacksRanks())
    text += " " + ranksMissing(loader.job) + worded("capture", " The others are shown as the spec plans them.");
  return text;
}

std::string batchesOfRecording(const std::string& path, const CapturedLoader& loader) {
  std::string text = filled(worded("capture", "%1: what its %2 handed out, as it was recorded; epochs are passes."),
                            path, namedLoader(loader.job)) +
                     lostText(loader.agreement.not_recorded) + queuedText(loader.job, loader.agreement) +
                     raisedText(loader.job.raised());
  for (const std::string& reason : loader.reasons) text += " " + reason;
  if (loader.job.lacksRanks())
    text += " " + ranksMissing(loader.job) +
            worded("capture", " The others are shown without batches, because none are recorded.");
  for (const RankLoader& rank : loader.job.ranks) {
    const auto is_open = [&rank](const capture::PassFacts& pass) { return !rank.knowsEndOf(pass); };
    if (std::ranges::none_of(rank.passes, is_open)) continue;
    return text +
           worded("capture",
                  " The recording does not show that every pass was read to its end: what is missing from such an "
                  "epoch may or may not have been read.");
  }
  return text;
}

Error noPlanOfRecording(const std::string& path, const CapturedLoader& loader) {
  std::string why = loader.agreement.batches == 0 ? nothingRecorded() : std::string();
  for (const std::string& problem : loader.spec.problems) why += (why.empty() ? "" : " ") + problem;
  if (why.empty()) why = comparison(loader.job, loader.spec, loader.agreement);
  return badInput(filled(worded("capture", "no spec plans what its %1 drew. %2"), namedLoader(loader.job), why), path,
                  worded("capture", "shardlens capture RUN says more"));
}

Error nothingToJudge(const std::string& path, const CapturedLoader& loader, bool by_rule) {
  const std::string text = loader.job.lacksRanks()
                               ? filled(worded("capture",
                                               "its %1 is known only as it was read, which is not enough to judge it: "
                                               "%2 It is not known what the others read."),
                                        namedLoader(loader.job), ranksMissing(loader.job))
                               : filled(worded("capture",
                                               "its %1 is known only as it was read, which is not enough to judge it: "
                                               "no pass is recorded to its end on every rank."),
                                        namedLoader(loader.job));
  return badInput(
      text, path,
      by_rule ? worded("capture",
                       "shardlens capture RUN -o design.yaml writes what its sampler plans, and shardlens audit "
                       "design.yaml judges that")
              : worded("capture",
                       "shardlens plan RUN shows what is recorded, shardlens capture RUN the rules that give it"));
}

std::string notJudged(const Error& why) {
  return filled(worded("capture", "Not judged: %1 (%2)"), why.message, why.hint);
}

std::string onlyWholeEpochs(std::int64_t first, std::int64_t count, std::int64_t recorded, bool as_read) {
  const std::string from = std::to_string(first);
  const std::string to = std::to_string(first + count - 1);
  const std::string which = first > 0    ? count == 1
                                               ? filled(worded("capture", "only epoch %1 is judged"), from)
                                               : filled(worded("capture", "only epochs %1 to %2 are judged"), from, to)
                               : count == 1 ? worded("capture", "only the first one is judged")
                                         : filled(worded("capture", "only the first %1 are judged"), grouped(count));
  return filled(
      as_read ? worded("capture", "Of %1, %2: the recording does not say for every rank how far it read the others.")
              : worded("capture",
                       "Of %1, %2: the recording does not show that every rank read the others to their end, once."),
      wordedCount(recorded, "epoch"), which);
}

std::string notCounted(const Error& error) {
  return filled(worded("capture", "What was read in each pass is not counted: %1"), error.message);
}

std::string passRead(const capture::PassReading& pass) {
  std::vector<std::string> facts = {filled(worded("capture", "Pass %1: %2 with %3 on %4: %5"),
                                           std::to_string(pass.index), wordedCount(pass.batches, "batch"),
                                           wordedCount(pass.items, "item"), readersText(pass),
                                           wordedCount(pass.samples, "sample"))};
  const bool once = pass.shared == 0 && pass.repeated == 0;
  if (once && pass.items > 0) facts.push_back(worded("capture", "none twice"));
  if (pass.shared > 0)
    facts.push_back(pass.samples == 1 ? worded("capture", "on several ranks")
                                      : filled(worded("capture", "%1 of them on several ranks"), grouped(pass.shared)));
  if (pass.repeated > 0) facts.push_back(repeatedText(pass.repeated));
  std::string text = filled(worded("capture", "%1."), inRow(facts)) + withoutText(pass) + endsText(pass);
  if (pass.same_as)
    text += filled(worded("capture", " These are the batches of pass %1 again."), std::to_string(*pass.same_as));
  return text;
}

std::string contentsRead(const capture::PassReading& pass, bool by_batch) {
  const std::string index = std::to_string(pass.index);
  const std::string batches = wordedCount(pass.batches, "batch");
  const std::string read =
      by_batch ? filled(worded("capture", "Pass %1, by content: %2 on %3"), index, batches, readersText(pass))
               : filled(worded("capture", "Pass %1, by content: %2 with %3 on %4"), index, batches,
                        wordedCount(pass.items, "sample"), readersText(pass));
  std::vector<std::string> facts = {read};
  if (pass.samples == pass.items) {
    if (pass.items > 1) facts.push_back(worded("capture", "no two alike"));
    return filled(worded("capture", "%1."), inRow(facts)) + withoutText(pass);
  }
  facts = {filled(worded("capture", "%1: %2 different"), read, grouped(pass.samples))};
  if (pass.shared > 0)
    facts.push_back(pass.shared != pass.samples
                        ? filled(worded("capture", "%1 of them on several ranks"), grouped(pass.shared))
                    : pass.samples == 1 ? worded("capture", "it on several ranks")
                                        : worded("capture", "all of them on several ranks"));
  if (pass.repeated > 0)
    facts.push_back(filled(pass.repeated == 1 ? worded("capture", "%1 repeats what the same rank had got")
                                              : worded("capture", "%1 repeat what the same rank had got"),
                           grouped(pass.repeated)));
  return filled(worded("capture", "%1."), inRow(facts)) + withoutText(pass);
}

std::string contentsLacking(std::int64_t rank) {
  return filled(
      worded("capture", "What the stream gave was not compared: not everything that rank %1 got is recorded."),
      std::to_string(rank));
}

std::string ranksGotTheSame(const std::vector<std::vector<std::int64_t>>& groups, std::int64_t pass, bool by_batch,
                            bool in_order) {
  std::string who = filled(worded("capture", "%1 got equal data"), listedRanks(groups.front()));
  for (std::size_t i = 1; i < groups.size(); ++i)
    who = filled(i + 1 == groups.size() ? worded("capture", "%1, and so did %2") : worded("capture", "%1, so did %2"),
                 who, listedRanks(groups[i]));
  const std::string how = in_order   ? filled(worded("capture", "%1, batch for batch"), who)
                          : by_batch ? filled(worded("capture", "%1, in another order"), who)
                                     : filled(worded("capture", "%1, batched or ordered otherwise"), who);
  return filled(worded("capture",
                       "In pass %1 of this stream, %2: their contents were compared. Either nothing divides the stream "
                       "among them, or it holds the same data several times."),
                std::to_string(pass), how);
}

std::string neverRead(const capture::Reading& reading) {
  if (!reading.dataset_size) return {};
  return filled(worded("capture", "Not in any recorded batch: %1 of %2."), grouped(reading.never_read),
                wordedCount(*reading.dataset_size, "sample"));
}

std::vector<std::string> readingText(const capture::Reading& reading) {
  constexpr std::size_t kMostPasses = 12;
  const auto& passes = reading.passes;
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < std::min(kMostPasses, passes.size()); ++i) lines.push_back(passRead(passes[i]));
  if (passes.size() > kMostPasses)
    lines.push_back(filled(worded("capture", "and %1"),
                           wordedCount(static_cast<std::int64_t>(passes.size() - kMostPasses), "more pass")));
  if (std::string never = passes.empty() ? std::string() : neverRead(reading); !never.empty())
    lines.push_back(std::move(never));
  return lines;
}

std::string specOfRecording(const std::string& path) {
  return filled(worded("capture", "%1: the spec that it ran. shardlens verify says whether the run obeyed it."), path);
}

}  // namespace shardlens::words
