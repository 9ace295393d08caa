// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/torch_order.h"

#include "core/base/text.h"
#include "core/random/torch_randperm.h"

#include <new>
#include <utility>

namespace shardlens::sampling {

Result<OrderPtr> torchOrder(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  if (key.recipe == kSequential) return Order::identity(spec.dataset.size);
  try {
    std::vector<std::uint32_t> ids(static_cast<std::size_t>(spec.dataset.size));
    TorchGenerator generator(key.seed);
    generator.skip(key.skip);
    if (auto done = torchRandperm(generator, ids, work); !done) return done.error();
    return Order::of(std::move(ids));
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::Environment,
                 "There is not enough memory for one order of " + counted(spec.dataset.size, "sample") + " (" +
                     byteSize(4.0 * static_cast<double>(spec.dataset.size)) + ").",
                 {},
                 "lower dataset.size"};
  }
}

}  // namespace shardlens::sampling
