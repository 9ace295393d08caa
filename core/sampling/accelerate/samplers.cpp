// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/accelerate/samplers.h"

#include "core/base/parallel.h"
#include "core/base/phrase.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/python.h"
#include "core/sampling/script_seed.h"
#include "core/sampling/torch/arguments.h"
#include "core/sampling/torch/order.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>

namespace shardlens::sampling {
namespace {

constexpr std::uint64_t kSeedOutputs = 2;  // a 63-bit seed
const std::string kOverflow = "accelerate seed overflow";

bool shuffles(const PipelineSpec& spec) {
  const bool* shuffle = spec.sampler.said<bool>("shuffle");
  return shuffle == nullptr || *shuffle;
}

bool isSeedable(const PipelineSpec& spec) {
  const bool* seedable = spec.sampler.said<bool>("use_seedable_sampler");
  return seedable != nullptr && *seedable;
}

/// The number that a seed is given as, where its name is not.
std::optional<std::int64_t> seedGiven(const PipelineSpec& spec, const char* key) {
  const auto* seed = spec.sampler.said<std::int64_t>(key);
  return seed == nullptr ? std::nullopt : std::optional(*seed);
}

/// RandomSampler with a generator draws one more permutation than it hands out, every time.
std::uint64_t outputsOfPrepared(const PipelineSpec& spec) {
  return 2 * permutationOutputs(spec, spec.dataset.size);
}

/// prepare() gives a RandomSampler without a generator one that is seeded by one draw of the global stream; in each
/// epoch every process takes over the state of rank 0's.
OrderKey preparedGenerator(const PipelineSpec& spec, Epoch epoch) {
  TorchGenerator global(scriptSeed(spec, Epoch{0}, Rank{0}));
  const auto given = seedGiven(spec, "generator_seed");
  const std::uint64_t seed = static_cast<std::uint64_t>(given ? *given : global.random63());
  return {kRandperm, seed, outputsOfPrepared(spec) * static_cast<std::uint64_t>(epoch.value)};
}

/// Whether the sampler draws from a generator of its own.
bool hasGenerator(const PipelineSpec& spec) {
  return spec.worldSize() > 1 || seedGiven(spec, "generator_seed");
}

Field splitBatchesField() {
  return boolField("sampler.split_batches", false,
                   marked("fields",
                          "Cut each batch of the loader into one part per process: batch_size is then that of all "
                          "processes together."));
}

bool splits(const PipelineSpec& spec) {
  const bool* split = spec.sampler.said<bool>("split_batches");
  return split != nullptr && *split;
}

SamplerClaims streamClaims(const PipelineSpec& /*spec*/) {
  return {.divides = true, .is_stream = true, .padding = RepeatCause::BatchFilling};
}

}  // namespace

Field accelerateEvenBatchesField() {
  return boolField(
      "sampler.even_batches", true,
      marked("fields",
             "Fill up the end with the first samples, so that all processes have the same number of batches."));
}

Result<std::uint64_t> accelerateSeedableSeed(std::optional<std::int64_t> data_seed, std::uint64_t initial_seed,
                                             std::int64_t epoch, std::string_view torch) {
  if (data_seed) return static_cast<std::uint64_t>(*data_seed) + static_cast<std::uint64_t>(epoch);
  const auto added = static_cast<std::uint64_t>(epoch);
  if (initial_seed <= std::numeric_limits<std::uint64_t>::max() - added) return initial_seed + added;
  return seedOverflow(
      torch, "seeds.base",
      worded("checks", "torch keeps negative seeds modulo 2^64; give a seed of 0 or more, or data_seed"));
}

Result<void> accelerateUnevenSplit(const PipelineSpec& spec, const std::string& user) {
  return raised(
      "ValueError",
      "To use " + user + " in `split_batches` mode, the batch size (" + std::to_string(spec.loader.batch_size) +
          ") needs to be a round multiple of the number of processes (" + std::to_string(spec.worldSize()) + ").",
      "loader.batch_size", worded("checks", "with split_batches, batch_size is the total over all processes"));
}

namespace accelerate_batch_sampler_shard {
namespace {

/// Which order the processes of Accelerate share out.
std::vector<Field> orderFields() {
  return {
      boolField("sampler.shuffle", true,
                marked("fields", "DataLoader(shuffle=...): a RandomSampler, or the dataset in order.")),
      boolField(
          "sampler.use_seedable_sampler", false,
          marked("fields", "DataLoaderConfiguration(use_seedable_sampler=...): reseed the sampler with the epoch.")),
      seedOrNameField("sampler.data_seed", "none", INT64_MIN, INT64_MAX,
                      marked("fields",
                             "DataLoaderConfiguration(data_seed=...), used with use_seedable_sampler; none means the "
                             "rank's torch.manual_seed.")),
      seedOrNameField(
          "sampler.generator_seed", "none", INT64_MIN, INT64_MAX,
          marked("fields",
                 "Seed of the RandomSampler's generator, used without use_seedable_sampler; none means that "
                 "the script gives it none, and prepare() one that rank 0's torch.manual_seed decides.")),
  };
}

/// Which order this process walks through in this epoch. `iteration` is what the sampler's set_epoch was given. All
/// processes share one order, except with a SeedableRandomSampler without data_seed: nothing synchronizes it, so each
/// process permutes by what it gave torch.manual_seed itself.
OrderKey orderKey(const PipelineSpec& spec, Epoch epoch, Rank rank, std::int64_t iteration) {
  if (!shuffles(spec)) return {kSequential, 0, 0};
  if (isSeedable(spec)) {
    const auto seed = accelerateSeedableSeed(seedGiven(spec, "data_seed"), scriptSeed(spec, Epoch{0}, rank), iteration,
                                             spec.framework.torch);
    return seed ? OrderKey{kRandperm, *seed, 0} : OrderKey{kOverflow, 0, 0};
  }
  if (hasGenerator(spec)) return preparedGenerator(spec, epoch);
  TorchGenerator global = generatorAt(torchSamplerStream(spec, epoch, Rank{0}));
  return {kRandperm, static_cast<std::uint64_t>(global.random63()), 0};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  if (key.recipe != kOverflow) return torchOrder(spec, key, work);
  return accelerateSeedableSeed({}, std::numeric_limits<std::uint64_t>::max(), 1, spec.framework.torch).error();
}

std::uint64_t sharedOutputs(const PipelineSpec& spec, Rank /*rank*/) {
  return shuffles(spec) && !isSeedable(spec) && !hasGenerator(spec) ? kSeedOutputs : 0;
}

std::vector<Field> fields() {
  std::vector<Field> all = orderFields();
  all.push_back(splitBatchesField());
  all.push_back(accelerateEvenBatchesField());
  all.push_back(intField(
      "sampler.skip_first_batches", 0, 0, INT32_MAX, "batches",
      marked("fields", "accelerator.skip_first_batches(loader, ...) in the first epoch, as after a checkpoint.")));
  return all;
}

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "accelerate.BatchSamplerShard",
      marked("samplers",
             "What accelerator.prepare() makes of a map-style DataLoader: every process iterates over all batches and "
             "keeps its share."),
      fields(),
      {marked(
           "samplers",
           "batch_size is per process, and with split_batches it is the total (transformers#38484, accelerate#2708)."),
       marked("samplers",
              "even_batches off gives uneven numbers of batches and a wrong len() with split_batches "
              "(accelerate#4122); on, it repeats samples at the end."),
       marked("samplers",
              "Without use_seedable_sampler a checkpoint in the middle of an epoch holds the state for the next one, "
              "and a resumed run continues with the wrong permutation (accelerate#2016, PR 4233)."),
       marked("samplers",
              "With use_seedable_sampler and no data_seed each process permutes by its own torch seed: give all "
              "processes the same seed, or some samples are read twice and others never."),
       marked("samplers",
              "After an epoch with skip_first_batches, the original loader counts its epochs from 0: with "
              "use_seedable_sampler it repeats the same permutation (PR 4233)."),
       marked("samplers",
              "Skipping more batches than the loader has fails at the first len(): __len__() should return >= 0.")},
  };
  return kInfo;
}

/// Which positions one process takes: a block of `size` in every `stride`, from its own place on.
struct Share {
  std::int64_t size = 0;    ///< samples of a batch of this process
  std::int64_t stride = 0;  ///< samples of a round: a batch of every process
  std::int64_t skip = 0;    ///< rounds left out at the beginning

