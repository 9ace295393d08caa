// SPDX-License-Identifier: Apache-2.0
// shardlens verify [SPEC] RUN [--loader NAME] [--format text|json]: did the run consume what the plan says. RUN may be
// a text in which the job printed its batches. Exit 0 when every planned batch was reported and is the planned one, 1
// otherwise. shardlens verify --continues A B: did run B go on where run A ended.
#include "app/cli/verb.h"

#include "app/cli/json.h"
#include "app/cli/load.h"
#include "app/cli/verbs/run/run_text.h"
#include "core/base/text.h"
#include "core/capture/capture_words.h"
#include "core/capture/continuation.h"
#include "core/collect/index_text.h"
#include "core/collect/job_proof.h"
#include "core/plan/diff.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_reader.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

namespace shardlens::cli {
namespace {

using capture::Continuation;
using capture::EpochContinuation;
using capture::JobLoader;
using capture::PlanOrder;
using capture::PlanPlace;
using capture::RankContinuation;

struct ContinuesArgs {
  std::string before;  ///< recordings
  std::string after;
  std::string loader;
  std::string format = "text";
  bool quiet = false;
};

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
  if (found.order == PlanOrder::Differs || std::ranges::any_of(found.ranks, elsewhere)) return ProofResult::Mismatch;
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
  const auto rank =
      std::ranges::find_if(found.ranks, [&found](const RankContinuation& one) { return isElsewhere(found, one); });
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
    if (std::ranges::any_of(found.ranks, is_open))
      texts.push_back("No step of B's plan is known to begin where A ended.");
  }
  if (!found.epochs_are_told)
    texts.push_back(
        "B's samplers do not show which epoch each pass is, so its first pass is taken as the first epoch that A did "
        "not read to the end.");
  return texts;
}

/// Other loaders that the line of this one read, as where each epoch has a dataset of another length; empty: none.
std::string readBeside(const capture::RecordedJob& job, std::size_t loader) {
  std::vector<std::string> others;
  for (std::size_t i = 0; i < job.loaders.size(); ++i) {
    const bool is_beside = i != loader && job.loaders[i].own_site == job.loaders[loader].own_site;
    if (is_beside) others.push_back(words::loaderText(job.loaders[i]));
  }
  if (others.empty()) return {};
  return "The same line also read " + join(others, ", ") + "; that is not counted here.";
}

/// What else a person should know of the recordings and of how the loader's passes were found, one sentence each.
std::vector<std::string> notesOf(const Jobs& jobs) {
  std::vector<std::string> texts;
  const auto add = [&texts](const std::string& run, const std::vector<std::string>& notes) {
    for (const std::string& note : notes) {
      if (!note.empty()) texts.push_back(run + note);
    }
  };
  add("A: ", {readBeside(jobs.before, jobs.loader_before)});
  add("B: ", {readBeside(jobs.after, jobs.loader_after)});
  add("A: ", jobs.first().remarks);
  add("A: ", jobs.before.notes);
  add("B: ", jobs.second().remarks);
  add("B: ", jobs.after.notes);
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
  std::string text = resultName(result) + std::string(": ");
  if (result == ProofResult::Match) text += matchText(found, jobs);
  if (result == ProofResult::Mismatch) text += mismatchText(found);
  if (result == ProofResult::Incomplete) text += "it is not known whether B goes on exactly where A ended.";
  text += "\nA: " + words::loaderText(jobs.first()) + ", " + counted(jobs.first().world_size, "rank") +
          "; B: " + words::loaderText(jobs.second()) + ", " + counted(jobs.second().world_size, "rank") + "\n";
  if (found.epochs.empty())
    text += std::string("A read its last epoch to the end") +
            (found.epochs_are_told ? ", and B begins the next one.\n" : ".\n");
  for (const EpochContinuation& epoch : found.epochs) text += epochText(epoch);
  for (const RankContinuation& rank : found.ranks) text += rankText(rank);
  for (const auto& sentences : {unknownOf(found), notesOf(jobs)}) {
    for (const std::string& sentence : sentences) text += sentence + "\n";
  }
  return text;
}

Json jsonOf(const std::optional<PlanPlace>& place) {
  if (!place) return nullptr;
  return {{"epoch", place->epoch}, {"step", place->step}};
}

Json jsonOf(const JobLoader& job) {
  return {{"name", job.name}, {"site", job.own_site}, {"world_size", job.world_size}};
}

