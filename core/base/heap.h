// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace shardlens {

/// Lets the heap grow in large steps and keep what it has, so that a small allocation seldom asks the system. Such a
/// request waits while another thread of the process gives hundreds of megabytes back: 10 ms and more. For programs
/// with a window, before their first thread.
void keepHeapAtHand();

/// Whether operator delete gives large blocks back to the system in pieces, so that no other thread's request for
/// memory waits for the whole of one. True in every program with this module; false where a sanitizer deletes for
/// itself.
bool deletesInPieces();

}  // namespace shardlens
