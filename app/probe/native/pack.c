/* SPDX-License-Identifier: Apache-2.0 */
/* Packs the indices of a batch, for shardlens_probe/packing.py, which loads this with ctypes.PyDLL and so holds the GIL
 * during a call. It calls nothing, so that it loads into every process, and needs no compiler there. It reads lists and
 * whole numbers where CPython 3.8 to 3.13 keeps them on 64-bit machines; packing.py uses it nowhere else, and only after
 * it packed known numbers as Python does. */
#include <stdint.h>
#include <string.h>

struct object {
  int64_t references;
  const void* type;
};
struct list {
  struct object head;
  int64_t size;
  const struct object* const* items;
};
struct number {
  struct object head;
  int64_t tag; /* up to 3.11 the count of digits, negative of negative numbers; then 8 times that, and the sign */
  uint32_t digits[2]; /* of 30 bits, lowest first; only those that are counted are there */
};

/* What waits to be written: batches as resources/doc/probe-file.md says, one after the other. Their count is kept here
 * and not in Python, where another thread could run between a batch and its count. */
struct shardlens_store {
  int64_t used;
  int64_t count;
  int64_t room;
  const void* list_type; /* exactly this type and no derived one */
  const void* int_type;
  int64_t shift; /* of the tag: 0 or 3 */
  char bytes[];
};

enum { kMostItems = 1 << 16, kNegative = 2, kSign = 3 };

/* The number, or -1 when it is negative or needs more than two digits. */
static int64_t valueOf(const struct number* number, int64_t shift) {
  const int64_t tag = number->tag;
  if (tag < 0 || (shift != 0 && (tag & kSign) == kNegative)) return -1;
  switch (tag >> shift) {
    case 0:
      return 0;
    case 1:
      return number->digits[0];
    case 2:
      return ((int64_t)number->digits[1] << 30) | number->digits[0];
    default:
      return -1;
  }
}

/* Adds a batch that is a list of whole numbers from 0 to 2^31 - 1. The bytes that are used now; -1 when the batch is
 * something else or does not fit, and the store is as before. */
int64_t shardlens_put(const struct list* batch, struct shardlens_store* store) {
  if (batch->head.type != store->list_type || batch->size > kMostItems) return -1;
  const uint32_t count = (uint32_t)batch->size;
  const int64_t size = (int64_t)sizeof(count) + (int64_t)count * (int64_t)sizeof(int32_t);
  if (size > store->room - store->used) return -1;
  char* out = store->bytes + store->used;
  memcpy(out, &count, sizeof(count));
  for (uint32_t i = 0; i < count; ++i) {
    const struct object* const item = batch->items[i];
    if (item->type != store->int_type) return -1;
    const int64_t value = valueOf((const struct number*)item, store->shift);
    if (value < 0 || value > INT32_MAX) return -1;
    const int32_t narrow = (int32_t)value;
    out += sizeof(narrow);
    memcpy(out, &narrow, sizeof(narrow));
  }
  store->used += size;
  store->count += 1;
  return store->used;
}

/* Moves what waits to `out`, which has the room of the store: the count of batches as 8 bytes, then the batches. How
 * many bytes these are; the store is empty then. */
int64_t shardlens_take(struct shardlens_store* store, char* out) {
  const int64_t used = store->used;
  memcpy(out, &store->count, sizeof(store->count));
  memcpy(out + sizeof(store->count), store->bytes, (size_t)used);
  store->used = 0;
  store->count = 0;
  return used;
}

/* Mixes one row into its mark: FNV-1a's step on words of 64 bits, each folded, so that every bit counts; the end is that of splitmix64. */
static uint64_t mixed(uint64_t mark, const char* row, int64_t width) {
  const uint64_t odd = UINT64_C(0x9E3779B97F4A7C15);
  mark ^= (uint64_t)width;
  for (; width > 0; row += sizeof(mark), width -= (int64_t)sizeof(mark)) {
    uint64_t word = 0;
    memcpy(&word, row, (size_t)(width < (int64_t)sizeof(word) ? width : (int64_t)sizeof(word)));
    mark = (mark ^ word) * odd;
    mark ^= mark >> 32;
  }
  mark = (mark ^ (mark >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  mark = (mark ^ (mark >> 27)) * UINT64_C(0x94D049BB133111EB);
  return mark ^ (mark >> 31);
}

/* Adds `count` rows of `width` bytes, one behind the other, to as many marks: the values of one field of as many samples.
 * Samples with other values, or the same ones in other fields, have the same mark by a chance of 1 in 2^64. */
void shardlens_mark(const char* rows, int64_t count, int64_t width, uint64_t field, uint64_t* marks) {
  for (int64_t i = 0; i < count; ++i) marks[i] = mixed(marks[i] ^ field, rows + i * width, width);
}