Json jsonOf(const Continuation& found, const Jobs& jobs) {
  const ProofResult result = resultOf(found);
  const bool is_mismatch = result == ProofResult::Mismatch;
  Json json = {{"result", resultName(result)},
               {"what", is_mismatch ? mismatchText(found) : ""},
               {"before", jsonOf(jobs.first())},
               {"after", jsonOf(jobs.second())},
               {"order", found.order == PlanOrder::Followed  ? "as planned"
                         : found.order == PlanOrder::Differs ? "differs"
                                                             : "not known"},
               {"sampler", orNull(found.sampler)},
               {"compared_batches", found.compared},
               {"first_difference", nullptr},
               {"epochs", Json::array()},
               {"ranks", Json::array()},
               {"unknown", unknownOf(found)},
               {"notes", notesOf(jobs)}};
  if (const auto& first = found.first_difference)
    json["first_difference"] = {{"rank", first->rank}, {"epoch", first->epoch}, {"step", first->step}};
  for (const EpochContinuation& epoch : found.epochs)
    json["epochs"].push_back({{"epoch", epoch.epoch},
                              {"read_before", epoch.read_before},
                              {"repeated", epoch.repeated},
                              {"read_first", epoch.read_first},
                              {"skipped", orNull(epoch.skipped)},
                              {"left_out_by_plan", orNull(epoch.left_out)}});
  for (const RankContinuation& rank : found.ranks)
    json["ranks"].push_back({{"rank", rank.rank},
                             {"batches", rank.batches},
                             {"repeated", rank.repeated},
                             {"read_first", rank.read_first},
                             {"skipped", orNull(rank.skipped)},
                             {"expected", jsonOf(rank.expected)},
                             {"began", jsonOf(rank.began)}});
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

/// shardlens verify --continues A B: what run B, which was resumed after run A, repeated, skipped and read first.
int runContinues(const ContinuesArgs& options) {
  Progress progress(options.quiet);
  if (options.after.empty())
    return fail(progress, Error::of(ErrorCode::Usage, "B is missing: the recording of the run that went on.",
                                    "shardlens verify --continues A B"));
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
    out << dumped(jsonOf(*found, jobs), 2) << "\n";
  } else {
    out << textOf(*found, jobs);
  }
  const int code = out.finish();
  return code == kFine && resultOf(*found) != ProofResult::Match ? static_cast<int>(kFindings) : code;
}

struct VerifyArgs {
  std::string spec;       ///< or, as the only one, the recording
  std::string recording;  ///< may be empty
  std::string loader;
  std::string format = "text";
  bool continues = false;
  bool quiet = false;
};

/// In what the run's own spec differs, as far as the plan depends on it.
std::vector<std::string> specDifferences(const PipelineSpec& plan, const JobProof& proved) {
  if (proved.loader) return proved.differing;
  if (proved.spec_yaml.empty()) return {};
  const yaml::ReadSpec read = yaml::readSpec(proved.spec_yaml, sampling::catalogue());
  return read.issues.empty() ? planDifferences(plan, read.spec) : std::vector<std::string>{};
}

Json jsonOf(const JobProof& proved, const std::vector<std::string>& differing) {
  const Proof& proof = proved.proof;
  Json json = {{"result", resultName(proof.result)},
               {"first_difference", nullptr},
               {"checked_batches", proof.checked_batches},
               {"planned_batches", proof.planned_batches},
               {"what", proof.what},
               {"explanation", proof.explanation},
               {"instead", Json::array()},
               {"spec_differs_in", differing},
               {"ranks", Json::array()},
               {"loader", nullptr},
               {"message", proved.sentence},
               {"notes", proof.notes}};
  if (proved.loader) json["loader"] = {{"name", *proved.loader}, {"site", proved.site}};
  if (const auto& first = proof.first_difference)
    json["first_difference"] = {{"rank", first->rank}, {"epoch", first->epoch}, {"step", first->step}};
  for (const Instead& one : proof.instead)
    json["instead"].push_back({{"rank", one.rank},
                               {"epoch", one.epoch},
                               {"got_rank", one.got_rank},
                               {"got_epoch", one.got_epoch},
                               {"steps_later", one.later},
                               {"compared_batches", one.batches}});
  for (const RankProof& rank : proof.ranks)
    json["ranks"].push_back({{"rank", rank.rank},
                             {"matched", rank.matched},
                             {"different", rank.different},
                             {"missing", rank.missing},
                             {"extra", rank.extra},
                             {"out_of_order", rank.out_of_order}});
  return json;
}

