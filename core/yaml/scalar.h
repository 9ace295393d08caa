// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/spec/field.h"
#include "core/yaml/tree.h"

#include <string>
#include <string_view>

namespace shardlens::yaml {

constexpr std::int64_t kMostIndices = 100'000'000;

/// What the node says for `field`, which is not a list of records: a value of the right kind, range and choice, or why
/// not. The error's place carries the field path only.
Result<Value> readValue(const Field& field, const TreeNode& node);

/// The value of `field` on one or more lines as readValue, or readRecords, reads it back exactly; fit for block and for
/// flow collections.
std::string writeValue(const Field& field, const Value& value);

/// A record of the list `records` in one line, with the keys that it must say or that differ from their fallbacks:
/// "{rank: 2, ms: 60}".
std::string writeRecord(const Field& records, const Record& record);

/// A value that is not a list of records.
std::string writeValue(const Value& value);

/// Whether the list is three or more consecutive indices, which every format here writes as a range.
bool isRun(const IndexList& list);

/// A text as a YAML scalar: plain where every YAML 1.1 and 1.2 reader takes it as that text, otherwise in double
/// quotes.
std::string writeText(std::string_view text);

/// A number that YAML 1.1 readers take as a float too: 6.0e-4, never 6e-4.
std::string writeFloat(double number);

}  // namespace shardlens::yaml
