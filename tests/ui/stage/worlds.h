// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/scene/stage/scene.h"

#include <memory>
#include <numeric>
#include <vector>

namespace worlds {

using namespace shardlens;

/// `ranks` ranks take `items` samples each from the order 0, 1, 2, ..., strided; the last `padding` items of all come
/// again from the beginning.
inline ui::StageInput strided(qint64 ranks, qint64 items, qint64 batch_size, qint64 padding = 0, qint64 workers = 0) {
  auto epoch = std::make_shared<EpochPlan>();
  const qint64 size = ranks * items - padding;
  const OrderPtr order = Order::identity(size);
  for (qint64 rank = 0; rank < ranks; ++rank) {
    epoch->ranks.emplace_back(Rank{rank}, Epoch{0}, Slice(order, rank, ranks, items, size),
                              Batching::ofSize(batch_size, false), workers);
  }
  PipelineSpec spec;
  spec.dataset.size = size;
  spec.world = {1, ranks};
  spec.loader.num_workers = workers;
  return ui::stageInput(1, spec, epoch);
}

/// Every rank has an order of its own.
inline ui::StageInput ofOrders(const std::vector<std::vector<std::int64_t>>& orders, qint64 dataset,
                               qint64 batch_size) {
  auto epoch = std::make_shared<EpochPlan>();
  for (std::size_t rank = 0; rank < orders.size(); ++rank) {
    const auto count = static_cast<qint64>(orders[rank].size());
    epoch->ranks.emplace_back(Rank{static_cast<qint64>(rank)}, Epoch{0},
                              Slice(Order::of(orders[rank]), 0, 1, count, count), Batching::ofSize(batch_size, false),
                              0);
  }
  PipelineSpec spec;
  spec.dataset.size = dataset;
  spec.world = {1, static_cast<qint64>(orders.size())};
  return ui::stageInput(1, spec, epoch);
}

}  // namespace worlds
