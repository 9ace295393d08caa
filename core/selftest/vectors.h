// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/selftest/expectation.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::selftest {

struct OutcomeCounts {
  std::int64_t passed = 0;
  std::int64_t failed = 0;
  std::int64_t unsupported = 0;

  void add(Outcome outcome);
  OutcomeCounts& operator+=(const OutcomeCounts& other);
};

/// A row that differs from the framework's.
struct Failure {
  std::string file;
  std::int64_t line = 0;
  std::string why;
};

/// The outcomes of all rows of a folder.
struct Summary {
  std::map<std::pair<std::string, std::string>, OutcomeCounts> classes;  ///< by framework and sampler
  std::vector<Failure> failures;                                         ///< the first kShownFailures
  OutcomeCounts total;
  /// Passed rows by sampler.type, where a row was judged through the plan of a spec: "torch.RandomSampler" -> classes.
  std::map<std::string, std::map<std::string, std::int64_t>> types;
  /// What gave the passed rows of a sampler.type: "trl f2cd577 on torch 2.6.0".
  std::map<std::string, std::set<std::string>> versions;
};
constexpr std::size_t kShownFailures = 20;

/// Replays every row of every *.jsonl of the folder, in the order of their names. Io or BadInput when there is no such
/// folder or nothing in it.
Result<Summary> replayFolder(const std::filesystem::path& folder);

/// Failing rows, a table by framework and sampler, and "N passed, M failed, K unsupported" as the last line.
std::string textReport(const Summary& summary);

/// {"passed", "failed", "unsupported", "samplers": [...], "failures": [{"file", "line", "difference"}]}
std::string jsonReport(const Summary& summary);

}  // namespace shardlens::selftest
