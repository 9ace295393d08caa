// SPDX-License-Identifier: Apache-2.0
// shardlens rehearse SPEC [--launcher NAME] [--most SECONDS] [--format text|json]: real ranks perform the
// schedule of a spec, without its durations, and where they come to a standstill is held against the prediction. Exit 0
// when all ranks were said to get through, and did, 1 when not or that is not known, 3 when this machine cannot start
// them.
#include "app/cli/verb.h"

#include "app/cli/json.h"
#include "app/cli/load.h"
#include "core/audit/words/finding_words.h"
#include "core/base/text.h"
#include "core/collect/job.h"
#include "core/collect/supervisor.h"
#include "core/diagnose/run_state.h"
#include "core/launch/job_dir.h"
#include "core/plan/plan.h"
#include "core/schedule/ring.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace shardlens::cli {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

/// Where a rank was when the rehearsal ended.
struct RankPlace {
  std::int64_t rank = 0;
  std::optional<schedule::Operation> in;  ///< that it had not left; nothing: it was between two, or had finished
  bool has_finished = false;
};

/// What real ranks did with a schedule.
struct Rehearsal {
  enum class End {
    Through,      ///< every rank finished
    StandsStill,  ///< each rank waits in what another one has not called, or calls otherwise, or has finished
    Failed,       ///< MPI, or a rank, ended the job
    NotToTheEnd,  ///< the time was over
  };
  End end = End::Failed;
  std::vector<RankPlace> places;              ///< of every rank, except where all are through
  std::string failure;                        ///< why the job failed
  std::vector<schedule::RankResult> results;  ///< of phases with values, as ranks told them
};

/// The records of all ranks have come by then.
constexpr milliseconds kStill{500};
constexpr std::chrono::seconds kMostToStart{60};

/// Looks at a job until it is over, stands still, or has had its time.
class Onlooker {
 public:
  Onlooker(const Plan& plan, milliseconds most) : schedule_(plan), most_(most) {}

  std::string whyEnd(const RunState& state) {
    if (end_) return {};  // what ranks do when they are ended is not what they did
    last_ = state;
    const auto now = Clock::now();
    const bool all_heard =
        std::ranges::none_of(state.ranks, [](const RankState& one) { return one.status == RankStatus::Unheard; });
    if (!all_heard || state.ranks.empty()) {
      begun_ = moved_ = now;
      return now - made_ > kMostToStart ? "The ranks do not start." : "";
    }
    std::vector<std::int64_t> done;
    for (const RankState& rank : state.ranks) done.push_back(rank.collectives);
    const bool are_all_in = std::ranges::all_of(
        state.ranks, [](const RankState& one) { return one.operation || one.status == RankStatus::Done; });
    const bool is_any_in =
        std::ranges::any_of(state.ranks, [](const RankState& one) { return one.operation.has_value(); });
    if (std::exchange(done_, done) != done || !are_all_in || !is_any_in) moved_ = now;
    if (now - moved_ >= kStill && (state.none_can_go_on || !mayMove())) {
      end_ = Rehearsal::End::StandsStill;
      return "The job stands still.";
    }
    if (now - begun_ < most_) return {};
    end_ = Rehearsal::End::NotToTheEnd;
    return "The time of the rehearsal is over.";
  }

  [[nodiscard]] const RunState& last() const { return last_; }
  [[nodiscard]] std::optional<Rehearsal::End> end() const { return end_; }

 private:
  /// Whether a rank can leave what it is in. The run's state matches calls by their kind alone: ranks that call the
  /// same with other sizes, or one that left something else with the others, may go on for all that it says. Counts of
  /// ranks whose records are missing say nothing.
  bool mayMove() {
    const auto missesRecords = [](const RankState& one) { return one.has_gaps || one.dropped > 0; };
    if (std::ranges::any_of(last_.ranks, missesRecords)) return true;
    if (std::exchange(asked_, done_) == done_) return may_move_;
    const auto can = schedule::canAnyLeave(schedule_, done_);
    return may_move_ = !can || *can;
  }

  schedule::Schedule schedule_;
  milliseconds most_;
  Clock::time_point made_ = Clock::now(), begun_ = made_, moved_ = made_;
  std::vector<std::int64_t> done_, asked_;  ///< operations that ranks have left
  bool may_move_ = true;
  RunState last_;
  std::optional<Rehearsal::End> end_;
};

