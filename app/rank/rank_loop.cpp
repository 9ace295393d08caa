// SPDX-License-Identifier: Apache-2.0
#include "app/rank/rank_loop.h"

#include "core/base/process.h"
#include "core/base/result.h"
#include "core/plan/plan.h"
#include "core/sampling/registry.h"
#include "core/spec/field.h"
#include "core/wire/ring_file.h"
#include "core/yaml/spec_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <sched.h>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

namespace shardlens::rank {
namespace {

using schedule::At;
using schedule::Kind;
using schedule::Moment;

std::uint16_t wireNumber(Kind kind) {
  constexpr std::array<std::uint16_t, 11> kNumbers = {
      SL_OP_NONE,           SL_OP_NONE,      SL_OP_NONE,      SL_OP_ALLREDUCE,
      SL_OP_REDUCE_SCATTER, SL_OP_ALLGATHER, SL_OP_BROADCAST, SL_OP_ALLTOALL,
      SL_OP_BARRIER,        SL_OP_SEND,      SL_OP_RECV};
  return kNumbers[static_cast<std::size_t>(kind)];
}

struct Options {
  std::string spec;
  std::string job_dir;
  std::int64_t groups = 1;
};

bool readCount(const char* text, std::int64_t& count) {
  const char* const end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, count);
  return error == std::errc() && rest == end && count > 0;
}

std::optional<Options> optionsOf(int argc, char** argv) {
  Options options;
  if (const char* job_dir = std::getenv("SHARDLENS_JOB_DIR")) options.job_dir = job_dir;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--spec") == 0) {
      options.spec = argv[i + 1];
    } else if (std::strcmp(argv[i], "--job-dir") == 0) {
      options.job_dir = argv[i + 1];
    } else if (std::strcmp(argv[i], "--groups") != 0 || !readCount(argv[i + 1], options.groups)) {
      return std::nullopt;
    }
  }
  if (options.spec.empty() || argc % 2 == 0) return std::nullopt;
  return options;
}

/// Says what is wrong once, not on every rank; every rank ends with the same code.
int refuse(const Session& session, const std::string& name, const std::string& what, int code) {
  if (session.rank() == 0) std::fprintf(stderr, "%s: %s\n", name.c_str(), what.c_str());
  return code;
}

Result<Plan> planOf(const std::string& path) {
  const yaml::SpecFile file = yaml::readSpecFile(path, sampling::catalogue());
  if (!file.read.issues.empty()) return file.read.issues.front();
  auto plan = Plan::make(file.read.spec);
  return plan ? std::move(plan) : file.read.placed(plan.error());
}

/// One rank's way through all epochs.
class Loop {
 public:
  Loop(const Plan& plan, Session& session, Collectives& collectives, Reporter& reporter)
      : plan_(plan), run_(plan.spec().run), session_(session), collectives_(collectives), reporter_(reporter) {
    crowded_ = session.worldSize() > usableCores();
    for (std::int64_t rank = session.rank() % session.groups(); rank < session.worldSize(); rank += session.groups())
      members_.push_back(static_cast<std::uint32_t>(rank));
  }

  Result<void> run() {
    if (session_.groups() > 1) {
      const std::int64_t part = session_.rank() % session_.groups();
      group_ = static_cast<std::uint32_t>(part + 1);
      reporter_.describeGroup(group_, members_, "part-" + std::to_string(part));
    }
    // An empty all-reduce would let the ranks drift apart: there is always one float.
    floats_ = std::max<std::size_t>(1, static_cast<std::size_t>(run_.gradient_kb) * 1000 / sizeof(float));
    if (auto ready = collectives_.prepare(floats_); !ready) return ready;
    for (Epoch epoch{0}; epoch.value < plan_.epochs(); ++epoch) {
      if (auto done = runEpoch(epoch); !done) return done;
    }
    return {};
  }