  [[nodiscard]] std::int64_t first(Rank rank) const { return rank.value * size + skip * stride; }
};

std::int64_t skipped(const PipelineSpec& spec, Epoch epoch) {
  return epoch.value == 0 ? intParameter(spec, info(), "skip_first_batches") : 0;
}

Share shareOf(const PipelineSpec& spec, Epoch epoch) {
  const std::int64_t batch = spec.loader.batch_size;
  if (splits(spec)) return {batch / spec.worldSize(), batch, skipped(spec, epoch)};
  return {batch, batch * spec.worldSize(), skipped(spec, epoch)};
}

/// Samples of one process in a whole epoch, nothing skipped.
std::int64_t wholeCount(const PipelineSpec& spec, const Share& share, Rank rank, bool completes) {
  const std::int64_t size = spec.dataset.size;
  const std::int64_t processes = spec.worldSize();
  if (spec.loader.drop_last) return size / share.stride * share.size;
  if (completes) return ceilDiv(ceilDiv(size, share.size), processes) * share.size;
  return Slice({}, rank.value * share.size, share.stride, INT64_MAX, 0, share.size).countBelow(size);
}

Slice sliceOf(const PipelineSpec& spec, Epoch epoch, Rank rank, OrderPtr order, bool completes) {
  const Share share = shareOf(spec, epoch);
  const std::int64_t skip = std::min(share.skip, spec.dataset.size) * share.size;
  const std::int64_t count = std::max<std::int64_t>(0, wholeCount(spec, share, rank, completes) - skip);
  const std::int64_t size = order->size();
  return {std::move(order), share.first(rank), share.stride, count, size, share.size};
}

/// prepare() leaves the loader of a single process as it is.
Slice slice(const PipelineSpec& spec, Epoch epoch, Rank rank, OrderPtr order) {
  return sliceOf(spec, epoch, rank, std::move(order),
                 boolParameter(spec, info(), "even_batches") && spec.worldSize() > 1);
}

Result<void> check(const PipelineSpec& spec) {
  const std::int64_t batch = spec.loader.batch_size;
  const std::int64_t processes = spec.worldSize();
  if (!splits(spec) || batch % processes == 0) return {};
  return accelerateUnevenSplit(spec, batch > 1 ? "a `DataLoader`" : "`BatchSamplerShard`");
}

/// The loader that skips is a new one; the original counts its epochs from 0 after it.
OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  const bool skips = intParameter(spec, info(), "skip_first_batches") > 0;
  const std::int64_t iteration = skips ? std::max<std::int64_t>(0, epoch.value - 1) : epoch.value;
  return orderKey(spec, epoch, rank, iteration);
}

