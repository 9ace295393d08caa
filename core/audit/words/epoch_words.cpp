// SPDX-License-Identifier: Apache-2.0
// What epochs, and runs, have in common.
#include "core/audit/words/finding_words.h"
#include "core/base/text.h"

namespace shardlens::words {
namespace {

/// "Epochs 0 and 1", "All 90 epochs", "The first 12 of 300 epochs".
std::string comparedEpochs(std::int64_t compared, std::int64_t epochs) {
  if (compared < epochs) return "The first " + grouped(compared) + " of " + counted(epochs, "epoch");
  return compared == 2 ? "Epochs 0 and 1" : "All " + counted(compared, "epoch");
}

}  // namespace

FindingWords ownOrders(std::int64_t compared, std::int64_t epochs) {
  return {"Every epoch has its own order",
          comparedEpochs(compared, epochs) + " were compared: no two have the same batches.",
          "Compared batch by batch over all ranks."};
}

FindingWords notShuffled(std::int64_t compared, std::int64_t epochs) {
  return {"Nothing is shuffled",
          comparedEpochs(compared, epochs) + " have the same batches, in the order of the dataset.",
          "This is right for evaluation. In training, neighbours in the dataset always share a batch."};
}

FindingWords setEpochForgotten(std::int64_t compared, std::int64_t epochs) {
  return {"Every epoch has the same order",
          comparedEpochs(compared, epochs) + " have the same batches: set_epoch is never called.",
          "The order comes from seed + epoch, and the sampler's epoch stays 0 until the script calls "
          "sampler.set_epoch(epoch)."};
}

FindingWords epochsRepeat(const std::vector<std::int64_t>& repeating, std::int64_t compared, std::int64_t epochs) {
  const bool all = static_cast<std::int64_t>(repeating.size()) + 1 == compared;
  const bool one = repeating.size() == 1;
  const std::string seen = compared == epochs ? "all " + counted(epochs, "epoch")
                                              : "the first " + grouped(compared) + " of " + counted(epochs, "epoch");
  return {all ? "Every epoch has the same batches" : "Some epochs have the same batches",
          all ? comparedEpochs(compared, epochs) + " have the same batches."
              : std::string(one ? "Epoch " : "Epochs ") + ranges(repeating) + (one ? " repeats" : " repeat") +
                    " the batches of an earlier epoch; " + seen + " were compared.",
          "The model sees the same batches in the same order again, and can learn that order."};
}

FindingWords seedSweep(std::int64_t seed) {
  return {
      "Runs with neighbouring seeds share most of their epochs",
      "Seed " + grouped(seed) + " in epoch 1 has the order of seed " + grouped(seed + 1) + " in epoch 0, and so on.",
      "The generator is seeded with seed + epoch, so runs over seeds 0, 1, 2 are not independent. Choose seeds "
      "that differ by more than the number of epochs."};
}

}  // namespace shardlens::words
