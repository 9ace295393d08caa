// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

/// What the probe saw in the processes of a job. Plain values; a key that a file lacks has its default.
namespace shardlens::capture {

struct GeneratorFacts {
  std::uint64_t seed = 0;
  std::optional<bool> is_fresh;  ///< nothing was drawn from it yet; unknown for generators of a GPU
};

/// A global generator of NumPy or of Python's random: a Mersenne Twister, or another one whose state is not known.
struct GeneratorState {
  std::vector<std::uint32_t> next;  ///< the outputs that it would give; empty: not known
  std::int64_t place = 0;           ///< how many of the 624 words of its state are used up
  bool operator==(const GeneratorState&) const = default;
};

/// A sampler: its class and its attributes that are plain values.
struct SamplerFacts {
  using Plain = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

  std::string type;  ///< "torch.utils.data.sampler.RandomSampler"
  std::map<std::string, Plain> values;
  std::map<std::string, std::vector<double>> lists;
  std::map<std::string, GeneratorFacts> generators;
  std::map<std::string, SamplerFacts> samplers;

  /// The value when it has this type.
  template <class T>
  [[nodiscard]] std::optional<T> value(const std::string& key) const {
    const auto found = values.find(key);
    const T* const is = found == values.end() ? nullptr : std::get_if<T>(&found->second);
    return is == nullptr ? std::nullopt : std::optional<T>(*is);
  }
};

/// What the probe saw of a dataset's attributes, without calling its code: a mark of each, by name. Other marks are
/// other values; equal ones say that what was looked at is equal.
using DatasetMarks = std::map<std::string, std::string>;

/// Of a torch Subset, Subsets of Subsets taken together: the dataset below, and which of its samples are taken.
struct SubsetFacts {
  std::string type;
  std::optional<std::int64_t> length;
  DatasetMarks marks;
  std::string digest;                ///< of the indices; empty: they are not known
  std::vector<SampleIndex> indices;  ///< by position; empty: too many, or not known
};

struct LoaderFacts {
  std::int64_t number = 0;  ///< in its process
  std::string site;         ///< of the loop that reads it: "folder/train.py:31"; it may be a framework's
  std::string own_site;     ///< where the job's own code was by then; empty: not known
  std::string dataset_type;
  bool is_iterable = false;
  std::optional<std::int64_t> dataset_length;
  DatasetMarks dataset_marks;                 ///< empty: nothing was seen, or it is a Subset
  std::shared_ptr<const SubsetFacts> subset;  ///< it is one
  std::optional<std::int64_t> batch_size;
  bool drop_last = false;
  std::int64_t num_workers = 0;
  std::optional<std::int64_t> prefetch_factor;
  bool persistent_workers = false;
  bool in_order = true;             ///< the loop gets batches as the sampler drew them; else as workers have them ready
  std::string worker_init_fn;       ///< its name; empty: there is none
  std::string worker_init_release;  ///< of the package that it comes from; empty: not known
  std::optional<GeneratorFacts> generator;
  std::optional<SamplerFacts> sampler;
  std::optional<SamplerFacts> batch_sampler;
  bool is_unwrapped = false;               ///< batch_sampler was given as sampler, with batch_size=None
  bool shares_generator = false;           ///< the sampler draws from the loader's generator
  std::optional<SamplerFacts> dispatcher;  ///< Accelerate's, for which it is read: rank 0 reads for all ranks