bool readsEvenly(const PipelineSpec& spec) {
  return intParameter(spec, info(), "skip_first_batches") == 0;
}

Batching batching(const PipelineSpec& spec) {
  return Batching::ofSize(std::max<std::int64_t>(1, shareOf(spec, Epoch{0}).size), false);
}

SamplerClaims claims(const PipelineSpec& spec) {
  const bool own_seeds = boolParameter(spec, info(), "use_seedable_sampler") &&
                         parameter(spec, info(), "data_seed") == Value(std::string("none"));
  return {.divides = true, .needs_equal_seeds = own_seeds, .padding = RepeatCause::BatchFilling};
}

UnreadCause unread(const PipelineSpec& spec, Epoch epoch) {
  const Share share = shareOf(spec, epoch);
  const std::int64_t skipped = std::min(share.skip, spec.dataset.size) * share.stride;
  const MissingCause tail = spec.loader.drop_last ? MissingCause::CutByLoader : MissingCause::CutBySampler;
  return [skipped, tail](std::int64_t place) { return place < skipped ? MissingCause::HandedOutBefore : tail; };
}

}  // namespace
}  // namespace accelerate_batch_sampler_shard

std::int64_t accelerateLength(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  using namespace accelerate_batch_sampler_shard;
  const std::int64_t size = spec.dataset.size;
  const std::int64_t batch = spec.loader.batch_size;
  const std::int64_t batches = spec.loader.drop_last ? size / batch : ceilDiv(size, batch);
  const std::int64_t processes = spec.worldSize();
  std::int64_t length = batches;
  if (!splits(spec)) {
    const std::int64_t rest = batches % processes;
    const bool one_more =
        !spec.loader.drop_last && (boolParameter(spec, info(), "even_batches") ? rest > 0 : rank.value < rest);
    length = batches / processes + (one_more ? 1 : 0);
  }
  return length - skipped(spec, epoch);
}

