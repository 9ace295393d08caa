// SPDX-License-Identifier: Apache-2.0
#include "core/spec/field.h"

#include "core/spec/field_table.h"
#include "core/spec/validate.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

using namespace shardlens;

namespace {

const Field kSize{"dataset.size", FieldKind::Int, std::int64_t{16}, 0, 1000, {}, "samples", ""};

std::vector<SamplerInfo> oneSampler() {
  return {{"torch.DistributedSampler",
           "",
           {{"sampler.shuffle", FieldKind::Bool, true}, {"sampler.seed", FieldKind::Int}},
           {}}};
}

}  // namespace

TEST_CASE("a typed number may be written as people write it") {
  CHECK(std::get<std::int64_t>(*parseValue(kSize, "1e2")) == 100);
  CHECK(std::get<std::int64_t>(*parseValue(kSize, "1 000")) == 1000);
  CHECK(std::get<std::int64_t>(*parseValue(kSize, "1\u202f000")) == 1000);
  CHECK(std::get<std::int64_t>(*parseValue(kSize, "1\u2009000")) == 1000);
  CHECK_FALSE(parseValue(kSize, "1001"));
  CHECK_FALSE(parseValue(kSize, "1.5"));
  CHECK_FALSE(parseValue(kSize, ""));
  CHECK_FALSE(parseValue(kSize, "12x"));
}

TEST_CASE("a range of indices is inclusive and may be mixed with single ones") {
  const Field indices{"sampler.indices", FieldKind::Indices, IndexList{}, 0, 100};
  CHECK(std::get<IndexList>(*parseValue(indices, "[7, 1..3]")) == IndexList{7, 1, 2, 3});
  CHECK_FALSE(parseValue(indices, "[7, 101]"));
}

TEST_CASE("a list is as long as its ranges together, and no longer than 100 000 000 items") {
  const Field indices{"dataset.labels", FieldKind::Indices, IndexList{}};
  CHECK(std::get<IndexList>(*parseValue(indices, "9223372036854775806..9223372036854775807")).size() == 2);
  CHECK_FALSE(parseValue(indices, "-9223372036854775808..9223372036854775807"));
  const auto single = parseValue(indices, "0..100000000");
  REQUIRE_FALSE(single);
  CHECK(single.error().message == "'0..100000000' is longer than 100\u202f000\u202f000 items.");
  const auto together = parseValue(indices, "1 2 0..99999999");
  REQUIRE_FALSE(together);
  CHECK(together.error().message == "with '0..99999999' the list is longer than 100\u202f000\u202f000 items.");
}

TEST_CASE("a list that is not wanted any more is not read to its end") {
  const Field indices{"dataset.labels", FieldKind::Indices, IndexList{}};
  std::stop_source stop;
  std::vector<double> heard;
  const Work work{stop.get_token(), [&](double fraction) {
                    heard.push_back(fraction);
                    if (heard.size() == 3) stop.request_stop();
                  }};
  const auto parsed = parseValue(indices, "0..99999999", work);
  REQUIRE_FALSE(parsed);
  CHECK(parsed.error().code == ErrorCode::Cancelled);
  CHECK(heard.size() == 3);
  CHECK(std::is_sorted(heard.begin(), heard.end()));
  CHECK(heard.back() < 0.01);
}

TEST_CASE("a wrong choice names the nearest right one") {
  const Field rule{"seeds.rule", FieldKind::Choice, std::string("same"), 0, 0, {"same", "base+rank"}};
  const auto wrong = parseValue(rule, "base_rank");
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().hint == "did you mean base+rank?");
  CHECK(wrong.error().place.field == "seeds.rule");
}

TEST_CASE("no release is proposed for another, and local_rank never for global_rank") {
  const PipelineSpec spec;
  const Field* torch = findField(spec, {}, "framework.torch");
  REQUIRE(torch != nullptr);
  for (const char* release : {"2.7", "2.10", "1.12", "2"}) {
    CAPTURE(release);
    const auto refused = checkValue(*torch, std::string(release));
    REQUIRE(refused);
    CHECK(refused->hint.find("did you mean") == std::string::npos);
    for (const std::string& choice : torch->choices) CHECK(refused->hint.find(choice) == std::string::npos);
  }

  const Field* rule = findField(spec, {}, "seeds.rule");
  REQUIRE(rule != nullptr);
  CHECK(checkValue(*rule, std::string("base+global_rank"))->hint == "did you mean base+rank?");
  CHECK(checkValue(*rule, std::string("base+ranks"))->hint == "did you mean base+rank?");
  CHECK(checkValue(*rule, std::string("base+locl_rank"))->hint == "did you mean base+local_rank?");
  const Field rank{"sampler.rank", FieldKind::Choice, std::string("rank"), 0, 0, {"rank", "local_rank", "node"}};
  CHECK(checkValue(rank, std::string("global_rank"))->hint == "did you mean rank?");
}

TEST_CASE("every fixed field reads its own default back and survives its own text") {
  const PipelineSpec spec;
  for (const Field& field : fixedFields()) {
    CAPTURE(field.path);
    CHECK(getValue(spec, field) == field.fallback);
    CHECK_FALSE(checkValue(field, field.fallback));
    if (field.kind == FieldKind::Records) continue;  // not typed on one line
    PipelineSpec copy = spec;
    setValue(copy, field, *parseValue(field, valueText(field.fallback)));
    CHECK(copy == spec);
  }
}

TEST_CASE("validation reports every problem at once") {
  const auto samplers = oneSampler();
  PipelineSpec spec;
  spec.dataset.size = -1;
  spec.loader.batch_size = 0;
  spec.sampler.parameters["shufle"] = true;
  const Issues issues = validate(spec, samplers);
  REQUIRE(issues.size() == 3);
  CHECK(issues[0].place.field == "dataset.size");
  CHECK(issues[1].place.field == "loader.batch_size");
  CHECK(issues[2].hint == "did you mean shuffle?");
}

TEST_CASE("shards that do not add up to the dataset are refused with the right size") {
  PipelineSpec spec;
  spec.dataset.size = 16;
  spec.dataset.shards = {5, 7};
  const Issues issues = validate(spec, oneSampler());
  const auto found = std::ranges::find_if(issues, [](const Error& e) { return e.place.field == "dataset.shards"; });
  REQUIRE(found != issues.end());
  CHECK(found->message == "the shards hold 12 samples, but dataset.size is 16.");
  CHECK(found->hint == "set dataset.size to 12, or remove the shards");
  spec.dataset.shards = IndexList(1000, std::numeric_limits<std::int64_t>::max());
  CHECK_FALSE(validate(spec, oneSampler()).empty());
}

TEST_CASE("a world too large to number is refused without overflow") {
  const auto samplers = oneSampler();
  PipelineSpec spec;
  spec.world.nodes = 100'000;
  spec.world.ranks_per_node = 100'000;
  CHECK(validate(spec, samplers).size() == 1);
}
