// SPDX-License-Identifier: Apache-2.0
#include "core/spec/change.h"

#include <doctest/doctest.h>

using namespace shardlens;

namespace {

PipelineSpec first() {
  PipelineSpec spec;
  spec.sampler = {"torch.A", {{"seed", std::int64_t{7}}, {"shuffle", false}}};
  return spec;
}

PipelineSpec second() {
  PipelineSpec spec = first();
  spec.name = "other";
  spec.framework.lightning.stage = "test";
  spec.sampler = {"torch.B", {{"seed", std::int64_t{8}}, {"indices", IndexList{1, 2}}}};
  spec.run.delays = {{.rank = 1, .ms = 3}};
  return spec;
}

}  // namespace

TEST_CASE("a change leads from one spec to the other and back, parameters that are absent included") {
  const SpecChange change = SpecChange::between(first(), second());
  PipelineSpec spec = first();
  change.apply(spec);
  CHECK(spec == second());
  change.revert(spec);
  CHECK(spec == first());
}

TEST_CASE("nothing differs between equal specs") {
  CHECK(SpecChange::between(first(), first()).empty());
  CHECK_FALSE(SpecChange::between(first(), second()).empty());
}

TEST_CASE("changes that follow each other become one; there and back again is none") {
  PipelineSpec third = second();
  third.epochs = 77;
  third.name = "third";
  SpecChange change = SpecChange::between(first(), second());
  change.append(SpecChange::between(second(), third));
  PipelineSpec spec = third;
  change.revert(spec);
  CHECK(spec == first());
  change.apply(spec);
  CHECK(spec == third);
  change.append(SpecChange::between(third, first()));
  CHECK(change.empty());
}
