// SPDX-License-Identifier: Apache-2.0
// write_specs FOLDER SEED COUNT: writes a spec for each sampler of the registry, and COUNT small ones drawn at random,
// as files that the tests of the Python package plan in two ways.
#define DOCTEST_CONFIG_DISABLE  // small_spec.h describes what it draws for tests in C++

#include "core/base/file.h"
#include "core/sampling/starter.h"
#include "core/spec/edit.h"
#include "core/yaml/spec_writer.h"
#include "tests/support/small_spec.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

using namespace shardlens;

namespace {

/// A spec that a new design of this sampler begins with, uneven in what can be uneven.
Result<PipelineSpec> starterOf(const sampling::SamplerRule& rule) {
  PipelineSpec spec;
  spec.name = rule.info.type;
  spec.dataset.size = 203;
  spec.world = {2, 2};
  spec.loader.batch_size = 3;
  spec.loader.num_workers = 2;
  spec.sampler.type = rule.info.type;
  return applyEdits(spec, sampling::starterEdits(spec), sampling::catalogue());
}

bool write(const std::filesystem::path& file, const PipelineSpec& spec) {
  return writeFile(file, yaml::writeSpec(spec, sampling::catalogue())).has_value();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::filesystem::path folder = argv[1];
  for (const sampling::SamplerRule& rule : sampling::rules()) {
    const auto spec = starterOf(rule);
    const auto plan = spec ? Plan::make(*spec) : Result<Plan>(spec.error());
    if (!plan) (void)std::fprintf(stderr, "%s: %s\n", rule.info.type.c_str(), plan.error().text().c_str());
    if (!plan || !write(folder / (rule.info.type + ".yaml"), *spec)) return 1;
  }
  test::SmallSpecs specs(std::strtoull(argv[2], nullptr, 10), true);
  for (long i = 0; i < std::strtol(argv[3], nullptr, 10); ++i) {
    const Plan plan = specs.next();
    if (!write(folder / ("random-" + std::to_string(i) + ".yaml"), plan.spec())) return 1;
  }
  return 0;
}
