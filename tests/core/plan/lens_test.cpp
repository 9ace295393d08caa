// SPDX-License-Identifier: Apache-2.0
#include "core/plan/lens.h"

#include "core/plan/plan.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace shardlens;

namespace {

PipelineSpec written(const std::string& type) {
  PipelineSpec spec;
  spec.sampler = {type, {}};
  return spec;
}

LensColumn columnOf(const PipelineSpec& spec, const std::string& id) {
  const std::vector<LensColumn> columns = lensColumns(spec);
  const auto found = std::ranges::find(columns, id, &LensColumn::id);
  REQUIRE(found != columns.end());
  return *found;
}

}  // namespace

TEST_CASE("the first column of the lens is the spec as written") {
  const PipelineSpec spec = written("torch.RandomSampler");
  const std::vector<LensColumn> columns = lensColumns(spec);
  REQUIRE_FALSE(columns.empty());
  CHECK(columns.front().id == "as-written");
  CHECK(columns.front().sampler == "RandomSampler()");
  REQUIRE(columns.front().spec);
  CHECK(*columns.front().spec == spec);
}

TEST_CASE("every column has a name of its own and either an order or a reason") {
  std::set<std::string> ids;
  for (const LensColumn& column : lensColumns(written("torch.SequentialSampler"))) {
    CAPTURE(column.id);
    CHECK(ids.insert(column.id).second);
    CHECK(column.spec.has_value() != column.error.has_value());
    if (column.spec) CHECK(Plan::make(*column.spec));
  }
}

TEST_CASE("Lightning shuffles a sequential loader in training") {
  const LensColumn column = columnOf(written("torch.SequentialSampler"), "lightning");
  REQUIRE(column.spec);
  CHECK(column.spec->sampler.type == "torch.DistributedSampler");
  CHECK(column.sampler == "DistributedSampler(seed=0, shuffle=True)");
  REQUIRE_FALSE(column.notes.empty());
  CHECK(column.notes.front().severity == Severity::Warning);
}
