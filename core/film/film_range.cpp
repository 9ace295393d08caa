// SPDX-License-Identifier: Apache-2.0
#include "core/film/film.h"
#include "core/film/film_words.h"

#include <algorithm>

namespace shardlens {

Result<FilmRange> filmRange(const Plan& plan, const FilmOptions& options, const Work& work) {
  if (options.first_epoch < 0 || options.first_epoch >= plan.epochs())
    return words::noSuchFirstEpoch(options.first_epoch, plan.epochs());
  if (plan.worldSize() > kMostFilmCells) return words::tooManyRanksForFilm(plan.worldSize(), kMostFilmCells);
  FilmRange range{options.first_epoch, std::max<std::int64_t>(options.epochs.value_or(kUsualFilmEpochs), 1), 0};
  const std::int64_t columns = kMostFilmCells / plan.worldSize();
  range.epochs = std::min({range.epochs, plan.epochs() - range.first_epoch, columns});
  // Epochs may differ in length, and what a short one leaves is the others': the longest bound that fits.
  std::vector<std::int64_t> lengths;
  for (std::int64_t epoch = 0; epoch < range.epochs; ++epoch) {
    const auto steps = plan.steps(Epoch{range.first_epoch + epoch}, work);
    if (!steps) return steps.error();
    lengths.push_back(*steps);
  }
  std::ranges::sort(lengths);
  std::int64_t left = columns;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const std::int64_t fits = left / static_cast<std::int64_t>(lengths.size() - i);
    range.steps = std::min(lengths[i], fits);
    if (lengths[i] > fits) break;
    left -= lengths[i];
  }
  if (options.steps) range.steps = std::min(range.steps, *options.steps);
  return range;
}

}  // namespace shardlens
