/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SHARDLENS_PROBE_JOIN_H
#define SHARDLENS_PROBE_JOIN_H

/* Where this process makes its rings. Under `shardlens run` that is SHARDLENS_RINGS itself. With SHARDLENS_AGENT, which
 * `shardlens env` sets, it is the folder of a start of ranks below it (core/wire/node_file.h), which this process
 * joins; and where no agent records that start, this starts one. */

/* The folder, which stays valid and is the same for the life of this process; NULL when there is none. Asks the
 * operating system the first time only, and waits a few milliseconds then, two seconds at most. */
__attribute__((visibility("hidden"))) const char* sl_join(void);

#endif
