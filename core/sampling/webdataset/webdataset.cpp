// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/webdataset/webdataset.h"

#include "core/base/phrase.h"
#include "core/sampling/python.h"
#include "core/sampling/rules.h"
#include "core/sampling/script_seed.h"
#include "core/sampling/torch/iterable_dataset.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace shardlens::sampling {
namespace {

/// Takes an item out of the buffer; the last one fills its place.
std::int64_t pick(std::vector<std::int64_t>& buffer, PythonRandom& random) {
  std::int64_t& place = buffer[random.randbelow(buffer.size())];
  const std::int64_t item = place;
  place = buffer.back();
  buffer.pop_back();
  return item;
}

}  // namespace

std::vector<std::int64_t> WebDatasetShuffle::run(std::span<const std::int64_t> items, PythonRandom random) const {
  const std::int64_t least = std::min(initial, bufsize);
  std::vector<std::int64_t> buffer;
  std::vector<std::int64_t> shuffled;
  shuffled.reserve(items.size());
  const auto held = [&] { return static_cast<std::int64_t>(buffer.size()); };
  for (std::size_t next = 0; next < items.size();) {
    buffer.push_back(items[next++]);
    if (held() < bufsize && next < items.size()) buffer.push_back(items[next++]);
    if (held() >= least) shuffled.push_back(pick(buffer, random));
  }
  while (!buffer.empty()) shuffled.push_back(pick(buffer, random));
  return shuffled;
}

std::int64_t webDatasetSeed(std::span<const std::int64_t> numbers) {
  constexpr std::uint64_t kMask = 0x7FFFFFFF;
  std::uint64_t seed = 0;
  for (const std::int64_t number : numbers) seed = (seed * 31 + static_cast<std::uint64_t>(pythonHash(number))) & kMask;
  return static_cast<std::int64_t>(seed);
}

WebDatasetResampling::WebDatasetResampling(std::int64_t num_urls, std::int64_t worker_seed, std::int64_t epoch,
                                           std::int64_t seed)
    : num_urls_(static_cast<std::uint64_t>(num_urls)), random_(webDatasetSeed(std::array{worker_seed, epoch, seed})) {}

std::vector<std::int64_t> webDatasetResampled(std::int64_t num_urls, std::int64_t nshards, std::int64_t worker_seed,
                                              std::int64_t epoch, std::int64_t seed) {
  WebDatasetResampling drawn(num_urls, worker_seed, epoch, seed);
  std::vector<std::int64_t> shards;
  for (std::int64_t i = 0; i < nshards; ++i) shards.push_back(drawn.next());
  return shards;
}

std::vector<std::int64_t> webDatasetShare(std::int64_t num_shards, std::int64_t rank, std::int64_t world_size,
                                          std::int64_t worker, std::int64_t num_workers) {
  const std::int64_t workers = std::max<std::int64_t>(1, num_workers);
  std::vector<std::int64_t> share;
  for (std::int64_t shard = rank + worker * world_size; shard < num_shards; shard += world_size * workers) {
    share.push_back(shard);
  }
  return share;
}