/// The operation that the rank is in: it has left so many.
Result<RankPlace> placeOf(const schedule::Schedule& schedule, const RankState& rank) {
  RankPlace place{rank.rank, std::nullopt, rank.status == RankStatus::Done};
  if (!rank.operation) return place;
  schedule::Cursor cursor;
  std::int64_t looks = std::numeric_limits<std::int64_t>::max();
  for (std::int64_t left = rank.collectives; left >= 0;) {
    auto next = schedule.next(Rank{rank.rank}, cursor, looks);
    if (!next) return next.error();
    if (!*next) return place;
    if (isLocal((*next)->kind)) continue;
    if (left-- == 0) place.in = **next;
  }
  return place;
}

/// Which of our programs performs schedules.
Result<void> checkProgram(const PipelineSpec& spec, const std::string& launcher) {
  const std::string& name = launcher.empty() ? spec.run.launcher : launcher;
  const auto kind = launcherKind(name);
  if (!kind) return kind.error();
  const auto program = ownProgram(**kind, spec.run.program);
  if (!program) return program.error();
  if (*program == "mpi_rank") return {};
  return Error::inField(ErrorCode::Usage, "run.program",
                        "mpi_rank alone performs a schedule, and " + name + " would start " + *program + " here.",
                        "run.program: mpi_rank, and --launcher mpirun");
}

/// The spec without what takes time and leads to no standstill: durations and delays.
PipelineSpec withoutDurations(PipelineSpec spec) {
  spec.run.load_ms = spec.run.compute_ms = 0;
  spec.run.delays.clear();
  for (PipelineSpec::Phase& phase : spec.schedule) phase.ms = 0;
  return spec;
}

/// Runs the schedule of this plan by the launcher, at most so long from the moment on at which every rank was heard.
/// The plan's durations are those of the rehearsal. Errors as makeJob(), Usage where another program than mpi_rank
/// would run, and Environment where the job cannot start.
Result<Rehearsal> rehearse(const Plan& plan, const std::string& launcher, milliseconds most) {
  if (auto can = checkProgram(plan.spec(), launcher); !can) return can.error();
  becomeRecorder();
  const auto folder = JobDir::make();  // of the recording, which nobody keeps
  if (!folder) return folder.error();
  JobRequest request;
  request.launcher = launcher;
  request.run_file = (folder->path() / "rehearsal.slrun").string();
  request.grace = milliseconds(1000);
  auto job = makeJob(plan, request);
  if (!job) return job.error();
  if (!job->launch) return job->launch.error();
  auto writer = RecordingWriter::create(request.run_file);
  if (!writer) return writer.error();
  Onlooker onlooker(plan, most);
  Rehearsal seen;
  const auto hear = [&seen](const LogLine& line) {
    if (auto result = schedule::resultIn(line.text)) seen.results.push_back(*std::move(result));
  };
  Supervisor supervisor(std::move(*job), std::move(*writer),
                        {{}, hear, [&onlooker](const RunState& state) { return onlooker.whyEnd(state); }});
  const RunState state = supervisor.run();
  seen.failure = state.failure;
  seen.end =
      onlooker.end().value_or(state.status == JobStatus::Finished ? Rehearsal::End::Through : Rehearsal::End::Failed);
  if (seen.end == Rehearsal::End::Through) return seen;
  const schedule::Schedule schedule(plan);
  for (const RankState& rank : onlooker.last().ranks) {
    auto place = placeOf(schedule, rank);
    if (!place) return place.error();
    seen.places.push_back(*std::move(place));
  }
  return seen;
}

/// Whether the ranks that cannot go on are where they were said to be. Nothing where all that are said to wait may get
/// further, and nothing else is wrong.
std::optional<bool> areWhere(const schedule::Hang& predicted, const Rehearsal& seen) {
  bool says_where = !predicted.may_go_on;
  for (std::size_t i = 0; i < predicted.waiting.size() && !predicted.may_go_on; ++i)
    if (seen.places[static_cast<std::size_t>(predicted.waiting[i].value)].in != predicted.calls[i]) return false;
  for (const schedule::Absent& absent : predicted.absent) {
    if (absent.may_go_on) continue;
    const RankPlace& place = seen.places[static_cast<std::size_t>(absent.rank.value)];
    if (absent.waits_in ? place.in != absent.waits_in : !place.has_finished) return false;
    says_where = says_where || absent.waits_in;
  }
  return says_where ? std::optional(true) : std::nullopt;
}

