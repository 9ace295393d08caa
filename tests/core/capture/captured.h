// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/capture/capture.h"
#include "tests/core/capture/probe_text.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

namespace shardlens::test {

/// What is captured from a recording in which each of the processes wrote one of these files.
inline capture::Capture captured(const std::vector<ProbeText>& processes, const capture::CaptureOptions& how = {}) {
  const TempFolder folder;
  for (std::size_t i = 0; i < processes.size(); ++i)
    spill(folder / ("h-" + std::to_string(i) + ".slprobe"), processes[i].bytes());
  auto all = capture::capture(folder / ".", how);
  REQUIRE_MESSAGE(all, all.error().text());
  return *std::move(all);
}

inline std::vector<std::string> textsOf(const std::vector<capture::RunFinding>& findings) {
  std::vector<std::string> texts;
  for (const capture::RunFinding& finding : findings) texts.push_back(finding.text);
  return texts;
}

/// The one loader that they read.
inline capture::CapturedLoader capturedLoader(const std::vector<ProbeText>& processes) {
  capture::Capture all = captured(processes);
  REQUIRE(all.loaders.size() == 1);
  return std::move(all.loaders.front());
}

}  // namespace shardlens::test
