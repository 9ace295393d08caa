// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verbs/verify/continues.h"

#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "app/cli/verb.h"
#include "app/cli/verbs/verify/proof_text.h"
#include "core/base/text.h"
#include "core/capture/capture_words.h"
#include "core/capture/continuation.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace shardlens::cli {
namespace {

using capture::Continuation;
using capture::EpochContinuation;
using capture::JobLoader;
using capture::PlanOrder;
using capture::PlanPlace;
using capture::RankContinuation;
using nlohmann::ordered_json;

struct Jobs {
  capture::RecordedJob before;
  capture::RecordedJob after;
  std::size_t loader_before = 0;
  std::size_t loader_after = 0;

  [[nodiscard]] const JobLoader& first() const { return before.loaders[loader_before]; }
  [[nodiscard]] const JobLoader& second() const { return after.loaders[loader_after]; }
};

std::string placeText(const PlanPlace& place) {
  return "step " + std::to_string(place.step) + " of epoch " + std::to_string(place.epoch);
}

/// Whether it is certain that the rank began elsewhere than A ended: A may have read on after what is recorded.
bool isElsewhere(const Continuation& found, const RankContinuation& rank) {
  if (!rank.expected || !rank.began || *rank.expected == *rank.began) return false;
  const auto key = [](const PlanPlace& place) { return std::pair(place.epoch, place.step); };
  return found.open_before.empty() || key(*rank.began) < key(*rank.expected);
}

ProofResult resultOf(const Continuation& found) {
  const auto elsewhere = [&found](const RankContinuation& rank) { return isElsewhere(found, rank); };
  if (found.order == PlanOrder::Differs || std::any_of(found.ranks.begin(), found.ranks.end(), elsewhere))
    return ProofResult::Mismatch;
  const bool is_proven = found.order == PlanOrder::Followed && found.isWhole() && found.beganWhereEnded();
  return is_proven ? ProofResult::Match : ProofResult::Incomplete;
}

std::string matchText(const Continuation& found, const Jobs& jobs) {
  const bool is_other = jobs.first().world_size != jobs.second().world_size;
  return "B goes on exactly where A ended: all its " + counted(found.compared, "recorded batch") + " are those of " +
         found.sampler + (is_other ? " on " + counted(jobs.second().world_size, "rank") : "") +
         ", one after the other.";
}

/// What is different, the first sentence of the answer.
std::string mismatchText(const Continuation& found) {
  if (found.order == PlanOrder::Differs)
    return "B does not go on in the order of " + found.sampler + ": " + words::batchesThere(*found.first_difference);
  const auto rank = std::find_if(found.ranks.begin(), found.ranks.end(),
                                 [&found](const RankContinuation& one) { return isElsewhere(found, one); });
  return "B does not begin where A ended: rank " + std::to_string(rank->rank) + " begins at " +
         placeText(*rank->began) + ", and A ended before " + placeText(*rank->expected) + ".";
}

std::string mayHaveRead(const char* run, const std::vector<std::int64_t>& ranks) {
  return capitalRanks(ranks) + " of " + run + " may have read more than was recorded.";
}

std::string notSeen(const char* run, const std::vector<std::int64_t>& ranks) {
  return capitalRanks(ranks) + " of " + run + " were not seen to read this loader.";
}

/// What is not known, one sentence each.
std::vector<std::string> unknownOf(const Continuation& found) {
  std::vector<std::string> texts;
  if (!found.open_before.empty()) texts.push_back(mayHaveRead("A", found.open_before));
  if (!found.open_after.empty()) texts.push_back(mayHaveRead("B", found.open_after));
  if (!found.unseen_before.empty()) texts.push_back(notSeen("A", found.unseen_before));
  if (!found.unseen_after.empty()) texts.push_back(notSeen("B", found.unseen_after));
  if (found.order == PlanOrder::NotKnown) {
    texts.push_back("In which order B should go on is not known.");
    texts.insert(texts.end(), found.no_plan.begin(), found.no_plan.end());
  } else {
    const auto is_open = [](const RankContinuation& rank) { return !rank.expected; };
    if (std::any_of(found.ranks.begin(), found.ranks.end(), is_open))
      texts.push_back("No step on as many ranks as B has begins where A ended, as far as is recorded.");
  }
  if (!found.epochs_are_told)
    texts.push_back("B's sampler was told no epoch: its first pass is taken as the epoch in which A ended.");
  return texts;
}

std::string epochText(const EpochContinuation& epoch) {
  std::string text = "epoch " + std::to_string(epoch.epoch) + ": A read " + counted(epoch.read_before, "sample") +
                     ", B " + grouped(epoch.repeated) + " of them again and " +
                     counted(epoch.read_first, "other sample") + " first; ";
  if (!epoch.skipped) return text + "what neither read is not known\n";
  text += "neither read " + grouped(*epoch.skipped);
  if (epoch.left_out) text += ", of which the plan leaves out " + grouped(*epoch.left_out);
  return text + "\n";
}

std::string rankText(const RankContinuation& rank) {
  std::string text = "  rank " + std::to_string(rank.rank) + ": " + counted(rank.batches, "batch") + ", " +
                     counted(rank.repeated, "item") + " again, " + grouped(rank.read_first) + " first";
  if (rank.skipped) text += ", " + grouped(*rank.skipped) + " planned for it and read by neither";
  if (rank.began) text += "; begins at " + placeText(*rank.began);
  if (rank.expected)
    text += rank.began == rank.expected ? ", where A ended" : ", and A ended before " + placeText(*rank.expected);
  return text + "\n";
}

std::string textOf(const Continuation& found, const Jobs& jobs) {
  const ProofResult result = resultOf(found);
  const std::vector<std::string> unknown = unknownOf(found);
  std::string text = resultName(result) + std::string(": ");
  if (result == ProofResult::Match) text += matchText(found, jobs);
  if (result == ProofResult::Mismatch) text += mismatchText(found);
  if (result == ProofResult::Incomplete) text += "it is not known whether B goes on exactly where A ended.";
  text += "\nA: " + words::loaderText(jobs.first()) + ", " + counted(jobs.first().world_size, "rank") +
          "; B: " + words::loaderText(jobs.second()) + ", " + counted(jobs.second().world_size, "rank") + "\n";
  if (found.epochs.empty()) text += "A read its last epoch to the end, and B begins the next one.\n";
  for (const EpochContinuation& epoch : found.epochs) text += epochText(epoch);
  for (const RankContinuation& rank : found.ranks) text += rankText(rank);
  for (const std::string& sentence : unknown) text += sentence + "\n";
  for (const capture::RecordedJob* job : {&jobs.before, &jobs.after}) {
    for (const std::string& note : job->notes) text += note + "\n";
  }
  return text;
}

template <class Number>
ordered_json orNull(const std::optional<Number>& number) {
  return number ? ordered_json(*number) : ordered_json(nullptr);
}

ordered_json jsonOf(const std::optional<PlanPlace>& place) {
  if (!place) return nullptr;
  return {{"epoch", place->epoch}, {"step", place->step}};
}

ordered_json jsonOf(const JobLoader& job) {
  return {{"name", job.name}, {"site", job.own_site}, {"world_size", job.world_size}};
}

ordered_json jsonOf(const Continuation& found, const Jobs& jobs) {
  const ProofResult result = resultOf(found);
  const bool is_mismatch = result == ProofResult::Mismatch;
  ordered_json json = {{"result", resultName(result)},
                       {"what", is_mismatch ? mismatchText(found) : ""},
                       {"before", jsonOf(jobs.first())},
                       {"after", jsonOf(jobs.second())},
                       {"order", found.order == PlanOrder::Followed  ? "as planned"
                                 : found.order == PlanOrder::Differs ? "differs"
                                                                     : "not known"},
                       {"sampler", found.sampler.empty() ? ordered_json(nullptr) : ordered_json(found.sampler)},
                       {"compared_batches", found.compared},
                       {"first_difference", nullptr},
                       {"epochs", ordered_json::array()},
                       {"ranks", ordered_json::array()},
                       {"unknown", unknownOf(found)}};
  if (const auto& first = found.first_difference)
    json["first_difference"] = {{"rank", first->rank}, {"epoch", first->epoch}, {"step", first->step}};
  for (const EpochContinuation& epoch : found.epochs) {
    json["epochs"].push_back({{"epoch", epoch.epoch},
                              {"read_before", epoch.read_before},
                              {"repeated", epoch.repeated},
                              {"read_first", epoch.read_first},
                              {"skipped", orNull(epoch.skipped)},
                              {"left_out_by_plan", orNull(epoch.left_out)}});
  }
  for (const RankContinuation& rank : found.ranks) {
    json["ranks"].push_back({{"rank", rank.rank},
                             {"batches", rank.batches},
                             {"repeated", rank.repeated},
                             {"read_first", rank.read_first},
                             {"skipped", orNull(rank.skipped)},
                             {"expected", jsonOf(rank.expected)},
                             {"began", jsonOf(rank.began)}});
  }
  return json;
}

/// The job of a recording, and which of its loaders is meant.
Result<void> readMeant(const std::string& recording, const std::string& name, capture::RecordedJob& job,
                       std::size_t& loader, const Work& work) {
  auto read = capture::readJob(recording, work);
  if (!read) return read.error();
  if (read->loaders.empty()) return words::noLoaders(recording, read->files.size());
  const auto meant = capture::loaderMeant(read->loaders, name);
  if (!meant) return meant.error();
  job = *std::move(read);
  loader = *meant;
  return {};
}

}  // namespace

int runContinues(const ContinuesArgs& options) {
  Progress progress(options.quiet);
  if (options.after.empty())
    return fail(progress, Error{ErrorCode::Usage,
                                "B is missing: the recording of the run that went on.",
                                {},
                                "shardlens verify --continues A B"});
  Jobs jobs;
  for (const auto& done :
       {readMeant(options.before, options.loader, jobs.before, jobs.loader_before, progress.part(0, 1, 4)),
        readMeant(options.after, options.loader, jobs.after, jobs.loader_after, progress.part(1, 1, 4))}) {
    if (!done) return fail(progress, done.error());
  }
  const auto found =
      capture::continuationOf(jobs.before, jobs.loader_before, jobs.after, jobs.loader_after, progress.part(2, 2, 4));
  if (!found) return fail(progress, found.error());
  progress.clear();
  Output out;
  if (options.format == "json") {
    out << jsonOf(*found, jobs).dump(2, ' ', false, ordered_json::error_handler_t::replace) << "\n";
  } else {
    out << textOf(*found, jobs);
  }
  const int code = out.finish();
  return code == kFine && resultOf(*found) != ProofResult::Match ? static_cast<int>(kFindings) : code;
}

}  // namespace shardlens::cli
