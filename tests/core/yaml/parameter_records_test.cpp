// SPDX-License-Identifier: Apache-2.0
// A list of records as a sampler's parameter, in spec files: read, judged, written and changed in place.
#include "core/yaml/spec_reader.h"
#include "core/yaml/spec_update.h"
#include "core/yaml/spec_writer.h"
#include "tests/core/spec/blend.h"
#include "tests/core/yaml/random_spec.h"

#include <doctest/doctest.h>

using namespace shardlens;
using test::Stream;

namespace {

yaml::ReadSpec read(const std::string& text) {
  return yaml::readSpec(text, test::blends(), "a.yaml");
}

const std::string kText =
    "shardlens: 2\n"
    "sampler:\n"
    "  type: test.Blend\n"
    "  streams:  # of the blend\n"
    "    - {name: wiki, proportion: 0.5}  # the first\n"
    "    - name: code\n"
    "      proportion: 2.0\n"
    "      repeat: 3\n"
    "epochs: 3\n";

const std::vector<Stream> kStreams = {{"wiki", 0.5, 1}, {"code", 2, 3}};

}  // namespace

TEST_CASE("records of a parameter are read, and come back out of what is written") {
  const yaml::ReadSpec got = read(kText);
  REQUIRE_MESSAGE(got.issues.empty(), got.issues.front().text());
  CHECK(test::streamsOf(got.spec) == kStreams);
  test::RandomSpec specs(test::blends(), 5);
  for (int i = 0; i < 300; ++i) {
    const PipelineSpec spec = specs.next();
    const std::string text = yaml::writeSpec(spec, test::blends());
    CAPTURE(text);
    const yaml::ReadSpec back = read(text);
    REQUIRE_MESSAGE(back.issues.empty(), back.issues.front().text());
    CHECK(back.spec == spec);
  }
}

TEST_CASE("every problem of a parameter's records names its place, its record and its key") {
  std::string texts;
  for (const Error& issue : read("shardlens: 2\n"
                                 "sampler:\n"
                                 "  type: test.Blend\n"
                                 "  streams:\n"
                                 "    - {name: wiki, proportion: 101}\n"
                                 "    - {nam: code, proportion: 1}\n"
                                 "    - {name: news, proportion: much}\n")
                                .issues) {
    texts += issue.text() + "\n";
  }
  CHECK(texts ==
        "a.yaml:5:32: sampler.streams[0].proportion: 101 is out of range: it must be from 0 to 100.\n"
        "a.yaml:6:7: sampler.streams[1]: the entry has no 'name'. (add name: ...)\n"
        "a.yaml:6:8: sampler.streams[1].nam: there is no key 'nam' in an entry of sampler.streams. (did you mean "
        "name?)\n"
        "a.yaml:7:32: sampler.streams[2].proportion: 'much' is not a number.\n");
}

TEST_CASE("saving changes, adds and removes records of a parameter in place") {
  const auto saved = [](const std::vector<Stream>& streams) {
    PipelineSpec spec = read(kText).spec;
    spec.sampler = test::blendOf(streams).sampler;
    return yaml::updateText(kText, spec, test::blends()).value_or("written anew");
  };
  const std::string first = "    - {name: wiki, proportion: 0.5}  # the first\n";
  const std::string head = kText.substr(0, kText.find(first));
  CHECK(saved(kStreams) == kText);
  CHECK(saved({{"wiki", 0.5, 1}, {"code", 2, 4}}).find("  # the first\n") != std::string::npos);
  CHECK(saved({{"wiki", 0.5, 1}}) == head + first + "epochs: 3\n");
  CHECK(saved({kStreams[0], kStreams[1], {"news", 1, 1}}) ==
        kText.substr(0, kText.find("epochs")) + "    - {name: news, proportion: 1}\n" + "epochs: 3\n");
}
