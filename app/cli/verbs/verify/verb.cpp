// SPDX-License-Identifier: Apache-2.0
// shardlens verify SPEC RUN [--format text|json]: did the run consume what the plan says. Exit 0 when every planned
// batch was reported and is the planned one, 1 otherwise.
#include "app/cli/verb.h"

#include "app/cli/arguments.h"
#include "app/cli/load.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "core/base/text.h"
#include "core/diagnose/proof.h"
#include "core/plan/diff.h"
#include "core/sampling/registry.h"
#include "core/spec/field_table.h"
#include "core/yaml/spec_reader.h"

#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace shardlens::cli {
namespace {

using nlohmann::ordered_json;

struct Options {
  std::string spec;
  std::string recording;
  std::string format = "text";
  bool quiet = false;
};

const char* resultName(ProofResult result) {
  switch (result) {
    case ProofResult::Match:
      return "match";
    case ProofResult::Mismatch:
      return "mismatch";
    case ProofResult::Incomplete:
      return "incomplete";
  }
  return "incomplete";
}

/// In what the run's own spec differs, as far as the plan depends on it.
std::vector<std::string> specDifferences(const PipelineSpec& plan, const std::string& run_yaml) {
  if (run_yaml.empty()) return {};
  const yaml::ReadSpec read = yaml::readSpec(run_yaml, sampling::catalogue());
  return read.issues.empty() ? planDifferences(plan, read.spec) : std::vector<std::string>{};
}

ordered_json jsonOf(const Proof& proof, const std::vector<std::string>& differing) {
  ordered_json json = {{"result", resultName(proof.result)},
                       {"first_difference", nullptr},
                       {"checked_batches", proof.checked_batches},
                       {"planned_batches", proof.planned_batches},
                       {"what", proof.what},
                       {"explanation", proof.explanation},
                       {"instead", ordered_json::array()},
                       {"spec_differs_in", differing},
                       {"ranks", ordered_json::array()},
                       {"notes", proof.notes}};
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

void printRanks(Output& out, const Proof& proof) {
  for (const RankProof& rank : proof.ranks) {
    if (rank.different + rank.missing + rank.extra + rank.out_of_order == 0) continue;
    out << "  rank " << rank.rank << ": " << rank.matched << " as planned, " << rank.different << " different, "
        << rank.missing << " missing, " << rank.extra << " extra, " << rank.out_of_order << " out of order\n";
  }
}

void printText(Output& out, const Proof& proof, const std::vector<std::string>& differing) {
  out << resultName(proof.result) << ": ";
  if (proof.result == ProofResult::Match) {
    out << grouped(proof.checked_batches) << " batches, all as planned.\n";
  } else {
    out << proof.what << "\n";
    if (!proof.explanation.empty()) out << proof.explanation << "\n";
    printRanks(out, proof);
  }
  if (!differing.empty()) out << "The run used another spec; it differs in " << join(differing, ", ") << ".\n";
  for (const std::string& note : proof.notes) out << note << "\n";
}

int run(const Options& options) {
  Progress progress(options.quiet);
  const auto loaded = loadPlan(options.spec);
  if (const auto* issues = std::get_if<Issues>(&loaded)) return fail(progress, *issues);
  const auto& spec = std::get<LoadedPlan>(loaded);
  const Plan& plan = spec.plan;
  if (const auto there = checkRecording(options.recording); !there) return fail(progress, there.error());
  const auto proof = prove(plan, options.recording, progress.whole());
  if (!proof) return fail(progress, spec.placed(proof.error()));
  progress.clear();
  const auto differing = specDifferences(plan.spec(), proof->spec_yaml);
  Output out;
  if (options.format == "json") {
    out << jsonOf(*proof, differing).dump(2) << "\n";
  } else {
    printText(out, *proof, differing);
  }
  const int code = out.finish();
  return code == kFine && proof->result != ProofResult::Match ? static_cast<int>(kFindings) : code;
}

}  // namespace

void addVerify(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<Options>();
  Arguments verb(app, "verify", "Proves that a run consumed the planned batches");
  verb.add("SPEC", options->spec, "spec file").required();
  verb.add("RUN", options->recording, "recording: a folder or a packed file").required();
  verb.addFormat(options->format);
  verb.addQuiet(options->quiet);
  verb.runs(chosen, [options] { return run(*options); });
}

}  // namespace shardlens::cli
