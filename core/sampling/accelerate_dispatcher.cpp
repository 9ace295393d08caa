// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/accelerate_order.h"
#include "core/sampling/accelerate_samplers.h"
#include "core/sampling/torch_arguments.h"
#include "core/sampling/torch_order.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace shardlens::sampling {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "accelerate.DataLoaderDispatcher",
      "Rank 0 alone reads the data, and sends every process its part of each global batch; the default of Accelerate "
      "for iterable datasets.",
      {boolField("sampler.shuffle", false, "DataLoader(shuffle=...) on rank 0."),
       boolField("sampler.split_batches", false,
                 "Send each batch of the loader in parts, instead of one whole batch to each process.")},
      {"One process reads for all: its loading time is everybody's.",
       "The last global batch is completed with the first samples when the processes do not divide it.",
       "A dataset that gives no batch at all fails with a TypeError about NoneType.",
       "Batches of unequal size raise a RuntimeError (accelerate#961, #358, #2316)."},
  };
  return kInfo;
}

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

/// The parts of global batches that each process is sent, written down.
class Dispatch {
 public:
  Dispatch(const PipelineSpec& spec, const Order& order) : spec_(spec), order_(order), parts_(processes()) {}

  /// Stops early when `work` says so.
  void run(const Work& work) {
    const Loaded batches = loaded(spec_);
    const std::int64_t batch = spec_.loader.batch_size;
    const std::int64_t together = splits(spec_) ? 1 : spec_.worldSize();
    const std::int64_t rounds = batches.whole / together;
    std::int64_t left = batches.whole % together * batch + batches.rest;
    if (spec_.loader.drop_last && !splits(spec_)) left = 0;
    for (std::int64_t round = 0; round < rounds; ++round) {
      if (work.stopped()) return;
      send(round * together * batch, together * batch, left == 0 && round + 1 == rounds);
    }
    if (left > 0) send(rounds * together * batch, left, true);
  }

  Result<OrderPtr> dealt() {
    std::vector<std::int64_t> ids;
    Deal deal;
    deal.lists_batches = true;
    for (const Part& part : parts_) {
      Deal::Share share{static_cast<std::int64_t>(ids.size()), static_cast<std::int64_t>(part.ids.size()), part.padding,
                        deal.batch_ends.size(), static_cast<std::int64_t>(part.ends.size())};
      for (const std::int64_t end : part.ends) deal.batch_ends.push_back(share.first + end);
      ids.insert(ids.end(), part.ids.begin(), part.ids.end());
      deal.shares.push_back(share);
    }
    return Order::dealt(Order::of(std::move(ids)), std::move(deal));
  }

 private:
  struct Part {
    std::vector<std::int64_t> ids;
    std::vector<std::int64_t> ends;  ///< of its batches
    std::int64_t padding = 0;
  };

  [[nodiscard]] std::size_t processes() const { return static_cast<std::size_t>(spec_.worldSize()); }

  /// One global batch: equal parts, what does not divide dropped; the last one is completed by the first samples.
  void send(std::int64_t first, std::int64_t count, bool last) {
    const std::int64_t ranks = spec_.worldSize();
    const bool completed = last && !spec_.loader.drop_last && count % ranks != 0;
    const std::int64_t size = count / ranks + (completed ? 1 : 0);
    const std::int64_t spare = completed ? std::min(ranks, firstBatch()) : 0;
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
      Part& part = parts_[static_cast<std::size_t>(rank)];
      for (std::int64_t k = rank * size; k < std::min((rank + 1) * size, count + spare); ++k) {
        part.ids.push_back(order_[k < count ? first + k : k - count]);
        part.padding += k < count ? 0 : 1;
      }
      part.ends.push_back(static_cast<std::int64_t>(part.ids.size()));
    }
  }

  /// Samples of the first global batch.
  [[nodiscard]] std::int64_t firstBatch() const {
    const std::int64_t whole = spec_.loader.batch_size * (splits(spec_) ? 1 : spec_.worldSize());
    return std::min(whole, spec_.dataset.size);
  }

  const PipelineSpec& spec_;
  const Order& order_;
  std::vector<Part> parts_;
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
      "dataset.size", "rank 0's loader gives no batch to send: lower batch_size or turn drop_last off");
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  if (!boolParameter(spec, info(), "shuffle")) return {info().type, 0, 0};
  TorchGenerator global = generatorAt(torchSamplerStream(spec, epoch, Rank{0}));
  return {info().type + " shuffled", static_cast<std::uint64_t>(global.random63()), 0};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const bool plain = key.recipe == info().type;
  auto base = torchOrder(spec, {plain ? kSequential : kRandperm, key.seed, key.skip}, work);
  if (!base) return base;
  Dispatch dispatch(spec, **base);
  dispatch.run(work);
  if (work.stopped()) return cancelled();
  return dispatch.dealt();
}

std::uint64_t sharedOutputs(const PipelineSpec& spec) {
  return boolParameter(spec, info(), "shuffle") ? 2 : 0;
}

}  // namespace

SamplerRule accelerateDataLoaderDispatcher() {
  return {.info = info(), .check = check, .key = key, .order = order, .shared_outputs = sharedOutputs};
}

}  // namespace shardlens::sampling
