// SPDX-License-Identifier: Apache-2.0
// shardlens run [SPEC] [--launcher NAME [--ranks N]] [--run-file F] [--quiet] [--grace S] [-- [NAME=VALUE...]
// COMMAND...]: launches a job, watches it, and records it. COMMAND runs once, as it was typed, or with --launcher on
// every rank; with SPEC, what it read is compared with the plan, and the exit code is that of verify; with --launcher
// only if anything was read. Exit 0 when the job ended well and its recording is whole, 3 when only the job did, 4 when
// it failed or was stopped.
#include "app/cli/verb.h"

#include "app/cli/verbs/run/run_text.h"
#include "core/base/text.h"
#include "core/collect/job.h"
#include "core/collect/run_folder.h"
#include "core/collect/supervisor.h"
#include "core/launch/launch_command.h"
#include "core/launch/launch_words.h"
#include "core/launch/launchers/typed_command.h"
#include "core/plan/plan.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_file.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace shardlens::cli {
namespace {

struct RunArgs {
  JobRequest request;
  bool quiet = false;
  double grace_s = 5;
  std::int64_t after_dashes = 0;  ///< words of the command line that follow `--`
};

/// What of the spec is not applied to a command that runs once, as it was typed; empty when that is nothing.
std::string notAppliedText(const PipelineSpec& spec, const JobRequest& request) {
  const bool has_launcher = spec.run.launcher != PipelineSpec{}.run.launcher;
  if (!isTyped(request) || (spec.worldSize() <= 1 && !has_launcher)) return {};
  std::string what = has_launcher ? "run.launcher (" + spec.run.launcher + ")" : "";
  if (spec.worldSize() > 1)
    what += (what.empty() ? "world (" : " and world (") + counted(spec.worldSize(), "rank") + ")";
  return "The command runs once, as typed: the spec's " + what + " starts nothing. With --launcher it runs on every " +
         "rank.\n";
}

/// Runs what `make` makes of the request.
int runJob(JobRequest request, const Plan* plan, const RunArgs& options) {
  becomeRecorder();
  request.grace = std::chrono::milliseconds(static_cast<std::int64_t>(options.grace_s * 1000));
  auto job = plan != nullptr            ? makeJob(*plan, request)
             : request.launcher.empty() ? makeCommandJob(request)
                                        : makeRanksJob(request);
  if (!job) return fail(job.error());
  auto writer = RecordingWriter::create(request.run_file);
  if (!writer) return fail(writer.error());
  listRun(runsRoot(), request.run_file, job->begin.name);

  auto screen = Screen::open();
  if (!screen) return fail(screen.error());

  if (plan != nullptr && !options.quiet) screen->put(STDERR_FILENO, printable(notAppliedText(plan->spec(), request)));
  RunProgress progress(*screen, isatty(STDERR_FILENO) != 0, options.quiet);
  const RunBegin& begin = job->begin;
  if (job->launch && begin.world_size > begin.cores)
    progress.line({LogLine::kOwn, false, words::ranksShareCores(begin.world_size, begin.cores)});
  Watcher watcher{[&](const RunState& state) { progress.show(state, request.run_file); },
                  [&progress](const LogLine& line) { progress.line(line); }};
  Supervisor supervisor(std::move(*job), std::move(*writer), std::move(watcher));
  const RunState state = supervisor.run();
  progress.finish();
  std::error_code code;
  const bool is_there = std::filesystem::exists(request.run_file, code);
  const bool is_whole = is_there && !supervisor.recordingHasStopped();
  screen->put(STDOUT_FILENO, closingText(state, request.run_file, request.spec, is_whole));
  screen->finish();
  if (!supervisor.recording()) (void)fail(supervisor.recording().error());
  if (!is_there)
    (void)fail(Error::inFile(ErrorCode::Environment, request.run_file,
                             "The recording is gone: it was moved or removed while the job ran."));
  if (is_there) tellFindings(request.run_file, options.quiet, *screen);
  const bool is_proof_wanted = plan != nullptr && !request.command.empty() && is_whole;
  const Obeyed proof = is_proof_wanted && state.status != JobStatus::Stopped
                           ? tellObeyed(*plan, request.run_file, isTyped(request), options.quiet, *screen)
                           : Obeyed{};
  if (state.exit_code != kFine) return state.exit_code;
  if (!is_whole) return kEnvironment;
  return proof.code;
}

int runPlan(const Plan& plan, const RunArgs& options) {
  JobRequest request = options.request;
  if (request.run_file.empty()) request.run_file = freeRunFile(plan.spec().name).string();
  return runJob(std::move(request), &plan, options);
}

int runCommand(const RunArgs& options) {
  JobRequest request = options.request;
  if (request.launcher.empty() != (request.ranks == 0))
    return fail(
        Error::of(ErrorCode::Usage,
                  "without a spec, --launcher and --ranks go together: they say how, and on how many ranks, the "
                  "command is started. Without both it runs once, as it was typed.",
                  "shardlens run --launcher torchrun --ranks 4 -- " + commandText(request.command)));
  if (request.run_file.empty()) request.run_file = freeRunFile(nameOfCommand(request.command)).string();
  return runJob(std::move(request), nullptr, options);
}

int run(const RunArgs& options) {
  if (!options.request.environment.empty() && options.request.command.empty())
    return fail(Error::of(ErrorCode::Usage, "variables are set, and there is no command that gets them.",
                          "shardlens run -- NAME=value COMMAND"));
  if (options.request.spec.empty() && options.after_dashes > 0) return runCommand(options);
  if (options.request.spec.empty())
    return fail(Error::of(ErrorCode::Usage, "there is neither a spec nor a command.", "shardlens run -- COMMAND"));
  if (options.request.ranks > 0)
    return fail(Error::of(ErrorCode::Usage, "--ranks is for a command without a spec: the spec says its world."));
  const yaml::SpecFile file = yaml::readSpecFile(options.request.spec, sampling::catalogue());
  if (!file.read.issues.empty()) return fail(file.read.issues);
  const auto plan = Plan::make(file.read.spec);
  return plan ? runPlan(*plan, options) : fail(file.read.placed(plan.error()));
}

std::vector<std::string> launcherNames() {
  std::vector<std::string> names;
  for (const LauncherKind& kind : launcherKinds()) names.emplace_back(kind.name);
  return names;
}

}  // namespace

