/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SHARDLENS_PROBE_NCCL_WORLD_H
#define SHARDLENS_PROBE_NCCL_WORLD_H

/* Which rank of which world a process is, of whom NCCL only knows its communicators. */

#include <stdint.h>

typedef struct sl_nccl_place {
  uint32_t rank;
  uint32_t world; /* size */
} sl_nccl_place;

enum { SL_NCCL_BY_RING = 1, SL_NCCL_BY_LAUNCHER = 2 };

/* As another probe of this process says by its ring in this folder, or the launcher in the environment; which of the
 * two it was. 0: neither does. */
int sl_nccl_own_place(const char* folder, sl_nccl_place* place);

#endif
