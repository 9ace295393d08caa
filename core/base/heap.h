// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace shardlens {

/// Lets the heap grow in large steps and keep what it has, so that a small allocation seldom asks the system. Such a
/// request waits while another thread of the process gives hundreds of megabytes back: 10 ms and more. For programs
/// with a window, before their first thread. A program that calls it also gives large blocks back in pieces: its
/// operator delete empties them first, so that no request waits for the whole of one.
void keepHeapAtHand();

/// False where a sanitizer watches the heap and deletes for itself.
bool deletesInPieces();

}  // namespace shardlens
