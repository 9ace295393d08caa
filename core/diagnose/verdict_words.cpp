// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/verdict_words.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/diagnose/evidence.h"
#include "core/diagnose/operation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <utility>

namespace shardlens {

Verdict verdictOf(VerdictKind kind, std::int64_t rank, words::VerdictWords words, double weight) {
  Verdict verdict{
      kind,  rank, std::move(words.title), std::move(words.message), std::move(words.evidence), std::move(words.next),
      weight};
  verdict.next_when_over = std::move(words.next_when_over);
  return verdict;
}

Verdict verdictOf(VerdictKind kind, const Ranks& ranks, words::VerdictWords words, double weight) {
  Verdict verdict = verdictOf(kind, ranks.empty() ? -1 : ranks.front(), std::move(words), weight);
  verdict.ranks = ranks;
  return verdict;
}

}  // namespace shardlens

namespace shardlens::words {

std::string ofGroup(const std::string& group) {
  return group.empty() ? group : filled(worded("verdicts", " of %1"), group);
}

std::string number(double value, const char* format) {
  std::array<char, 64> text{};
  (void)std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

std::string duration(double seconds, int figures) {
  return durationText(std::llround(seconds * 1e9), figures);
}

std::string where(const RankState& rank) {
  return filled(worded("verdicts", "step %1 of epoch %2"), std::to_string(rank.step), std::to_string(rank.epoch));
}

std::string amongSteps(const Evidence& evidence, std::int64_t rank) {
  const RankTracker& tracker = evidence.tracker(rank);
  if (tracker.ran_out || (tracker.is_between_steps && !tracker.state.has_gaps))
    return filled(worded("verdicts", "after %1 of epoch %2"), wordedCount(tracker.steps_in_epoch, "step"),
                  std::to_string(tracker.epoch_of_steps));
  const bool has_worked = tracker.load_ms.size() > 0 || tracker.compute_ms.size() > 0;
  return has_worked ? filled(worded("verdicts", "in %1"), where(evidence.rank(rank)))
                    : worded("verdicts", "before its first step");
}

std::string doing(const Evidence& evidence, std::int64_t rank) {
  const RankState& state = evidence.rank(rank);
  if (state.operation) {
    const std::string name = operationText(*state.operation) + " #" + std::to_string(state.operation->seq);
    return filled(worded("verdicts", "in %1"), name + ofGroup(state.group));
  }
  if (evidence.state.hasSteps()) return amongSteps(evidence, rank);
  const bool is_loading = evidence.tracker(rank).isLoading() && !state.has_gaps;
  return is_loading ? worded("verdicts", "while loading")
                    : worded("verdicts", "outside any operation that ShardLens sees");
}

std::string crowding(const RunState& state) {
  if (!state.oversubscribed()) return {};
  const std::int64_t there = state.ranksOnHost();
  const std::string ranks = wordedCount(there, "rank");
  const std::string cores = wordedCount(state.cores, "core");
  return there == state.world_size
             ? filled(worded("verdicts", " %1 share %2, so waits include CPU scheduling."), ranks, cores)
             : filled(worded("verdicts", " On %1, %2 share %3, so waits include CPU scheduling."), state.host, ranks,
                      cores);
}

std::string collectiveName(const Evidence& evidence, const Collective& collective) {
  return std::string(operationName(collective.key.op)) + " #" + std::to_string(collective.key.seq) +
         ofGroup(evidence.groups.text(collective.key.group));
}

std::string debuggerCommand(const std::string& pid) {
  return "gdb -p " + pid + " -batch -ex bt";
}

VerdictWords jobNotStarted(const std::string& failure) {
  return {worded("verdicts", "The job did not start"), failure, {}, {}};
}

}  // namespace shardlens::words

namespace shardlens {

const StackFrame* placeIn(const RankStack& stack) {
  const auto own =
      std::find_if(stack.frames.rbegin(), stack.frames.rend(), [](const StackFrame& frame) { return frame.is_own; });
  if (own != stack.frames.rend()) return &*own;
  return stack.frames.empty() ? nullptr : &stack.frames.back();
}

const RankStack* ownStack(const RankState& rank) {
  const bool is_known = rank.stacks && !rank.stacks->empty() && !rank.stacks->front().worker;
  return is_known ? &rank.stacks->front() : nullptr;
}

const RankStack* owingStack(const RankState& rank) {
  const RankStack* own = ownStack(rank);
  if (own == nullptr || !own->owed_by) return nullptr;
  const auto found = std::ranges::find_if(*rank.stacks, [&](const RankStack& stack) {
    return stack.worker == own->owed_by && (!own->owed_by_pid || stack.pid == *own->owed_by_pid);
  });
  return found == rank.stacks->end() ? nullptr : &*found;
}

namespace {

bool isOfDistributed(const StackFrame& frame) {
  return frame.file.find("/torch/distributed/") != std::string::npos && !frame.is_own;
}

bool endsCommunication(const StackFrame& frame) {
  constexpr std::array<std::string_view, 3> kNames = {"destroy_process_group", "_shutdown_backend", "shutdown"};
  const std::string_view name = std::string_view(frame.function).substr(frame.function.rfind('.') + 1);
  return isOfDistributed(frame) && std::ranges::find(kNames, name) != kNames.end();
}

}  // namespace

const StackFrame* unseenCommunication(const RankState& rank) {
  const RankStack* own = ownStack(rank);
  if (own == nullptr || own->frames.empty()) return nullptr;
  const StackFrame& inner = own->frames.back();
  const bool is_ddp = inner.file.ends_with("/torch/nn/parallel/distributed.py") && !inner.is_own;
  return is_ddp || isOfDistributed(inner) ? &inner : nullptr;
}

const StackFrame* teardown(const RankState& rank) {
  const RankStack* own = ownStack(rank);
  if (own == nullptr) return nullptr;
  const auto found = std::ranges::find_if(own->frames, endsCommunication);
  return found == own->frames.end() ? nullptr : &*found;
}

namespace words {
namespace {

std::string lineOf(const std::string& file, std::int64_t line) {
  return std::filesystem::path(file).filename().string() + ":" + std::to_string(line);
}

std::string workerIsIn(const RankStack& own, const RankStack* worker) {
  const std::string number = std::to_string(*own.owed_by);
  const StackFrame* place = worker == nullptr ? nullptr : placeIn(*worker);
  if (place == nullptr)
    return filled(worded("verdicts", " Its loader worker %1 has the batch that it waits for."), number);
  if (!worker->sample)
    return filled(worded("verdicts", " Its loader worker %1, which has the batch that it waits for, is %2."), number,
                  placeText(*place));
  return filled(worded("verdicts", " Its loader worker %1, which has the batch that it waits for, reads sample %2 %3."),
                number, std::to_string(*worker->sample), placeText(*place));
}

/// " Rank 2 handles an exception (ValueError: no number), raised at train.py:41."; empty when it does not, as far as
/// is known.
std::string handles(const RankState& rank) {
  const RankStack* own = ownStack(rank);
  if (own == nullptr || !own->exception) return {};
  const HandledException& handled = *own->exception;
  const std::string name = filled(worded("verdicts", "Rank %1"), std::to_string(rank.rank));
  return handled.file.empty() ? filled(worded("verdicts", " %1 handles an exception (%2)."), name, handled.text)
                              : filled(worded("verdicts", " %1 handles an exception (%2), raised at %3."), name,
                                       handled.text, lineOf(handled.file, handled.line));
}

}  // namespace

std::string lineText(const StackFrame& frame) {
  return lineOf(frame.file, frame.line);
}

std::string placeText(const StackFrame& frame) {
  if (frame.function.empty() || frame.function.front() == '<')
    return filled(worded("verdicts", "at %1"), lineText(frame));
  return filled(worded("verdicts", "in %1() at %2"), frame.function, lineText(frame));
}

std::string whereItIs(const RankState& rank) {
  const RankStack* own = ownStack(rank);
  const StackFrame* place = own == nullptr ? nullptr : placeIn(*own);
  if (place == nullptr) return {};
  const std::string name = filled(worded("verdicts", "Rank %1"), std::to_string(rank.rank));
  const std::string here = own->sample ? filled(worded("verdicts", " %1 reads sample %2 %3."), name,
                                                std::to_string(*own->sample), placeText(*place))
                                       : filled(worded("verdicts", " %1 is %2."), name, placeText(*place));
  return (own->owed_by ? here + workerIsIn(*own, owingStack(rank)) : here) + handles(rank);
}

std::string lookThere(const RankState& rank) {
  const std::string number = std::to_string(rank.rank);
  if (const RankStack* worker = owingStack(rank); worker != nullptr && placeIn(*worker) != nullptr)
    return filled(worded("verdicts", "Look at %1, where worker %2 of rank %3 is."), lineText(*placeIn(*worker)),
                  std::to_string(*worker->worker), number);
  const RankStack* own = ownStack(rank);
  const StackFrame* place = own == nullptr ? nullptr : placeIn(*own);
  if (place == nullptr) return {};
  return filled(worded("verdicts", "Look at %1, where rank %2 is."), lineText(*place), number);
}

std::string foundAt(std::int64_t rank, const SampledLine& line) {
  return filled(worded("verdicts", "In %1 of %2 samples of its code, taken while it reported nothing, rank %3 was %4."),
                std::to_string(line.there), std::to_string(line.samples), std::to_string(rank), placeText(line.place));
}

}  // namespace words
}  // namespace shardlens
