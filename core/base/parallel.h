// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/work.h"

#include <cstddef>
#include <functional>

namespace shardlens {

/// One of several tasks that do not wait for each other.
using Task = std::function<Result<void>(std::size_t index, const Work& work)>;

/// Runs task(0) .. task(count - 1), each once and in no order, on as many threads as the machine has cores,
/// including the caller's; on fewer if the machine has no more threads. Progress is the share of tasks done,
/// reported by one thread at a time. Returns the first error, also for what a task throws. The other tasks are
/// then stopped by their own stop token, which also follows the one of `work`.
Result<void> inParallel(std::size_t count, const Work& work, const Task& task);
/// Runs the tasks one after the other, with the progress within each.
Result<void> inTurn(std::size_t count, const Work& work, const Task& task);

}  // namespace shardlens
