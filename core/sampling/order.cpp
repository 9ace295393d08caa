// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/order.h"

#include <utility>

namespace shardlens {

OrderPtr Order::identity(std::int64_t size) {
  auto order = std::make_shared<Order>();
  order->size_ = size;
  return order;
}

OrderPtr Order::of(std::vector<std::uint32_t> ids) {
  auto order = std::make_shared<Order>();
  auto storage = std::make_shared<const std::vector<std::uint32_t>>(std::move(ids));
  order->size_ = static_cast<std::int64_t>(storage->size());
  order->narrow_ = storage->data();
  order->storage_ = std::move(storage);
  return order;
}

OrderPtr Order::of(std::vector<std::int64_t> ids) {
  auto order = std::make_shared<Order>();
  auto storage = std::make_shared<const std::vector<std::int64_t>>(std::move(ids));
  order->size_ = static_cast<std::int64_t>(storage->size());
  order->wide_ = storage->data();
  order->storage_ = std::move(storage);
  return order;
}

OrderPtr Order::of(LargeArray<std::uint32_t> ids) {
  auto order = std::make_shared<Order>();
  auto storage = std::make_shared<const LargeArray<std::uint32_t>>(std::move(ids));
  order->size_ = static_cast<std::int64_t>(storage->size());
  order->narrow_ = storage->items().data();
  order->storage_ = std::move(storage);
  return order;
}

OrderPtr Order::dealt(const OrderPtr& ids, Deal deal) {
  auto order = std::make_shared<Order>(*ids);
  order->deal_ = std::make_shared<const Deal>(std::move(deal));
  return order;
}

std::int64_t Order::bytes() const {
  const auto batches = static_cast<std::int64_t>(deal_ == nullptr ? 0 : deal_->batch_ends.size());
  const auto padded = static_cast<std::int64_t>(deal_ == nullptr ? 0 : deal_->padded.size());
  return size_ * (narrow_ != nullptr ? 4 : wide_ != nullptr ? 8 : 0) + 8 * (batches + padded);
}

}  // namespace shardlens
