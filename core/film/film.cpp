// SPDX-License-Identifier: Apache-2.0
#include "core/film/film.h"

#include "core/audit/audit.h"
#include "core/audit/handed_items.h"
#include "core/audit/readers.h"
#include "core/base/large_array.h"
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/sampling/recorded_lists.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>

namespace shardlens {
namespace {

constexpr std::int64_t kMostIdSamples = 1024;
constexpr std::int64_t kMostIdItems = 300'000;
constexpr std::int64_t kMostHairs = 256;  ///< of a step
constexpr std::int64_t kMostHairsOfOne = 24;
constexpr std::size_t kMostBytes = 1'380'000;  ///< of all arrays; as text they take a third more

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

using Numbers = std::vector<std::uint32_t>;

void pack(std::string name, const Numbers& numbers, Packed& out) {
  PackedArray array{std::move(name), static_cast<std::int64_t>(numbers.size()), 0, 0};
  const auto [least, most] = std::ranges::minmax_element(numbers);
  if (numbers.empty() || *least == *most) {
    array.value = numbers.empty() ? 0 : *least;
    out.arrays.push_back(std::move(array));
    return;
  }
  array.width = *most < 1U << 8 ? 1 : *most < 1U << 16 ? 2 : 4;
  for (const std::uint32_t number : numbers) {
    for (int byte = 0; byte < array.width; ++byte) out.bytes.push_back(static_cast<std::uint8_t>(number >> 8 * byte));
  }
  out.arrays.push_back(std::move(array));
}

template <class Member>
void packCells(const char* name, const Film& film, Member member, Packed& out) {
  Numbers numbers;
  for (const FilmEpoch& epoch : film.epochs) {
    for (const FilmCell& cell : epoch.cells) numbers.push_back(cell.*member);
  }
  pack(name, numbers, out);
}

template <class Member>
void packList(const char* name, const Film& film, Member member, Packed& out) {
  Numbers numbers;
  for (const FilmEpoch& epoch : film.epochs) {
    for (const auto number : epoch.*member) numbers.push_back(static_cast<std::uint32_t>(number));
  }
  pack(name, numbers, out);
}

constexpr std::int64_t kMostMoments = 48;
using Histogram = std::array<std::uint32_t, kFilmParts>;

/// The first part that `share` of the samples reach, by nearest rank.
std::uint8_t partAt(const Histogram& parts, std::int64_t samples, double share) {
  auto left = static_cast<std::int64_t>(std::lround(share * static_cast<double>(samples - 1)));
  std::size_t part = 0;
  while (part + 1 < parts.size() && left >= parts[part]) left -= parts[part++];
  return static_cast<std::uint8_t>(part);
}

/// Counts one epoch, order by order: no more than one order and what reads it is at hand at a time.
class EpochPass {
 public:
  EpochPass(const Plan& plan, Epoch epoch, const FilmDetail& detail)
      : plan_(plan), epoch_(epoch), detail_(detail), size_(plan.spec().dataset.size), ranks_(plan.worldSize()) {}

  Result<FilmEpoch> run(const Work& work);

 private:
  Result<void> count(const Work& work);
  Result<void> addGroup(const ReaderIndices& group, const Work& work);
  Result<void> addView(const View& view, const Work& work);
  FilmCell cellOf(const View& view, std::int64_t step);
  Result<void> freeFirstReadings(const Work& work);
  void addHairs(const View& view, std::int64_t step);
  Result<void> addIds(const Work& work);
  void countFresh();
  void countCoverage();

  [[nodiscard]] bool isDuplicate(SampleIndex sample) const {
    return handed_->times()[sample] + handed_->everywhere() > 1;
  }
  [[nodiscard]] std::int64_t partOf(SampleIndex sample) const { return sample * kFilmParts / size_; }
  [[nodiscard]] std::size_t cellIndex(std::int64_t step, std::int64_t rank) const {
    return static_cast<std::size_t>(step * ranks_ + rank);
  }

