// SPDX-License-Identifier: Apache-2.0
// What epochs, and runs, have in common.
#include "core/audit/words/finding_words.h"
#include "core/base/phrase.h"
#include "core/base/text.h"

namespace shardlens::words {
namespace {

/// "Epochs 0 and 1", "All 90 epochs", "The first 12 of 300 epochs".
std::string comparedEpochs(std::int64_t compared, std::int64_t epochs) {
  if (compared < epochs) {
    return filled(worded("findings", "The first %1 of %2"), grouped(compared), wordedCount(epochs, "epoch"));
  }
  return compared == 2 ? worded("findings", "Epochs 0 and 1")
                       : filled(worded("findings", "All %1"), wordedCount(compared, "epoch"));
}

}  // namespace

FindingWords ownOrders(std::int64_t compared, std::int64_t epochs) {
  return {
      worded("findings", "Every epoch has its own order"),
      filled(worded("findings", "%1 were compared: no two have the same batches."), comparedEpochs(compared, epochs)),
      worded("findings", "Compared batch by batch over all ranks.")};
}

FindingWords notShuffled(std::int64_t compared, std::int64_t epochs, bool has_added) {
  return {
      worded("findings", "Nothing is shuffled"),
      has_added ? filled(worded("findings",
                                "%1 have the same batches, in the order of the dataset but for what the sampler adds."),
                         comparedEpochs(compared, epochs))
                : filled(worded("findings", "%1 have the same batches, in the order of the dataset."),
                         comparedEpochs(compared, epochs)),
      worded("findings", "This is right for evaluation. In training, neighbours in the dataset always share a batch.")};
}

FindingWords recordedInOrder(std::int64_t compared, std::int64_t epochs) {
  return {worded("findings", "Every epoch follows the order of the dataset"),
          filled(worded("findings", "%1 have the same batches, in the order of the dataset."),
                 comparedEpochs(compared, epochs)),
          asRecorded()};
}

FindingWords setEpochForgotten(std::int64_t compared, std::int64_t epochs) {
  return {worded("findings", "Every epoch has the same order"),
          filled(worded("findings", "%1 have the same batches: set_epoch is never called with another epoch."),
                 comparedEpochs(compared, epochs)),
          worded("findings",
                 "The order comes from seed + epoch, and the sampler's epoch stays as it is until the script calls "
                 "sampler.set_epoch(epoch) with another one.")};
}

FindingWords epochsRepeat(const std::vector<std::int64_t>& repeating, std::int64_t compared, std::int64_t epochs) {
  const bool all = static_cast<std::int64_t>(repeating.size()) + 1 == compared;
  const bool one = repeating.size() == 1;
  const std::string of = wordedCount(epochs, "epoch");
  const std::string seen = compared == epochs ? filled(worded("findings", "all %1"), of)
                                              : filled(worded("findings", "the first %1 of %2"), grouped(compared), of);
  const std::string which = listed(repeating);
  return {all ? worded("findings", "Every epoch has the same batches")
              : worded("findings", "Some epochs have the same batches"),
          all   ? filled(worded("findings", "%1 have the same batches."), comparedEpochs(compared, epochs))
          : one ? filled(worded("findings", "Epoch %1 repeats the batches of an earlier epoch; %2 were compared."),
                         which, seen)
                : filled(worded("findings", "Epochs %1 repeat the batches of an earlier epoch; %2 were compared."),
                         which, seen),
          worded("findings", "The model sees the same batches in the same order again, and can learn that order.")};
}

FindingWords seedSweep(std::int64_t seed) {
  return {
      worded("findings", "Runs with neighbouring seeds share most of their epochs"),
      filled(worded("findings", "Seed %1 in epoch 1 has the order of seed %2 in epoch 0, and so on."), grouped(seed),
             grouped(seed + 1)),
      worded("findings",
             "The generator is seeded with seed + epoch, so runs over seeds 0, 1, 2 are not independent. Choose seeds "
             "that differ by more than the number of epochs.")};
}

}  // namespace shardlens::words
