// SPDX-License-Identifier: Apache-2.0
// shardlens env [SPEC] [--dir DIR]: lines for a shell after which a job that somebody else starts is recorded. Nothing
// goes on after it: the probes that it names start an agent on each node of the job.
#include "app/cli/verb.h"

#include "core/base/text.h"
#include "core/collect/awaited_job.h"
#include "core/plan/plan.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_file.h"

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

namespace shardlens::cli {
namespace {

struct EnvArgs {
  std::string spec;
  std::string dir;
};

/// What a shell evaluates must be all of it: nothing is escaped for a terminal.
int print(const AwaitedJob& job) {
  for (const std::string& note : job.environment.notes) (void)std::fprintf(stderr, "%s\n", printable(note).c_str());
  const std::string recording = job.recording.string();
  (void)std::fprintf(stderr, "Jobs of this shell are recorded in %s. Follow them, now or later: shardlens watch %s\n",
                     printable(recording).c_str(), printable(shellQuoted(recording)).c_str());
  Output out;
  out.raw(exportLines(job.environment));
  return out.finish();
}

int run(const EnvArgs& options) {
  std::optional<PipelineSpec> design;
  if (!options.spec.empty()) {
    const yaml::SpecFile file = yaml::readSpecFile(options.spec, sampling::catalogue());
    if (!file.read.issues.empty()) return fail(file.read.issues);
    if (const auto plan = Plan::make(file.read.spec); !plan) return fail(file.read.placed(plan.error()));
    design = file.read.spec;
  }
  const auto job = awaitJob(options.dir, design ? &*design : nullptr);
  return job ? print(*job) : fail(job.error());
}

}  // namespace

void addEnv(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<EnvArgs>();
  Arguments verb(app, "env",
                 "Prints lines for the script of a job that somebody else starts (Slurm, CI, a shell), so that it is "
                 "recorded: eval \"$(shardlens env)\", for sh, bash, zsh and kin; not for csh and fish");
  verb.add("SPEC", options->spec, "spec file; `shardlens watch` compares what the job's loaders read with the plan");
  verb.add("--dir", options->dir,
           "folder to record in, new or empty, on a file system that all nodes of the job share; default: one of this "
           "user's");
  verb.runs(chosen, [options] { return run(*options); });
}

}  // namespace shardlens::cli