/// Whether what was seen is what was predicted. Nothing where that cannot be said: the time was over, the job stands
/// still and the prediction leaves open where, or ranks differ in what they call, of which MPI promises nothing, and
/// did something else than to stand still there.
std::optional<bool> agrees(const std::optional<schedule::Hang>& predicted, const Rehearsal& seen) {
  using End = Rehearsal::End;
  if (seen.end == End::NotToTheEnd) return std::nullopt;
  if (!predicted) return seen.end == End::Through;
  if (seen.end == End::Through && predicted->may_end) return true;
  if (seen.end == End::StandsStill) {
    const auto are_where = areWhere(*predicted, seen);
    if (!are_where || *are_where) return are_where;
  }
  return predicted->cause == schedule::Hang::Cause::Differs ? std::nullopt : std::optional(false);
}

using End = Rehearsal::End;

struct RehearseArgs {
  std::string spec;
  std::string launcher;
  double most_s = 5;
  std::string format = "text";
  bool quiet = false;
};

/// A prediction and what came of it.
struct Judgement {
  schedule::Schedule planned;
  Result<std::optional<schedule::Hang>> predicted;  ///< or why nothing is
  Rehearsal seen;
  std::vector<schedule::RingAllReduce> rings;  ///< of phases with values

  [[nodiscard]] std::optional<bool> agree() const {
    return predicted ? agrees(*predicted, seen) : std::optional<bool>();
  }
};

std::string predictedText(const Judgement& answer) {
  if (!answer.predicted) return "not known: " + answer.predicted.error().text();
  if (!*answer.predicted) return "every rank gets through.";
  const words::FindingWords words = words::scheduleHangs(answer.planned, **answer.predicted);
  return words.title + ". " + words.message;
}

/// "[4, 6]", or nothing where the rank did not tell what it had.
std::optional<std::string> hadOf(const Rehearsal& seen, std::size_t line, Rank rank) {
  const auto found = std::ranges::find_if(
      seen.results, [&](const schedule::RankResult& one) { return one.line == line && one.rank == rank; });
  return found == seen.results.end() ? std::nullopt : std::optional(found->values);
}

/// "all_reduce (sum) of [1, 2] + [3, 4]: predicted [4, 6], rank 0 had [4, 6], rank 1 had [4, 6]."
std::string valuesText(const schedule::RingAllReduce& ring, const Rehearsal& seen) {
  std::vector<std::string> given;
  for (const std::vector<double>& values : ring.given) given.push_back(ring.text(values));
  std::string text = "all_reduce (" + std::string(nameOf(ring.reduction)) + ") of " +
                     join(given, ring.reduction == schedule::Reduction::Sum ? " + " : ", ") + " in schedule[" +
                     std::to_string(ring.line) + "]: predicted " + ring.text(ring.result);
  for (const Rank rank : ring.ranks)
    text += ", rank " + std::to_string(rank.value) + " " +
            (hadOf(seen, ring.line, rank) ? "had " + *hadOf(seen, ring.line, rank) : "did not tell");
  return text + ".";
}

/// What an algorithm calls its rounds: those that reduce, and those in which receivers keep what they get.
struct RoundNames {
  const char* reduces;
  const char* gathers;

  [[nodiscard]] std::string of(const schedule::Round& round) const { return round.gathers ? gathers : reduces; }
};

/// "reduce-scatter: rank 0 would send [1] to rank 1, rank 1 [4] to rank 0."
std::string roundText(const schedule::RingAllReduce& ring, const schedule::Round& round, const RoundNames& names) {
  std::vector<std::string> sent;
  for (const schedule::Message& message : round.messages)
    sent.push_back("rank " + std::to_string(message.from.value) + (sent.empty() ? " would send " : " ") +
                   ring.text(message.values) + " to rank " + std::to_string(message.to.value));
  return names.of(round) + ": " + join(sent, ", ") + ".";
}

/// Those that are in the same place, in one sentence.
std::string placesText(const schedule::Schedule& schedule, std::vector<RankPlace> places) {
  std::string text;
  while (!places.empty()) {
    const RankPlace first = places.front();
    std::vector<std::int64_t> ranks;
    std::erase_if(places, [&](const RankPlace& one) {
      const bool is_there = one.in == first.in && one.has_finished == first.has_finished;
      if (is_there) ranks.push_back(one.rank);
      return is_there;
    });
    const bool one = ranks.size() == 1;
    text += " " + capitalRanks(ranks) +
            (first.in             ? (one ? " waits in " : " wait in ") + words::operationText(schedule, *first.in)
             : first.has_finished ? std::string(one ? " has finished" : " have finished")
                                  : std::string(one ? " is in no operation" : " are in no operation")) +
            ".";
  }
  return text;
}

