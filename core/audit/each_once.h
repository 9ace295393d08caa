// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/sampling/order.h"

namespace shardlens {

/// Whether the order holds each of 0 .. size - 1 exactly once, judged from every id in it: the sum of 64 bits over
/// scrambled ids equals that over 0 .. size - 1. An order that repeats an id passes with a chance of about 1 in 2^64.
/// It costs a small part of marking each id in a table, because memory is read sequentially.
Result<bool> holdsEachOnce(const Order& order, const Work& work);

}  // namespace shardlens
