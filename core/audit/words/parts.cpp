// SPDX-License-Identifier: Apache-2.0
// Parts that sentences of several families share.
#include "core/audit/words/finding_words.h"
#include "core/base/phrase.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace shardlens::words {
namespace {

/// " of 90", where there is more than one epoch.
std::string ofEpochs(std::int64_t all) {
  return all > 1 ? filled(worded("findings", " of %1"), grouped(all)) : std::string();
}

std::string overAudited() {
  return worded("findings", " Over the audited epochs, the number ranges from %1 to %2.");
}

/// What an epoch has in another way than those that the message is about.
enum class Other { Ranks, Numbers, Reason };

/// "epochs 1 and 4 have different ranks."
std::string otherIn(const std::string& which, Other what, bool one) {
  switch (what) {
    case Other::Ranks:
      return one ? filled(worded("findings", "%1 has different ranks."), which)
                 : filled(worded("findings", "%1 have different ranks."), which);
    case Other::Numbers:
      return one ? filled(worded("findings", "%1 has different numbers."), which)
                 : filled(worded("findings", "%1 have different numbers."), which);
    case Other::Reason:
      break;
  }
  return one ? filled(worded("findings", "%1 has a different reason."), which)
             : filled(worded("findings", "%1 have a different reason."), which);
}

}  // namespace

std::string epochsText(const std::vector<std::int64_t>& alike, std::int64_t all) {
  if (static_cast<std::int64_t>(alike.size()) == all && all > 1) return worded("findings", "in every epoch");
  const std::string which = listed(alike);
  return alike.size() == 1 ? filled(worded("findings", "in epoch %1%2"), which, ofEpochs(all))
                           : filled(worded("findings", "in epochs %1%2"), which, ofEpochs(all));
}

std::string howOftenText(std::int64_t each, std::int64_t duplicated) {
  if (each > 1) {
    return each == 2 ? worded("findings", "every sample is read twice")
                     : filled(worded("findings", "every sample is read %1 times"), grouped(each));
  }
  return duplicated == 1 ? worded("findings", "1 sample is read more than once")
                         : filled(worded("findings", "%1 samples are read more than once"), grouped(duplicated));
}

std::string neverReadText(std::int64_t samples, std::int64_t first_epoch, std::int64_t epochs, std::int64_t all_epochs,
                          bool in_all) {
  const std::string which = epochs == all_epochs
                                ? filled(worded("findings", "of the %1"), wordedCount(epochs, "epoch"))
                                : filled(worded("findings", "of epochs %1 to %2%3"), grouped(first_epoch),
                                         grouped(first_epoch + epochs - 1), ofEpochs(all_epochs));
  if (in_all) {
    return samples == 1
               ? filled(worded("findings", " In all, 1 sample is never read in any %1."), which)
               : filled(worded("findings", " In all, %1 samples are never read in any %2."), grouped(samples), which);
  }
  return samples == 1 ? filled(worded("findings", " 1 sample is never read in any %1."), which)
                      : filled(worded("findings", " %1 samples are never read in any %2."), grouped(samples), which);
}

std::string heldIn(const std::string& message, const Held& held) {
  const std::string when = epochsText(held.holds, held.planned);
  const bool is_named = message.find(when.substr(1)) != std::string::npos;  // at the start, it has a capital letter
  const bool is_range = held.fewest < held.most;
  const std::string holds = listedEpochs(held.holds);
  const std::array others = {std::pair(Other::Ranks, &held.ranks), std::pair(Other::Numbers, &held.numbers),
                             std::pair(Other::Reason, &held.reasons)};
  const auto differs = [](const auto& other) { return !other.second->empty(); };
  if (is_range || std::ranges::none_of(others, differs)) {
    std::string told = is_named ? message : message + filled(worded("findings", " This happens in %1."), holds);
    if (!is_range) return told;
    return told + filled(overAudited(), grouped(held.fewest), grouped(held.most));
  }
  std::string told = message;
  bool begins = is_named;
  for (const auto& other : others) {
    if (!differs(other)) continue;
    const std::string which = listedEpochs(*other.second);
    const std::string differ = otherIn(begins ? capital(which) : which, other.first, other.second->size() == 1);
    told += begins ? " " + differ : filled(worded("findings", " This is for %1; %2"), holds, differ);
    begins = true;
  }
  return told;
}

std::string countedIn(const std::string& message, const std::string& when) {
  const std::string range = overAudited();
  const bool is_range = message.find(range.substr(0, range.find('%'))) != std::string::npos;
  const bool is_named = message.find(when.substr(1)) != std::string::npos;  // at the start, it has a capital letter
  if (is_range || is_named) return message;
  return message + filled(worded("findings", " This was counted %1."), when);
}

std::string batches(std::int64_t count) {
  return count == 1 ? worded("findings", "1 batch") : filled(worded("findings", "%1 batches"), grouped(count));
}

std::string allRanks(std::int64_t ranks) {
  return ranks == 2 ? worded("findings", "both ranks") : filled(worded("findings", "all %1 ranks"), grouped(ranks));
}

std::string asRecorded() {
  return worded("findings", "These are the recorded batches. The recording does not say why these were read.");
}

std::string neverSeeds() {
  return worded("findings", "The script never seeds torch's global generator");
}

std::string ranksHave(const std::vector<std::int64_t>& ranks) {
  return ranks.size() == 1 ? filled(worded("findings", "Rank %1 has"), listed(ranks))
                           : filled(worded("findings", "Ranks %1 have"), listed(ranks));
}

}  // namespace shardlens::words
