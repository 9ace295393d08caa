/* SPDX-License-Identifier: Apache-2.0 */
/* Communicators as groups. A group's number must be the same on all of its members without a word between them: it is
 * made from the number of the group that the communicator was made from, from its members in their order, and from how
 * many communicators with the same two were made before. Each member has taken part in all of these, in one order. */
#include "app/probe/mpi/probe.h"
#include "core/wire/group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kPlaces = 1 << 16, kCounted = 1 << 16, kMostCountedPeers = 1 << 16 };

#define kGone ((sl_comm*)1) /* a place that was left: what stands behind it is still found */

static sl_comm* comms_[kPlaces];
static sl_comm world_;

static size_t placeOf(uintptr_t handle) {
  return (size_t)((handle * 0x9E3779B97F4A7C15u) >> 48);
}

sl_comm* sl_comm_find(uintptr_t handle) {
  size_t i;
  size_t place = placeOf(handle);
  if (handle == world_.handle) return world_.size > 1 ? &world_ : NULL;
  for (i = 0; i < kPlaces; ++i, place = (place + 1) % kPlaces) {
    sl_comm* const comm = __atomic_load_n(&comms_[place], __ATOMIC_ACQUIRE);
    if (comm == NULL) return NULL;
    if (comm != kGone && comm->handle == handle) return comm;
  }
  return NULL;
}

