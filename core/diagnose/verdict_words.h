// SPDX-License-Identifier: Apache-2.0
/// Sentences of the verdicts and their parts, but those of slow ranks (slow_words.h). What is judged, and how, is
/// decided in verdicts.cpp.
#pragma once

#include "core/diagnose/run_state.h"

#include <cstdint>
#include <string>
#include <vector>

namespace shardlens::words {

struct VerdictWords {
  std::string title;                ///< a short verdict
  std::string message;              ///< what happened
  std::string evidence;             ///< what it is told from
  std::string next;                 ///< what to do
  std::string next_when_over = {};  ///< in place of it once the job's processes are gone; empty: `next` holds then, too
};

}  // namespace shardlens::words

namespace shardlens {

struct Collective;
struct Evidence;

/// A verdict that says so. Of several ranks, the first one stands for them; -1 and {}: it is about none.
Verdict verdictOf(VerdictKind kind, std::int64_t rank, words::VerdictWords words, double weight = 0);
Verdict verdictOf(VerdictKind kind, const std::vector<std::int64_t>& ranks, words::VerdictWords words,
                  double weight = 0);

}  // namespace shardlens

namespace shardlens::words {

std::string number(double value, const char* format = "%.1f");
/// "4.0 s", "18 ms", as durationText().
std::string duration(double seconds, int figures = 2);
/// "step 3 of epoch 0".
std::string where(const RankState& rank);
/// Where a rank that tells its steps was: "in step 3 of epoch 0", "after 4 steps of epoch 0".
std::string amongSteps(const Evidence& evidence, std::int64_t rank);
/// What the rank was in according to its last record, not what became of its process: "in all_reduce #12", "in step 3
/// of epoch 0".
std::string doing(const Evidence& evidence, std::int64_t rank);
/// " 8 ranks share 2 cores, so waits include CPU scheduling.", said of the host whose cores are known; empty when each
/// rank that was seen there has one.
std::string crowding(const RunState& state);
/// " of group data"; empty of all ranks.
std::string ofGroup(const std::string& group);
/// "all_reduce #12 of group data".
std::string collectiveName(const Evidence& evidence, const Collective& collective);

/// What shows where the code of a process is: "gdb -p 4812 -batch -ex bt". The window knows it by this form.
std::string debuggerCommand(const std::string& pid);

VerdictWords jobNotStarted(const std::string& failure);

}  // namespace shardlens::words

namespace shardlens {

/// The innermost call of the job's own code; where there is none, the innermost call. Null when there are no calls.
const StackFrame* placeIn(const RankStack& stack);
/// What is known of the code of the rank itself, and of the loader worker that it waits for; null when nothing is.
const RankStack* ownStack(const RankState& rank);
const RankStack* owingStack(const RankState& rank);
/// The call of PyTorch in which the rank is and communicates without a record: it may wait for others there. Null when
/// it is in none, or nothing is known.
const StackFrame* unseenCommunication(const RankState& rank);
/// The call of PyTorch by which the rank ends its communication. Null when it is in none, or nothing is known.
const StackFrame* teardown(const RankState& rank);

namespace words {

/// "train.py:41".
std::string lineText(const StackFrame& frame);
/// "in load_image() at train.py:41", "at train.py:88" outside of any function.
std::string placeText(const StackFrame& frame);
/// " Rank 2 is in load_image() at train.py:41.", with the loader worker that it waits for, and what it handles; empty
/// when nothing is known.
std::string whereItIs(const RankState& rank);
/// "Look at train.py:41, where rank 2 is."; empty when nothing is known.
std::string lookThere(const RankState& rank);
/// "In 8 of 9 samples of its code, taken while it reported nothing, rank 2 was in load_image() at train.py:41."
std::string foundAt(std::int64_t rank, const SampledLine& line);

}  // namespace words
}  // namespace shardlens
