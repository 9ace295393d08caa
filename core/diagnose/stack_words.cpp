// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/stack_words.h"

#include "core/base/phrase.h"

#include <algorithm>
#include <filesystem>

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
  const auto found = std::find_if(rank.stacks->begin(), rank.stacks->end(), [&](const RankStack& stack) {
    return stack.worker == own->owed_by && (!own->owed_by_pid || stack.pid == *own->owed_by_pid);
  });
  return found == rank.stacks->end() ? nullptr : &*found;
}

const StackFrame* unseenCommunication(const RankState& rank) {
  const RankStack* own = ownStack(rank);
  if (own == nullptr || own->frames.empty()) return nullptr;
  const StackFrame& inner = own->frames.back();
  const bool is_there = inner.file.find("/torch/distributed/") != std::string::npos ||
                        inner.file.ends_with("/torch/nn/parallel/distributed.py");
  return is_there && !inner.is_own ? &inner : nullptr;
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

std::string lookAt(std::int64_t rank, const SampledLine& line) {
  return filled(worded("verdicts", "Look at %1, where rank %2 was."), lineText(line.place), std::to_string(rank));
}

}  // namespace words
}  // namespace shardlens