namespace webdataset_webdataset {
namespace {

constexpr std::int64_t kMost = 1'000'000'000;
constexpr std::int64_t kMostSeed = std::int64_t{1} << 53;

Field optionalSeed(const char* path, std::string help) {
  return rankSeedField(path, std::string("none"), -kMostSeed, kMostSeed, std::move(help));
}

Field withEpochField() {
  return intOrNameField("sampler.with_epoch", "none", 1, kMost, "samples",
                        marked("fields",
                               "with_epoch(n) of the dataset: each worker's copy yields n samples per epoch, and "
                               "begins its shards again where they end before; none means one pass."));
}

std::string countsByWorker() {
  return marked("samplers",
                "with_epoch of the dataset counts in each worker: num_workers of them yield num_workers times as many "
                "samples (webdataset#303).");
}

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "webdataset.WebDataset",
      marked(
          "samplers",
          "Splits the shards between ranks, then between workers, and reads each worker's shards one after another."),
      {
          choiceField(
              "sampler.nodesplitter", "split_by_node", {"split_by_node", "single_node_only", "none"},
              marked("fields",
                     "How shards are split between ranks. WebDataset's own default, single_node_only, raises with "
                     "more than one rank; none gives every rank all shards.")),
          choiceField("sampler.workersplitter", "split_by_worker", {"split_by_worker", "none"},
                      marked("fields", "How a rank's shards are split between workers.")),
          intField("sampler.shardshuffle", 0, 0, kMost, "shards",
                   marked("fields", "Buffer in which each worker shuffles its shards; 0 keeps their order.")),
          boolField("sampler.detshuffle", false,
                    marked("fields", "Shuffle shards by seed + epoch instead of by the seed alone.")),
          optionalSeed("sampler.seed", marked("fields", "Seed of the shards' shuffle; none draws one at random.")),
          intField("sampler.shuffle", 0, 0, kMost, "samples",
                   marked("fields", "Buffer of a following .shuffle() over samples; 0 means none.")),
          intField("sampler.initial", 100, 0, kMost, "samples",
                   marked("fields", "Samples that .shuffle() holds before it yields the first one.")),
          optionalSeed("sampler.shuffle_seed",
                       marked("fields", "Seed of .shuffle(); none takes the time and the process id.")),
          boolField("sampler.empty_check", true, marked("fields", "Raise when a worker has no samples.")),
          withEpochField(),
      },
      {marked("samplers",
              "With fewer shards than workers of all ranks, some have nothing to read, and DDP hangs or raises "
              "(webdataset#188, #65, #225)."),
       marked("samplers", "Shards are not balanced: ranks differ by whole shards."),
       marked("samplers",
              "A shuffle() before the split is seeded by time and process id, so ranks disagree on the order of "
              "shards, and read some twice and others never (webdataset#233)."),
       marked("samplers",
              "shuffle by a seed repeats the same order in every epoch; detshuffle does too with workers that are not "
              "persistent, because each new worker counts its epochs from 0."),
       countsByWorker(),
       marked("samplers",
              "Every epoch begins the shards anew: with_epoch below what a worker's shards hold, and without a shuffle "
              "by the epoch, reads the same beginning each time.")},
      {"dataset.shards"}};
  return kInfo;
}

const SamplerInfo& resampledInfo() {
  static const SamplerInfo kInfo = {
      "webdataset.ResampledShards",
      marked("samplers", "Draws shards with replacement in each worker of each rank, without splitting them."),
      {
          Field{.path = "sampler.nshards",
                .kind = FieldKind::IntOrName,
                .fallback = std::int64_t{100},
                .min = 0,
                .max = kMost,
                .choices = {"endless"},
                .unit = "shards",
                .help = marked("fields",
                               "Shards that each worker draws in a pass; endless, WebDataset's default, needs "
                               "with_epoch.")},
          withEpochField(),
          seedField("sampler.seed", 0, -kMostSeed, kMostSeed, marked("fields", "Mixed with worker and epoch.")),
          boolField("sampler.deterministic", true,
                    marked("fields",
                           "Seed by worker, epoch and seed alone. WebDataset's default is false, which adds time and "
                           "process id.")),
      },
      {marked("samplers", "deterministic is false by default: no two runs draw the same shards."),
       marked("samplers", "Workers are seeded by rank * 1000 + worker, which collides from 1000 workers on."),
       marked("samplers", "An epoch repeats some shards and leaves others out: nothing splits them."),
       marked("samplers",
              "Workers that are not persistent count their epochs from 0, so every epoch draws the same shards."),
       countsByWorker()},
      {"dataset.shards"}};
  return kInfo;
}

std::optional<std::int64_t> seedOf(const PipelineSpec& spec, const char* key, Rank rank) {
  return seedOfRank(spec, parameter(spec, info(), key), rank);
}

Error unpredictable(const std::string& because, const char* field, const std::string& hint) {
  return unsupported(filled(worded("lens", "not predictable: %1."), because), field, hint);
}

std::int64_t shardsOf(const PipelineSpec& spec) {
  return static_cast<std::int64_t>(std::max<std::size_t>(1, spec.dataset.shards.size()));
}

/// Which time the worker's copy of the dataset is read: copies of workers that are made anew start again.
std::int64_t epochOfCopy(const PipelineSpec& spec, Epoch epoch) {
  return spec.loader.num_workers > 0 && !spec.loader.persistent_workers ? 0 : epoch.value;
}