/// What a rehearsal adds to MPI; empty without a broadcast.
std::string broadcastNote(const PipelineSpec& spec) {
  const bool has_one = std::ranges::find(spec.schedule, "broadcast", &PipelineSpec::Phase::what) != spec.schedule.end();
  return has_one
             ? " A broadcast of a rehearsal keeps every rank until the last one has called it; MPI may let some go on."
             : "";
}

std::string sightText(const Judgement& answer) {
  if (answer.seen.end == End::Through) return "every rank got through.";
  if (answer.seen.end == End::StandsStill)
    return "the job stands still." + placesText(answer.planned, answer.seen.places);
  if (answer.seen.end == End::Failed) return "the job failed. " + answer.seen.failure;
  return "the time was over before all ranks were through." + placesText(answer.planned, answer.seen.places);
}

std::string seenText(const Judgement& answer) {
  return sightText(answer) + broadcastNote(answer.planned.plan().spec());
}

std::string judgementText(const Judgement& answer) {
  if (const auto agree = answer.agree()) return *agree ? "as predicted." : "not as predicted.";
  if (answer.seen.end == End::NotToTheEnd) return "not known: the time was over (--most gives more).";
  if (!answer.predicted) return "nothing was predicted.";
  if (answer.seen.end == End::StandsStill && *answer.predicted && !areWhere(**answer.predicted, answer.seen))
    return "not known: all ranks that the plan says wait may get further.";
  return "not known: ranks differ in what they call, of which MPI promises nothing.";
}

void writeRounds(Output& out, const schedule::RingAllReduce& ring, const std::vector<schedule::Round>& rounds,
                 const RoundNames& names) {
  constexpr std::size_t kMostRanks = 8;  // whose messages can be followed by eye
  for (std::size_t i = 0; i < rounds.size() && ring.ranks.size() <= kMostRanks; ++i)
    writeLabelled(out, std::to_string(i + 1), roundText(ring, rounds[i], names));
}

void writeText(Output& out, const Judgement& answer) {
  const Plan& plan = answer.planned.plan();
  out << plan.spec().name << ": " << counted(plan.worldSize(), "rank") << ", " << counted(plan.epochs(), "epoch")
      << "; what ranks do alone takes no time here.\n";
  writeLabelled(out, "plan", predictedText(answer));
  writeLabelled(out, "run", seenText(answer));
  writeLabelled(out, "so", judgementText(answer));
  for (const schedule::RingAllReduce& ring : answer.rings) {
    writeLabelled(out, nameOf(ring.reduction), valuesText(ring, answer.seen));
    writeLabelled(out, "ring",
                  "round a ring it would take " + counted(static_cast<std::int64_t>(ring.rounds.size()), "round") +
                      ", in which a rank sends at most " + counted(ring.most_bytes, "byte") +
                      " to the next one. MPI chooses its own way.");
    writeRounds(out, ring, ring.rounds, {"reduce-scatter", "all-gather"});
    if (const std::vector<schedule::Round> tree = treeRounds(ring); !tree.empty()) {
      writeLabelled(out, "tree", words::allReduceCosts(ring));
      writeRounds(out, ring, tree, {"reduce", "broadcast"});
    }
    if (const std::string mean = words::wholeMean(ring); !mean.empty()) writeLabelled(out, "mean", mean);
  }
}

Json operationJson(const schedule::Schedule& schedule, const std::optional<schedule::Operation>& operation) {
  if (!operation) return nullptr;
  return {{"do", nameOf(operation->kind)},
          {"line", operation->line},
          {"epoch", operation->moment.epoch.value},
          {"step", operation->moment.step.value},
          {"text", words::operationText(schedule, *operation)}};
}

const char* nameOf(End end) {
  if (end == End::Through) return "through";
  if (end == End::StandsStill) return "stands_still";
  if (end == End::Failed) return "failed";
  return "not_to_the_end";
}

Json roundsJson(const std::vector<schedule::Round>& rounds, const RoundNames& names) {
  Json all = Json::array();
  for (const schedule::Round& round : rounds) {
    Json messages = Json::array();
    for (const schedule::Message& one : round.messages)
      messages.push_back(
          {{"from", one.from.value}, {"to", one.to.value}, {"first", one.first}, {"values", one.values}});
    all.push_back({{"phase", names.of(round)}, {"messages", std::move(messages)}});
  }
  return all;
}

