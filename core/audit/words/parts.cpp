// SPDX-License-Identifier: Apache-2.0
// Parts that sentences of several families share.
#include "core/audit/words/finding_words.h"
#include "core/audit/words/grammar.h"
#include "core/base/text.h"

namespace shardlens::words {
namespace {

/// " of 90", where there is more than one epoch.
std::string ofEpochs(std::int64_t all) {
  return all > 1 ? " of " + grouped(all) : std::string();
}

}  // namespace

std::string epochsText(const std::vector<std::int64_t>& alike, std::int64_t all) {
  if (static_cast<std::int64_t>(alike.size()) == all && all > 1) return "in every epoch";
  const std::string which = alike.size() == 2 ? grouped(alike[0]) + " and " + grouped(alike[1]) : ranges(alike);
  return (alike.size() == 1 ? "in epoch " : "in epochs ") + which + ofEpochs(all);
}

std::string howOftenText(std::int64_t each, std::int64_t duplicated) {
  if (each > 1) return "every sample is read " + (each == 2 ? std::string("twice") : grouped(each) + " times");
  return counted(duplicated, "sample") + (duplicated == 1 ? " is" : " are") + " read more than once";
}

std::string neverReadText(std::int64_t samples, std::int64_t first_epoch, std::int64_t epochs,
                          std::int64_t all_epochs) {
  const std::string which = epochs == all_epochs ? "of the " + counted(epochs, "epoch")
                                                 : "of epochs " + grouped(first_epoch) + "-" +
                                                       grouped(first_epoch + epochs - 1) + ofEpochs(all_epochs);
  return " " + counted(samples, "sample") + (samples == 1 ? " is" : " are") + " never read in any " + which + ".";
}

std::string heldIn(const std::string& message, const std::string& holds, const std::string& other, std::int64_t fewest,
                   std::int64_t most) {
  const bool is_named = message.find(holds.substr(1)) != std::string::npos;  // at the start, it has a capital letter
  std::string told = message;
  if (!is_named) told += " This is true " + holds + ".";
  if (fewest < most)
    return told + " Over the audited epochs, the number ranges from " + grouped(fewest) + " to " + grouped(most) + ".";
  return other.empty() ? told : told + " " + capital(other) + ", the numbers differ.";
}

std::string batches(std::int64_t count) {
  return grouped(count) + (count == 1 ? " batch" : " batches");
}

std::string allRanks(std::int64_t ranks) {
  return ranks == 2 ? "both ranks" : "all " + grouped(ranks) + " ranks";
}

}  // namespace shardlens::words