 private:
  Result<void> runEpoch(Epoch epoch) {
    const auto slice = plan_.rankEpoch(epoch, Rank{session_.rank()});
    if (!slice) return slice.error();
    reporter_.epochBegin(epoch.value, slice->batches());
    for (Step step{0}; step.value < slice->batches(); ++step) {
      reporter_.stepBegin(step.value);
      load(*slice, step);
      compute(step);
      if (auto reduced = reduce(step); !reduced) return reduced;
      reporter_.stepEnd();
      ++global_step_;
    }
    reporter_.epochEnd(slice->batches());
    reporter_.enter(SL_OP_BARRIER, 0);
    collectives_.barrier();
    reporter_.leave();
    return {};
  }

  [[nodiscard]] double delay(const char* phase) const {
    return run_.delayMs(Rank{session_.rank()}, phase, global_step_);
  }

  void load(const RankEpoch& slice, Step step) {
    reporter_.phaseBegin(SL_PHASE_LOAD, step.value);
    loadFor(run_.load_ms + delay("load"));
    const std::uint64_t fingerprint = slice.batchFingerprint(step);
    reporter_.phaseEnd();
    reporter_.batch(step.value, fingerprint, slice.batch(step).size());
  }

  void compute(Step step) {
    reporter_.phaseBegin(SL_PHASE_COMPUTE, step.value);
    computeFor(run_.compute_ms + delay("compute"), crowded_);
    reporter_.phaseEnd();
  }

  /// Rank r contributes r + k, k changing from step to step. Sums of small whole numbers are exact in a float, in any
  /// order.
  Result<void> reduce(Step step) {
    const auto k = static_cast<float>(step.value % 7);
    const auto ranks = static_cast<float>(members_.size());
    if (auto filled = collectives_.fill(static_cast<float>(session_.rank() % 64) + k); !filled) return filled;
    reporter_.enter(SL_OP_ALLREDUCE, floats_ * sizeof(float), group_);
    auto reduced = collectives_.allReduce();
    reporter_.leave();
    if (!reduced) return reduced;
    const auto is_right = collectives_.isEverywhere(sumOfRanks() + ranks * k);
    if (!is_right) return is_right.error();
    if (*is_right) return {};
    return Error{
        ErrorCode::JobFailed, "The all-reduce of step " + std::to_string(step.value) + " gave a wrong sum.", {}, {}};
  }

  [[nodiscard]] float sumOfRanks() const {
    std::int64_t sum = 0;
    for (const std::uint32_t rank : members_) sum += rank % 64;
    return static_cast<float>(sum);
  }

  const Plan& plan_;
  const PipelineSpec::Run& run_;
  Session& session_;
  Collectives& collectives_;
  Reporter& reporter_;
  std::vector<std::uint32_t> members_;  ///< the ranks whose gradients are summed with this one's
  std::uint32_t group_ = SL_WORLD;
  bool crowded_ = false;
  std::size_t floats_ = 1;
  std::int64_t global_step_ = 0;  ///< steps done, over all epochs
};

/// One rank alone cannot go on: nobody else would ever leave the next collective, so all are ended.
[[noreturn]] void giveUp(Session& session, const std::string& name, Reporter& reporter, const Error& error) {
  std::fprintf(stderr, "%s: rank %lld: %s\n", name.c_str(), static_cast<long long>(session.rank()),
               error.text().c_str());
  reporter.bye(exitCode(error.code));
  session.abort(exitCode(error.code));
  std::abort();  // GCC does not see that an override never returns
}