Json ringJson(const schedule::RingAllReduce& ring, const Rehearsal& seen) {
  Json had = Json::array();
  Json ranks = Json::array();
  for (const Rank rank : ring.ranks) {
    const auto text = hadOf(seen, ring.line, rank);
    const auto values = text ? parseNumberLists(*text) : Result<NumberLists>(NumberLists());
    ranks.push_back(rank.value);
    had.push_back(values && !values->lists.empty() ? Json(values->lists.front()) : Json(nullptr));
  }
  const std::vector<schedule::Round> tree = treeRounds(ring);
  const std::string comparison = words::allReduceCosts(ring);
  const std::string mean = words::wholeMean(ring);
  return {{"line", ring.line},
          {"op", nameOf(ring.reduction)},
          {"ranks", std::move(ranks)},
          {"given", ring.given},
          {"predicted", ring.result},
          {"had", std::move(had)},
          {"most_bytes_per_link", ring.most_bytes},
          {"rounds", roundsJson(ring.rounds, {"reduce_scatter", "all_gather"})},
          {"tree_rounds", roundsJson(tree, {"reduce", "broadcast"})},
          {"comparison", orNull(comparison)},
          {"note", orNull(mean)}};
}

/// The object that resources/schemas/rehearse.schema.json describes.
void writeJson(Output& out, const Judgement& answer) {
  Json ranks = Json::array();
  for (const RankPlace& place : answer.seen.places)
    ranks.push_back(
        {{"rank", place.rank}, {"in", operationJson(answer.planned, place.in)}, {"finished", place.has_finished}});
  Json rings = Json::array();
  for (const schedule::RingAllReduce& ring : answer.rings) rings.push_back(ringJson(ring, answer.seen));
  const auto agree = answer.agree();
  const char* const predicted = !answer.predicted              ? "not_known"
                                : !*answer.predicted           ? "through"
                                : (*answer.predicted)->may_end ? "may_stand_still"
                                                               : "stands_still";
  const Json json = {{"name", answer.planned.plan().spec().name},
                     {"world_size", answer.planned.plan().worldSize()},
                     {"predicted", predicted},
                     {"prediction", predictedText(answer)},
                     {"seen", nameOf(answer.seen.end)},
                     {"sight", seenText(answer)},
                     {"agree", orNull(agree)},
                     {"ranks", std::move(ranks)},
                     {"values", std::move(rings)}};
  out << dumped(json, 2) + "\n";
}

int run(const RehearseArgs& options) {
  const auto loaded = loadPlan({options.spec});
  if (const auto* issues = std::get_if<Issues>(&loaded)) return fail(*issues);
  const auto& spec = std::get<LoadedPlan>(loaded);
  if (spec.plan.spec().schedule.empty())
    return fail(Error{ErrorCode::Usage,
                      "the spec has no schedule to rehearse.",
                      {options.spec, 0, 0, "schedule"},
                      "schedule: [{do: ddp}, {do: barrier, at: epoch_end}]"});
  const auto plan = Plan::make(withoutDurations(spec.plan.spec()));
  if (!plan) return fail(spec.placed(plan.error()));
  Progress progress(options.quiet);
  auto predicted = schedule::hangOf(*plan, progress.whole());
  const auto most = std::chrono::milliseconds(static_cast<std::int64_t>(options.most_s * 1000));
  auto seen = rehearse(*plan, options.launcher, most);
  progress.clear();
  if (!seen) return fail(spec.placed(seen.error()));
  const schedule::Schedule schedule(*plan);
  const Judgement answer{schedule, std::move(predicted), *std::move(seen), allReducesOf(schedule)};
  Output out;
  options.format == "json" ? writeJson(out, answer) : writeText(out, answer);
  const int code = out.finish();
  const bool is_fine = answer.seen.end == End::Through && answer.predicted && !*answer.predicted;
  return code == kFine && !is_fine ? static_cast<int>(kFindings) : code;
}

}  // namespace

void addRehearse(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<RehearseArgs>();
  Arguments verb(app, "rehearse", "Lets real ranks perform the schedule of a spec: does it hang where it is said to?");
  verb.add("SPEC", options->spec, "spec file with a schedule").required();
  verb.add("--launcher", options->launcher, "program that starts the ranks; default: the spec's run.launcher");
  verb.add("--most", options->most_s, "seconds after which the ranks are stopped, from their start on")
      .between(0.5, 86400)
      .showsDefault();
  verb.addFormat(options->format);
  verb.addQuiet(options->quiet);
  verb.runs(chosen, [options] { return run(*options); });
}

}  // namespace shardlens::cli