Slice accelerateShardAlone(const PipelineSpec& spec, Rank rank) {
  using namespace accelerate_batch_sampler_shard;
  return sliceOf(spec, Epoch{0}, rank, Order::identity(spec.dataset.size), boolParameter(spec, info(), "even_batches"));
}

std::vector<std::int64_t> accelerateShardOfBatches(std::int64_t batches, std::int64_t processes, std::int64_t process,
                                                   bool even_batches) {
  using namespace accelerate_batch_sampler_shard;
  std::vector<std::int64_t> mine;
  const std::int64_t rounds = even_batches ? ceilDiv(batches, processes) : batches / processes + 1;
  for (std::int64_t round = 0; round < rounds; ++round) {
    const std::int64_t number = round * processes + process;
    if (number < batches)
      mine.push_back(number);
    else if (even_batches)
      mine.push_back((number - batches) % std::min(batches, processes));
  }
  return mine;
}

SamplerRule accelerateBatchSamplerShard() {
  using namespace accelerate_batch_sampler_shard;
  return {.info = info(),
          .traits = {.shuffle = "shuffle",
                     .consumed = "skip_first_batches",
                     .split_batches = "split_batches",
                     .common_seed = "data_seed",
                     .common_seed_flag = "use_seedable_sampler",
                     .loop = LoopOwner::Accelerate},
          .claims = claims,
          .unread = unread,
          .check = check,
          .key = key,
          .order = order,
          .reads_evenly = readsEvenly,
          .slice = slice,
          .shape = shapeOfSlice<slice>,
          .batching = batching,
          .shared_outputs = sharedOutputs};
}

namespace accelerate_iterable_dataset_shard {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "accelerate.IterableDatasetShard",
      marked("samplers",
             "What accelerator.prepare() makes of an iterable dataset: every process reads all of it and keeps its "
             "piece of each global batch."),
      {splitBatchesField()},
      {marked("samplers", "Every process reads and decodes the whole stream, and discards most of it."),
       marked("samplers", "The end is filled up with the first global batch, which repeats samples."),
       marked("samplers", "Ranks agree only when the stream has the same order on each (accelerate#2268).")},
  };
  return kInfo;
}

std::int64_t globalBatch(const PipelineSpec& spec) {
  return splits(spec) ? spec.loader.batch_size : spec.loader.batch_size * spec.worldSize();
}

std::int64_t piece(const PipelineSpec& spec) {
  return splits(spec) ? spec.loader.batch_size / spec.worldSize() : spec.loader.batch_size;
}

/// prepare() refuses batches that cannot be cut before the shard sees them, and hands the parts' size to a DataLoader.
Result<void> check(const PipelineSpec& spec) {
  if (!splits(spec) || spec.loader.batch_size % spec.worldSize() == 0) return {};
  if (spec.loader.batch_size > 1) return accelerateUnevenSplit(spec, "a `DataLoader`");
  return raised("ValueError", "batch_size should be a positive integer value, but got batch_size=0",
                "loader.batch_size",
                worded("checks", "with split_batches, batch_size is the total over all processes"));
}

Slice sliceOf(const PipelineSpec& spec, Rank rank, OrderPtr order, bool completes) {
  const std::int64_t size = order->size();
  const std::int64_t rounds = size / globalBatch(spec);
  const bool rest = size % globalBatch(spec) != 0 && !spec.loader.drop_last;
  const std::int64_t count = rest && !completes ? size : (rounds + (rest ? 1 : 0)) * piece(spec);
  return {std::move(order),
          rank.value * piece(spec),
          globalBatch(spec),
          count,
          size,
          std::max<std::int64_t>(1, piece(spec))};
}

/// prepare() leaves the loader of a single process as it is.
Slice slice(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank, OrderPtr order) {
  return sliceOf(spec, rank, std::move(order), spec.worldSize() > 1);
}

Batching batching(const PipelineSpec& spec) {
  return Batching::ofSize(std::max<std::int64_t>(1, piece(spec)), spec.loader.drop_last);
}

}  // namespace
}  // namespace accelerate_iterable_dataset_shard

Result<Slice> accelerateIterableShardAlone(const PipelineSpec& spec, Rank rank) {
  using namespace accelerate_iterable_dataset_shard;
  const std::int64_t batch = spec.loader.batch_size;
  if (splits(spec) && batch > 1 && batch % spec.worldSize() != 0) {
    return accelerateUnevenSplit(spec, "`IterableDatasetShard`").error();
  }
  return sliceOf(spec, rank, Order::identity(spec.dataset.size), true);
}

