// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/finding.h"
#include "core/base/html.h"
#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace shardlens {

/// A film shows at most this many batches, so that the page stays below two megabytes.
constexpr std::int64_t kMostFilmCells = 100'000;
/// A place in the dataset is given as one of this many equal parts; the strip of the dataset has as many bars.
constexpr std::int64_t kFilmParts = 256;

/// How many epochs a film shows unless told otherwise.
constexpr std::int64_t kUsualFilmEpochs = 3;

/// Which part of a design is requested.
struct FilmOptions {
  std::int64_t first_epoch = 0;
  std::optional<std::int64_t> epochs;  ///< kUsualFilmEpochs, or as many as there are, when absent
  std::optional<std::int64_t> steps;   ///< of each epoch, from step 0; as many as fit when absent
};

/// Which part of a design a film shows: what was requested, limited by the spec's end and by kMostFilmCells.
struct FilmRange {
  std::int64_t first_epoch = 0;
  std::int64_t epochs = 1;
  std::int64_t steps = 0;  ///< at most, of each epoch

  bool operator==(const FilmRange&) const = default;
};

/// BadInput when the plan has more ranks than a film has cells, or when it has no such epoch.
Result<FilmRange> filmRange(const Plan& plan, const FilmOptions& options, const Work& work = {});

/// One batch: how many samples it holds, and where in the dataset they are, in parts of kFilmParts.
struct FilmCell {
  std::uint32_t samples = 0;     ///< 0: the rank has no such step
  std::uint32_t padding = 0;     ///< of these, repeated only so that slices or batches come out even
  std::uint32_t duplicates = 0;  ///< of these, without padding: handed out more than once in the epoch, by any rank
  std::uint8_t mean = 0;
  std::uint8_t low = 0;   ///< 5 % of the samples are at or before it
  std::uint8_t high = 0;  ///< 95 % of the samples are at or before it

  bool operator==(const FilmCell&) const = default;
};

/// How an item of a small film came into its batch; flags.
constexpr std::uint8_t kFilmPadding = 1;
constexpr std::uint8_t kFilmDuplicate = 2;

/// One epoch of a film. Cells are ordered by step, and by rank within a step.
struct FilmEpoch {
  std::int64_t epoch = 0;
  std::int64_t steps = 0;      ///< shown
  std::int64_t all_steps = 0;  ///< that the epoch has
  std::int64_t batches = 0;    ///< in the steps that are shown; a rank may have fewer than others
  std::vector<FilmCell> cells;
  std::vector<std::uint32_t> fresh;  ///< by step: samples that no earlier step handed out
  std::vector<SampleIndex> ids;      ///< of a small film: the items of all cells
  std::vector<std::uint8_t> marks;   ///< likewise: their flags
  std::vector<std::uint8_t> hairs;   ///< of a large one, `hairs` per cell: parts of items spread evenly over the batch
  std::int64_t moments = 0;          ///< how often the strip is known: when m * steps / moments steps are dealt
  std::vector<std::uint16_t> coverage;  ///< of a large one, kFilmParts per moment: share handed out, of 65535
};

/// The deal of a design, small enough for one page. A plain value.
struct Film {
  std::string name;
  std::string sentence;  ///< sampler, world, batch size where there is one, dataset
  std::int64_t samples = 0;
  std::int64_t ranks_per_node = 1;        ///< in a block of rows: all ranks where nodes differ
  std::vector<std::int64_t> first_ranks;  ///< of each node where nodes differ; otherwise none
  std::int64_t ranks = 1;
  std::int64_t all_epochs = 1;
  bool has_ids = false;    ///< every sample is known by its number; otherwise batches are
  std::int64_t hairs = 0;  ///< known places per batch, when samples are not known
  std::vector<FilmEpoch> epochs;
  std::vector<Finding> findings;
  std::vector<std::string> left_out;  ///< leftOutOf() in the language of whoever made the film

  [[nodiscard]] std::int64_t cells() const;
  /// Of all epochs, as far as they are shown.
  [[nodiscard]] std::int64_t batches() const;
};

/// The film of this part of the plan. Draws its epochs' orders and audits the plan: run it off a GUI thread. Cancelled,
/// or the errors of Plan::rankEpoch() and audit().
Result<Film> makeFilm(const Plan& plan, const FilmRange& range, const Work& work = {});

/// Sentences about what the design has and the film does not show.
std::vector<std::string> leftOutOf(const Film& film);

/// One array among packed bytes: `count` numbers of `width` bytes, little-endian; or all of them `value`, in no bytes.
struct PackedArray {
  std::string name;
  std::int64_t count = 0;
  int width = 0;  ///< 0, 1, 2, 4
  std::uint32_t value = 0;
};

/// A film's numbers, each array in the least width that holds its largest, one after the other. Epochs follow each
/// other within an array.
struct Packed {
  std::vector<PackedArray> arrays;
  std::vector<std::uint8_t> bytes;
};

Packed packed(const Film& film);

/// RFC 4648 with padding, in one line.
std::string base64(std::span<const std::uint8_t> bytes);

/// What a film shows of an epoch.
struct FilmDetail {
  std::int64_t steps = 0;  ///< at most
  bool ids = false;        ///< the samples of each batch by their numbers; otherwise the strip, and hairs
  std::int64_t hairs = 0;  ///< per batch
};

/// The epoch's batches, counted from their content. Cancelled, or the error of Plan::rankEpoch().
Result<FilmEpoch> filmEpoch(const Plan& plan, Epoch epoch, const FilmDetail& detail, const Work& work);

/// Which colours a page begins with; it has a switch.
enum class PageTheme { Auto, Light, Dark };

/// The film as one HTML page that plays in any browser and uses no network. What the design says about itself
/// (names, findings) is data in the page, never markup or script.
std::string filmPage(const Film& film, PageTheme theme = PageTheme::Auto);

/// The files of resources/film, scripts in the order in which the page needs them.
std::span<const PageFile> filmFiles();

}  // namespace shardlens
