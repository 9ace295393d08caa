// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collect/run_replay.h"
#include "tests/support/places.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace shardlens::test {

/// The dumps of a job that dumps.py makes up, written by Python itself.
inline std::filesystem::path dumpsOf(const TempFolder& folder, const std::string& name, const std::string& form,
                                     const std::string& size = "") {
  const std::filesystem::path place = folder / (name + "-" + form);
  const std::string command = "python3 " + test::sourceDir() + "/tests/core/traces/dumps.py " + name + " '" +
                              place.string() + "' " + form + " " + size;
  REQUIRE(std::system(command.c_str()) == 0);
  return place;
}

/// Such a job as it is replayed.
struct Replayed {
  RunState state;
  std::string note;
  bool is_damaged = false;
};

inline Replayed replayed(const std::filesystem::path& path) {
  auto replay = RunReplay::open(path);
  REQUIRE_MESSAGE(replay, (replay ? std::string() : replay.error().text()));
  replay->toEnd();
  return {replay->state(), replay->note(), replay->isDamaged()};
}

/// The first verdict that is not about what is missing; its title is empty when there is none.
inline Verdict mainVerdict(const RunState& state) {
  for (const Verdict& verdict : state.verdicts) {
    if (verdict.kind != VerdictKind::Lost) return verdict;
  }
  return {};
}

inline bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace shardlens::test