SamplerRule accelerateIterableDatasetShard() {
  using namespace accelerate_iterable_dataset_shard;
  return {.info = info(),
          .traits = {.split_batches = "split_batches", .loop = LoopOwner::Accelerate},
          .in_order = true,
          .claims = streamClaims,
          .unread = always<MissingCause::CutByLoader>,
          .check = check,
          .key = sequentialKey,
          .order = torchOrder,
          .slice = slice,
          .shape = shapeOfSlice<slice>,
          .batching = batching};
}

namespace accelerate_dispatcher {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "accelerate.DataLoaderDispatcher",
      marked("samplers",
             "Only rank 0 reads the data, and sends every process its part of each global batch; Accelerate's default "
             "for iterable datasets."),
      {boolField("sampler.shuffle", false, marked("fields", "DataLoader(shuffle=...) on rank 0.")),
       boolField(
           "sampler.split_batches", false,
           marked("fields", "Send each batch of the loader in parts, instead of one whole batch to each process."))},
      {marked("samplers", "One process reads for all, so every process waits for its loading."),
       marked("samplers",
              "The last global batch is filled up with the first samples when it does not divide evenly among the "
              "processes."),
       marked("samplers", "A dataset that yields no batch fails with a TypeError about NoneType."),
       marked("samplers", "Batches of unequal size raise a RuntimeError (accelerate#961, #358, #2316).")},
  };
  return kInfo;
}

/// Fewer ids are written sooner than a thread starts.
constexpr std::size_t kThreadsFrom = std::size_t{1} << 16;

/// Batches that rank 0's loader makes: whole ones, and the samples of a short last one.
struct Loaded {
  std::int64_t whole = 0;
  std::int64_t rest = 0;
};

Loaded loaded(const PipelineSpec& spec) {
  const std::int64_t batch = spec.loader.batch_size;
  return {spec.dataset.size / batch, spec.loader.drop_last ? 0 : spec.dataset.size % batch};
}

/// A global batch, of which each process is sent a part; the last processes of a last batch perhaps less.
struct GlobalBatch {
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t part = 0;   ///< samples for each process
  std::int64_t spare = 0;  ///< first samples of the dataset that complete it

  struct Range {
    std::int64_t from = 0;
    std::int64_t to = 0;
    [[nodiscard]] std::int64_t size() const { return to - from; }
  };
  /// What the process gets, in samples from `first` on; those from `count` on are the dataset's first ones.
  [[nodiscard]] Range of(std::int64_t process) const {
    const std::int64_t end = count + spare;
    return {std::min(process * part, end), std::min((process + 1) * part, end)};
  }
};

/// How an epoch is sent: equal global batches, then the last one.
class Dispatch {
 public:
  explicit Dispatch(const PipelineSpec& spec) : ranks_(spec.worldSize()) {
    const Loaded batches = loaded(spec);
    const std::int64_t batch = spec.loader.batch_size;
    const std::int64_t together = splits(spec) ? 1 : ranks_;
    std::int64_t left = batches.whole % together * batch + batches.rest;
    if (spec.loader.drop_last && !splits(spec)) left = 0;
    const std::int64_t whole = batches.whole / together;
    size_ = together * batch;
    equal_ = left == 0 ? whole - 1 : whole;
    last_ = {equal_ * size_, left == 0 ? size_ : left, 0, 0};
    last_.part = last_.count / ranks_;
    if (spec.loader.drop_last || last_.count % ranks_ == 0) return;
    last_.part += 1;
    last_.spare = std::min({ranks_, size_, spec.dataset.size});
  }

  [[nodiscard]] Deal deal() const {
    Deal deal;
    deal.lists_batches = true;
    deal.batch_ends.reserve(static_cast<std::size_t>(ranks_ * (equal_ + 1)));
    std::int64_t first = 0;
    for (std::int64_t rank = 0; rank < ranks_; ++rank) {
      const GlobalBatch::Range end = last_.of(rank);
      deal.shares.push_back({first, equal_ * part() + end.size(), end.to - std::clamp(last_.count, end.from, end.to),
                             deal.batch_ends.size(), equal_ + 1});
      for (std::int64_t i = 1; i <= equal_; ++i) deal.batch_ends.push_back(first + i * part());
      first += deal.shares.back().count;
      deal.batch_ends.push_back(first);
    }
    return deal;
  }

