/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SHARDLENS_PROBE_MPI_CLOCK_H
#define SHARDLENS_PROBE_MPI_CLOCK_H

/* CLOCK_MONOTONIC by the time-stamp counter where the kernel itself trusts that: half the price of clock_gettime(). The
 * counter is held against the clock every few milliseconds, so that it never runs away from it. One a thread. */

#include "core/wire/ring_file.h"

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)

#define SL_CLOCK_SPAN_NS 5000000u /* that a rate is measured over */
#define SL_CLOCK_TRUST 100000000u /* ticks, some 30 to 50 ms, until the next look at the clock */
#define SL_CLOCK_APART 4000u      /* ticks that reading the clock may take; longer, and we were interrupted */

typedef struct sl_clock {
  uint64_t ticks;  /* at the last look, and */
  uint64_t ns;     /* what the clock said then */
  uint64_t rate;   /* ns a tick, times 2^32; 0: not known yet */
  uint64_t latest; /* time that was told: it never goes back */
} sl_clock;

/* Whether the counter can be used on this host. */
static inline int sl_clock_has_ticks(void) {
  char name[16] = {0};
  const int fd = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
  ssize_t length;
  if (fd < 0) return 0;
  length = read(fd, name, sizeof(name) - 1);
  close(fd);
  return length > 0 && strncmp(name, "tsc", 3) == 0;
}

/* Looks at the clock; keeps the old look where this one was interrupted. */
static inline uint64_t sl_clock_look(sl_clock* clock) {
  const uint64_t before = __builtin_ia32_rdtsc();
  const uint64_t ns = sl_now();
  const uint64_t after = __builtin_ia32_rdtsc();
  const uint64_t ticks = before + (after - before) / 2;
  if (after - before > SL_CLOCK_APART) return ns;
  if (clock->ns == 0 || ns - clock->ns >= SL_CLOCK_SPAN_NS) {
    if (clock->ns != 0 && ticks > clock->ticks)
      clock->rate = (uint64_t)(((__uint128_t)(ns - clock->ns) << 32) / (ticks - clock->ticks));
    clock->ticks = ticks;
    clock->ns = ns;
  }
  return ns;
}

/* Now. */
static inline uint64_t sl_clock_now(sl_clock* clock, int has_ticks) {
  uint64_t ns;
  uint64_t passed;
  if (!has_ticks) return sl_now();
  passed = __builtin_ia32_rdtsc() - clock->ticks;
  if (clock->rate == 0 || passed > SL_CLOCK_TRUST) {
    ns = sl_clock_look(clock);
  } else {
    ns = clock->ns + (uint64_t)(((__uint128_t)passed * clock->rate) >> 32);
  }
  if (ns < clock->latest) ns = clock->latest;
  clock->latest = ns;
  return ns;
}

#else

typedef struct sl_clock {
  uint64_t latest;
} sl_clock;

static inline int sl_clock_has_ticks(void) {
  return 0;
}
static inline uint64_t sl_clock_now(sl_clock* clock, int has_ticks) {
  (void)clock;
  (void)has_ticks;
  return sl_now();
}

#endif

#endif
