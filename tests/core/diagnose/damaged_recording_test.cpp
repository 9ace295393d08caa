// SPDX-License-Identifier: Apache-2.0
// Whatever happens to the bytes of a recording, verify never calls another order a match and never accuses a rank of
// what the damage hid.
#include "core/diagnose/proof.h"
#include "tests/support/fake_run_file.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <random>
#include <string>

using namespace shardlens;
using namespace shardlens::test;

namespace {

Plan planOf(std::int64_t seed) {
  PipelineSpec spec;
  spec.dataset.size = 96;
  spec.world = {1, 3};
  spec.loader.batch_size = 2;
  spec.epochs = 2;
  spec.sampler.parameters["seed"] = seed;
  auto plan = Plan::make(spec);
  REQUIRE(plan);
  return *plan;
}

/// The bytes of the only segment of a job that consumed this plan.
std::string recordingOf(const Plan& plan, const std::filesystem::path& folder) {
  {
    FakeRunFile file(folder, plan, "");
    for (std::int64_t epoch = 0; epoch < plan.epochs(); ++epoch) {
      for (std::int64_t step = 0; step < *plan.steps(Epoch{epoch}); ++step) file.step(epoch, step);
    }
    file.bye();
    file.end();
  }
  return slurp(std::filesystem::directory_iterator(folder)->path());
}

/// The same damage in every run of the test.
struct Damage {
  std::mt19937 random{20'24};

  std::size_t below(std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(random); }
  std::string flipped(std::string bytes, std::size_t flips) {
    for (std::size_t i = 0; i < flips; ++i) {
      char& byte = bytes[below(bytes.size())];
      byte = static_cast<char>(byte ^ (1 << below(8)));
    }
    return bytes;
  }
};

}  // namespace

TEST_CASE("200 flips and truncations: no match of another order, no accusation, the rest is read") {
  const TempFolder folder;
  const Plan right = planOf(0);
  const Plan wrong = planOf(1);
  const std::string bytes = recordingOf(right, folder / "run.slrun");
  const std::string path = folder / "damaged.slseg";
  spill(path, bytes);
  REQUIRE(prove(right, path)->result == ProofResult::Match);
  REQUIRE(prove(wrong, path)->result == ProofResult::Mismatch);
  const std::int64_t batches = prove(right, path)->planned_batches;
  Damage damage;
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i);
    const bool is_flip = i % 4 != 3;
    const std::size_t flips = is_flip ? 1 + damage.below(3) : 0;
    spill(path, is_flip ? damage.flipped(bytes, flips) : bytes.substr(0, 16 + damage.below(bytes.size() - 16)));
    const auto proof = prove(right, path);
    const auto other = prove(wrong, path);
    REQUIRE(proof);
    REQUIRE(other);
    CHECK(proof->result != ProofResult::Mismatch);
    CHECK(other->result != ProofResult::Match);
    // The recorder of this recording, which is this process, still runs: a missing end is no news.
    if (is_flip) CHECK_FALSE(proof->notes.empty());
    // One flip hits one frame, and this recorder wrote each record in a frame of its own.
    if (is_flip) CHECK(proof->checked_batches + static_cast<std::int64_t>(flips) >= batches);
  }
}