static int add(sl_comm* comm) {
  size_t i;
  size_t place = placeOf(comm->handle);
  for (i = 0; i < kPlaces; ++i, place = (place + 1) % kPlaces) {
    sl_comm* there = __atomic_load_n(&comms_[place], __ATOMIC_RELAXED);
    if (there != NULL && there != kGone) continue;
    if (__atomic_compare_exchange_n(&comms_[place], &there, comm, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) return 1;
  }
  return 0;
}

static void release(sl_comm* comm) {
  free(comm->members);
  free(comm->sends);
  free(comm->recvs);
  free(comm);
}

void sl_comm_freed(uintptr_t handle) {
  size_t i;
  size_t place = placeOf(handle);
  for (i = 0; i < kPlaces; ++i, place = (place + 1) % kPlaces) {
    sl_comm* const comm = __atomic_load_n(&comms_[place], __ATOMIC_ACQUIRE);
    if (comm == NULL) return;
    if (comm == kGone || comm->handle != handle) continue;
    /* Where the next place is free, nothing stands behind this one. */
    __atomic_store_n(&comms_[place], comms_[(place + 1) % kPlaces] == NULL ? NULL : kGone, __ATOMIC_RELEASE);
    return release(comm);
  }
}

static void countPeers(sl_comm* comm) {
  if (comm->size > kMostCountedPeers) return;
  comm->sends = (uint64_t*)calloc(comm->size, sizeof(uint64_t));
  comm->recvs = (uint64_t*)calloc(comm->size, sizeof(uint64_t));
}

void sl_comm_world(uint32_t size) {
  world_.handle = sl_has_pointers ? (uintptr_t)sl_object("ompi_mpi_comm_world") : 0x44000000u;
  world_.number = SL_WORLD;
  world_.size = size;
  countPeers(&world_);
}

static uint64_t mixed(uint64_t hash, uint64_t number) {
  hash = (hash ^ number) * 0x9E3779B97F4A7C15u;
  return hash ^ (hash >> 29);
}

/* How many communicators of this origin were made before; -1 when there are too many to count. */
static int64_t countOf(uint64_t origin) {
  static uint64_t origins[kCounted];
  static uint32_t counts[kCounted];
  size_t i;
  size_t place = (size_t)(origin >> 48);
  for (i = 0; i < kCounted; ++i, place = (place + 1) % kCounted) {
    uint64_t there = 0;
    (void)__atomic_compare_exchange_n(&origins[place], &there, origin, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    if (there == 0 || there == origin) return __atomic_fetch_add(&counts[place], 1, __ATOMIC_RELAXED);
  }
  return -1;
}

/* 0: it has no number. */
static uint32_t numberOf(uint32_t parent, const uint32_t* members, size_t size) {
  uint64_t origin = mixed(0x5348415244u, parent);
  size_t i;
  int64_t before;
  for (i = 0; i < size; ++i) origin = mixed(origin, members[i] + 1u);
  if (origin == 0) origin = 1;
  before = countOf(origin);
  if (before < 0) return 0;
  origin = mixed(origin, (uint64_t)before + 1u);
  return (uint32_t)(origin >> 32) != 0 ? (uint32_t)(origin >> 32) : 1u;
}

/* The group of a communicator, at `group`; 0 when that worked. */
static int groupOf(uintptr_t handle, uint64_t* group) {
  static int (*ask)(sl_word, void*);
  if (ask == NULL) ask = (int (*)(sl_word, void*))sl_real("PMPI_Comm_group");
  *group = 0; /* an int or a pointer */
  return ask == NULL ? 1 : ask(handle, group);
}

static void freeGroup(uint64_t group) {
  static int (*drop)(void*);
  if (drop == NULL) drop = (int (*)(void*))sl_real("PMPI_Group_free");
  if (drop != NULL) (void)drop(&group);
}

/* The ranks of the world that are its members, in its order; NULL when they cannot be told. */
static uint32_t* membersOf(uintptr_t handle, int size) {
  static int (*translate)(sl_word, sl_word, const int*, sl_word, int*);
  uint64_t world = 0;
  uint64_t group = 0;
  int i;
  int failed = 1;
  int* const here = (int*)malloc((size_t)size * sizeof(int));
  uint32_t* const members = (uint32_t*)malloc((size_t)size * sizeof(uint32_t));
  if (translate == NULL)
    translate = (int (*)(sl_word, sl_word, const int*, sl_word, int*))sl_real("PMPI_Group_translate_ranks");
  if (here != NULL && members != NULL && translate != NULL && groupOf(world_.handle, &world) == 0) {
    if (groupOf(handle, &group) == 0) {
      for (i = 0; i < size; ++i) here[i] = i;
      failed = translate((sl_word)group, (sl_word)size, here, (sl_word)world, (int*)members);
      freeGroup(group);
    }
    freeGroup(world);
  }
  for (i = 0; i < size && !failed; ++i) failed = members[i] >= world_.size;
  free(here);
  if (!failed) return members;
  free(members);
  return NULL;
}

static void tellName(uint32_t number, const char* name) {
  sl_record record;
  size_t first;
  const size_t length = strlen(name);
  for (first = 0; first < length;) {
    first += sl_group_name(&record, number, name, first);
    sl_put(&record);
  }
}

static void describe(const sl_comm* comm) {
  sl_record record;
  size_t first;
  sl_group_begin(&record, comm->number, comm->size);
  sl_put(&record);
  for (first = 0; first < comm->size;) {
    first += sl_group_members(&record, comm->number, comm->members, first, comm->size);
    sl_put(&record);
  }
}

/* What a communicator is called until the program gives it a name. */
static void nameByMembers(const sl_comm* comm) {
  char name[64];
  sl_group_name_by_members(name, sizeof(name), comm->members, comm->size);
  tellName(comm->number, name);
}

/* Whether it is one communicator of more than one rank, and of how many. */
static int sizeOf(uintptr_t handle) {
  int (*const between)(sl_word, int*) = (int (*)(sl_word, int*))sl_real("PMPI_Comm_test_inter");
  int (*const size_of)(sl_word, int*) = (int (*)(sl_word, int*))sl_real("PMPI_Comm_size");
  int is_between = 1;
  int size = 0;
  if (between == NULL || size_of == NULL || between(handle, &is_between) != 0 || is_between) return 0;
  return size_of(handle, &size) == 0 ? size : 0;
}

void sl_comm_made(uintptr_t handle, uint32_t parent) {
  const uintptr_t null = sl_has_pointers ? (uintptr_t)sl_object("ompi_mpi_comm_null") : 0x04000000u;
  sl_comm* comm = NULL;
  int size = 0;
  if (handle == 0 || handle == null || world_.size < 2) return;
  sl_comm_freed(handle);
  ++sl_depth;
  size = sizeOf(handle);
  if (size > 1) comm = (sl_comm*)calloc(1, sizeof(sl_comm));
  if (comm != NULL) comm->members = membersOf(handle, size);
  --sl_depth;
  if (comm == NULL) return;
  comm->handle = handle;
  comm->size = (uint32_t)size;
  comm->number = comm->members != NULL ? numberOf(parent, comm->members, comm->size) : 0;
  countPeers(comm);
  if (comm->number == 0 || !add(comm)) return release(comm);
  describe(comm);
  nameByMembers(comm);
}

void sl_comm_named(uintptr_t handle, const char* name, size_t length) {
  char text[128] = {0};
  const sl_comm* const comm = sl_comm_find(handle);
  if (comm == NULL || comm->number == SL_WORLD) return;
  if (length >= sizeof(text)) length = sizeof(text) - 1;
  memcpy(text, name, length);
  tellName(comm->number, text);
}
