// SPDX-License-Identifier: Apache-2.0
// A list of records as a sampler's parameter: values, edits, validation and undo follow from its declaration.
#include "core/spec/change.h"
#include "core/spec/edit.h"
#include "core/spec/field_table.h"
#include "core/spec/validate.h"
#include "tests/core/spec/blend.h"

#include <doctest/doctest.h>

using namespace shardlens;
using test::Stream;

namespace {

Result<PipelineSpec> edited(const PipelineSpec& spec, const std::string& path, const Value& value) {
  const std::vector<Edit> edits = {{path, value}};
  return applyEdits(spec, edits, test::blends());
}

const std::vector<Stream> kStreams = {{"wiki", 0.5, 1}, {"code", 2, 3}};

}  // namespace

TEST_CASE("a rule reads its list of records as objects of its own, with what they do not say filled in") {
  const Record brief{{{"proportion", 0.25}, {"name", std::string("news")}}};
  const auto spec = edited(test::blendOf({}), "sampler.streams", RecordList{brief});
  REQUIRE(spec);
  const Value value = parameter(*spec, test::blends()[0], "streams");
  CHECK(fields::objectsOf(value, test::streamItems()) == std::vector<Stream>{{"news", 0.25, 1}});
  CHECK(*spec == test::blendOf({{"news", 0.25, 1}}));
  CHECK(std::get<RecordList>(parameter(test::blendOf({}), test::blends()[0], "streams")).empty());
}

TEST_CASE("one value of one record of a parameter is a field that can be read and edited") {
  const PipelineSpec spec = test::blendOf(kStreams);
  const auto field = fieldAt(spec, test::blends(), "sampler.streams[1].repeat");
  REQUIRE(field);
  CHECK(getValue(spec, *field) == Value(std::int64_t{3}));
  const auto changed = edited(spec, "sampler.streams[1].repeat", std::int64_t{7});
  REQUIRE(changed);
  CHECK(test::streamsOf(*changed) == std::vector<Stream>{{"wiki", 0.5, 1}, {"code", 2, 7}});
}

TEST_CASE("an edit of a parameter's record that cannot be made says where and why") {
  const PipelineSpec spec = test::blendOf(kStreams);
  const auto refusal = [&](const char* path, const Value& value) {
    const auto refused = edited(spec, path, value);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().place.field == path);
    return refused.error();
  };
  CHECK(refusal("sampler.streams[2].repeat", std::int64_t{1}).hint == "its entries go from 0 to 1");
  CHECK(refusal("sampler.streams[0].repeatt", std::int64_t{1}).hint == "did you mean repeat?");
  CHECK(refusal("sampler.streams[0].repeat", std::int64_t{0}).message.find("out of range") != std::string::npos);
}

TEST_CASE("validation names the record and the field of a parameter") {
  PipelineSpec spec = test::blendOf({{"wiki", 0.5, 1}, {"code", 101, 0}});
  CHECK(validate(test::blendOf(kStreams), test::blends()).empty());
  const Issues issues = validate(spec, test::blends());
  REQUIRE(issues.size() == 2);
  CHECK(issues[0].place.field == "sampler.streams[1].proportion");
  CHECK(issues[1].place.field == "sampler.streams[1].repeat");
  spec.sampler.parameters["streams"] = std::int64_t{4};
  REQUIRE(validate(spec, test::blends()).size() == 1);
  CHECK(validate(spec, test::blends())[0].message == "4 is not a list of entries.");
}

TEST_CASE("a change of a parameter's records can be undone, and goes away with its sampler") {
  const PipelineSpec before = test::blendOf(kStreams);
  const auto after = edited(before, "sampler.streams[0].name", std::string("books"));
  REQUIRE(after);
  PipelineSpec spec = *after;
  SpecChange::between(before, *after).revert(spec);
  CHECK(spec == before);
  const auto other = edited(before, "sampler.type", std::string("test.Plain"));
  REQUIRE(other);
  CHECK(other->sampler.parameters.empty());
}
