// SPDX-License-Identifier: Apache-2.0
// Fixes of large plans are judged on two small copies: what these say must be what the large plan says when it is
// counted whole.
#include "core/audit/fixes/judgement.h"
#include "tests/support/random_seed.h"
#include "tests/support/small_spec.h"

#include <doctest/doctest.h>

#include <set>

using namespace shardlens;

namespace {

/// A large spec of any sampler, told to read evenly where its parameters can say so.
PipelineSpec largeSpec(test::SmallSpecs& draw) {
  PipelineSpec spec = draw.next().spec();
  spec.dataset.size = 1'000'000 + draw.below(60'000);
  spec.loader.batch_size = 1 + draw.below(60);
  if (draw.below(2) == 0) spec.loader.num_workers = 0;
  for (const char* key : {"yielded", "skip_first_batches"}) spec.sampler.parameters.erase(key);
  return spec;
}

std::set<std::string> codesOf(const std::vector<Finding>& findings) {
  std::set<std::string> codes;
  for (const Finding& finding : findings) codes.insert(finding.code);
  return codes;
}

}  // namespace

TEST_CASE("small copies say of a large plan what counting all of it says") {
  const std::uint64_t seed = test::randomSeed();
  CAPTURE(seed);
  test::SmallSpecs draw(seed);
  const AuditOptions options{.fixes = false};
  std::set<std::string> types;
  int compared = 0;
  for (int i = 0; i < 4000 && compared < 40; ++i) {
    const PipelineSpec spec = largeSpec(draw);
    if (!fixes::smallCopies(spec)) continue;
    const auto plan = Plan::make(spec);
    if (!plan) continue;
    CAPTURE(test::describe(spec));
    const auto judged = fixes::judge(*plan, options, {});
    if (!judged) continue;  // too long to tell, or the sampler refuses a dataset as small as the copy
    const auto whole = audit(*plan, options);
    REQUIRE(whole);
    CHECK(codesOf(judged->findings) == codesOf(whole->findings));
    CHECK(judged->batches.front() == whole->lockstep.batches);
    for (std::size_t epoch = 0; epoch < whole->coverage.size(); ++epoch) {
      const Ledger& coverage = whole->coverage[epoch];
      CHECK(judged->epochs[epoch].missing == coverage.missing);
      CHECK(judged->epochs[epoch].repeated == coverage.repeats.total());
      CHECK(judged->epochs[epoch].padded == coverage.padding());
      CHECK(judged->epochs[epoch].steps == whole->lockstep.most);
    }
    types.insert(spec.sampler.type);
    ++compared;
  }
  CHECK(compared == 40);
  CHECK(types.size() >= 6);
}