std::int64_t workersOf(const PipelineSpec& spec) {
  return std::max<std::int64_t>(1, spec.loader.num_workers);
}

StreamReaders readersOf(const PipelineSpec& spec, std::int64_t most) {
  return {spec.worldSize(), workersOf(spec), most};
}

/// The shards of one worker, before they are shuffled.
std::vector<std::int64_t> shareOf(const PipelineSpec& spec, Rank rank, std::int64_t worker) {
  const bool by_node = textParameter(spec, info(), "nodesplitter") == "split_by_node";
  const bool by_worker = textParameter(spec, info(), "workersplitter") == "split_by_worker";
  return webDatasetShare(shardsOf(spec), by_node ? rank.value : 0, by_node ? spec.worldSize() : 1,
                         by_worker ? worker : 0, by_worker ? spec.loader.num_workers : 0);
}

Result<void> check(const PipelineSpec& spec) {
  if (textParameter(spec, info(), "nodesplitter") == "single_node_only" && spec.worldSize() > 1) {
    return raised("ValueError",
                  "you need to add an explicit nodesplitter to your input pipeline for multi-node training",
                  "sampler.nodesplitter", worded("checks", "take split_by_node"));
  }
  if (intParameter(spec, info(), "shardshuffle") > 0 && !seedOf(spec, "seed", Rank{0})) {
    return unpredictable(worded("checks", "WebDataset draws the seed of its shards' shuffle at random"), "sampler.seed",
                         worded("checks", "give a seed"));
  }
  if (intParameter(spec, info(), "shuffle") > 0 && !seedOf(spec, "shuffle_seed", Rank{0})) {
    return unpredictable(worded("checks", "shuffle() is seeded by the time and the process id"), "sampler.shuffle_seed",
                         worded("checks", "give a seed"));
  }
  return {};
}

/// Samples that each worker yields in an epoch; nothing without with_epoch.
std::optional<std::int64_t> withEpoch(const PipelineSpec& spec, const SamplerInfo& of) {
  return intIfGiven(spec, of, "with_epoch");
}

/// check_empty of each worker, on the first that has no sample.
Result<void> checkRank(const PipelineSpec& spec, Rank rank) {
  if (!boolParameter(spec, info(), "empty_check")) return {};
  const std::vector<std::int64_t> starts = shardStarts(spec);
  for (std::int64_t worker = 0; worker < workersOf(spec); ++worker) {
    const std::vector<std::int64_t> share = shareOf(spec, rank, worker);
    const bool holds = std::ranges::any_of(share, [&](std::int64_t shard) {
      return starts[static_cast<std::size_t>(shard)] < starts[static_cast<std::size_t>(shard) + 1];
    });
    if (holds) continue;
    return raised("ValueError",
                  "No samples found in dataset; perhaps you have fewer shards than workers.\n"
                  "Turn off using empty_check=False in the WebDataset constructor.",
                  "dataset.shards", worded("checks", "give at least one shard to each worker of each rank"));
  }
  return {};
}

/// Whether passes differ.
bool reshuffles(const PipelineSpec& spec) {
  return intParameter(spec, info(), "shardshuffle") > 0 && boolParameter(spec, info(), "detshuffle");
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  return {info().type, 0, static_cast<std::uint64_t>(reshuffles(spec) ? epochOfCopy(spec, epoch) : 0)};
}

/// One pass of the worker's pipeline; `pass` counts those of its copy, from 0.
std::vector<std::int64_t> passOf(const PipelineSpec& spec, const std::vector<std::int64_t>& starts, Rank rank,
                                 std::int64_t worker, std::int64_t pass) {
  constexpr std::int64_t kInitialShards = 100;
  std::vector<std::int64_t> shards = shareOf(spec, rank, worker);
  if (const std::int64_t buffer = intParameter(spec, info(), "shardshuffle"); buffer > 0) {
    const WebDatasetShuffle shuffle{buffer, kInitialShards};
    shards = shuffle.run(shards, PythonRandom(*seedOf(spec, "seed", rank) + pass));
  }
  std::vector<std::int64_t> samples = samplesOf(starts, shards);
  const WebDatasetShuffle shuffle{intParameter(spec, info(), "shuffle"), intParameter(spec, info(), "initial")};
  return shuffle.bufsize > 0 ? shuffle.run(samples, PythonRandom(*seedOf(spec, "shuffle_seed", rank))) : samples;
}