  /// Lightning's worker_init_fn, of whichever of its packages: it adds the rank to each worker's seed.
  [[nodiscard]] bool hasLightningsInit() const { return worker_init_fn.ends_with(".seed.pl_worker_init_function"); }
};

/// Where a process is in the world, as torch.distributed or the launcher's environment says.
struct RankPlace {
  std::int64_t rank = 0;
  std::int64_t world_size = 1;
  bool operator==(const RankPlace&) const = default;
};

/// Whether a backward pass follows on every second of so many batches, at least. The last of an odd number needs none.
constexpr bool areTrainedOn(std::int64_t batches, std::int64_t backwards) {
  return backwards > 0 && backwards >= batches / 2;
}

/// An optimizer step that was taken while a pass was read, or gradients that were cleared before one took them.
struct OptimizerStep {
  std::uint32_t handed = 0;     ///< batches of the pass that the loop had got by then
  std::uint32_t backwards = 0;  ///< backward passes of the process since it got the first of them
};

/// One pass over a loader.
struct PassFacts {
  std::int64_t number = 0;  ///< in its process
  std::int64_t loader = 0;
  std::int64_t time_ns = 0;                         ///< of the wall clock, when it began
  bool has_set_epoch = false;                       ///< the sampler has such a method, as far as was seen
  std::optional<std::int64_t> epoch;                ///< the sampler's attribute when the pass began
  std::int64_t set_epoch_calls = 0;                 ///< before the pass began
  std::uint64_t torch_seed = 0;                     ///< torch.initial_seed()
  std::optional<bool> torch_seeded;                 ///< it was another one when torch was loaded; none: an older probe
  std::optional<GeneratorState> numpy;              ///< when the pass began; none: not loaded
  std::optional<GeneratorState> random;             ///< likewise
  std::optional<std::uint64_t> base_seed;           ///< of its workers
  bool grad = true;                                 ///< gradients were recorded when it began
  std::optional<bool> grad_at_end;                  ///< and when the batch sampler had no more
  std::optional<RankPlace> distributed;             ///< what torch.distributed said
  std::int64_t drawn = 0;                           ///< batches that were drawn
  std::int64_t recorded = 0;                        ///< and are in the file
  std::optional<std::int64_t> handed;               ///< batches that the loop got, at least; none: an older probe
  std::optional<std::vector<std::int64_t>> failed;  ///< whose loading raised in place of them; none: an older probe
  std::optional<bool> open;            ///< the loop asked for a batch and got none, nor the end; none: likewise
  std::int64_t newest_beside = 0;      ///< the newest pass that had begun when a batch of this one came, by number
  bool exhausted = false;              ///< the batch sampler had no more
  bool ended = false;                  ///< the loop asked for another batch, and there was none
  std::optional<bool> quiet;           ///< nothing came for a second; and whether the loop was waiting for a batch
  std::int64_t backwards = 0;          ///< backward passes between its batches
  std::optional<std::int64_t> beside;  ///< backward passes of any loader between its first and its last batch
  std::shared_ptr<const SubsetFacts> subset;  ///< that it reads, if its dataset is one
  std::optional<std::uint64_t> order_seed;    ///< that a RandomSampler drew from torch's global generator
  std::vector<OptimizerStep> steps;           ///< in their order; empty: none were seen, or an older probe
  std::vector<OptimizerStep> discards;        ///< likewise

  [[nodiscard]] std::int64_t failures() const { return failed ? static_cast<std::int64_t>(failed->size()) : 0; }
  /// How far the loop came, as far as is known: workers queue batches that it may never ask for.
  [[nodiscard]] std::int64_t read() const { return handed ? *handed + failures() : drawn; }
  /// The loop got this batch, as far as is known.
  [[nodiscard]] bool isHanded(std::int64_t step) const {
    return step < read() && (!failed || std::ranges::find(*failed, step) == failed->end());
  }
  /// Of a batch that the loop got, its place among those.
  [[nodiscard]] std::int64_t placeOf(std::int64_t step) const {
    return step - (failed ? std::ranges::count_if(*failed, [step](std::int64_t one) { return one < step; }) : 0);
  }
  /// Whether the loop got every batch that there is.
  [[nodiscard]] bool isReadWhole() const { return exhausted && failures() == 0 && read() >= drawn; }
  /// Whether it got every batch, except those whose loading raised an error.
  [[nodiscard]] bool isReadToEnd() const { return isReadWhole() || (ended && failed.has_value()); }
  /// Whether the pass was cut although its loop did not leave it: loading the next batch raised an error, or had not
  /// finished. An older probe reports this only for a loop that got nothing.
  [[nodiscard]] bool isCut() const { return open.value_or(handed == 0 && drawn > 0); }
};

struct ProcessFacts {
  std::string file;  ///< its name in the recording
  std::string host;
  std::int64_t pid = 0;
  std::string script;
  std::int64_t begun_ns = 0;  ///< when it began, of the wall clock; 0: not known
  std::string torch;          ///< its version
  std::string torchdata;      ///< likewise; empty: not loaded, or an older probe
  std::optional<bool> mkl;    ///< whether it was built with MKL
  std::map<std::string, std::string> environment;
  std::vector<LoaderFacts> loaders;  ///< by number
  std::vector<PassFacts> passes;     ///< by number
  std::int64_t troubles = 0;         ///< exceptions of the probe
  std::string first_trouble;
  bool has_limit = false;     ///< loaders, passes and batches after some point are not recorded
  bool has_end = false;       ///< Python ended it, so that everything is written
  std::int64_t ended_ns = 0;  ///< when, of the wall clock; 0: not known
  std::int64_t damaged_bytes = 0;
};

/// A batch as the batch sampler gave it.
struct BatchFacts {
  std::int64_t pass = 0;
  std::int64_t step = 0;                 ///< in its pass
  bool is_opaque = false;                ///< its items are no whole numbers
  bool is_handed = true;                 ///< the loop got it, as far as is known
  std::int64_t items = 0;                ///< how many it has
  std::span<const SampleIndex> samples;  ///< valid during the call; empty when opaque
};

/// What the loop of a process got of a stream in one batch, told apart by what it holds: equal marks, equal contents.
struct MarkedBatch {
  enum class Unit {
    Sample,      ///< one mark each
    Batch,       ///< one mark for all of them, which the probe cannot tell apart
    TooLong,     ///< no marks: they would take longer than the probe may
    Unreadable,  ///< no marks: of a kind that the probe does not read
  };

  std::int64_t pass = 0;
  std::int64_t step = 0;  ///< in its pass
  Unit unit = Unit::Sample;
  std::span<const std::int64_t> marks;  ///< valid during the call
};

}  // namespace shardlens::capture