  const Plan& plan_;
  Epoch epoch_;
  const FilmDetail& detail_;
  std::int64_t size_;
  std::int64_t ranks_;
  std::vector<Reader> readers_;
  std::vector<ReaderIndices> groups_;
  std::optional<HandedItems> handed_;
  LargeArray<std::uint32_t> first_;    ///< by sample: 1 + the first step that hands it out, 0 = none that is shown
  std::vector<std::int64_t> padding_;  ///< of the view at hand: its padded items, ascending
  std::size_t next_padding_ = 0;
  std::int64_t next_look_ = 0;
  FilmEpoch film_;
};

Result<void> EpochPass::count(const Work& work) {
  auto handed = HandedItems::make(plan_, groups_.size(), work);
  if (!handed) return handed.error();
  handed_.emplace(*std::move(handed));
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (isHandedAll(plan_, readers_[groups_[i].front()])) {
      handed_->addWhole(static_cast<std::int64_t>(groups_[i].size()));
      continue;
    }
    const auto groups = static_cast<double>(groups_.size());
    const Work part = work.part(static_cast<double>(i) / groups, static_cast<double>(i + 1) / groups);
    const auto views = viewsOf(plan_, readers_, groups_[i], part.part(0, 0.5));
    if (!views) return views.error();
    if (auto added = handed_->add(*views, part.part(0.5, 1)); !added) return added;
  }
  return {};
}

FilmCell EpochPass::cellOf(const View& view, std::int64_t step) {
  FilmCell cell;
  const RankEpoch::Range range = view.items.batch(Step{step});
  if (range.size() <= 0 || size_ <= 0) return cell;
  Histogram parts{};
  double sum = 0;
  while (next_padding_ < padding_.size() && padding_[next_padding_] < range.first) ++next_padding_;
  for (std::int64_t k = range.first; k < range.last; ++k) {
    const SampleIndex sample = view.items.sample(k);
    const bool is_padding = next_padding_ < padding_.size() && padding_[next_padding_] == k;
    if (is_padding) ++next_padding_;
    cell.padding += is_padding ? 1 : 0;
    cell.duplicates += !is_padding && isDuplicate(sample) ? 1 : 0;
    ++parts[static_cast<std::size_t>(partOf(sample))];
    sum += static_cast<double>(sample);
    std::uint32_t& first = first_.items()[static_cast<std::size_t>(sample)];
    const auto now = static_cast<std::uint32_t>(step + 1);
    if (first == 0 || first > now) first = now;
  }
  cell.samples = static_cast<std::uint32_t>(range.size());
  const double mean = sum / static_cast<double>(range.size());
  cell.mean = static_cast<std::uint8_t>(mean * static_cast<double>(kFilmParts) / static_cast<double>(size_));
  cell.low = partAt(parts, range.size(), 0.05);
  cell.high = partAt(parts, range.size(), 0.95);
  return cell;
}

/// What a sampler adds and nobody read before repeats nothing.
Result<void> EpochPass::freeFirstReadings(const Work& work) {
  const auto first = plan_.firstReadings(epoch_, work);
  if (!first) return first.error();
  for (const auto& [rank, items] : first->byRank()) {
    const auto drawn = plan_.rankEpoch(epoch_, rank, {work.stop, {}});
    if (!drawn) return drawn.error();
    for (const std::int64_t k : *items) {
      const std::int64_t step = drawn->stepOf(k)->value;
      if (step < film_.steps) --film_.cells[cellIndex(step, rank.value)].padding;
    }
  }
  return {};
}

void EpochPass::addHairs(const View& view, std::int64_t step) {
  const RankEpoch::Range range = view.items.batch(Step{step});
  if (range.size() <= 0) return;
  for (const std::size_t reader : view.readers) {
    const std::size_t from = cellIndex(step, readers_[reader].rank.value) * static_cast<std::size_t>(detail_.hairs);
    for (std::int64_t i = 0; i < detail_.hairs; ++i) {
      const std::int64_t item = range.first + (2 * i + 1) * range.size() / (2 * detail_.hairs);
      film_.hairs[from + static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(partOf(view.items.sample(item)));
    }
  }
}

Result<void> EpochPass::addView(const View& view, const Work& work) {
  padding_ = view.items.slice().addedAmong(view.handed);
  next_padding_ = 0;
  next_look_ = 0;
  const std::int64_t steps = std::min(view.items.batches(), film_.steps);
  film_.batches += steps * std::ssize(view.readers);
  for (std::int64_t step = 0; step < steps; ++step) {
    if (const std::int64_t items = view.items.batch(Step{step}).first; items >= next_look_) {
      if (work.stopped()) return cancelled();
      work.progress(static_cast<double>(step) / static_cast<double>(steps));
      next_look_ = items + kItemsBetweenLooks;
    }
    const FilmCell cell = cellOf(view, step);
    for (const std::size_t reader : view.readers) film_.cells[cellIndex(step, readers_[reader].rank.value)] = cell;
    addHairs(view, step);
  }
  return {};
}

Result<void> EpochPass::addGroup(const ReaderIndices& group, const Work& work) {
  const auto views = viewsOf(plan_, readers_, group, work.part(0, 0.3));
  if (!views) return views.error();
  const Work reading = work.part(0.3, 1);
  const auto count = static_cast<double>(views->size());
  for (std::size_t i = 0; i < views->size(); ++i) {
    const Work part = reading.part(static_cast<double>(i) / count, static_cast<double>(i + 1) / count);
    if (auto added = addView((*views)[i], part); !added) return added;
  }
  return {};
}

Result<void> EpochPass::addIds(const Work& work) {
  const auto epoch = plan_.epoch(epoch_, work);
  if (!epoch) return epoch.error();
  for (std::int64_t step = 0; step < film_.steps; ++step) {
    if (work.stopped()) return cancelled();
    for (const RankEpoch& rank : epoch->ranks) {
      if (step >= rank.batches()) continue;
      const RankEpoch::Range range = rank.batch(Step{step});
      for (std::int64_t k = range.first; k < range.last; ++k) {
        const SampleIndex sample = rank.sample(k);
        film_.ids.push_back(sample);
        film_.marks.push_back(rank.isPadding(k)     ? kFilmPadding
                              : isDuplicate(sample) ? kFilmDuplicate
                                                    : std::uint8_t{0});
      }
    }
  }
  return {};
}

void EpochPass::countFresh() {
  film_.fresh.assign(static_cast<std::size_t>(film_.steps), 0);
  for (const std::uint32_t first : first_.items()) {
    if (first > 0) ++film_.fresh[first - 1];
  }
}

/// Moment m is when m * steps / moments steps are dealt, from 1 to `moments`; nothing is handed out before.
void EpochPass::countCoverage() {
  film_.moments = std::min(film_.steps, kMostMoments);
  if (film_.moments == 0 || size_ == 0) return;
  std::vector<std::uint32_t> seen(static_cast<std::size_t>(film_.moments * kFilmParts), 0);
  const auto samples = first_.items();
  for (std::size_t sample = 0; sample < samples.size(); ++sample) {
    if (samples[sample] == 0) continue;
    // The first moment that has the step behind it: the least m with m * steps / moments >= first.
    const std::int64_t moment = (samples[sample] * film_.moments + film_.steps - 1) / film_.steps;
    const std::int64_t part = partOf(static_cast<SampleIndex>(sample));
    ++seen[static_cast<std::size_t>((moment - 1) * kFilmParts + part)];
  }
  film_.coverage.reserve(seen.size());
  for (std::int64_t moment = 0; moment < film_.moments; ++moment) {
    for (std::int64_t part = 0; part < kFilmParts; ++part) {
      const auto at = static_cast<std::size_t>(moment * kFilmParts + part);
      if (moment > 0) seen[at] += seen[at - static_cast<std::size_t>(kFilmParts)];
      const std::int64_t begin = (part * size_ + kFilmParts - 1) / kFilmParts;
      const std::int64_t end = ((part + 1) * size_ + kFilmParts - 1) / kFilmParts;
      const double share = end > begin ? static_cast<double>(seen[at]) / static_cast<double>(end - begin) : 0;
      film_.coverage.push_back(static_cast<std::uint16_t>(std::lround(share * 65535)));
    }
  }
}

Result<FilmEpoch> EpochPass::run(const Work& work) {
  const auto steps = plan_.steps(epoch_, work.part(0, 0.1));
  if (!steps) return steps.error();
  film_.epoch = epoch_.value;
  film_.all_steps = *steps;
  film_.steps = std::min(*steps, detail_.steps);
  readers_ = ranksOf(plan_, epoch_, ranks_);
  groups_ = groupByOrder(plan_, readers_);
  if (auto counted = count(work.part(0.1, 0.4)); !counted) return counted.error();
  auto first = LargeArray<std::uint32_t>::make(static_cast<std::size_t>(size_), "the first step of each sample");
  if (!first) return first.error();
  first_ = *std::move(first);
  film_.cells.resize(cellIndex(film_.steps, 0));
  film_.hairs.resize(film_.cells.size() * static_cast<std::size_t>(detail_.hairs));
  const Work reading = work.part(0.4, 0.95);
  const auto groups = static_cast<double>(groups_.size());
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const Work part = reading.part(static_cast<double>(i) / groups, static_cast<double>(i + 1) / groups);
    if (auto added = addGroup(groups_[i], part); !added) return added.error();
  }
  if (auto freed = freeFirstReadings({work.stop, {}}); !freed) return freed.error();
  countFresh();
  if (!detail_.ids) {
    countCoverage();
  } else if (auto added = addIds(work.part(0.95, 1)); !added) {
    return added.error();
  }
  return std::move(film_);
}

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostNamed = 64;  ///< ranks and samples of a finding that the page marks

/// JSON that may stand in a script element: no character of it begins a tag or a comment.
std::string scriptJson(const Json& json) {
  std::string out;
  for (const char c : json.dump(-1, ' ', true, Json::error_handler_t::replace)) {
    out += c == '<' ? "\\u003c" : c == '>' ? "\\u003e" : c == '&' ? "\\u0026" : std::string(1, c);
  }
  return out;
}

std::vector<std::int64_t> firstOf(const std::vector<std::int64_t>& ids) {
  return {ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(std::min(ids.size(), kMostNamed))};
}

Json whereJson(const Where& where) {
  Json json = Json::object();
  if (!where.ranks.empty()) json["ranks"] = firstOf(where.ranks);
  if (!where.samples.empty()) json["samples"] = firstOf(where.samples);
  if (where.epoch) json["epoch"] = *where.epoch;
  if (where.step) json["step"] = *where.step;
  return json;
}

Json findingsJson(const Film& film) {
  Json findings = Json::array();
  for (const Finding& finding : film.findings) {
    Json json = {
        {"code", finding.code},   {"severity", finding.is_proof ? "fine" : std::string(severityName(finding.severity))},
        {"title", finding.title}, {"message", finding.message},
        {"why", finding.why},     {"where", whereJson(finding.where)}};
    if (finding.fix() != nullptr) json["fix"] = finding.fix()->label;
    findings.push_back(std::move(json));
  }
  return findings;
}

std::string_view themeName(PageTheme theme) {
  return theme == PageTheme::Light ? "light" : theme == PageTheme::Dark ? "dark" : "auto";
}

Json headJson(const Film& film, const Packed& arrays, PageTheme theme) {
  Json json = {{"name", film.name},
               {"sentence", film.sentence},
               {"size", film.samples},
               {"ranks", film.ranks},
               {"perNode", film.ranks_per_node},
               {"firstRanks", film.first_ranks},
               {"allEpochs", film.all_epochs},
               {"hasIds", film.has_ids},
               {"hairsEach", film.hairs},
               {"parts", kFilmParts},
               {"theme", themeName(theme)},
               {"leftOut", film.left_out},
               {"epochs", Json::array()},
               {"findings", findingsJson(film)},
               {"arrays", Json::array()}};
  for (const FilmEpoch& epoch : film.epochs) {
    json["epochs"].push_back(
        {{"epoch", epoch.epoch}, {"steps", epoch.steps}, {"allSteps", epoch.all_steps}, {"moments", epoch.moments}});
  }
  for (const PackedArray& array : arrays.arrays) {
    json["arrays"].push_back(
        {{"name", array.name}, {"count", array.count}, {"width", array.width}, {"value", array.value}});
  }
  return json;
}

/// Each recorded batch has a size of its own.
std::string sentenceOf(const PipelineSpec& spec) {
  const bool is_recorded = spec.sampler.type == sampling::kRecordedBatches;
  return sampling::samplerName(spec.sampler.type) + " · " + counted(spec.worldSize(), "rank") + " on " +
         counted(spec.world.nodes, "node") +
         (is_recorded ? std::string() : " · batch size " + grouped(spec.loader.batch_size) + " per rank") + " · " +
         counted(spec.dataset.size, "sample");
}

std::string fileText(std::string_view name) {
  const auto files = filmFiles();
  const auto file = std::ranges::find(files, name, &PageFile::name);
  return std::string(file->text);
}

std::string scripts() {
  std::string text;
  for (const PageFile& file : filmFiles()) {
    if (file.name.ends_with(".js")) text += file.text;
  }
  return text;
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
            .sentence = sentenceOf(spec),
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
    return Error{ErrorCode::BadInput, "there is no epoch " + grouped(options.first_epoch) + ".",
                 Place{{}, 0, 0, "--first-epoch"},
                 plan.epochs() == 1 ? "the design has only epoch 0"
                                    : "the design has epochs 0 to " + grouped(plan.epochs() - 1)};
  if (plan.worldSize() > kMostFilmCells)
    return Error{ErrorCode::BadInput,
                 filled(worded("film", "a film shows at most %1 batches, but one step of this design has %2."),
                        grouped(kMostFilmCells), grouped(plan.worldSize())),
                 Place{{}, 0, 0, "world"}, worded("film", "make a film of a design with fewer ranks")};
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

Packed packed(const Film& film) {
  Packed out;
  packCells("samples", film, &FilmCell::samples, out);
  packCells("padding", film, &FilmCell::padding, out);
  packCells("duplicates", film, &FilmCell::duplicates, out);
  packCells("mean", film, &FilmCell::mean, out);
  packCells("low", film, &FilmCell::low, out);
  packCells("high", film, &FilmCell::high, out);
  packList("fresh", film, &FilmEpoch::fresh, out);
  packList("ids", film, &FilmEpoch::ids, out);
  packList("marks", film, &FilmEpoch::marks, out);
  packList("hairs", film, &FilmEpoch::hairs, out);
  packList("coverage", film, &FilmEpoch::coverage, out);
  return out;
}

std::string base64(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < count ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? kDigits[group >> (18 - 6 * k) & 63U] : '=';
  }
  return text;
}

Result<FilmEpoch> filmEpoch(const Plan& plan, Epoch epoch, const FilmDetail& detail, const Work& work) {
  return EpochPass(plan, epoch, detail).run(work);
}

std::string filmPage(const Film& film, PageTheme theme) {
  const Packed arrays = packed(film);
  const std::string name = oneLine(printable(film.name));
  const std::array<Filling, 8> fillings = {{
      {"@page@", pageHead({name, film.sentence, true, true})},
      {"@name@", htmlText(name)},
      {"@sentence@", htmlText(film.sentence)},
      {"@theme@", std::string(themeName(theme))},
      {"@style@", fileText("film.css")},
      {"@head@", scriptJson(headJson(film, arrays, theme))},
      {"@data@", base64(arrays.bytes)},
      {"@script@", scripts()},
  }};
  return filledPage(fileText("film.html"), fillings);
}

}  // namespace shardlens
