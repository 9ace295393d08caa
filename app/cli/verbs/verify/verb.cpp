// SPDX-License-Identifier: Apache-2.0
// shardlens verify [SPEC] RUN [--loader NAME] [--format text|json]: did the run consume what the plan says. RUN may be
// a text in which the job printed its batches. Exit 0 when every planned batch was reported and is the planned one, 1
// otherwise. shardlens verify --continues A B: did run B go on where run A ended.
#include "app/cli/verb.h"

#include "app/cli/arguments.h"
#include "app/cli/load.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "app/cli/verbs/verify/continues.h"
#include "app/cli/verbs/verify/proof_text.h"
#include "core/collect/index_text.h"
#include "core/collect/job_proof.h"
#include "core/plan/diff.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_reader.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

namespace shardlens::cli {
namespace {

using nlohmann::ordered_json;

struct VerifyArgs {
  std::string spec;       ///< or, as the only one, the recording
  std::string recording;  ///< may be empty
  std::string loader;
  std::string format = "text";
  bool continues = false;
  bool quiet = false;
};

Error noDesign(const std::string& recording) {
  return {ErrorCode::Usage, "this recording holds no spec.", {recording, 0, 0, {}}, "shardlens verify SPEC RUN"};
}

Error noRun(const std::string& spec) {
  return {ErrorCode::Usage,
          "RUN is missing: this file is no recording, so it can only be the SPEC.",
          {spec, 0, 0, {}},
          "shardlens verify SPEC RUN"};
}

/// --loader is about RUN.
Error severalDesigns(const std::string& recording, const Error& unclear) {
  return {ErrorCode::Usage,
          "this recording gives no single SPEC: " + unclear.message,
          {recording, 0, 0, {}},
          "write its loaders as specs with shardlens capture, and give one of them as SPEC"};
}

/// In what the run's own spec differs, as far as the plan depends on it.
std::vector<std::string> specDifferences(const PipelineSpec& plan, const JobProof& proved) {
  if (proved.loader) return proved.differing;
  if (proved.spec_yaml.empty()) return {};
  const yaml::ReadSpec read = yaml::readSpec(proved.spec_yaml, sampling::catalogue());
  return read.issues.empty() ? planDifferences(plan, read.spec) : std::vector<std::string>{};
}

ordered_json jsonOf(const JobProof& proved, const std::vector<std::string>& differing) {
  const Proof& proof = proved.proof;
  ordered_json json = {{"result", resultName(proof.result)},
                       {"first_difference", nullptr},
                       {"checked_batches", proof.checked_batches},
                       {"planned_batches", proof.planned_batches},
                       {"what", proof.what},
                       {"explanation", proof.explanation},
                       {"instead", ordered_json::array()},
                       {"spec_differs_in", differing},
                       {"ranks", ordered_json::array()},
                       {"loader", nullptr},
                       {"message", proved.sentence},
                       {"notes", proof.notes}};
  if (proved.loader) json["loader"] = {{"name", *proved.loader}, {"site", proved.site}};
  if (const auto& first = proof.first_difference) {
    json["first_difference"] = {{"rank", first->rank}, {"epoch", first->epoch}, {"step", first->step}};
  }
  for (const Instead& one : proof.instead) {
    json["instead"].push_back({{"rank", one.rank},
                               {"epoch", one.epoch},
                               {"got_rank", one.got_rank},
                               {"got_epoch", one.got_epoch},
                               {"steps_later", one.later},
                               {"compared_batches", one.batches}});
  }
  for (const RankProof& rank : proof.ranks) {
    json["ranks"].push_back({{"rank", rank.rank},
                             {"matched", rank.matched},
                             {"different", rank.different},
                             {"missing", rank.missing},
                             {"extra", rank.extra},
                             {"out_of_order", rank.out_of_order}});
  }
  return json;
}

/// The design that the run is held against: the given one, or that in the recording.
std::variant<LoadedPlan, Issues> designFor(const VerifyArgs& options) {
  if (!options.recording.empty()) {
    auto loaded = loadPlan({options.spec});
    const auto* issues = std::get_if<Issues>(&loaded);
    const bool is_unclear = issues != nullptr && !issues->empty() && issues->front().place.field == "--loader";
    return is_unclear ? Issues{severalDesigns(options.spec, issues->front())} : std::move(loaded);
  }
  std::error_code code;
  if (!isRecording(options.spec) && std::filesystem::is_regular_file(options.spec, code))
    return Issues{noRun(options.spec)};
  const auto text = designOf(options.spec);
  if (!text) return Issues{text.error()};
  if (text->empty()) return Issues{noDesign(options.spec)};
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
  return {ErrorCode::BadInput, "this file cannot be read: " + why + ".", {path, 0, 0, {}}, ""};
}

Error noLoaderInText(const std::string& path) {
  return {ErrorCode::Usage, "--loader names a loader of a recording, and this is a text.", {path, 0, 0, {}}, ""};
}

Result<JobProof> proveText(const Plan& plan, const VerifyArgs& options, const Work& work) {
  std::ifstream file;
  const bool is_stdin = options.recording == "-";
  if (!options.loader.empty()) return noLoaderInText(options.recording);
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
    out << jsonOf(*proved, differing).dump(2, ' ', false, ordered_json::error_handler_t::replace) << "\n";
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
