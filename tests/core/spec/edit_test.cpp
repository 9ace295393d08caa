// SPDX-License-Identifier: Apache-2.0
#include "core/spec/edit.h"

#include "core/spec/validate.h"
#include "tests/core/spec/samplers.h"

#include <doctest/doctest.h>

#include <vector>

using namespace shardlens;

namespace {

PipelineSpec specOfA() {
  PipelineSpec spec;
  spec.sampler.type = "torch.A";
  spec.sampler.parameters = {{"shuffle", false}, {"seed", std::int64_t{7}}};
  return spec;
}

}  // namespace

TEST_CASE("edits are made in their order, the last one of a field wins") {
  const SamplerCatalogue samplers = test::twoSamplers();
  const std::vector<Edit> edits = {
      {"loader.batch_size", std::int64_t{8}}, {"sampler.shuffle", true}, {"loader.batch_size", std::int64_t{9}}};
  const auto spec = applyEdits(specOfA(), edits, samplers);
  REQUIRE(spec);
  CHECK(spec->loader.batch_size == 9);
  CHECK(std::get<bool>(spec->sampler.parameters.at("shuffle")));
}

TEST_CASE("a new sampler type keeps only the parameters that it takes") {
  const SamplerCatalogue samplers = test::twoSamplers();
  const std::vector<Edit> edits = {{"sampler.type", std::string("torch.B")}};
  const auto spec = applyEdits(specOfA(), edits, samplers);
  REQUIRE(spec);
  CHECK(spec->sampler.parameters == std::map<std::string, Value>{{"seed", std::int64_t{7}}});
  CHECK(validate(*spec, samplers).empty());
}

TEST_CASE("an edit of no field or with a wrong value is an error that says where") {
  const SamplerCatalogue samplers = test::twoSamplers();
  const std::vector<Edit> unknown = {{"loader.batch_sise", std::int64_t{8}}};
  const auto spec = applyEdits(specOfA(), unknown, samplers);
  REQUIRE_FALSE(spec);
  CHECK(spec.error().place.field == "loader.batch_sise");
  CHECK(spec.error().hint == "did you mean loader.batch_size?");
  const std::vector<Edit> zero = {{"loader.batch_size", std::int64_t{0}}};
  CHECK(applyEdits(specOfA(), zero, samplers).error().place.field == "loader.batch_size");
}
