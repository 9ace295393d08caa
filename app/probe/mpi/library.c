/* SPDX-License-Identifier: Apache-2.0 */
/* The MPI library behind us, whichever it is. */
#define _GNU_SOURCE
#include "app/probe/mpi/probe.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

int sl_has_pointers;

static void* library_; /* where the program's linker scope does not reach it */
static int is_known_;

enum { kMostCandidates = 8, kPath = 512 };

typedef struct candidates {
  int count;
  char path[kMostCandidates][kPath];
} candidates;

/* The loaded libraries by the name of an MPI library; what loads one privately, as Python does, hides it from us. The
 * linker holds a lock meanwhile, under which nothing can be opened. */
static int note(struct dl_phdr_info* info, size_t bytes, void* found) {
  candidates* const all = (candidates*)found;
  const char* const path = info->dlpi_name != NULL ? info->dlpi_name : "";
  const char* const slash = strrchr(path, '/');
  (void)bytes;
  if (strncmp(slash != NULL ? slash + 1 : "", "libmpi", 6) != 0 || strlen(path) >= kPath) return 0;
  strcpy(all->path[all->count], path);
  return ++all->count == kMostCandidates;
}

static void look(void) {
  candidates all;
  int i;
  all.count = 0;
  (void)dl_iterate_phdr(note, &all);
  for (i = 0; i < all.count && library_ == NULL; ++i) {
    void* const handle = dlopen(all.path[i], RTLD_LAZY | RTLD_NOLOAD);
    if (handle == NULL) continue;
    if (dlsym(handle, "PMPI_Init") != NULL) {
      library_ = handle; /* kept open: it stays as long as the process */
    } else {
      (void)dlclose(handle);
    }
  }
}

static void find(void) {
  if (is_known_) return;
  if (dlsym(RTLD_NEXT, "PMPI_Init") == NULL) look();
  if (dlsym(RTLD_NEXT, "PMPI_Init") == NULL && library_ == NULL) return; /* not loaded yet */
  is_known_ = 1;
  sl_has_pointers = sl_object("ompi_mpi_comm_world") != NULL;
}

void* sl_real(const char* name) {
  void* found;
  find();
  found = dlsym(RTLD_NEXT, name);
  if (found == NULL && library_ != NULL) found = dlsym(library_, name);
  return found;
}

/* The program may have a copy of an object of the library, and then that is the one. */
void* sl_object(const char* name) {
  void* const found = dlsym(RTLD_DEFAULT, name);
  return found != NULL || library_ == NULL ? found : dlsym(library_, name);
}

typedef uintptr_t (*from_fortran)(int);

static uintptr_t converted(from_fortran* known, const char* name, int handle) {
  if (!sl_has_pointers) return (uintptr_t)(uint32_t)handle;
  if (*known == NULL) *known = (from_fortran)sl_real(name);
  return *known != NULL ? (*known)(handle) : 0;
}

uintptr_t sl_comm_of_fortran(int comm) {
  static from_fortran known;
  return converted(&known, "PMPI_Comm_f2c", comm);
}

uintptr_t sl_request_of_fortran(int request) {
  static from_fortran known;
  return converted(&known, "PMPI_Request_f2c", request);
}

uintptr_t sl_type_of_fortran(int type) {
  static from_fortran known;
  return converted(&known, "PMPI_Type_f2c", type);
}

enum { kTypes = 64 };

typedef struct known_type {
  uintptr_t type;
  uint64_t size;
} known_type;

static __thread known_type types_[kTypes];
static __thread uint32_t types_age_;
static uint32_t age_ = 1; /* a datatype that is freed makes every thread ask again */

void sl_forget_types(void) {
  __atomic_fetch_add(&age_, 1, __ATOMIC_RELAXED);
}

static uint64_t sizeOf(uintptr_t type) {
  static int (*ask)(sl_word, int*);
  known_type* const place = &types_[(type >> 4) % kTypes];
  const uint32_t age = __atomic_load_n(&age_, __ATOMIC_RELAXED);
  int size = 0;
  if (types_age_ != age) {
    memset(types_, 0, sizeof(types_));
    types_age_ = age;
  }
  if (place->type == type && type != 0) return place->size;
  if (ask == NULL) ask = (int (*)(sl_word, int*))sl_real("PMPI_Type_size");
  ++sl_depth;
  if (ask == NULL || ask(type, &size) != 0 || size < 0) size = 0;
  --sl_depth;
  place->type = type;
  place->size = (uint64_t)size;
  return place->size;
}

uint64_t sl_bytes(int count, uintptr_t type) {
  if (!sl_has_pointers && (type >> 26) == 0x13u) return count < 0 ? 0 : (uint64_t)count * ((type & 0xff00u) >> 8);
  return count <= 0 ? 0 : (uint64_t)count * sizeOf(type);
}
