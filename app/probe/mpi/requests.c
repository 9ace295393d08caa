/* SPDX-License-Identifier: Apache-2.0 */
/* What the program has begun and will wait for. A request is looked for in a few places only: where these are taken it
 * is not kept, and counts as over. */
#include "app/probe/mpi/probe.h"

#include <string.h>

enum { kBuckets = 2048, kPlaces = 8 };

static sl_request requests_[kBuckets][kPlaces];
static int is_taken_;

static int take(void) {
  return sl_turn_take(&is_taken_);
}

static void release(void) {
  sl_turn_release(&is_taken_);
}

static sl_request* bucketOf(uintptr_t handle) {
  return requests_[(handle * 0x9E3779B97F4A7C15u) >> 53];
}

/* Takes it out; 0 when it is not there. */
static int takeOut(uintptr_t handle, sl_request* out) {
  sl_request* const bucket = bucketOf(handle);
  int i;
  int found = 0;
  if (handle == 0 || !take()) return 0;
  for (i = 0; i < kPlaces && !found; ++i) {
    if (bucket[i].handle != handle) continue;
    *out = bucket[i];
    bucket[i].handle = 0;
    found = 1;
  }
  release();
  return found;
}

static void instant(const sl_request* request) {
  sl_open open = sl_begin_pair(SL_OP_RECV, request->open.group, request->bytes, request->open.peer, request->open.seq);
  sl_end(&open);
}

static void over(sl_request* request) {
  if (request->is_recv) {
    instant(request);
  } else {
    sl_end_aside(&request->open);
  }
}

void sl_request_add(const sl_request* request) {
  sl_request* const bucket = bucketOf(request->handle);
  sl_request fresh = *request;
  int i;
  int is_kept = 0;
  sl_request_over(request->handle); /* an old one by this name, whose end we did not see */
  if (request->handle != 0 && take()) {
    for (i = 0; i < kPlaces && !is_kept; ++i) {
      if (bucket[i].handle != 0) continue;
      bucket[i] = *request;
      is_kept = 1;
    }
    release();
  }
  if (!is_kept) over(&fresh);
}

void sl_request_over(uintptr_t handle) {
  sl_request request;
  if (takeOut(handle, &request)) over(&request);
}

void sl_wait_begin(sl_waits* waits) {
  waits->count = 0;
}

void sl_wait_add(sl_waits* waits, uintptr_t handle) {
  sl_request* const request = &waits->at[waits->count < SL_MOST_WAITED ? waits->count : 0];
  if (waits->count == SL_MOST_WAITED) return sl_request_over(handle);
  if (!takeOut(handle, request)) return;
  ++waits->count;
  if (request->is_recv) {
    request->open =
        sl_begin_pair(SL_OP_RECV, request->open.group, request->bytes, request->open.peer, request->open.seq);
  } else {
    sl_pause_phase();
  }
}

void sl_wait_end(sl_waits* waits) {
  int i;
  for (i = 0; i < waits->count; ++i) {
    if (waits->at[i].is_recv) {
      sl_end(&waits->at[i].open);
    } else {
      sl_end_aside(&waits->at[i].open);
    }
  }
  if (waits->count > 0) sl_resume_phase();
}
