// SPDX-License-Identifier: Apache-2.0
#include "core/spec/edit.h"
#include "core/spec/field_table.h"
#include "core/spec/validate.h"
#include "tests/core/spec/samplers.h"

#include <doctest/doctest.h>

#include <vector>

using namespace shardlens;

namespace {

using Delay = PipelineSpec::Run::Delay;

const Field kStreams{
    .path = "streams",
    .kind = FieldKind::Records,
    .fallback = RecordList(),
    .items = {{.path = "weight", .kind = FieldKind::Float, .fallback = 1.0, .min = 0, .max = 10, .required = true},
              {.path = "mode", .kind = FieldKind::Choice, .fallback = std::string("mix"), .choices = {"mix", "skip"}}}};

Record stream(double weight, const char* mode) {
  return {{{"weight", weight}, {"mode", std::string(mode)}}};
}

PipelineSpec fourRanks(std::vector<Delay> delays) {
  PipelineSpec spec;
  spec.sampler.type = "torch.A";
  spec.world = {1, 4};
  spec.run.delays = std::move(delays);
  return spec;
}

std::vector<std::string> placesOf(const Issues& issues) {
  std::vector<std::string> places;
  for (const Error& issue : issues) places.push_back(issue.place.field);
  return places;
}

}  // namespace

TEST_CASE("every problem of every record is reported at its own path") {
  const RecordList list = {stream(3, "mix"), stream(11, "mixx"), Record{{{"wieght", 1.0}}}};
  const Issues issues = problemsOf(kStreams, list);
  CHECK(placesOf(issues) ==
        std::vector<std::string>{"streams[1].weight", "streams[1].mode", "streams[2].wieght", "streams[2]"});
  CHECK(issues[1].hint == "did you mean mix?");
  CHECK(issues[2].hint == "did you mean weight?");
  CHECK(issues[3].message == "the entry has no 'weight'.");
  CHECK(checkValue(kStreams, list)->place.field == "streams[1].weight");
  CHECK(problemsOf(kStreams, RecordList{stream(0.5, "skip")}).empty());
}

TEST_CASE("what is no list of records is refused, and so is a list that is too long") {
  CHECK(placesOf(problemsOf(kStreams, Value(std::int64_t{3}))) == std::vector<std::string>{"streams"});
  CHECK(problemsOf(kStreams, RecordList(1000, stream(1, "mix"))).empty());
  CHECK(problemsOf(kStreams, RecordList(1001, stream(1, "mix"))).size() == 1);
}

TEST_CASE("a path leads into a record only when it names one") {
  const auto at = recordPath("run.delays[12].ms");
  REQUIRE(at);
  CHECK(at->list == "run.delays");
  CHECK(at->index == 12);
  CHECK(at->key == "ms");
  for (const char* other : {"run.delays", "run.delays[1]", "run.delays[x].ms", "run.delays[].ms", "run.delays[-1].ms"})
    CHECK_FALSE(recordPath(other));
}

TEST_CASE("records are shown as the file would say them") {
  CHECK(valueText(RecordList{stream(0.5, "skip")}) == "[{weight: 0.5, mode: skip}]");
  CHECK(valueText(RecordList()) == "[]");
  CHECK_FALSE(parseValue(kStreams, "[{weight: 1}]"));
}

TEST_CASE("delays become records that say everything, and the same delays again") {
  PipelineSpec spec = fourRanks({{.rank = 2, .ms = 60}, {.rank = 3, .ms = 1.5, .phase = "compute", .from_step = 7}});
  const Field& field = *findField(spec, test::twoSamplers(), "run.delays");
  const Value value = getValue(spec, field);
  REQUIRE(std::get<RecordList>(value).size() == 2);
  CHECK(*std::get<RecordList>(value)[0].find("from_step") == Value(std::int64_t{0}));
  PipelineSpec other = fourRanks({});
  setValue(other, field, value);
  CHECK(other == spec);
  setValue(other, field, RecordList{Record{{{"rank", std::int64_t{1}}, {"ms", 4.0}}}});
  CHECK(other.run.delays == std::vector<Delay>{{.rank = 1, .ms = 4}});
}

TEST_CASE("one value of one record can be edited by its path") {
  const PipelineSpec spec = fourRanks({{.rank = 2, .ms = 60}, {.rank = 3, .ms = 5}});
  const std::vector<Edit> edits = {{"run.delays[1].ms", 7.5}, {"run.delays[0].phase", std::string("compute")}};
  const auto edited = applyEdits(spec, edits, test::twoSamplers());
  REQUIRE(edited);
  CHECK(edited->run.delays == std::vector<Delay>{{.rank = 2, .ms = 60, .phase = "compute"}, {.rank = 3, .ms = 7.5}});
}

TEST_CASE("an edit of a record that is not there, of no key or with a wrong value says where and why") {
  const PipelineSpec spec = fourRanks({{.rank = 2, .ms = 60}});
  const auto refusal = [&](const char* path, const Value& value) {
    const std::vector<Edit> edits = {{path, value}};
    const auto edited = applyEdits(spec, edits, test::twoSamplers());
    REQUIRE_FALSE(edited);
    CHECK(edited.error().place.field == path);
    return edited.error();
  };
  CHECK(refusal("run.delays[1].ms", 1.0).hint == "its entries go from 0 to 0");
  CHECK(refusal("run.delays[0].mss", 1.0).hint == "did you mean ms?");
  CHECK(refusal("run.delays[0].ms", -1.0).message.find("out of range") != std::string::npos);
  CHECK(refusal("run.delay[0].ms", 1.0).message == "there is no field 'run.delay[0].ms'.");
}

TEST_CASE("validation across fields names the delay") {
  const PipelineSpec spec =
      fourRanks({{.rank = 4, .ms = 1}, {.rank = 3, .ms = -1}, {.rank = 0, .ms = 1, .from_step = 5, .until_step = 5}});
  CHECK(placesOf(validate(spec, test::twoSamplers())) ==
        std::vector<std::string>{"run.delays[1].ms", "run.delays[0].rank", "run.delays[2].until_step"});
}

TEST_CASE("delays of one rank add up, each in its phase and its steps") {
  const PipelineSpec spec = fourRanks({{.rank = 1, .ms = 10},
                                       {.rank = 1, .ms = 5, .from_step = 3, .until_step = 5},
                                       {.rank = 1, .ms = 100, .phase = "compute", .from_step = 4}});
  const auto load = [&](std::int64_t step) { return spec.run.delayMs(Rank{1}, "load", step); };
  CHECK(load(2) == 10);
  CHECK(load(3) == 15);
  CHECK(load(4) == 15);
  CHECK(load(5) == 10);
  CHECK(spec.run.delayMs(Rank{1}, "compute", 3) == 0);
  CHECK(spec.run.delayMs(Rank{1}, "compute", 1'000'000) == 100);
  CHECK(spec.run.delayMs(Rank{0}, "load", 4) == 0);
}