int runWith(Session& session, const Options& options, const std::string& name, const MakeCollectives& make) {
  const auto plan = planOf(options.spec);
  if (!plan) return refuse(session, name, plan.error().text(), kUsage);
  if (plan->worldSize() != session.worldSize()) {
    return refuse(session, name,
                  "The spec has a world of " + std::to_string(plan->worldSize()) + " ranks, but " +
                      std::to_string(session.worldSize()) + " were started: start " +
                      std::to_string(plan->worldSize()) + ".",
                  kUsage);
  }
  if (options.groups > session.worldSize()) {
    return refuse(session, name,
                  "There are more groups than ranks: use --groups " + std::to_string(session.worldSize()) + " at most.",
                  kUsage);
  }
  session.split(options.groups);
  auto collectives = make(options.job_dir);
  if (!collectives) return refuse(session, name, collectives.error().text(), exitCode(collectives.error().code));
  Reporter reporter;
  const std::string why =
      options.job_dir.empty() ? "" : reporter.open(options.job_dir, session.rank(), session.worldSize());
  if (!why.empty()) std::fprintf(stderr, "%s: %s This rank is not measured.\n", name.c_str(), why.c_str());
  const bool is_scheduled = !plan->spec().schedule.empty();
  const auto done = is_scheduled ? ScheduleLoop(*plan, session, **collectives, reporter).run()
                                 : Loop(*plan, session, **collectives, reporter).run();
  if (!done) giveUp(session, name, reporter, done.error());
  reporter.bye(kFine);
  return kFine;
}

}  // namespace

ScheduleLoop::ScheduleLoop(const Plan& plan, const Session& session, Collectives& collectives, Reporter& reporter)
    : schedule_(plan),
      rank_{session.rank()},
      collectives_(collectives),
      reporter_(reporter),
      crowded_(session.worldSize() > usableCores()) {}

Result<void> ScheduleLoop::run() {
  if (auto ready = prepareGroups(); !ready) return ready;
  if (auto done = performAll({Epoch{0}, At::Start, Step{0}}); !done) return done;
  const std::int64_t epochs = schedule_.plan().epochs();
  for (Epoch epoch{0}; epoch.value < epochs; ++epoch) {
    if (auto done = runEpoch(epoch); !done) return done;
  }
  return performAll({Epoch{epochs - 1}, At::End, Step{0}});
}

/// On the wire the world has a number of its own.
std::uint32_t ScheduleLoop::numberOf(std::size_t group) const {
  const bool is_world = static_cast<std::int64_t>(schedule_.groups()[group].size()) == schedule_.plan().worldSize();
  return is_world ? SL_WORLD : static_cast<std::uint32_t>(group + 1);
}

Result<void> ScheduleLoop::prepareGroups() {
  if (auto ready = collectives_.prepareGroups(schedule_.groups()); !ready) return ready;
  std::set<std::uint32_t> described = {SL_WORLD};
  for (const At at : {At::Start, At::EpochStart, At::Step, At::EpochEnd, At::End}) {
    for (const schedule::PlannedPhase& phase : schedule_.phasesAt(at)) {
      const auto group = schedule_.groupOf(phase.group, rank_);
      if (!group || !described.insert(numberOf(*group)).second) continue;
      std::vector<std::uint32_t> members;
      std::vector<std::int64_t> ranks;
      for (const Rank member : schedule_.groups()[*group]) {
        members.push_back(static_cast<std::uint32_t>(member.value));
        ranks.push_back(member.value);
      }
      const bool is_listed = phase.group.starts_with('[');
      reporter_.describeGroup(numberOf(*group), members,
                              is_listed ? valueText(IndexList(std::move(ranks))) : phase.group);
    }
  }
  return {};
}

Result<void> ScheduleLoop::runEpoch(Epoch epoch) {
  const auto slice = schedule_.plan().rankEpoch(epoch, rank_);
  if (!slice) return slice.error();
  reporter_.epochBegin(epoch.value, slice->batches());
  if (auto done = performAll({epoch, At::EpochStart, Step{0}}); !done) return done;
  for (Step step{0}; step.value < slice->batches(); ++step) {
    reporter_.stepBegin(step.value);
    reporter_.batch(step.value, slice->batchFingerprint(step), static_cast<std::int64_t>(slice->batch(step).size()));
    if (auto done = performAll({epoch, At::Step, step}); !done) return done;
    reporter_.stepEnd();
    ++global_step_;
  }
  reporter_.epochEnd(slice->batches());
  return performAll({epoch, At::EpochEnd, Step{0}});
}

