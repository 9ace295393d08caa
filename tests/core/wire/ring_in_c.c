/* SPDX-License-Identifier: Apache-2.0 */
#include "core/wire/group.h"
#include "core/wire/ring_file.h"

int pushFromC(sl_ring_header* ring, uint64_t value);
size_t describeFromC(sl_record* out, const uint32_t* members, size_t count, const char* name);

int pushFromC(sl_ring_header* ring, uint64_t value) {
  sl_record record;
  memset(&record, 0, sizeof(record));
  record.kind = SL_BATCH;
  record.a = value;
  return sl_ring_push(ring, &record);
}

/* The records of a group, and how many they are. */
size_t describeFromC(sl_record* out, const uint32_t* members, size_t count, const char* name) {
  size_t records = 0;
  size_t done;
  sl_group_begin(&out[records++], 7, count);
  for (done = 0; done < count;) done += sl_group_members(&out[records++], 7, members, done, count);
  for (done = 0; name[done] != '\0';) done += sl_group_name(&out[records++], 7, name, done);
  return records;
}
