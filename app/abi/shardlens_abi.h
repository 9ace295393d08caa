/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SHARDLENS_ABI_H
#define SHARDLENS_ABI_H

/* ShardLens in plain C, for programs in other languages: the Python package calls it through ctypes.
 *
 * Every function that can fail returns a status: SHARDLENS_OK, or why it failed. shardlens_last_error() then gives the
 * sentence that the program itself would print: what happened, where, and what to do. No exception leaves the library.
 *
 * Texts are UTF-8. A text that a function gives out belongs to the library and is valid until the same thread calls the
 * library again. Ranks, epochs and steps count from 0.
 *
 * A plan may be used by several threads at once; a share and a recorder belong to one thread at a time. */

#include <stdint.h>

/* NOLINTBEGIN(readability-identifier-naming,modernize-use-using): this is C, with the names of C. */

#ifdef __cplusplus
extern "C" {
#endif

#define SHARDLENS_API __attribute__((visibility("default")))

/* Grows whenever a function changes its meaning or goes away; new functions leave it as it is. */
#define SHARDLENS_ABI_VERSION 1

/* What a function returns. */
enum {
  SHARDLENS_OK = 0,
  SHARDLENS_USAGE = 1,       /* the caller asked for something that makes no sense */
  SHARDLENS_BAD_INPUT = 2,   /* a file or a value is wrong */
  SHARDLENS_IO = 3,          /* the file system refused */
  SHARDLENS_UNSUPPORTED = 4, /* known, and not predictable or not built in */
  SHARDLENS_ENVIRONMENT = 5, /* this machine cannot do it: not enough memory, ... */
  SHARDLENS_JOB_FAILED = 6,
  SHARDLENS_CONFLICT = 7,
  SHARDLENS_CANCELLED = 8
};

/* What shardlens_prove() says of a run. */
enum { SHARDLENS_MATCH = 0, SHARDLENS_MISMATCH = 1, SHARDLENS_INCOMPLETE = 2 };

/* The plan of one spec: which sample goes to which rank in which step. */
typedef struct shardlens_plan shardlens_plan;
/* What one rank reads in one epoch. */
typedef struct shardlens_share shardlens_share;
/* Writes what one rank consumed into a recording. */
typedef struct shardlens_recorder shardlens_recorder;

/* SHARDLENS_ABI_VERSION of the library. */
SHARDLENS_API int32_t shardlens_abi_version(void);
/* Why the last call of this thread that failed did so; several lines where a spec has several faults. */
SHARDLENS_API const char* shardlens_last_error(void);

/* ---- plans ---- */

/* The plan of the spec in the file `path`. */
SHARDLENS_API int32_t shardlens_plan_read(const char* path, shardlens_plan** out);
/* The plan of the spec `text`; `name` stands for the file in messages and may be empty. */
SHARDLENS_API int32_t shardlens_plan_parse(const char* text, const char* name, shardlens_plan** out);
SHARDLENS_API void shardlens_plan_close(shardlens_plan* plan);

SHARDLENS_API int64_t shardlens_plan_world_size(const shardlens_plan* plan);
SHARDLENS_API int64_t shardlens_plan_epochs(const shardlens_plan* plan);
/* The spec as a short canonical text, which gives the same plan again. */
SHARDLENS_API int32_t shardlens_plan_text(const shardlens_plan* plan, const char** out);
/* The same without what changes no order: name, epochs and run. Equal for specs that hand out the same. */
SHARDLENS_API int32_t shardlens_plan_order_text(const shardlens_plan* plan, const char** out);
/* A field of the spec as the file would show it: "loader.batch_size" is "32". Long lists are cut. */
SHARDLENS_API int32_t shardlens_plan_value(const shardlens_plan* plan, const char* path, const char** out);
/* The fields in which the spec `text` differs from that of the plan, as far as the plan depends on them: one path a
 * line, in the order of the file. */
SHARDLENS_API int32_t shardlens_plan_differences(const shardlens_plan* plan, const char* text, const char** out);
/* 1 in `out` where a DataLoader cuts the batches of its sampler by batch_size and drop_last; 0 where the sampler makes
 * the batches. May draw the order of the first epoch. */
SHARDLENS_API int32_t shardlens_plan_loader_cuts_batches(const shardlens_plan* plan, int32_t* out);
/* The steps of a rank in an epoch, and the samples that its sampler yields. Draws the order only where the sampler
 * gives no other way to know. */
SHARDLENS_API int32_t shardlens_plan_shape(const shardlens_plan* plan, int64_t epoch, int64_t rank, int64_t* steps,
                                           int64_t* samples);
/* What the script of this rank hands to manual_seed() and the like in this epoch, modulo 2^64. Unsupported where the
 * spec says that the script never seeds. */
SHARDLENS_API int32_t shardlens_plan_seed(const shardlens_plan* plan, int64_t epoch, int64_t rank, uint64_t* out);
/* 1 where the script seeds again at the start of each epoch. */
SHARDLENS_API int32_t shardlens_plan_seeds_each_epoch(const shardlens_plan* plan);

/* ---- what a rank reads ---- */

/* Draws the order of the epoch, which blocks the caller, and takes the share of the rank from it. */
SHARDLENS_API int32_t shardlens_share_open(const shardlens_plan* plan, int64_t epoch, int64_t rank,
                                           shardlens_share** out);
SHARDLENS_API void shardlens_share_close(shardlens_share* share);
/* The samples that the sampler yields. With loader.drop_last the last ones may be in no batch. */
SHARDLENS_API int64_t shardlens_share_size(const shardlens_share* share);
SHARDLENS_API int64_t shardlens_share_steps(const shardlens_share* share);
/* The items first .. last-1 of the share are the batch of `step`. */
SHARDLENS_API int32_t shardlens_share_batch(const shardlens_share* share, int64_t step, int64_t* first, int64_t* last);
/* Writes the ids of the items first .. last-1 to `ids`, which has room for them. */
SHARDLENS_API int32_t shardlens_share_ids(const shardlens_share* share, int64_t first, int64_t last, int64_t* ids);
/* One number for all batches of the share: equal exactly when every batch is equal. */
SHARDLENS_API uint64_t shardlens_share_fingerprint(const shardlens_share* share);

/* ---- whether the plan is sound; epochs first .. first+count-1 ---- */

/* The first way in which the epochs go wrong, as a sentence; an empty text where all is well. */
/* Ranks read the same sample in an epoch. Padding counts only if `padding` is not 0. */
SHARDLENS_API int32_t shardlens_check_overlap(const shardlens_plan* plan, int64_t first, int64_t count, int32_t padding,
                                              const char** out);
/* A sample of the dataset reaches no rank. */
SHARDLENS_API int32_t shardlens_check_coverage(const shardlens_plan* plan, int64_t first, int64_t count,
                                               const char** out);
/* Ranks have unequal numbers of steps. */
SHARDLENS_API int32_t shardlens_check_steps(const shardlens_plan* plan, int64_t first, int64_t count, const char** out);

/* ---- recordings ---- */

/* A segment of this process in the folder `folder`, which exists. All ranks of a job give the same `job_id`; `plan` may
 * be NULL. */
SHARDLENS_API int32_t shardlens_recorder_open(const char* folder, const char* job_id, const char* command, int64_t rank,
                                              int64_t world_size, const shardlens_plan* plan, shardlens_recorder** out);
/* The rank consumed these samples in this step. Neither locks nor writes to a disk; when a thread of the library cannot
 * keep up, the batch is left out and counted, and the recording says so. */
SHARDLENS_API int32_t shardlens_recorder_batch(shardlens_recorder* recorder, int64_t epoch, int64_t step,
                                               const int64_t* ids, int64_t count);
/* The job of this rank is over: writes what is left and waits for it. `failure` says why it failed, or is empty. The
 * recorder is gone afterwards, also where this fails. */
SHARDLENS_API int32_t shardlens_recorder_close(shardlens_recorder* recorder, const char* failure);

/* Holds a recording against the plan: one of SHARDLENS_MATCH, ... in `result`, and sentences in `out`. `loader` names
 * the loader of the job that is meant; empty: the one of its training. */
SHARDLENS_API int32_t shardlens_prove(const shardlens_plan* plan, const char* recording, const char* loader,
                                      int32_t* result, const char** out);

#ifdef __cplusplus
}
#endif

/* NOLINTEND(readability-identifier-naming,modernize-use-using) */

#endif
