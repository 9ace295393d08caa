/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SHARDLENS_PROBE_MPI_TURN_H
#define SHARDLENS_PROBE_MPI_TURN_H

/* Whose turn it is to write, among the threads of a rank. Whoever holds the turn needs well below a microsecond, unless
 * the system takes the processor away from it in between; then the others nap until it is back. A wait has an end, for
 * a holder may be stopped for good (a debugger, a signal handler that calls MPI): after 20 to 40 ms it gives up. */

#include <time.h>

enum { kSlTurnSpins = 2000, kSlTurnNaps = 400, kSlTurnNapNs = 50000 };

/* 1 when it is ours. */
static inline int sl_turn_take(int* is_taken) {
  const struct timespec nap = {0, kSlTurnNapNs};
  int i;
  for (i = 0; i < kSlTurnSpins + kSlTurnNaps; ++i) {
    if (__atomic_exchange_n(is_taken, 1, __ATOMIC_ACQUIRE) == 0) return 1;
    if (i >= kSlTurnSpins) (void)nanosleep(&nap, NULL);
  }
  return 0;
}

static inline void sl_turn_release(int* is_taken) {
  __atomic_store_n(is_taken, 0, __ATOMIC_RELEASE);
}

#endif