Result<void> ScheduleLoop::performAll(const Moment& moment) {
  for (const schedule::PlannedPhase& phase : schedule_.phasesAt(moment.at)) {
    const auto operation = schedule_.operation(phase, rank_, moment);
    if (!operation) continue;
    if (auto done = perform(phase, *operation); !done) return done;
  }
  return {};
}

Result<void> ScheduleLoop::perform(const schedule::PlannedPhase& phase, const schedule::Operation& operation) {
  if (isLocal(operation.kind)) {
    const bool loads = operation.kind == Kind::Load;
    const double delay = operation.kind == Kind::Host || operation.moment.at != At::Step
                             ? 0
                             : schedule_.plan().spec().run.delayMs(rank_, loads ? "load" : "compute", global_step_);
    reporter_.phaseBegin(loads ? SL_PHASE_LOAD : SL_PHASE_COMPUTE, operation.moment.step.value);
    loads || operation.kind == Kind::Host ? loadFor(operation.ms + delay) : computeFor(operation.ms + delay, crowded_);
    reporter_.phaseEnd();
    return {};
  }
  const std::uint32_t peer = operation.peer.value < 0 ? SL_NO_PEER : static_cast<std::uint32_t>(operation.peer.value);
  reporter_.enter(wireNumber(operation.kind), static_cast<std::uint64_t>(operation.bytes), numberOf(operation.group),
                  peer);
  std::vector<float> values;
  if (!phase.values.lists.empty()) {
    const std::vector<double>& mine = phase.values.lists[static_cast<std::size_t>(rank_.value)];
    values.assign(mine.begin(), mine.end());
  }
  auto done = collectives_.perform(operation, values);
  reporter_.leave();
  return !done || values.empty() ? done : check(phase, operation, values);
}

Result<void> ScheduleLoop::check(const schedule::PlannedPhase& phase, const schedule::Operation& operation,
                                 const std::vector<float>& got) {
  const auto [found, is_first] = predicted_.try_emplace(operation.line);
  schedule::RingAllReduce& predicted = found->second;
  if (is_first) predicted = ringAllReduce(schedule_.groups()[operation.group], phase.values, operation.reduction);
  const std::string had = predicted.text({got.begin(), got.end()});
  if (is_first) {
    std::printf("%s\n", textOf(schedule::RankResult{rank_, operation.line, had}).c_str());
    std::fflush(stdout);
  }
  if (predicted.mayBe(got)) return {};
  return Error{ErrorCode::JobFailed,
               "The all_reduce gave " + had + ", and " + predicted.text(predicted.result) + " was predicted.",
               {"", 0, 0, "schedule[" + std::to_string(operation.line) + "]"},
               {}};
}

int runRankProgram(int argc, char** argv, const std::string& name, Session& session, const MakeCollectives& make) {
  const auto options = optionsOf(argc, argv);
  if (!options) return refuse(session, name, "usage: " + name + " --spec FILE [--job-dir DIR] [--groups N]", kUsage);
  return runWith(session, *options, name, make);
}

namespace {

/// Some microseconds of arithmetic that the compiler must keep.
void computeALittle() {
  static std::array<float, 1024> values{};
  for (int round = 0; round < 8; ++round) {
    for (float& value : values) value = value * 0.999F + 0.5F;
  }
  asm volatile("" : : "r"(values.data()) : "memory");
}

}  // namespace

void loadFor(double ms) {
  std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(ms));
}

void computeFor(double ms, bool crowded) {
  const std::uint64_t until = sl_now() + static_cast<std::uint64_t>(ms * 1e6);
  while (sl_now() < until) {
    computeALittle();
    if (crowded) sched_yield();
  }
}

}  // namespace shardlens::rank
