// SPDX-License-Identifier: Apache-2.0
#include "core/film/film.h"

#include "core/audit/audit.h"
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/film/film_epoch.h"
#include "core/film/packed.h"

#include <algorithm>
#include <utility>

namespace shardlens {
namespace {

constexpr std::int64_t kMostIdSamples = 1024;
constexpr std::int64_t kMostIdItems = 300'000;
constexpr std::int64_t kMostHairs = 256;  ///< of a step
constexpr std::int64_t kMostHairsOfOne = 24;
constexpr std::size_t kMostBytes = 1'380'000;  ///< of all arrays; as text they take a third more

/// "torch.DistributedSampler · 4 ranks on 1 node · batch size 2 per rank · 64 samples"
std::string designShown(const PipelineSpec& spec) {
  return spec.sampler.type + " · " + counted(spec.worldSize(), "rank") + " on " + counted(spec.world.nodes, "node") +
         " · batch size " + grouped(spec.loader.batch_size) + " per rank · " + counted(spec.dataset.size, "sample");
}

/// Of this epoch, or of each.
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
               filled(worded("film", "a film shows at most %1 batches, but one step of this design has %2."),
                      grouped(most_batches), grouped(ranks)),
               Place{{}, 0, 0, "world"}, worded("film", "make a film of a design with fewer ranks")};
}

/// Whether the samples can be told one by one.
Result<bool> tellsIds(const Plan& plan, const FilmRange& range, const Work& work) {
  if (plan.spec().dataset.size > kMostIdSamples) return false;
  std::int64_t items = 0;
  for (std::int64_t epoch = 0; epoch < range.epochs; ++epoch) {
    const auto shape = plan.epochShape(Epoch{range.first_epoch + epoch}, work);
    if (!shape) return shape.error();
    for (const RankEpochShape& rank : shape->ranks) items += rank.samples;
  }
  return items <= kMostIdItems;
}

/// Keeps as many hairs of each batch as the page has room for, still spread evenly.
void thinHairs(Film& film) {
  if (film.hairs == 0) return;
  const auto had = static_cast<std::size_t>(film.hairs);
  const std::size_t hairs = had * static_cast<std::size_t>(film.cells());
  const std::size_t others = packed(film).bytes.size() - hairs;
  const std::size_t room = others < kMostBytes ? (kMostBytes - others) / std::max<std::size_t>(hairs / had, 1) : 0;
  const std::size_t keep = std::min(had, room);
  for (FilmEpoch& epoch : film.epochs) {
    std::vector<std::uint8_t> kept;
    kept.reserve(epoch.cells.size() * keep);
    for (std::size_t cell = 0; cell < epoch.cells.size(); ++cell) {
      for (std::size_t i = 0; i < keep; ++i) kept.push_back(epoch.hairs[cell * had + (2 * i + 1) * had / (2 * keep)]);
    }
    epoch.hairs = std::move(kept);
  }
  film.hairs = static_cast<std::int64_t>(keep);
}

Result<FilmDetail> detailOf(const Plan& plan, const FilmRange& range, const Work& work) {
  const auto ids = tellsIds(plan, range, work);
  if (!ids) return ids.error();
  if (*ids) return FilmDetail{range.steps, true, 0};
  const std::int64_t of_one = kMostHairs / std::min<std::int64_t>(plan.worldSize(), kMostHairs);
  return FilmDetail{range.steps, false, std::min(of_one, kMostHairsOfOne)};
}

std::vector<std::int64_t> firstRanks(const PipelineSpec::World& world) {
  std::vector<std::int64_t> ranks;
  if (world.ranks_per_node.ofEveryNode()) return ranks;
  for (std::int64_t node = 0; node < world.nodes; ++node) ranks.push_back(world.firstRankOn(node));
  return ranks;
}

}  // namespace

std::int64_t Film::cells() const {
  std::int64_t cells = 0;
  for (const FilmEpoch& epoch : epochs) cells += std::ssize(epoch.cells);
  return cells;
}

std::int64_t Film::batches() const {
  std::int64_t batches = 0;
  for (const FilmEpoch& epoch : epochs) batches += epoch.batches;
  return batches;
}

std::vector<std::string> leftOutOf(const Film& film) {
  std::vector<std::string> sentences;
  const std::int64_t first = film.epochs.front().epoch;
  const std::int64_t last = film.epochs.back().epoch;
  for (const FilmEpoch& epoch : film.epochs) {
    if (epoch.steps >= epoch.all_steps) continue;
    sentences.push_back(onlyFirstSteps(epoch.epoch, epoch.steps, epoch.all_steps));
  }
  const bool are_alike = sentences.size() == film.epochs.size() && sentences.size() > 1 &&
                         std::ranges::all_of(film.epochs, [&film](const FilmEpoch& epoch) {
                           return epoch.steps == film.epochs[0].steps && epoch.all_steps == film.epochs[0].all_steps;
                         });
  if (are_alike) sentences = {onlyFirstSteps({}, film.epochs[0].steps, film.epochs[0].all_steps)};
  if (std::ssize(film.epochs) < film.all_epochs) sentences.push_back(onlyTheseEpochs(first, last, film.all_epochs));
  return sentences;
}

Result<Film> makeFilm(const Plan& plan, const FilmRange& range, const Work& work) {
  const PipelineSpec& spec = plan.spec();
  const auto detail = detailOf(plan, range, work.part(0, 0.1));
  if (!detail) return detail.error();
  Film film{.name = spec.name,
            .sentence = designShown(spec),
            .samples = spec.dataset.size,
            .ranks_per_node = spec.world.ranks_per_node.ofEveryNode().value_or(spec.worldSize()),
            .first_ranks = firstRanks(spec.world),
            .ranks = plan.worldSize(),
            .all_epochs = plan.epochs(),
            .has_ids = detail->ids,
            .hairs = detail->hairs,
            .epochs = {},
            .findings = {},
            .left_out = {}};
  const Work epochs = work.part(0.1, 0.7);
  const auto count = static_cast<double>(range.epochs);
  for (std::int64_t i = 0; i < range.epochs; ++i) {
    const Work part = epochs.part(static_cast<double>(i) / count, static_cast<double>(i + 1) / count);
    auto epoch = filmEpoch(plan, Epoch{range.first_epoch + i}, *detail, part);
    if (!epoch) return epoch.error();
    film.epochs.push_back(*std::move(epoch));
  }
  AuditOptions options;
  options.first_epoch = range.first_epoch;
  options.epochs = std::min(range.epochs, options.epochs);
  options.later_epochs = false;
  auto report = audit(plan, options, work.part(0.7, 1));
  if (!report) return report.error();
  film.findings = std::move(report->findings);
  film.left_out = leftOutOf(film);
  thinHairs(film);
  return film;
}

Result<FilmRange> filmRange(const Plan& plan, const FilmOptions& options, const Work& work) {
  if (options.first_epoch < 0 || options.first_epoch >= plan.epochs())
    return noSuchFirstEpoch(options.first_epoch, plan.epochs());
  if (plan.worldSize() > kMostFilmCells) return tooManyRanksForFilm(plan.worldSize(), kMostFilmCells);
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
