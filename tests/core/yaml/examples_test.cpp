// SPDX-License-Identifier: Apache-2.0
#include "core/plan/plan.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_file.h"
#include "core/yaml/spec_update.h"
#include "core/yaml/spec_writer.h"
#include "tests/support/places.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace shardlens;
namespace fs = std::filesystem;
using Batches = std::vector<std::vector<SampleIndex>>;

namespace {

const fs::path kExamples = test::sourceDir() + "/resources/examples";

PipelineSpec example(const std::string& name) {
  const yaml::SpecFile file = yaml::readSpecFile(kExamples / (name + ".yaml"), sampling::catalogue());
  REQUIRE_MESSAGE(file.read.issues.empty(), file.read.issues.front().text());
  return file.read.spec;
}

Plan planOf(const std::string& name) {
  auto plan = Plan::make(example(name));
  REQUIRE_MESSAGE(plan, plan.error().text());
  return *plan;
}

Batches batches(const Plan& plan, std::int64_t epoch, std::int64_t rank) {
  const auto slice = plan.rankEpoch(Epoch{epoch}, Rank{rank});
  REQUIRE(slice);
  Batches out;
  for (Step step{0}; step.value < slice->batches(); ++step) out.push_back(slice->batchSamples(step));
  return out;
}

}  // namespace

TEST_CASE("every example is sound, says what to look for, and is its own canonical form but for its comments") {
  int seen = 0;
  for (const auto& entry : fs::directory_iterator(kExamples)) {
    CAPTURE(entry.path().string());
    const std::string text = test::slurp(entry.path());
    const PipelineSpec spec = example(entry.path().stem().string());
    std::size_t begin = 0;
    for (int line = 0; line < 3; ++line, begin = text.find('\n', begin) + 1) CHECK(text.substr(begin, 2) == "# ");
    CHECK(text.starts_with("# Title: "));
    CHECK(text.find("# Look for: ") != std::string::npos);
    CHECK(text.substr(begin) == yaml::writeSpec(spec, sampling::catalogue()));
    CHECK(yaml::updateText(text, spec, sampling::catalogue()) == text);
    ++seen;
  }
  CHECK(seen == 20);
}

TEST_CASE("distributed-sampler: the known batches, in a new order every epoch") {
  const Plan plan = planOf("distributed-sampler");
  CHECK(batches(plan, 0, 0) == Batches{{12, 9}, {11, 13}, {2, 15}, {4, 7}});
  CHECK(batches(plan, 1, 0) == Batches{{5, 6}, {11, 7}, {1, 9}, {10, 13}});
  CHECK(batches(plan, 0, 1) == Batches{{10, 6}, {8, 5}, {14, 0}, {3, 1}});
}

TEST_CASE("distributed-sampler-no-set-epoch: epoch 1 is epoch 0") {
  const Plan plan = planOf("distributed-sampler-no-set-epoch");
  for (const std::int64_t rank : {0, 1}) CHECK(batches(plan, 0, rank) == batches(plan, 1, rank));
}

TEST_CASE("batch-sampler: a short last batch is kept or dropped") {
  CHECK(batches(planOf("batch-sampler"), 0, 0) == Batches{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9}});
  CHECK(batches(planOf("batch-sampler-drop-last"), 1, 0) == Batches{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}});
}

TEST_CASE("seed-local-rank: both nodes draw the same batches") {
  const Plan plan = planOf("seed-local-rank");
  for (std::int64_t rank = 0; rank < 4; ++rank) {
    CHECK(batches(plan, 1, rank) == batches(plan, 1, rank + 4));
    CHECK(batches(plan, 1, rank) != batches(plan, 1, (rank + 1) % 4));
  }
}

TEST_CASE("shard-local-rank: pairs of ranks share everything") {
  const Plan plan = planOf("shard-local-rank");
  CHECK(*plan.steps(Epoch{0}) == 10'010);
  for (std::int64_t rank = 0; rank < 4; ++rank) {
    CHECK(plan.rankEpoch(Epoch{0}, Rank{rank})->fingerprint() ==
          plan.rankEpoch(Epoch{0}, Rank{rank + 4})->fingerprint());
  }
}

TEST_CASE("slow-rank: forty steps with one rank slowed") {
  const PipelineSpec spec = example("slow-rank");
  const Plan plan = planOf("slow-rank");
  CHECK(*plan.steps(Epoch{0}) * plan.epochs() == 40);
  REQUIRE(spec.run.delays.size() == 1);
  CHECK(spec.run.delays[0].rank == 2);
  CHECK(spec.run.delays[0].ms > 0);
}

TEST_CASE("a key whose kind depends on another key is read back as it was written") {
  PipelineSpec spec;
  spec.sampler = {"accelerate.DataLoaderShard",
                  {{"inner", std::string("trl.RepeatSampler")}, {"seed", std::string("none")}}};
  const yaml::ReadSpec read = yaml::readSpec(yaml::writeSpec(spec, sampling::catalogue()), sampling::catalogue(), "a");
  REQUIRE_MESSAGE(read.issues.empty(), read.issues.front().text());
  CHECK(read.spec.sampler == spec.sampler);
}
