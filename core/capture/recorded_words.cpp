// SPDX-License-Identifier: Apache-2.0
// Sentences about specs that hold what was read, and about recordings in the place of specs.
#include "core/base/text.h"
#include "core/capture/capture_words.h"
#include "core/capture/word_parts.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace shardlens::words {

using capture::Agreement;
using capture::CapturedLoader;
using capture::RankLoader;

namespace {

/// "ranks 0 and 1": those that got a batch, or all where none did.
std::string readersText(const capture::PassReading& pass) {
  std::vector<std::int64_t> readers;
  std::set_difference(pass.ranks.begin(), pass.ranks.end(), pass.without.begin(), pass.without.end(),
                      std::back_inserter(readers));
  return ranksText(readers.empty() ? pass.ranks : readers);
}

/// " Rank 2 got none."; empty where all got a batch, or none did. Those that may have gone on may have got some. Of a
/// rank whose first batch raised, it is said why.
std::string withoutText(const capture::PassReading& pass) {
  std::vector<std::int64_t> none;
  std::set_difference(pass.without.begin(), pass.without.end(), pass.unfinished.begin(), pass.unfinished.end(),
                      std::back_inserter(none));
  std::erase_if(none, [&pass](std::int64_t rank) {
    return std::find(pass.raised.begin(), pass.raised.end(), rank) != pass.raised.end();
  });
  std::string text = none.empty() || none == pass.ranks ? "" : " " + capitalized(ranksText(none)) + " got none.";
  if (!pass.raised.empty())
    text += " " + capitalized(ranksText(pass.raised)) + " got none: loading " +
            (pass.raised.size() == 1 ? "its" : "their") + " first batch raised an error.";
  return text;
}

}  // namespace

std::string notItsRule(const CapturedLoader& loader) {
  const auto was_left = [](const RankLoader& rank) {
    return std::any_of(rank.passes.begin(), rank.passes.end() - 1,
                       [](const capture::PassFacts& pass) { return !pass.isReadWhole(); });
  };
  const auto& ranks = loader.job.ranks;
  const auto& sampler = loader.spec.spec.sampler;
  const bool is_shorter = sampler.type == "torch.RandomSampler" && sampler.parameters.contains("generator") &&
                          std::any_of(ranks.begin(), ranks.end(), was_left);
  return "Its sampler shows itself as " + sampler.type + ", whose rule does not give what was read" +
         (is_shorter ? ": by it every pass is read to its end, and here some were left, after which the generator goes "
                       "on from another place. "
                     : ". ") +
         comparison(loader.job, loader.spec, loader.agreement);
}

std::string leftPasses(const CapturedLoader& loader) {
  return "Every batch is what " + loader.spec.spec.sampler.type +
         " gives by its generator where every pass is left before its end, as these were: of each, it draws one "
         "permutation; of a whole pass, two. No key of a spec says that passes are left.";
}

std::string stateNotKnown(const std::string& sampler) {
  return "Its sampler shows itself as " + sampler +
         ", which draws from torch's global generator. What state that generator had is not recorded, so its rule can "
         "neither be confirmed nor denied, and no key of a spec says it. With a generator of its own (generator=...) "
         "the "
         "order would be known beforehand.";
}

std::string numpyNotKnown(const std::string& sampler) {
  return "Its sampler shows itself as " + sampler +
         ", which draws from NumPy's global stream. Its rule does not give what was read if that stream has torch's "
         "seed and nothing else draws from it; otherwise it can neither be confirmed nor denied, and no key of a spec "
         "says it.";
}

std::string rulePlansMore(const std::string& sampler) {
  return sampler + " gives all of these batches, and more that were not read and are left out here.";
}

std::string notRecordedEither(const Error& error) {
  return "Its batches cannot be written as they were read, either: " + error.text();
}

std::string worldTooLarge(std::int64_t world_size) {
  return "A world of " + grouped(world_size) + " ranks is too large for a spec.";
}

std::string nothingRecorded() {
  return "No batch was recorded.";
}