void addRun(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<RunArgs>();
  Arguments verb(app, "run", "Launches the job, watches it and records it");
  verb.add("SPEC", options->request.spec, "spec file; with COMMAND, what its loaders read is compared with the plan");
  verb.add("--launcher", options->request.launcher,
           "program that starts the ranks, or COMMAND on every rank; default: the spec's run.launcher, and with "
           "COMMAND none")
      .oneOf(launcherNames());
  verb.add("--ranks", options->request.ranks, "with --launcher and without SPEC: ranks to start on this host")
      .between(1, 1'000'000);
  verb.add("--run-file", options->request.run_file,
           "folder to record in; default: NAME-DATE-TIME.slrun in the current folder");
  verb.addFlag("--quiet", options->quiet, "show only how the job ended, without progress and output");
  verb.add(
          "--grace", options->grace_s,
          "seconds to wait before a stuck job is stopped (a command as typed never is), and again before its processes "
          "are killed")
      .between(0, 86400)
      .showsDefault();
  verb.addCommand(options->request.command, options->after_dashes,
                  "after --: what to run, once and as typed; with --launcher, on every rank instead of the spec's "
                  "program. NAME=value words before it are variables of its environment");
  verb.runs(chosen, [options] {
    options->request.environment = takeAssignments(options->request.command);
    return run(*options);
  });
}

}  // namespace shardlens::cli