  /// The samples that the process is sent, in order.
  Result<void> write(const Order& order, std::int64_t rank, std::span<std::uint32_t> out, const Work& work) const {
    std::size_t at = 0;
    for (std::int64_t round = 0; round < equal_; ++round) {
      if (work.stopped()) return cancelled();
      const std::int64_t first = round * size_ + rank * part();
      for (std::int64_t k = 0; k < part(); ++k) out[at++] = static_cast<std::uint32_t>(order[first + k]);
    }
    const GlobalBatch::Range end = last_.of(rank);
    for (std::int64_t k = end.from; k < end.to; ++k) {
      out[at++] = static_cast<std::uint32_t>(order[k < last_.count ? last_.first + k : k - last_.count]);
    }
    return {};
  }

 private:
  /// Of each global batch but the last; what does not divide is dropped.
  [[nodiscard]] std::int64_t part() const { return size_ / ranks_; }

  std::int64_t ranks_;
  std::int64_t size_ = 0;   ///< of a whole global batch
  std::int64_t equal_ = 0;  ///< how many of them stand before the last one
  GlobalBatch last_;
};

Result<void> check(const PipelineSpec& spec) {
  if (splits(spec) && spec.loader.batch_size % spec.worldSize() != 0 && spec.loader.batch_size > 1) {
    return accelerateUnevenSplit(spec, "a `DataLoader`");
  }
  const Loaded batches = loaded(spec);
  const bool too_few = spec.loader.drop_last && !splits(spec) && batches.whole < spec.worldSize();
  if (batches.whole + batches.rest > 0 && !too_few) return {};
  return raised(
      "TypeError",
      "Unsupported types (<class 'NoneType'>) passed to `_gpu_broadcast_one`. Only nested list/tuple/dicts of "
      "objects that are valid for `is_torch_tensor` should be passed.",
      "dataset.size",
      worded("checks", "rank 0's loader gives no batch to send: lower batch_size or turn drop_last off"));
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  if (!boolParameter(spec, info(), "shuffle")) return {info().type, 0, 0};
  TorchGenerator global = generatorAt(torchSamplerStream(spec, epoch, Rank{0}));
  return {info().type + " shuffled", static_cast<std::uint64_t>(global.random63()), 0};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const bool plain = key.recipe == info().type;
  auto base = torchOrder(spec, {plain ? kSequential : kRandperm, key.seed, key.skip}, work.part(0, 0.7));
  if (!base) return base;
  const Dispatch dispatch(spec);
  Deal deal = dispatch.deal();
  const Deal::Share& last = deal.shares.back();
  auto ids = LargeArray<std::uint32_t>::make(static_cast<std::size_t>(last.first + last.count), "an order");
  if (!ids) return ids.error();
  const auto write = [&](std::size_t rank, const Work& part) {
    const auto first = static_cast<std::size_t>(deal.shares[rank].first);
    const auto count = static_cast<std::size_t>(deal.shares[rank].count);
    return dispatch.write(**base, static_cast<std::int64_t>(rank), ids->items().subspan(first, count), part);
  };
  const auto run = ids->items().size() < kThreadsFrom ? inTurn : inParallel;
  if (auto written = run(deal.shares.size(), work.part(0.7, 1), write); !written) return written.error();
  return Order::dealt(Order::of(std::move(*ids)), std::move(deal));
}

std::uint64_t sharedOutputs(const PipelineSpec& spec, Rank /*rank*/) {
  return boolParameter(spec, info(), "shuffle") ? 2 : 0;
}

/// A batch of one sample cannot be cut into parts: each process then gets nothing of it.
LeftOutCause leftOut(const PipelineSpec& spec, Epoch /*epoch*/) {
  const bool uncut = splits(spec) && spec.loader.batch_size % spec.worldSize() != 0;
  return always(spec.loader.drop_last && !uncut ? MissingCause::CutByLoader : MissingCause::CutBySampler);
}

}  // namespace
}  // namespace accelerate_dispatcher

SamplerRule accelerateDataLoaderDispatcher() {
  using namespace accelerate_dispatcher;
  return {.info = info(),
          .traits = {.shuffle = "shuffle", .split_batches = "split_batches", .loop = LoopOwner::Accelerate},
          .claims = streamClaims,
          .left_out = leftOut,
          .check = check,
          .key = key,
          .order = order,
          .shared_outputs = sharedOutputs};
}

}  // namespace shardlens::sampling
