/* SPDX-License-Identifier: Apache-2.0 */
/* Communicators as groups. NCCL says which rank this process is in a communicator, and not which process the others
 * are: each member writes its rank of the world into a table that those of this host share. All have done that before
 * NCCL lets one of them go on to its first operation. */
#include "app/probe/native/join.h"
#include "app/probe/nccl/probe.h"
#include "core/wire/group.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static sl_nccl_comm* comms_[SL_NCCL_COMMS];
static uint32_t count_;
static pthread_mutex_t making_ = PTHREAD_MUTEX_INITIALIZER;

sl_nccl_comm* sl_nccl_comm_at(uint64_t index) {
  return index < SL_NCCL_COMMS ? __atomic_load_n(&comms_[index], __ATOMIC_ACQUIRE) : NULL;
}

uint32_t sl_nccl_world_rank(const sl_nccl_comm* comm, int rank) {
  if (rank < 0 || (uint32_t)rank >= comm->size) return SL_NO_PEER;
  if (comm->places == NULL) return (uint32_t)rank;
  return __atomic_load_n(&comm->places[rank], __ATOMIC_RELAXED) - 1u; /* SL_NO_PEER when it is not known */
}

static void tellName(const sl_nccl_comm* comm, const char* name) {
  sl_record record;
  const size_t length = strlen(name);
  size_t first;
  for (first = 0; first < length;) {
    first += sl_group_name(&record, comm->group, name, first);
    record.time_ns = sl_now();
    sl_nccl_put(comm->seat, &record);
  }
}

/* What a communicator is called that the program gives no name. */
static void nameByMembers(const sl_nccl_comm* comm) {
  char name[SL_NCCL_NAME];
  sl_group_name_by_members(name, sizeof(name), comm->members, comm->size);
  tellName(comm, name);
}

static int areMembersKnown(sl_nccl_comm* comm) {
  uint32_t i = __atomic_load_n(&comm->named, __ATOMIC_RELAXED);
  for (; i < comm->size; ++i) {
    if (sl_nccl_world_rank(comm, (int)i) >= sl_nccl_world_of(comm->seat)) break;
  }
  __atomic_store_n(&comm->named, i, __ATOMIC_RELAXED);
  return i == comm->size;
}

void sl_nccl_describe(sl_nccl_comm* comm) {
  sl_record record;
  size_t first;
  uint32_t i;
  if (__atomic_load_n(&comm->is_described, __ATOMIC_RELAXED) || !areMembersKnown(comm)) return;
  if (__atomic_exchange_n(&comm->is_described, 1, __ATOMIC_ACQ_REL)) return;
  for (i = 0; i < comm->size; ++i) comm->members[i] = sl_nccl_world_rank(comm, (int)i);
  sl_group_begin(&record, comm->group, comm->size);
  record.time_ns = sl_now();
  sl_nccl_put(comm->seat, &record);
  for (first = 0; first < comm->size;) {
    first += sl_group_members(&record, comm->group, comm->members, first, comm->size);
    record.time_ns = sl_now();
    sl_nccl_put(comm->seat, &record);
  }
  if (comm->name[0] != '\0') return tellName(comm, comm->name);
  nameByMembers(comm);
}

/* The same number on all of its members, and not that of the world. */
static uint32_t numberOf(uint64_t id) {
  id = (id ^ (id >> 31)) * 0x9E3779B97F4A7C15u;
  id ^= id >> 32;
  return (uint32_t)id != SL_WORLD ? (uint32_t)id : 1u;
}

/* The table that the members of this host share; NULL: none. */
static uint32_t* placesOf(const char* folder, uint64_t id, uint32_t size) {
  char path[4096];
  void* memory = MAP_FAILED;
  const size_t bytes = size * sizeof(uint32_t);
  int fd;
  (void)snprintf(path, sizeof(path), "%s/nccl-%016llx-%u.members", folder, (unsigned long long)id, size);
  fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return NULL;
  if (posix_fallocate(fd, 0, (off_t)bytes) == 0) memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  return memory == MAP_FAILED ? NULL : (uint32_t*)memory;
}

/* One that is free, or a new one; NULL: there are too many. */
static sl_nccl_comm* fresh(void) {
  uint32_t i;
  sl_nccl_comm* comm;
  for (i = 0; i < count_; ++i) {
    if (__atomic_load_n(&comms_[i]->seat, __ATOMIC_RELAXED) == NULL) return comms_[i];
  }
  if (count_ == SL_NCCL_COMMS) return NULL;
  comm = (sl_nccl_comm*)calloc(1, sizeof(sl_nccl_comm));
  if (comm == NULL) return NULL;
  comm->index = count_;
  __atomic_store_n(&comms_[count_++], comm, __ATOMIC_RELEASE);
  return comm;
}

static int setUp(sl_nccl_comm* comm, const char* folder, const char* name) {
  const int is_named = name != NULL && *name != '\0' && strcmp(name, "undefined") != 0;
  comm->group = numberOf(comm->id);
  comm->named = 0;
  comm->is_described = 0;
  memset(comm->seq, 0, sizeof(comm->seq));
  memset(comm->name, 0, sizeof(comm->name));
  if (is_named) (void)snprintf(comm->name, sizeof(comm->name), "%s", name);
  comm->members = (uint32_t*)calloc(comm->size, sizeof(uint32_t));
  comm->sends = (uint64_t*)calloc(comm->size, sizeof(uint64_t));
  comm->recvs = (uint64_t*)calloc(comm->size, sizeof(uint64_t));
  comm->places = placesOf(folder, comm->id, comm->size);
  return comm->members != NULL && comm->sends != NULL && comm->recvs != NULL && comm->places != NULL;
}

static void tearDown(sl_nccl_comm* comm) {
  uint32_t* const places = comm->places;
  free(comm->members);
  free(comm->sends);
  free(comm->recvs);
  comm->members = comm->places = NULL;
  comm->sends = comm->recvs = NULL;
  if (places != NULL) munmap(places, comm->size * sizeof(uint32_t));
}

static sl_nccl_comm* makeOne(const char* folder, uint64_t id, const char* name, uint32_t size, uint32_t rank) {
  sl_nccl_seat* const seat = sl_nccl_seat_of(folder, id, rank, size);
  sl_nccl_comm* const comm = seat == NULL ? NULL : fresh();
  if (comm == NULL) return NULL;
  comm->id = id;
  comm->rank = rank;
  comm->size = size;
  if (!setUp(comm, folder, name)) return (tearDown(comm), NULL);
  __atomic_store_n(&comm->places[rank], sl_nccl_rank_of(seat) + 1u, __ATOMIC_RELAXED);
  __atomic_store_n(&comm->seat, seat, __ATOMIC_RELEASE);
  return comm;
}

sl_nccl_comm* sl_nccl_comm_made(uint64_t id, const char* name, int size, int rank) {
  const char* folder;
  sl_nccl_comm* comm;
  if (size < 2 || size > (1 << 20) || rank < 0 || rank >= size) return NULL;
  folder = sl_join();
  if (folder == NULL) return NULL;
  pthread_mutex_lock(&making_);
  comm = makeOne(folder, id, name, (uint32_t)size, (uint32_t)rank);
  pthread_mutex_unlock(&making_);
  return comm;
}

void sl_nccl_comm_gone(sl_nccl_comm* comm) {
  pthread_mutex_lock(&making_);
  if (comm->seat != NULL) {
    sl_nccl_ops_over(comm);
    tearDown(comm);
    __atomic_store_n(&comm->seat, NULL, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&making_);
}