/// The samples of with_epoch: passes behind each other, from `pass` on, the last one cut off; one without a sample ends
/// them. `read` gives the pass, of which no more than `most` samples count. Source: DataPipeline in pipeline.py.
Result<std::vector<std::int64_t>> passesOf(
    std::int64_t samples, std::int64_t pass,
    const std::function<std::vector<std::int64_t>(std::int64_t pass, std::int64_t most)>& read, const Work& work) {
  std::vector<std::int64_t> out;
  while (std::ssize(out) < samples) {
    if (work.stopped()) return cancelled();
    const std::int64_t most = samples - std::ssize(out);
    const std::vector<std::int64_t> part = read(pass++, most);
    if (part.empty()) break;
    out.insert(out.end(), part.begin(), part.begin() + std::min(most, std::ssize(part)));
  }
  return out;
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const std::vector<std::int64_t> starts = shardStarts(spec);
  const auto epoch = static_cast<std::int64_t>(key.skip);
  const auto samples = withEpoch(spec, info());
  const auto read = [&](Rank rank, std::int64_t worker) -> Result<std::vector<std::int64_t>> {
    if (!samples) return passOf(spec, starts, rank, worker, epoch);
    const std::vector<std::int64_t> first = passOf(spec, starts, rank, worker, 0);
    const std::int64_t length = std::max<std::int64_t>(1, std::ssize(first));
    const std::int64_t passes = (*samples + length - 1) / length;
    return passesOf(
        *samples, epoch * passes,
        [&](std::int64_t pass, std::int64_t /*most*/) {
          return reshuffles(spec) ? passOf(spec, starts, rank, worker, pass) : first;
        },
        work);
  };
  return dealStreams(spec, readersOf(spec, starts.back() + samples.value_or(0)), read, work);
}

/// Shards that a worker draws in a pass.
std::int64_t shardsDrawn(const PipelineSpec& spec) {
  return intParameterOr(spec, resampledInfo(), "nshards", std::numeric_limits<std::int64_t>::max());
}

Result<void> checkResampled(const PipelineSpec& spec) {
  const bool endless = shardsDrawn(spec) > kMost;
  if (endless && (!withEpoch(spec, resampledInfo()) || spec.dataset.size == 0))
    return unsupported(worded("checks", "ResampledShards without nshards never ends."), "sampler.nshards",
                       worded("checks", "give with_epoch, and the dataset at least 1 sample"));
  if (boolParameter(spec, resampledInfo(), "deterministic")) return {};
  return unpredictable(
      worded("checks", "ResampledShards is seeded by the time, the process id and the system's random bytes"),
      "sampler.deterministic", worded("checks", "set deterministic"));
}

OrderKey resampledKey(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  return {resampledInfo().type, 0, static_cast<std::uint64_t>(epochOfCopy(spec, epoch))};
}

/// What one worker's copy of ResampledShards draws, pass by pass.
class Resampling {
 public:
  Resampling(const PipelineSpec& spec, const std::vector<std::int64_t>& starts, std::int64_t worker_seed)
      : starts_(starts),
        shards_(shardsOf(spec)),
        drawn_(shardsDrawn(spec)),
        seed_(intParameter(spec, resampledInfo(), "seed")),
        worker_seed_(worker_seed) {}

  /// The pass, or its first `most` samples; stops with `work`, whose caller looks at it, too.
  [[nodiscard]] std::vector<std::int64_t> read(std::int64_t pass, std::int64_t most, const Work& work) const {
    std::vector<std::int64_t> samples;
    draw(pass, most, work, [&](std::int64_t first, std::int64_t count) {
      for (std::int64_t id = first; id < first + count; ++id) samples.push_back(id);
    });
    return samples;
  }

  /// The pass with which this epoch of with_epoch begins: an epoch that outlasts a pass has begun others.
  [[nodiscard]] Result<std::int64_t> passAt(std::int64_t epoch, std::int64_t samples, const Work& work) const {
    std::int64_t pass = 0;
    for (std::int64_t before = 0; before < epoch; ++before) {
      for (std::int64_t left = samples; left > 0;) {
        if (work.stopped()) return cancelled();
        std::int64_t in_pass = 0;
        draw(pass++, left, work, [&](std::int64_t /*first*/, std::int64_t count) { in_pass += count; });
        left = in_pass == 0 ? 0 : left - in_pass;
      }
    }
    return pass;
  }

