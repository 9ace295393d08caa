// SPDX-License-Identifier: Apache-2.0
// What epochs, and runs, have in common.
#include "core/audit/words/finding_words.h"
#include "core/base/phrase.h"
#include "core/base/text.h"

namespace shardlens::words {
namespace {

/// "Epochs 3 and 4", "Epochs 3 to 9".
std::string from(const ComparedEpochs& compared) {
  const std::string first = grouped(compared.first);
  const std::string last = grouped(compared.first + compared.count - 1);
  return compared.count == 2 ? filled(worded("findings", "Epochs %1 and %2"), first, last)
                             : filled(worded("findings", "Epochs %1 to %2"), first, last);
}

/// "Epochs 0 and 1", "All 90 epochs", "The first 12 of 300 epochs", "Epochs 3 to 9".
std::string comparedEpochs(const ComparedEpochs& compared) {
  if (compared.first > 0) return from(compared);
  if (compared.count < compared.planned) {
    return filled(worded("findings", "The first %1 of %2"), grouped(compared.count),
                  wordedCount(compared.planned, "epoch"));
  }
  return compared.count == 2 ? from(compared)
                             : filled(worded("findings", "All %1"), wordedCount(compared.count, "epoch"));
}

}  // namespace

FindingWords ownOrders(const ComparedEpochs& compared) {
  return {worded("findings", "Every epoch has its own order"),
          filled(worded("findings", "%1 were compared: no two have the same batches."), comparedEpochs(compared)),
          worded("findings", "Compared batch by batch over all ranks.")};
}

FindingWords notShuffled(const ComparedEpochs& compared, bool has_added) {
  return {
      worded("findings", "Nothing is shuffled"),
      has_added
          ? filled(worded("findings",
                          "%1 have the same batches, in the order of the dataset except for what the sampler adds."),
                   comparedEpochs(compared))
          : filled(worded("findings", "%1 have the same batches, in the order of the dataset."),
                   comparedEpochs(compared)),
      worded("findings", "This is right for evaluation. In training, neighbours in the dataset always share a batch.")};
}

FindingWords recordedInOrder(const ComparedEpochs& compared) {
  return {
      worded("findings", "Every epoch follows the order of the dataset"),
      filled(worded("findings", "%1 have the same batches, in the order of the dataset."), comparedEpochs(compared)),
      asRecorded()};
}

FindingWords setEpochForgotten(const ComparedEpochs& compared) {
  return {worded("findings", "Every epoch has the same order"),
          filled(worded("findings", "%1 have the same batches: set_epoch is never called with another epoch."),
                 comparedEpochs(compared)),
          worded("findings",
                 "The order comes from seed + epoch, and the sampler keeps its epoch until the script calls "
                 "sampler.set_epoch(epoch) with another one.")};
}

FindingWords epochsRepeat(const std::vector<std::int64_t>& repeating, const ComparedEpochs& compared) {
  const bool all = static_cast<std::int64_t>(repeating.size()) + 1 == compared.count;
  const bool one = repeating.size() == 1;
  const std::string of = wordedCount(compared.planned, "epoch");
  const std::string count = grouped(compared.count);
  const std::string seen =
      compared.first > 0 ? filled(worded("findings", "%1 from epoch %2 on"), count, grouped(compared.first))
      : compared.count == compared.planned ? filled(worded("findings", "all %1"), of)
                                           : filled(worded("findings", "the first %1 of %2"), count, of);
  const std::string which = listed(repeating);
  return {all ? worded("findings", "Every epoch has the same batches")
              : worded("findings", "Some epochs have the same batches"),
          all   ? filled(worded("findings", "%1 have the same batches."), comparedEpochs(compared))
          : one ? filled(worded("findings", "Epoch %1 repeats the batches of an earlier epoch; %2 were compared."),
                         which, seen)
                : filled(worded("findings", "Epochs %1 repeat the batches of an earlier epoch; %2 were compared."),
                         which, seen),
          worded("findings", "The model sees the same batches in the same order again, and can learn that order.")};
}

FindingWords seedSweep(std::int64_t seed, std::int64_t first) {
  return {
      worded("findings", "Runs with neighbouring seeds have epochs in common"),
      filled(worded("findings", "Seed %1 in epoch %2 has the order of seed %3 in epoch %4, and so on."), grouped(seed),
             grouped(first + 1), grouped(seed + 1), grouped(first)),
      worded("findings",
             "The generator is seeded with seed + epoch, so runs over seeds 0, 1, 2 are not independent. Choose seeds "
             "that differ by more than the number of epochs.")};
}

}  // namespace shardlens::words
