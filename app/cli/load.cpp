// SPDX-License-Identifier: Apache-2.0
#include "app/cli/load.h"

#include "core/record/pack.h"
#include "core/record/recording_reader.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_file.h"
#include "core/yaml/tree.h"

#include <array>
#include <cstdio>
#include <utility>

namespace shardlens::cli {
namespace {

Error outside(const std::string& what, std::int64_t number, std::int64_t count) {
  return Error{ErrorCode::Usage, "there is no " + what + " " + std::to_string(number) + ".",
               Place{{}, 0, 0, "--" + what}, "this spec has " + what + "s 0 to " + std::to_string(count - 1)};
}

/// Everything up to the end of stdin, or more than a spec can be.
std::string allOfStdin() {
  std::string text;
  std::array<char, 1 << 16> piece{};
  while (const std::size_t got = std::fread(piece.data(), 1, piece.size(), stdin)) {
    text.append(piece.data(), got);
    if (text.size() > yaml::kMostBytes) break;
  }
  return text;
}

}  // namespace

yaml::ReadSpec readSpecAt(const std::string& path) {
  if (path != "-" && path != "/dev/stdin") return yaml::readSpecFile(path, sampling::catalogue()).read;
  return yaml::readSpec(allOfStdin(), sampling::catalogue(), "stdin");
}

Error LoadedPlan::placed(Error error) const {
  const bool is_of_spec = !error.place.field.empty() && !error.place.field.starts_with("--");
  return is_of_spec ? read.placed(std::move(error)) : error;
}

std::variant<LoadedPlan, Issues> loadPlan(const std::string& path) {
  return planOf(readSpecAt(path));
}

std::variant<LoadedPlan, Issues> planOf(yaml::ReadSpec read) {
  if (!read.issues.empty()) return read.issues;
  auto plan = Plan::make(read.spec);
  if (plan) return LoadedPlan{*std::move(plan), std::move(read)};
  return Issues{read.placed(plan.error())};
}

Result<void> checkRecording(const std::string& path) {
  const auto probes = probeFilesOf(path);
  if (probes && !probes->empty()) return {};
  auto reader = RecordingReader::open(path);
  if (!reader) return reader.error();
  if (!reader->readMore().empty()) return {};
  return Error{ErrorCode::BadInput,
               "The recording is empty: its recorder was stopped before it wrote anything.",
               {path, 0, 0, {}},
               ""};
}

Result<void> checkRange(const PipelineSpec& spec, std::optional<std::int64_t> epoch, std::optional<std::int64_t> rank) {
  if (epoch && (*epoch < 0 || *epoch >= spec.epochs)) return outside("epoch", *epoch, spec.epochs);
  if (rank && (*rank < 0 || *rank >= spec.worldSize())) return outside("rank", *rank, spec.worldSize());
  return {};
}

}  // namespace shardlens::cli
