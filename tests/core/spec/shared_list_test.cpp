// SPDX-License-Identifier: Apache-2.0
#include "core/spec/shared_list.h"

#include "core/spec/change.h"
#include "core/spec/pipeline_spec.h"
#include "core/spec/validate.h"
#include "tests/core/spec/samplers.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace shardlens;

namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::size_t kMany = 10'000'000;

PipelineSpec specOfManyLabels() {
  PipelineSpec spec;
  spec.dataset.labels = IndexList(kMany, 3);
  spec.sampler.type = "torch.A";
  spec.sampler.parameters["seed"] = std::int64_t{1};
  return spec;
}

}  // namespace

TEST_CASE("copies share their items; lists made apart are equal when their items are") {
  const IndexList list = {3, 1, 2};
  const IndexList copy = list;  // NOLINT(performance-unnecessary-copy-initialization): the copy is what is tested
  CHECK(copy.isSharedWith(list));
  CHECK(copy.items().data() == list.items().data());
  const IndexList apart = {3, 1, 2};
  CHECK_FALSE(apart.isSharedWith(list));
  CHECK(apart == list);
  CHECK_FALSE(IndexList{3, 1} == list);
  CHECK(IndexList() == IndexList(std::vector<std::int64_t>()));
  CHECK(IndexList().empty());
  CHECK(IndexList().isSharedWith(IndexList(std::vector<std::int64_t>())));
}

TEST_CASE("a list holds the vector that it was made of, not a copy") {
  std::vector<std::int64_t> items(1000, 7);
  const std::int64_t* data = items.data();
  CHECK(IndexList(std::move(items)).items().data() == data);
}

TEST_CASE("the facts of whole numbers are exact at the ends of their range") {
  const IndexList list = {4, kLeast, kMost};
  CHECK(list.facts().least == kLeast);
  CHECK(list.facts().greatest == kMost);
  CHECK(list.facts().total == 3);
  CHECK_FALSE(list.facts().is_run);
  CHECK(IndexList{kMost, 1}.facts().total == kMost);
  CHECK(IndexList{kLeast, -1}.facts().total == kLeast);
  CHECK(IndexList{5, 6, 7}.facts().is_run);
  CHECK(IndexList{kMost - 1, kMost}.facts().is_run);
  CHECK_FALSE(IndexList{kMost, kLeast}.facts().is_run);
  CHECK_FALSE(IndexList{5, 5}.facts().is_run);
  CHECK(IndexList().facts().total == 0);
}

TEST_CASE("the facts of real numbers say when one is not finite") {
  CHECK(NumberList{0.5, -2}.facts().least == -2);
  CHECK(NumberList{0.5, -2}.facts().greatest == 0.5);
  CHECK(NumberList{0.5, -2}.facts().is_finite);
  CHECK_FALSE(NumberList{1, std::nan("")}.facts().is_finite);
  CHECK_FALSE(NumberList{std::numeric_limits<double>::infinity()}.facts().is_finite);
}

TEST_CASE("all copies of a list share what was worked out once") {
  const IndexList list(kMany, 1);
  const IndexList copy = list;  // NOLINT(performance-unnecessary-copy-initialization)
  CHECK(&list.facts() == &copy.facts());
  CHECK(copy.facts().total == static_cast<std::int64_t>(kMany));
}

TEST_CASE("copying, editing and undoing a spec with a long list never copies the list") {
  const PipelineSpec spec = specOfManyLabels();
  const std::int64_t* items = spec.dataset.labels.items().data();
  PipelineSpec copy = spec;
  copy.epochs = 9;
  copy.sampler.parameters.erase("seed");
  const SpecChange change = SpecChange::between(spec, copy);
  change.revert(copy);
  CHECK(copy == spec);
  CHECK(copy.dataset.labels.items().data() == items);
  PipelineSpec without = spec;
  without.dataset.labels = {};
  SpecChange::between(spec, without).revert(without);
  CHECK(without.dataset.labels.items().data() == items);
}

TEST_CASE("a valid spec shares the lists of the spec that was validated") {
  const PipelineSpec spec = specOfManyLabels();
  const ValidatedSpec checked = validated(spec, test::twoSamplers());
  REQUIRE(checked.spec);
  CHECK((*checked.spec)->dataset.labels.isSharedWith(spec.dataset.labels));
  CHECK(**checked.spec == spec);
}
