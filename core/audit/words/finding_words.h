// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schedule/ring.h"
#include "core/schedule/schedule.h"

#include <cctype>
#include <cstdint>
#include <string>
#include <vector>

/// What the sentences of several findings share; a finding's own sentences stand with its rule in core/audit/findings.
namespace shardlens::words {

struct FindingWords {
  std::string title;    ///< a short verdict
  std::string message;  ///< the sentence with the numbers
  std::string why;
};

/// "in every epoch", "in epochs 0 and 1 of 90", "in epoch 0": for the epochs `alike` out of `all`.
std::string epochsText(const std::vector<std::int64_t>& alike, std::int64_t all);
/// "every sample is read twice", where `each` says how often; otherwise "3 samples are read more than once".
std::string howOftenText(std::int64_t each, std::int64_t duplicated);
/// " 3 samples are never read in any of epochs 0 to 8 of 90."; " In all, 3 samples ..." where that is more than the
/// sentence before is about.
std::string neverReadText(std::int64_t samples, std::int64_t first_epoch, std::int64_t epochs, std::int64_t all_epochs,
                          bool in_all);
/// The audited epochs for which a finding is true.
struct Held {
  std::vector<std::int64_t> holds;    ///< as the message says it
  std::vector<std::int64_t> numbers;  ///< of the same ranks, with other numbers
  std::vector<std::int64_t> ranks;    ///< of other ranks
  std::vector<std::int64_t> reasons;  ///< with the same message, but for another reason
  std::int64_t planned = 1;           ///< epochs of the plan
  std::int64_t fewest = 0, most = 0;  ///< what it counts, over all audited epochs; equal where it counts nothing
};
/// The message of a finding that differs between audited epochs: names the epochs.
std::string heldIn(const std::string& message, const Held& held);
/// The message with the epochs that were counted, "in epochs 0 and 1 of 90", unless it names them all.
std::string countedIn(const std::string& message, const std::string& when);
/// "1 batch", "10 010 batches".
std::string batches(std::int64_t count);
/// "both ranks", "all 8 ranks".
std::string allRanks(std::int64_t ranks);
/// "Rank 3 has", "Ranks 0 to 3 have".
std::string ranksHave(const std::vector<std::int64_t>& ranks);
/// Why a list of recorded batches leaves out or repeats samples.
std::string asRecorded();
/// The verdict on a script that never seeds torch's global generator.
std::string neverSeeds();

/// Samples that no rank gets.
struct Lost {
  std::int64_t samples = 0;
  std::int64_t of = 0;     ///< samples of the dataset
  std::string when;        ///< epochsText()
  bool always = true;      ///< whether that is every audited epoch
  bool are_all = true;     ///< these epochs miss no other samples
  std::string never_read;  ///< neverReadText(), or empty
};

/// Items that repeat a sample.
struct Repeated {
  std::int64_t items = 0;
  std::int64_t of = 0;    ///< items handed out
  std::string when;       ///< epochsText()
  std::string how_often;  ///< howOftenText(); empty where other items repeat samples, too, for other causes
};

/// "barrier in the tensor group [2, 3] at the start (schedule[0])", of an operation of this schedule. Names the group
/// where the schedule has more than the world group.
std::string operationText(const schedule::Schedule& schedule, const schedule::Operation& operation);
/// Where the ranks of this schedule come to a standstill.
FindingWords scheduleHangs(const schedule::Schedule& schedule, const schedule::Hang& hang);
/// That hangOf() failed: whether the ranks of a schedule get through it is not known.
FindingWords scheduleNotFollowed(const Error& why);
/// "a binomial tree would take 6 rounds, the ring 8; ...": with the bytes of two ranks where the size is said.
/// Empty for a group of one rank.
std::string allReduceCosts(const schedule::AllReduce& call);
/// What torch does with a mean of whole numbers; empty where there is none.
std::string wholeMean(const schedule::AllReduce& call);

/// The text with a capital letter, as sentences begin.
inline std::string capital(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

/// The text with a small letter, as it goes on after a semicolon.
inline std::string uncapital(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

}  // namespace shardlens::words
