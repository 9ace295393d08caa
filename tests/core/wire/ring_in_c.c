/* SPDX-License-Identifier: Apache-2.0 */
#include "core/wire/ring_file.h"

int pushFromC(sl_ring_header* ring, uint64_t value);

int pushFromC(sl_ring_header* ring, uint64_t value) {
  sl_record record;
  memset(&record, 0, sizeof(record));
  record.kind = SL_BATCH;
  record.a = value;
  return sl_ring_push(ring, &record);
}
