// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace shardlens {

/// Lets the heap grow in large steps and keep what it has, so that a small allocation seldom asks the system. Such a
/// request waits while another thread of the process gives hundreds of megabytes back: 10 ms and more. For programs
/// with a window, before their first thread.
void keepHeapAtHand();

}  // namespace shardlens
