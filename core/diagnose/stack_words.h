// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/run_state.h"

#include <string>

namespace shardlens {

/// The innermost call of the job's own code; where there is none, the innermost call. Null when there are no calls.
const StackFrame* placeIn(const RankStack& stack);
/// What is known of the code of the rank itself, and of the loader worker that it waits for; null when nothing is.
const RankStack* ownStack(const RankState& rank);
const RankStack* owingStack(const RankState& rank);
/// The call of PyTorch in which the rank is and communicates without a record: it may wait for others there. Null when
/// it is in none, or nothing is known.
const StackFrame* unseenCommunication(const RankState& rank);

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
/// "Look at train.py:41, where rank 2 was."
std::string lookAt(std::int64_t rank, const SampledLine& line);

}  // namespace words
}  // namespace shardlens
