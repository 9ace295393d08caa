// SPDX-License-Identifier: Apache-2.0
#include "core/base/parallel.h"
#include "core/base/phrase.h"
#include "core/sampling/accelerate/order.h"
#include "core/sampling/accelerate/samplers.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/order.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace shardlens::sampling {
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

bool splits(const PipelineSpec& spec) {
  return boolParameter(spec, info(), "split_batches");
}

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

SamplerClaims claims(const PipelineSpec& /*spec*/) {
  return {.divides = true, .is_stream = true, .padding = RepeatCause::BatchFilling};
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
          .claims = claims,
          .left_out = leftOut,
          .check = check,
          .key = key,
          .order = order,
          .shared_outputs = sharedOutputs};
}

}  // namespace shardlens::sampling
