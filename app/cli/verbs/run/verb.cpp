// SPDX-License-Identifier: Apache-2.0
// shardlens run SPEC [--launcher mpirun] [--run-file F] [--quiet] [--grace S] [-- COMMAND...]: launches a job, watches
// it, and records it.
#include "app/cli/verb.h"

#include "app/cli/verbs/run/progress.h"
#include "app/cli/verbs/run/report.h"
#include "core/base/file.h"
#include "core/base/process.h"
#include "core/collect/supervisor.h"
#include "core/diagnose/proof.h"
#include "core/launch/job_dir.h"
#include "core/launch/launch_command.h"
#include "core/plan/plan.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_file.h"
#include "core/yaml/spec_writer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace shardlens::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string spec;
  std::string launcher;
  std::string run_file;
  bool quiet = false;
  double grace_s = 5;
  std::vector<std::string> command;
};

/// "<name>-<date>-<time>.slrun" in the current folder, with a number when that is taken.
fs::path defaultRunFile(const std::string& name) {
  std::string safe;
  for (const char c : name) safe += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' ? c : '-';
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  std::array<char, 32> stamp{};
  (void)std::strftime(stamp.data(), stamp.size(), "-%Y%m%d-%H%M%S", &local);
  const std::string stem = (safe.empty() ? "run" : safe.substr(0, 100)) + stamp.data();
  fs::path path = stem + ".slrun";
  std::error_code error;
  for (int i = 2; fs::exists(path, error) && i < 1000; ++i) path = stem + "-" + std::to_string(i) + ".slrun";
  return path;
}

/// The rank program beside this one, or where an installation has it.
Result<std::string> findRankProgram(const std::string& name) {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& candidate : {folder / name, folder / "../lib/shardlens" / name}) {
    if (access(candidate.c_str(), X_OK) == 0) return fs::weakly_canonical(candidate, error).string();
  }
  return Error{ErrorCode::Environment,
               "This build has no " + name + " (it is not beside shardlens).",
               {"", 0, 0, "run.program"},
               name == "nccl_rank" ? "build where CUDA and NCCL are found, or take run.program: mpi_rank"
                                   : "build with SHARDLENS_MPI=ON"};
}

/// The command that starts the ranks, or why this machine cannot.
Result<LaunchCommand> commandOf(const PipelineSpec& spec, const Options& options, const JobDir& dir) {
  LaunchSite site;
  auto launcher = findProgram(options.launcher.empty() ? spec.run.launcher : options.launcher);
  if (!launcher) return launcher.error();
  site.launcher = *launcher;
  auto program = options.command.empty() ? findRankProgram(spec.run.program) : findProgram(options.command.front());
  if (!program) return program.error();
  site.program = *program;
  site.spec_file = (dir.path() / "spec.yaml").string();
  site.job_dir = dir.path().string();
  site.cores = usableCores();
  site.is_root = geteuid() == 0;
  return launchCommand(spec, site, options.command);
}

std::string ownCommand(const Options& options, const std::string& run_file) {
  std::string text = "shardlens run " + shellQuoted(options.spec);
  if (!options.launcher.empty()) text += " --launcher " + shellQuoted(options.launcher);
  text += " --run-file " + shellQuoted(run_file);
  if (!options.command.empty()) text += " --";
  for (const std::string& argument : options.command) text += " " + shellQuoted(argument);
  return text;
}

RunBegin beginOf(const Plan& plan, const Options& options, const JobDir& dir, const std::string& run_file) {
  RunBegin begin;
  begin.name = plan.spec().name;
  begin.job_id = dir.id();
  begin.command = ownCommand(options, run_file);
  begin.spec_yaml = yaml::writeSpec(plan.spec(), sampling::catalogue());
  std::array<char, 256> host{};
  (void)gethostname(host.data(), host.size() - 1);
  begin.host = host.data();
  begin.world_size = plan.worldSize();
  begin.nodes = plan.spec().world.nodes;
  begin.cores = usableCores();
  for (Epoch epoch{0}; epoch.value < plan.epochs(); ++epoch) begin.planned_steps += plan.steps(epoch);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  begin.started_unix_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  begin.reports = options.command.empty();
  return begin;
}

void printClosing(const RunState& state, const Options& options, const std::string& run_file) {
  std::printf("%s\n", outcomeText(state).c_str());
  const std::string verdicts = verdictText(state);
  if (verdicts.find(state.failure) == std::string::npos) std::printf("%s\n", state.failure.c_str());
  std::printf("%s", verdicts.c_str());
  std::printf("Recorded in %s. Next:\n  shardlens replay %s\n  shardlens verify %s %s\n", run_file.c_str(),
              shellQuoted(run_file).c_str(), shellQuoted(options.spec).c_str(), shellQuoted(run_file).c_str());
}

Job jobOf(const Plan& plan, const Options& options, const JobDir& dir, const std::string& run_file) {
  Job job;
  job.begin = beginOf(plan, options, dir, run_file);
  job.job_dir = dir.path().string();
  job.program = options.command.empty() ? plan.spec().run.program : std::string();
  job.expected = expectationOf(plan);
  job.grace = std::chrono::milliseconds(static_cast<std::int64_t>(options.grace_s * 1000));
  return job;
}

int runPlan(const Plan& plan, const Options& options) {
  const std::string run_file = options.run_file.empty() ? defaultRunFile(plan.spec().name).string() : options.run_file;
  auto writer = RecordingWriter::create(run_file);
  if (!writer) return fail(writer.error());
  const auto dir = JobDir::make();
  if (!dir) return fail(dir.error());
  Job job = jobOf(plan, options, *dir, run_file);
  if (auto wrote = writeFile(dir->path() / "spec.yaml", job.begin.spec_yaml); !wrote) return fail(wrote.error());
  auto command = commandOf(plan.spec(), options, *dir);
  if (command) job.command = *command;

  RunProgress progress(isatty(STDERR_FILENO) != 0, options.quiet);
  Watcher watcher{[&progress](const RunState& state) { progress.show(state); },
                  [&progress](const LogLine& line) { progress.line(line); }};
  Supervisor supervisor(std::move(job), std::move(*writer), std::move(watcher));
  const RunState state = command ? supervisor.run() : supervisor.refuse(command.error());
  progress.finish();
  printClosing(state, options, run_file);
  if (!supervisor.recording()) (void)fail(supervisor.recording().error());
  return state.exit_code;
}

int run(const Options& options) {
  const yaml::SpecFile file = yaml::readSpecFile(options.spec, sampling::catalogue());
  if (!file.read.issues.empty()) return fail(file.read.issues);
  const auto plan = Plan::make(file.read.spec);
  return plan ? runPlan(*plan, options) : fail(plan.error());
}

}  // namespace

void addRun(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand("run", "Launch the job, watch it, and record it");
  verb->add_option("SPEC", options->spec, "the spec file")->required();
  verb->add_option("--launcher", options->launcher, "what starts the ranks; the spec's run.launcher otherwise")
      ->check(CLI::IsMember({"mpirun"}));
  verb->add_option("--run-file", options->run_file, "the folder to record in; NAME-DATE-TIME.slrun here otherwise");
  verb->add_flag("--quiet", options->quiet, "no progress and no output of the job, only how it ended");
  verb->add_option("--grace", options->grace_s,
                   "seconds that a job which cannot go on is left standing, and that its processes have to end before "
                   "they are killed")
      ->check(CLI::Range(0.0, 86400.0))
      ->capture_default_str();
  verb->add_option("COMMAND", options->command, "after --: run this on every rank in place of the spec's program");
  verb->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace shardlens::cli