std::string tooLongForFile(std::int64_t ids) {
  return "These " + counted(ids, "id") +
         " are too many for a spec file; plan, audit, find and diff take the recording.";
}

std::string heldAgainstCaptured() {
  return "The command was run without a spec: what a loader read is held against the spec that was captured from it.";
}

std::string heldAsRead() {
  return "The spec holds the batches as they were read: epochs are passes over the loader.";
}

std::string datasetSizeByIds(std::int64_t length, SampleIndex greatest) {
  return (length == 0 ? "The dataset has no len()" : "len(dataset) is " + grouped(length)) + ", and sample " +
         std::to_string(greatest) + " was read: dataset.size is one more than that.";
}

std::string batchSizeByBatches(std::int64_t largest) {
  return "The loader has no batch_size of its own: loader.batch_size is the size of its largest batch, " +
         grouped(largest) + ".";
}

std::string passesUnfinished(const std::vector<std::int64_t>& ranks) {
  return capitalized(ranksText(ranks)) +
         " did not read every pass to its end, as far as it is recorded: such an epoch " +
         "has only the batches that were recorded.";
}

std::string unequalPasses(const RankLoader& most, const RankLoader& fewest) {
  return "Rank " + std::to_string(most.rank) + " read " +
         counted(static_cast<std::int64_t>(most.passes.size()), "pass") + ", rank " + std::to_string(fewest.rank) +
         " " + grouped(static_cast<std::int64_t>(fewest.passes.size())) +
         ": epoch e is the e-th pass of each rank, and need not be the same epoch of the job.";
}

std::string planOfRecording(const std::string& path, const CapturedLoader& loader,
                            std::optional<std::int64_t> not_read) {
  const Agreement& found = loader.agreement;
  const bool is_one = found.batches == 1;
  std::string text = path + ": the spec captured from its " + namedLoader(loader.job) + ", which plans " +
                     (is_one ? "the recorded batch." : "all " + grouped(found.batches) + " recorded batches.") +
                     lostText(found.not_recorded) + queuedText(found);
  if (!not_read) text += " Not all batches that it plans were read.";
  if (not_read.value_or(0) > 0)
    text += " " + grouped(*not_read) +
            (*not_read == 1 ? " more batch that it plans was" : " more batches that it plans were") + " not read.";
  if (loader.job.lacksRanks()) text += " " + ranksMissing(loader.job) + " The others are shown as the spec plans them.";
  return text;
}

std::string batchesOfRecording(const std::string& path, const CapturedLoader& loader) {
  std::string text = path + ": what its " + namedLoader(loader.job) +
                     " handed out, as it was recorded; epochs are passes." + lostText(loader.agreement.not_recorded) +
                     queuedText(loader.agreement);
  for (const std::string& reason : loader.reasons) text += " " + reason;
  if (loader.job.lacksRanks())
    text += " " + ranksMissing(loader.job) + " The others are shown without batches, because none are recorded.";
  for (const RankLoader& rank : loader.job.ranks) {
    const auto is_open = [&rank](const capture::PassFacts& pass) { return !rank.knowsEndOf(pass); };
    if (std::none_of(rank.passes.begin(), rank.passes.end(), is_open)) continue;
    return text + " Not every pass was read to its end, as far as it is recorded: what is missing from such an epoch " +
           "may have been read, or not.";
  }
  return text;
}

Error noPlanOfRecording(const std::string& path, const CapturedLoader& loader) {
  std::string why = loader.agreement.batches == 0 ? nothingRecorded() : std::string();
  for (const std::string& problem : loader.spec.problems) why += (why.empty() ? "" : " ") + problem;
  return badInput("no spec plans what its " + namedLoader(loader.job) + " drew. " + why, path,
                  "shardlens capture RUN says more");
}

Error itemsAreNoIds(std::int64_t rank) {
  return Error{ErrorCode::BadInput,
               "the sampler of rank " + std::to_string(rank) + " yields no whole numbers, so there are no ids.",
               {},
               ""};
}

