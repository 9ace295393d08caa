// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/traces/trace_tree.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace shardlens::traces {

/// Why the reading of a file ended before its end.
struct SyntaxFault {
  std::size_t offset = 0;  ///< in bytes, from 0
  std::string what;        ///< a sentence; empty: there is no fault
};

/// What was read of a file: everything, or what came before the fault.
struct ParsedTrace {
  TraceTree tree;
  SyntaxFault fault;
};

/// Reads a JSON value. What a file that was cut holds up to there is in the tree. `bytes` must outlive the result.
ParsedTrace readJson(std::string_view bytes);

/// Reads a pickle of protocol 2 to 5 by a closed machine: it knows dicts, lists, tuples (as lists), texts, numbers,
/// flags, None, and the four names by which torch's pickler tags its containers, which have no effect. Everything else
/// is a fault that names the opcode: no other name is looked up, nothing is constructed, nothing is called. Memory is
/// bounded by the length of the file. `bytes` must outlive the result.
ParsedTrace readPickle(std::string_view bytes);

/// Whether the file begins as a pickle of these protocols does.
bool isPickle(std::string_view bytes);

}  // namespace shardlens::traces
