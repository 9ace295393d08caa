// SPDX-License-Identifier: Apache-2.0
#include "core/audit/audit.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace shardlens;

TEST_CASE("a price is one of all epochs only where no chance makes them differ") {
  PipelineSpec spec;
  spec.dataset.size = 53;
  spec.world = {1, 2};
  spec.loader.batch_size = 24;
  spec.loader.drop_last = true;
  spec.sampler.type = "torch.RandomSampler";
  spec.seeds = {0, "base+local_rank"};
  spec.epochs = 3;
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  const auto report = audit(*plan);  // counts two of the three epochs
  REQUIRE(report);
  const auto found = std::ranges::find(report->findings, "ranks-overlap-partly", &Finding::code);
  REQUIRE(found != report->findings.end());
  for (const Fix& fix : found->fixes) {
    const auto says = [&fix](const char* text) { return fix.price.find(text) != std::string::npos; };
    CAPTURE(fix.price);
    if (says("missing")) CHECK((says("in epoch ") || says("in each of epochs ")));
  }
}
