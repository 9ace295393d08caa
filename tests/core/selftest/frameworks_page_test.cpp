// SPDX-License-Identifier: Apache-2.0
// resources/doc/frameworks.md says of every framework what is reproduced, what judged it, and what nobody can know. Run
// this test with SHARDLENS_UPDATE=1 to write it anew after a sampler or recorded rows were added.
#include "core/base/text.h"
#include "core/sampling/registry.h"
#include "core/sampling/sampler_facts.h"
#include "core/sampling/starter.h"
#include "core/spec/edit.h"
#include "core/spec/field_table.h"
#include "tests/core/selftest/recorded_rows.h"
#include "tests/support/places.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

using namespace shardlens;

namespace {

const std::string kFile = test::sourceDir() + "/resources/doc/frameworks.md";

const char* const kIntroduction =
    "# Frameworks\n\n"
    "This page lists every framework whose samplers ShardLens reproduces; the test `samplers_pages` writes it from "
    "the "
    "registry of samplers and\n"
    "from the recorded rows in `tests/vectors`. A row is what the framework's own class gave: ShardLens must give the "
    "same ids, batches and\n"
    "exceptions. Versions are those that gave the rows. Each sampler's parameters and pitfalls are in "
    "[samplers.md](samplers.md).\n";

/// What a spec cannot say, by framework.
struct Limit {
  std::string_view framework;
  std::string_view sentence;
};

constexpr std::array kLimits = {
    Limit{"torch",
          "What other code draws from torch's global generator between epochs moves every sampler that draws "
          "from it; the plan assumes that nothing does."},
    Limit{"trl", "Accelerate deals the batches to the ranks; the plan shows the list that each rank makes before."},
    Limit{"ignite", "A sampler of your own inside of DistributedProxySampler is not modelled."},
    Limit{"monai",
          "Draws of other code from torch's global generator, where the weighted sampler has none of its own."},
    Limit{"yolov5",
          "Recorded numbers of SmartDistributedSampler are places in a rank's own list; the plan names images."},
    Limit{"paddle",
          "SubsetRandomSampler draws from Paddle's own generator, which is not modelled. RandomSampler and "
          "WeightedRandomSampler follow NumPy's global stream, which other code may move."},
    Limit{"litdata",
          "A resumed run with another number of ranks or workers, and a cache that evicts chunks, are not "
          "modelled."},
    Limit{"olmo_core", "The loader for instances of unequal length is not modelled."},
    Limit{"megatron_bridge",
          "The random sampler since 2026-09-03 was built from the description of PR 5944; no recorded "
          "row judges it. Without a seed, the batch sampler takes torch's, which may differ between "
          "pipeline stages."},
    Limit{"mmdet",
          "Without a seed the samplers share one drawn from the clock. GroupMultiSourceSampler follows NumPy's "
          "global stream, which other code may move."},
    Limit{"llmc", "The C loader does not restore the order within a shard when it is resumed with shuffle."},
    Limit{"nanogpt",
          "Offsets depend on what the model's initialization and the estimates of the loss draw from torch's "
          "global generator; outputs_before says how much comes first."},
    Limit{"ffcv", "Without a seed each loader draws one of its own."},
    Limit{"deepspeed",
          "Metrics come from DeepSpeed's data analyzer; the plan needs their values. More than one metric with "
          "falling difficulties is not modelled."},
    Limit{"timm", "Draws of one with PyTorch built with MKL are predicted for the versions that samplers.md names."},
};

using Judges = std::map<std::string, std::int64_t>;

/// A spec of the sampler in which everything that it needs is filled in.
PipelineSpec startedSpec(const sampling::SamplerRule& rule) {
  const PipelineSpec bare = sampling::exampleSpec(rule.info.type);
  const auto filled = applyEdits(bare, sampling::starterEdits(bare), sampling::catalogue());
  return filled ? *filled : bare;
}

/// Why the order of this spec is unknown; empty when it is known, or wrong in another way.
std::string unknownOf(const sampling::SamplerRule& rule, const PipelineSpec& spec) {
  std::optional<Error> error;
  if (const auto checked = rule.check(spec); !checked) error = checked.error();
  if (!error) {
    const auto order = rule.order(spec, rule.key(spec, Epoch{0}, Rank{0}), {});
    if (!order) error = order.error();
  }
  return error && error->code == ErrorCode::Unsupported ? error->message : std::string();
}

std::vector<Value> valuesOf(const Field& field) {
  std::vector<Value> values;
  if (field.kind == FieldKind::Bool) values = {true, false};
  if (field.kind == FieldKind::Choice || field.kind == FieldKind::IntOrName)
    values.assign(field.choices.begin(), field.choices.end());
  if (field.kind == FieldKind::Int || field.kind == FieldKind::IntOrName)
    values.emplace_back(std::clamp<std::int64_t>(10, field.min, field.max));
  return values;
}

/// The settings of a sampler with which its order is unknown, with the reason.
std::vector<std::string> unknownsOf(const sampling::SamplerRule& rule) {
  const PipelineSpec spec = startedSpec(rule);
  std::vector<std::string> out;
  if (const std::string why = unknownOf(rule, spec); !why.empty()) return {"`" + rule.info.type + "`: " + why};
  for (const Field& field : rule.info.parameters) {
    for (const Value& value : valuesOf(field)) {
      PipelineSpec other = spec;
      setValue(other, field, value);
      const std::string why = unknownOf(rule, other);
      if (!why.empty())
        out.push_back("`" + rule.info.type + "` with `" + field.key() + ": " + valueText(value) + "`: " + why);
    }
  }
  return out;
}

std::string rowsText(const Judges& judges) {
  if (judges.empty()) return "no recorded rows of its own";
  std::int64_t rows = 0;
  for (const auto& [name, count] : judges) rows += count;
  return grouped(rows) + " rows";
}

std::string anchor(std::string type) {
  std::erase(type, '.');
  std::ranges::transform(type, type.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return type;
}

/// The part of the page about one framework.
std::string section(const sampling::FrameworkTitle& framework, const selftest::Summary& summary) {
  std::string samplers;
  std::set<std::string> versions;
  std::vector<std::string> unknown;
  for (const sampling::SamplerRule& rule : sampling::rules()) {
    const std::string& type = rule.info.type;
    if (sampling::frameworkOf(type) != framework.framework) continue;
    const auto judges = summary.types.find(type);
    samplers += "- [`" + type + "`](samplers.md#" + anchor(type) +
                "): " + rowsText(judges == summary.types.end() ? Judges{} : judges->second) + "\n";
    const auto by = summary.versions.find(type);
    if (by != summary.versions.end()) versions.insert(by->second.begin(), by->second.end());
    for (std::string& sentence : unknownsOf(rule)) unknown.push_back(std::move(sentence));
  }
  for (const Limit& limit : kLimits) {
    if (limit.framework == framework.framework) unknown.emplace_back(limit.sentence);
  }
  std::string out = "## " + std::string(framework.title) + " (`" + std::string(framework.framework) + "`)\n\n";
  if (!versions.empty())
    out += "Rows from " + join(std::vector<std::string>(versions.begin(), versions.end()), "; ") + ".\n\n";
  out += samplers;
  if (unknown.empty()) return out;
  out += "\nNot predictable, or not modelled:\n\n";
  for (const std::string& sentence : unknown) out += "- " + sentence + "\n";
  return out;
}

}  // namespace

TEST_CASE("the page of frameworks is that of the registry and of the recorded rows") {
  std::string wanted = kIntroduction;
  for (const sampling::FrameworkTitle& framework : sampling::frameworkTitles())
    wanted += "\n" + section(framework, test::recordedRows());
  if (std::getenv("SHARDLENS_UPDATE") != nullptr) test::spill(kFile, wanted);
  INFO("write it anew with SHARDLENS_UPDATE=1 ctest --preset dev -R samplers_pages");
  CHECK((test::slurp(kFile) == wanted));
}

TEST_CASE("the README counts the recorded rows") {
  std::string readme = test::slurp(test::sourceDir() + "/README.md");
  std::ranges::replace(readme, '\n', ' ');
  const std::string wanted = "reproduces all " + grouped(test::recordedRows().total.passed) + " reference rows";
  CHECK_MESSAGE(readme.find(wanted) != std::string::npos, wanted);
}

TEST_CASE("every limit belongs to a framework that has a title") {
  for (const Limit& limit : kLimits) {
    CAPTURE(limit.framework);
    CHECK(std::ranges::count(sampling::frameworkTitles(), limit.framework, &sampling::FrameworkTitle::framework) == 1);
  }
}