Error datasetsNotOne(const std::string& path, const CapturedLoader& loader) {
  return badInput(
      "what its " + namedLoader(loader.job) + " reads several times is not known. " + datasetsOfRanks(loader.job), path,
      "shardlens capture RUN says what is known, shardlens plan RUN shows the positions");
}

Error nothingToJudge(const std::string& path, const CapturedLoader& loader, bool by_rule) {
  const bool is_missing = loader.job.lacksRanks();
  return badInput("its " + namedLoader(loader.job) + " is known as it was read, and cannot be judged by that: " +
                      (is_missing ? ranksMissing(loader.job) + " What the others read is not known."
                                  : "no pass is recorded to its end on every rank."),
                  path,
                  by_rule ? "shardlens capture RUN -o design.yaml writes what its sampler plans, and shardlens audit "
                            "design.yaml judges that"
                          : "shardlens plan RUN shows what is recorded, shardlens capture RUN the rules that give it");
}

std::string notJudged(const Error& why) {
  return "Not judged: " + why.message + " (" + why.hint + ")";
}

std::string onlyWholeEpochs(std::int64_t first, std::int64_t count, std::int64_t recorded) {
  const std::string which =
      first > 0 ? (count == 1 ? "epoch " + std::to_string(first) + " is"
                              : "epochs " + std::to_string(first) + " to " + std::to_string(first + count - 1) + " are")
                : "the first " + (count == 1 ? std::string("one is") : grouped(count) + " are");
  return "Of " + counted(recorded, "epoch") + ", only " + which +
         " judged: of the others it is not recorded that every rank read them to their end, once.";
}

Error batchIsEmpty(std::int64_t rank, std::int64_t step) {
  return Error{ErrorCode::BadInput,
               "rank " + std::to_string(rank) + " drew a batch without samples at step " + std::to_string(step) +
                   ", which no spec holds.",
               {},
               ""};
}

Error idBelowZero(std::int64_t rank, SampleIndex id) {
  return Error{ErrorCode::BadInput,
               "rank " + std::to_string(rank) + " read id " + std::to_string(id) +
                   ", and ids of a spec begin at 0: what sample that is, only its dataset knows.",
               {},
               ""};
}

Error batchesLacking(std::int64_t rank, std::int64_t pass, std::int64_t step) {
  return Error{ErrorCode::BadInput,
               "not all batches before step " + std::to_string(step) + " of rank " + std::to_string(rank) +
                   " in pass " + std::to_string(pass) + " are recorded, so what it drew cannot be shown.",
               {},
               "shardlens capture RUN says what is damaged"};
}

std::string notCounted(const Error& error) {
  return "What was read in each pass is not counted: " + error.message;
}

std::string passRead(const capture::PassReading& pass) {
  std::string text = "Pass " + std::to_string(pass.index) + ": " + counted(pass.batches, "batch") + " with " +
                     counted(pass.items, "item") + " on " + readersText(pass) + ": " + counted(pass.samples, "sample");
  const bool once = pass.shared == 0 && pass.repeated == 0;
  if (once && pass.items > 0) text += ", none twice";
  if (pass.shared > 0)
    text += ", " + (pass.samples == 1 ? "" : grouped(pass.shared) + " of them ") + "on several ranks";
  if (pass.repeated > 0)
    text += ", " + counted(pass.repeated, "item") + (pass.repeated == 1 ? " repeats" : " repeat") +
            " what the same rank had read";
  text += "." + withoutText(pass);
  if (!pass.left.empty())
    text += " " + capitalized(ranksText(pass.left)) + " left it there, without asking for another batch.";
  if (!pass.stopped.empty()) text += " " + capitalized(ranksText(pass.stopped)) + " got no more of it.";
  if (!pass.cut.empty())
    text += " " + capitalized(ranksText(pass.cut)) +
            " asked for another batch and got none: loading it raised an error, or the rank ended first.";
  if (pass.failed > std::ssize(pass.raised))
    text += " Loading " + counted(pass.failed, "batch") + " raised an error; " +
            (pass.failed == 1 ? "it is" : "they are") + " not among these.";
  if (!pass.unfinished.empty() && !pass.goes_on)
    text += " " + capitalized(ranksText(pass.unfinished)) + " may have read more of it than was recorded.";
  if (pass.same_as) text += " These are the batches of pass " + std::to_string(*pass.same_as) + " again.";
  return text;
}

