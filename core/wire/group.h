/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SHARDLENS_WIRE_GROUP_H
#define SHARDLENS_WIRE_GROUP_H

/* Says which ranks a group has, in records of 48 bytes: one SL_GROUP, then chunks. A chunk of members is a run of ranks
 * at equal distances, so a usual group (all ranks of a node, every eighth rank) is one chunk. Each member says it
 * before its first operation in the group. C-compatible, no dependencies. */

#include "core/wire/record.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* NOLINTBEGIN(readability-identifier-naming,modernize-use-nullptr): this is C, with the names of C. */

#ifdef __cplusplus
extern "C" {
#endif

/* Makes `out` an SL_GROUP of this size; time_ns and everything else is left to the caller or zero. */
static inline void sl_group_begin(sl_record* out, uint32_t group, uint64_t size) {
  memset(out, 0, sizeof(*out));
  out->kind = SL_GROUP;
  out->group = group;
  out->a = size;
}

/* Makes `out` the chunk that begins with member `first` of `count`, and returns with how many members it names. */
static inline size_t sl_group_members(sl_record* out, uint32_t group, const uint32_t* members, size_t first,
                                      size_t count) {
  size_t named = 1;
  const int64_t stride = first + 1 < count ? (int64_t)members[first + 1] - (int64_t)members[first] : 1;
  while (first + named < count && (int64_t)members[first + named] - (int64_t)members[first + named - 1] == stride)
    ++named;
  memset(out, 0, sizeof(*out));
  out->kind = SL_GROUP_MEMBERS;
  out->group = group;
  out->seq = members[first];
  out->a = named;
  out->b = (uint64_t)stride;
  return named;
}

/* Makes `out` the chunk of the name that begins with byte `first`, and returns with how many bytes it holds. */
static inline size_t sl_group_name(sl_record* out, uint32_t group, const char* name, size_t first) {
  char part[16] = {0};
  size_t length = strlen(name + first);
  if (length > sizeof(part)) length = sizeof(part);
  memcpy(part, name + first, length);
  memset(out, 0, sizeof(*out));
  out->kind = SL_GROUP_NAME;
  out->group = group;
  out->seq = first;
  memcpy(&out->a, part, 8);
  memcpy(&out->b, part + 8, 8);
  return length;
}

/* "ranks 0-3", "ranks 0, 2, 4 ...": what to call a group of one or more members that has no name. `bytes` is at least
 * 32. */
static inline void sl_group_name_by_members(char* out, size_t bytes, const uint32_t* members, uint32_t count) {
  size_t at = (size_t)snprintf(out, bytes, "ranks ");
  uint32_t i;
  int is_run = 1;
  for (i = 1; i < count; ++i) is_run = is_run && members[i] == members[i - 1] + 1;
  if (is_run) {
    (void)snprintf(out + at, bytes - at, "%u-%u", members[0], members[count - 1]);
    return;
  }
  for (i = 0; i < count && at + 16 < bytes; ++i)
    at += (size_t)snprintf(out + at, bytes - at, i == 0 ? "%u" : ", %u", members[i]);
  if (i < count) (void)snprintf(out + at, bytes - at, " ...");
}

#ifdef __cplusplus
}
#endif

/* NOLINTEND(readability-identifier-naming,modernize-use-nullptr) */

#endif
