// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verbs/run/closing.h"

#include "app/cli/progress.h"
#include "app/cli/verbs/run/run_text.h"
#include "app/cli/verbs/verify/proof_text.h"
#include "core/base/printable.h"
#include "core/base/work.h"
#include "core/collect/job_proof.h"
#include "core/collect/loader_findings.h"
#include "core/collect/observed_ranks.h"
#include "core/launch/launch_command.h"
#include "core/report/outcome.h"

#include <unistd.h>

namespace shardlens::cli {
namespace {

/// A program that a launcher started has a spec for the sake of its ranks, too: only what it read counts.
Obeyed obeyed(const Plan& design, const std::string& run_file, bool must_read, const Work& work) {
  const auto proved = proveJob(design, run_file, {}, work);
  if (!proved) return {"incomplete: " + proved.error().text() + "\n", kFindings};
  const bool is_proven = proved->proof.result == ProofResult::Match;
  const bool counts = must_read || proved->proof.checked_batches > 0;
  return {proofText(*proved, proved->differing), is_proven || !counts ? kFine : kFindings};
}

}  // namespace

std::string closingText(const RunState& state, const std::string& run_file, const std::string& spec, bool is_whole) {
  RunState seen = state;
  if (seen.world_size == 0) addObserved(observedRanks(run_file), seen);
  std::string text = outcomeText(seen) + "\n";
  const std::string verdicts = verdictText(state);
  if (verdicts.find(state.failure) == std::string::npos) text += state.failure + "\n";
  const std::string quoted = shellQuoted(run_file);
  text += verdicts;
  if (is_whole) {
    // Ranks that tell operations and no steps are not of a program whose loaders the probe knows.
    const bool has_loaders = !state.reports || state.hasSteps();
    const std::string further = !spec.empty() ? "verify " + shellQuoted(spec) + " " + quoted
                                : has_loaders ? "capture " + quoted
                                              : "report " + quoted + " -o report.html";
    text += "Recorded in " + run_file + ". Next:\n  shardlens replay " + quoted + "\n  shardlens " + further + "\n";
  } else {
    text += "The recording " + run_file + " is incomplete.\n";
  }
  return printable(text);
}

void tellFindings(const std::string& run_file, bool is_quiet, Screen& screen) {
  Progress progress(is_quiet);
  const std::string text = findingsText(loaderFindings(run_file, progress.whole()));
  progress.clear();
  if (text.empty()) return;
  screen.put(STDOUT_FILENO, printable(text + "  More: shardlens audit " + shellQuoted(run_file) + "\n"));
  screen.finish();
}

Obeyed tellObeyed(const Plan& design, const std::string& run_file, bool must_read, bool is_quiet, Screen& screen) {
  Progress progress(is_quiet);
  Obeyed proof = obeyed(design, run_file, must_read, progress.whole());
  progress.clear();
  screen.put(STDOUT_FILENO, printable(proof.text));
  screen.finish();
  return proof;
}

}  // namespace shardlens::cli