 private:
  /// take(first id, count) for the shards of a pass, one after the other, until `most` samples are taken.
  template <class Take>
  void draw(std::int64_t pass, std::int64_t most, const Work& work, Take take) const {
    constexpr std::int64_t kLookEvery = 1 << 12;
    WebDatasetResampling shards(shards_, worker_seed_, pass, seed_);
    for (std::int64_t n = 0; n < drawn_ && most > 0; ++n) {
      if (n % kLookEvery == kLookEvery - 1 && work.stopped()) return;
      const auto shard = static_cast<std::size_t>(shards.next());
      const std::int64_t count = std::min(most, starts_[shard + 1] - starts_[shard]);
      take(starts_[shard], count);
      most -= count;
    }
  }

  const std::vector<std::int64_t>& starts_;
  std::int64_t shards_, drawn_, seed_, worker_seed_;
};

Result<OrderPtr> resampledOrder(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const std::vector<std::int64_t> starts = shardStarts(spec);
  const auto epoch = static_cast<std::int64_t>(key.skip);
  const auto samples = withEpoch(spec, resampledInfo());
  const auto read = [&](Rank rank, std::int64_t worker) -> Result<std::vector<std::int64_t>> {
    const Resampling shards(spec, starts, webDatasetWorkerSeed(rank.value, worker));
    if (!samples) return shards.read(epoch, std::numeric_limits<std::int64_t>::max(), work);
    const auto first = shards.passAt(epoch, *samples, work);
    if (!first) return first.error();
    return passesOf(
        *samples, *first, [&](std::int64_t pass, std::int64_t most) { return shards.read(pass, most, work); }, work);
  };
  const auto largest = spec.dataset.shards.empty() ? spec.dataset.size : *std::ranges::max_element(spec.dataset.shards);
  const std::int64_t most = samples ? *samples : shardsDrawn(spec) * (1 + largest);
  return dealStreams(spec, readersOf(spec, most), read, work);
}

/// Workers that read alike repeat each other, however many passes they make.
SamplerClaims claims(const PipelineSpec& spec) {
  const bool passes = withEpoch(spec, info()).has_value();
  const bool alike = textParameter(spec, info(), "workersplitter") == "none" && spec.loader.num_workers > 1;
  return {.divides = textParameter(spec, info(), "nodesplitter") == "split_by_node",
          .is_stream = true,
          .counted_by_worker = passes ? "with_epoch" : "",
          .in_order = passes && !alike ? RepeatCause::AnotherPass : RepeatCause::DuplicatingWorkers};
}

/// Shards are split before they are shuffled; with_epoch cuts off what the shuffle put last.
SeedFree seedFree(const PipelineSpec& spec) {
  return withEpoch(spec, info()) ? SeedFree::Counts : SeedFree::Samples;
}

/// Behind the end of with_epoch, or never explained.
LeftOutCause leftOut(const PipelineSpec& spec, Epoch /*epoch*/) {
  return always(withEpoch(spec, info()) ? MissingCause::NotDrawn : MissingCause::NotExplained);
}

SamplerClaims resampledClaims(const PipelineSpec& spec) {
  return {.is_stream = true,
          .counted_by_worker = withEpoch(spec, resampledInfo()) ? "with_epoch" : "nshards",
          .in_order = RepeatCause::Replacement,
          .across_shares = RepeatCause::Replacement};
}

}  // namespace
}  // namespace webdataset_webdataset

SamplerRule webDataset() {
  using namespace webdataset_webdataset;
  return {.info = info(),
          .traits = {.shuffle = "shuffle", .seed = "seed"},
          .claims = claims,
          .left_out = leftOut,
          .check = check,
          .key = key,
          .order = order,
          .check_rank = checkRank,
          .seed_free = seedFree};
}

SamplerRule webDatasetResampledShards() {
  using namespace webdataset_webdataset;
  return {.info = resampledInfo(),
          .traits = {.seed = "seed"},
          .claims = resampledClaims,
          .left_out = always<MissingCause::NotDrawn>,
          .check = checkResampled,
          .key = resampledKey,
          .order = resampledOrder};
}

}  // namespace shardlens::sampling
