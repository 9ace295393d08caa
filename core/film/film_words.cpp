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
  const std::string whose = epoch ? "epoch " + grouped(*epoch) + "'s " : "each epoch's ";
  return "Only the first " + (shown == 1 ? std::string() : grouped(shown) + " ") + "of " + whose +
         counted(steps, "step") + (shown == 1 ? " is shown." : " are shown.");
}

std::string onlyTheseEpochs(std::int64_t first, std::int64_t last, std::int64_t epochs) {
  const std::string of = " of the spec's " + counted(epochs, "epoch");
  if (first == last) return "Only epoch " + grouped(first) + of + " is shown.";
  return "Only epochs " + grouped(first) + (last == first + 1 ? " and " : " to ") + grouped(last) + of + " are shown.";
}

Error noSuchFirstEpoch(std::int64_t epoch, std::int64_t epochs) {
  return Error{ErrorCode::BadInput, "there is no epoch " + grouped(epoch) + ".", Place{{}, 0, 0, "--first-epoch"},
               epochs == 1 ? "the design has only epoch 0" : "the design has epochs 0 to " + grouped(epochs - 1)};
}

Error tooManyRanksForFilm(std::int64_t ranks, std::int64_t most_batches) {
  return Error{ErrorCode::BadInput,
               filled(worded("film", "a film shows at most %1 batches, and a step of the design has %2."),
                      grouped(most_batches), grouped(ranks)),
               Place{{}, 0, 0, "world"}, worded("film", "make a film of a smaller world")};
}

}  // namespace shardlens::words
