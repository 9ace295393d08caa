// SPDX-License-Identifier: Apache-2.0
#include "core/film/film_words.h"

#include "core/base/phrase.h"
#include "core/base/text.h"

namespace shardlens::words {

std::string designShown(const PipelineSpec& spec) {
  return spec.sampler.type + " · " + counted(spec.worldSize(), "rank") + " on " + counted(spec.world.nodes, "node") +
         " · batch size " + grouped(spec.loader.batch_size) + " per rank · " + counted(spec.dataset.size, "sample");
}

std::string onlyFirstSteps(std::optional<std::int64_t> epoch, std::int64_t shown, std::int64_t steps) {
  const std::string all = wordedCount(steps, "step");
  if (epoch) {
    return shown == 1
               ? filled(worded("film", "The film shows only the first of the %2 of epoch %1."), grouped(*epoch), all)
               : filled(worded("film", "The film shows only the first %1 of the %3 of epoch %2."), grouped(shown),
                        grouped(*epoch), all);
  }
  return shown == 1
             ? filled(worded("film", "The film shows only the first of the %1 of each epoch."), all)
             : filled(worded("film", "The film shows only the first %1 of the %2 of each epoch."), grouped(shown), all);
}

std::string onlyTheseEpochs(std::int64_t first, std::int64_t last, std::int64_t epochs) {
  const std::string all = wordedCount(epochs, "epoch");
  if (first == last)
    return filled(worded("film", "The film shows only epoch %1. The spec has %2."), grouped(first), all);
  return filled(last == first + 1 ? worded("film", "The film shows only epochs %1 and %2. The spec has %3.")
                                  : worded("film", "The film shows only epochs %1 to %2. The spec has %3."),
                grouped(first), grouped(last), all);
}

Error noSuchFirstEpoch(std::int64_t epoch, std::int64_t epochs) {
  return Error{ErrorCode::BadInput, "there is no epoch " + grouped(epoch) + ".", Place{{}, 0, 0, "--first-epoch"},
               epochs == 1 ? "the design has only epoch 0" : "the design has epochs 0 to " + grouped(epochs - 1)};
}

Error tooManyRanksForFilm(std::int64_t ranks, std::int64_t most_batches) {
  return Error{ErrorCode::BadInput,
               filled(worded("film", "a film shows at most %1 batches, and one step of this design has %2."),
                      grouped(most_batches), grouped(ranks)),
               Place{{}, 0, 0, "world"}, worded("film", "make a film of a design with fewer ranks")};
}

}  // namespace shardlens::words