/// The design that the run is held against: the given one, or that in the recording.
std::variant<LoadedPlan, Issues> designFor(const VerifyArgs& options) {
  if (!options.recording.empty()) {
    auto loaded = loadPlan({options.spec});
    const auto* issues = std::get_if<Issues>(&loaded);
    const bool is_unclear = issues != nullptr && !issues->empty() && issues->front().place.field == "--loader";
    return is_unclear
               ? Issues{Error::inFile(
                     ErrorCode::Usage, options.spec, "this recording gives no single SPEC: " + issues->front().message,
                     "write its loaders as specs with shardlens capture, and give one of them as SPEC")}
               : std::move(loaded);
  }
  std::error_code code;
  if (!isRecording(options.spec) && std::filesystem::is_regular_file(options.spec, code))
    return Issues{Error::inFile(ErrorCode::Usage, options.spec,
                                "RUN is missing: this file is no recording, so it can only be the SPEC.",
                                "shardlens verify SPEC RUN")};
  const auto text = designOf(options.spec);
  if (!text) return Issues{text.error()};
  if (text->empty())
    return Issues{
        Error::inFile(ErrorCode::Usage, options.spec, "this recording holds no spec.", "shardlens verify SPEC RUN")};
  return planOf(yaml::readSpec(*text, sampling::catalogue(), options.spec));
}

/// What was printed by hand: a file that is no recording, or a pipe of a shell. A FIFO elsewhere would be waited for.
bool isText(const std::string& path) {
  std::error_code code;
  const bool is_pipe = path == "-" || path == "/dev/stdin" || path.starts_with("/dev/fd/");
  return is_pipe || (!isRecording(path) && std::filesystem::is_regular_file(path, code));
}

Error notReadable(const std::string& path) {
  const std::string why = std::generic_category().message(errno);
  return Error::inFile(ErrorCode::BadInput, path, "this file cannot be read: " + why + ".");
}

Result<JobProof> proveText(const Plan& plan, const VerifyArgs& options, const Work& work) {
  std::ifstream file;
  const bool is_stdin = options.recording == "-";
  if (!options.loader.empty())
    return Error::inFile(ErrorCode::Usage, options.recording,
                         "--loader names a loader of a recording, and this is a text.");
  if (!is_stdin) file.open(options.recording);
  if (!is_stdin && !file) return notReadable(options.recording);
  const auto text = readIndexText(is_stdin ? std::cin : file, is_stdin ? "stdin" : options.recording, work);
  if (!text) return text.error();
  auto proof = proveIndexText(plan, *text, work);
  if (!proof) return proof.error();
  JobProof proved;
  proved.proof = *std::move(proof);
  return proved;
}

int run(const VerifyArgs& options) {
  if (options.continues)
    return runContinues({options.spec, options.recording, options.loader, options.format, options.quiet});
  Progress progress(options.quiet);
  const std::string& recording = options.recording.empty() ? options.spec : options.recording;
  const auto loaded = designFor(options);
  if (const auto* issues = std::get_if<Issues>(&loaded)) return fail(progress, *issues);
  const auto& spec = std::get<LoadedPlan>(loaded);
  const Plan& plan = spec.plan;
  const bool is_text = !options.recording.empty() && isText(recording);
  if (!is_text) {
    if (const auto there = checkObserved(recording); !there) return fail(progress, there.error());
  }
  const auto proved = is_text ? proveText(plan, options, progress.whole())
                              : proveJob(plan, recording, options.loader, progress.whole());
  if (!proved) return fail(progress, spec.placed(proved.error()));
  progress.clear();
  const auto differing = specDifferences(plan.spec(), *proved);
  Output out;
  if (options.format == "json") {
    out << dumped(jsonOf(*proved, differing), 2) << "\n";
  } else {
    out << proofText(*proved, differing);
  }
  const int code = out.finish();
  return code == kFine && proved->proof.result != ProofResult::Match ? static_cast<int>(kFindings) : code;
}

}  // namespace

void addVerify(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<VerifyArgs>();
  Arguments verb(app, "verify", "Proves that a run consumed the planned batches");
  verb.add("SPEC", options->spec, "spec file; without one, the run is compared with the spec in its recording")
      .required();
  verb.add("RUN", options->recording,
           "recording (folder or packed file), or a text with one line per batch, such as \"rank 0 epoch 1 step 3: 12 "
           "7 9\"; - "
           "reads it from stdin");
  verb.add("--loader", options->loader,
           "the loader of the job that the spec is about; default: the one of the training with as many samples");
  verb.addFlag("--continues", options->continues,
               "the two are recordings A and B: what run B, which was resumed after run A, repeated, skipped and read "
               "first, and whether it goes on exactly where A ended");
  verb.addFormat(options->format);
  verb.addQuiet(options->quiet);
  verb.runs(chosen, [options] { return run(*options); });
}

}  // namespace shardlens::cli
