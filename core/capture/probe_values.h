// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/capture/facts.h"

#include <optional>
#include <string_view>

/// The messages of a probe's file that are JSON. A value of another type than the key promises counts as missing; what
/// is no JSON object at all gives nothing.
namespace shardlens::capture {

void readProcess(std::string_view message, ProcessFacts& facts);
std::optional<LoaderFacts> readLoader(std::string_view message);
std::optional<PassFacts> readPass(std::string_view message);
/// How far a pass is: number, drawn, yielded, exhausted, grad_at_end, backwards, order_seed.
std::optional<PassFacts> readPassNews(std::string_view message);
/// When Python ended the process, of the wall clock in nanoseconds; 0: an older probe.
std::int64_t readEndTime(std::string_view message);
void readTrouble(std::string_view message, ProcessFacts& facts);

}  // namespace shardlens::capture
