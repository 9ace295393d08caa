// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/registry.h"
#include "core/yaml/exporter.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace shardlens::test {

/// What the target is given.
inline yaml::ExportResult exported(const std::string& target, const PipelineSpec& spec,
                                   const yaml::ExportContext& context = {}) {
  const yaml::ExportTarget* found = yaml::findTarget(target);
  REQUIRE(found != nullptr);
  return yaml::exportSpec(*found, spec, sampling::catalogue(), context);
}

/// Its main file, without a problem.
inline std::string mainText(const std::string& target, const PipelineSpec& spec,
                            const yaml::ExportContext& context = {}) {
  const yaml::ExportResult result = exported(target, spec, context);
  REQUIRE_MESSAGE(result.problems.empty(), result.problems.front().text());
  return result.files.at(0).text;
}

inline bool says(const std::vector<std::string>& sentences, const std::string& words) {
  return std::ranges::any_of(sentences, [&](const std::string& one) { return one.find(words) != std::string::npos; });
}

/// Texts, by name, as PyYAML reads them, a YAML 1.1 reader like those behind most tools: one Python for all of them.
inline std::map<std::string, nlohmann::json> asJson(const std::map<std::string, std::string>& texts) {
  const TempFolder folder;
  for (const auto& [name, text] : texts) spill(folder / name, text);
  const auto read = runShell("cd " + folder.path().string() + " && " + std::string(kPython) +
                             " -c 'import json, os, yaml\n"
                             "print(json.dumps({n: yaml.safe_load(open(n, encoding=\"utf-8\")) for n in "
                             "os.listdir()}))' 2>&1");
  REQUIRE_MESSAGE(read.code == 0, read.out);
  return nlohmann::json::parse(read.out).get<std::map<std::string, nlohmann::json>>();
}

inline nlohmann::json asJson(const std::string& text) {
  return asJson(std::map<std::string, std::string>{{"a.yaml", text}}).at("a.yaml");
}

/// Two nodes of four ranks.
inline PipelineSpec eightRanks() {
  PipelineSpec spec;
  spec.name = "eight";
  spec.world = {2, 4};
  return spec;
}

/// Names that break whoever pastes them into a file unquoted.
inline const std::vector<std::string> kBadNames = {
    "$(touch hacked)", "a\nb: c", "`touch hacked`", "it's \"quoted\"", "\u2028x: 1", "# ---", "\x01"};

}  // namespace shardlens::test