std::string contentsRead(const capture::PassReading& pass, bool by_batch) {
  const auto share = [&pass](std::int64_t count) {
    return count == pass.samples ? std::string(pass.samples == 1 ? "it" : "all of them") : grouped(count) + " of them";
  };
  std::string text = "Pass " + std::to_string(pass.index) + ", by content: " + counted(pass.batches, "batch") +
                     (by_batch ? "" : " with " + counted(pass.items, "sample")) + " on " + readersText(pass);
  if (pass.samples == pass.items) return text + (pass.items > 1 ? ", no two alike." : ".") + withoutText(pass);
  text += ": " + grouped(pass.samples) + " different";
  if (pass.shared > 0) text += ", " + share(pass.shared) + " on several ranks";
  if (pass.repeated > 0)
    text +=
        ", " + grouped(pass.repeated) + (pass.repeated == 1 ? " repeats" : " repeat") + " what the same rank had got";
  return text + "." + withoutText(pass);
}

std::string contentsNotMarked(bool too_long) {
  return too_long ? "What the stream gave was not compared, because that would have taken longer than 2 microseconds a "
                    "sample. With SHARDLENS_PROBE_CONTENTS=1 in its environment, the job's next run is compared."
                  : "What the stream gave was not compared: the probe reads tensors of the processor and text, also in "
                    "lists and dictionaries, and this is something else.";
}

std::string contentsNotRecorded() {
  return "What the stream gave was not compared: its contents are not recorded.";
}

std::string contentsLacking(std::int64_t rank) {
  return "What the stream gave was not compared: not all that rank " + std::to_string(rank) + " got is recorded.";
}

std::string ranksGotTheSame(const std::vector<std::vector<std::int64_t>>& groups, std::int64_t pass, bool by_batch,
                            bool in_order) {
  std::string text = "In pass " + std::to_string(pass) + " of this stream, ";
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (i > 0) text += i + 1 == groups.size() ? ", and so did " : ", so did ";
    text += ranksText(groups[i]) + (i == 0 ? " got equal data" : "");
  }
  text += in_order ? ", batch for batch" : by_batch ? ", in another order" : ", batched or ordered otherwise";
  return text +
         ": what they hold was compared. Either nothing divides the stream among them, or it holds the same "
         "data several times.";
}

std::string workersGotTheSame(std::int64_t rank, std::int64_t workers, std::int64_t pass, bool by_batch) {
  return "In pass " + std::to_string(pass) + " of this stream, each " + (by_batch ? "batch" : "sample") +
         " that rank " + std::to_string(rank) + " got came " + grouped(workers) +
         " times, or a multiple of that, by what it holds; the loader has " + grouped(workers) +
         " workers, and each of them reads the whole stream unless the dataset divides it by get_worker_info().";
}

std::string neverRead(const capture::Reading& reading) {
  if (!reading.dataset_size) return {};
  return "Not in any recorded batch: " + grouped(reading.never_read) + " of " +
         counted(*reading.dataset_size, "sample") + ".";
}

std::vector<std::string> readingText(const capture::Reading& reading) {
  constexpr std::size_t kMostPasses = 12;
  const auto& passes = reading.passes;
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < std::min(kMostPasses, passes.size()); ++i) lines.push_back(passRead(passes[i]));
  if (passes.size() > kMostPasses)
    lines.push_back("and " + counted(static_cast<std::int64_t>(passes.size() - kMostPasses), "more pass"));
  if (std::string never = passes.empty() ? std::string() : neverRead(reading); !never.empty())
    lines.push_back(std::move(never));
  return lines;
}

std::string specOfRecording(const std::string& path) {
  return path + ": the spec that it ran. shardlens verify says whether the run obeyed it.";
}

}  // namespace shardlens::words
