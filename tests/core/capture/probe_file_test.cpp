// SPDX-License-Identifier: Apache-2.0
// The bytes of a probe's file: whole, torn, damaged.
#include "core/capture/probe_frames.h"
#include "core/capture/probe_reader.h"
#include "tests/core/capture/probe_text.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

using namespace shardlens;
using namespace shardlens::capture;
using shardlens::test::ProbeText;
using shardlens::test::TempFolder;

namespace {

using Batches = std::vector<std::vector<SampleIndex>>;

ProbeText sample() {
  ProbeText text(1, 2, 2);
  text.loader(0, 1, 2);
  text.pass(0, 0, 0, 1);
  text.batches(0, 0, {{4, 7}, {1, 5'000'000'000}});
  text.batches(0, 2, {{9}});
  text.news(0, 3, 3);
  return text;
}

Batches batchesIn(std::string_view bytes) {
  Batches batches;
  (void)parseProbe(bytes,
                   [&](const BatchFacts& batch) { batches.emplace_back(batch.samples.begin(), batch.samples.end()); });
  return batches;
}

/// CRC-32 as it is defined.
std::uint32_t crcBitByBit(std::string_view bytes) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
  }
  return ~crc;
}

}  // namespace

TEST_CASE("a checksum is that of zlib") {
  CHECK(crc32("") == 0);
  CHECK(crc32("123456789") == 0xCBF43926U);
  std::mt19937 dice(7);
  std::string bytes(5000, '\0');
  for (char& byte : bytes) byte = static_cast<char>(static_cast<unsigned char>(dice() & 0xFFU));
  for (std::size_t i = 0; i < 200; ++i) {
    const std::size_t begin = dice() % 16;
    const std::string_view part = std::string_view(bytes).substr(begin, i < 40 ? i : dice() % 4900);
    CHECK(crc32(part) == crcBitByBit(part));
  }
}

TEST_CASE("a file says what its process read") {
  const ProcessFacts facts = parseProbe(sample().bytes());
  CHECK(facts.environment.at("RANK") == "1");
  REQUIRE(facts.loaders.size() == 1);
  CHECK(facts.loaders[0].sampler->value<std::int64_t>("num_replicas") == 2);
  REQUIRE(facts.passes.size() == 1);
  CHECK(facts.passes[0].recorded == 3);
  CHECK(facts.passes[0].exhausted);
  CHECK(facts.damaged_bytes == 0);
  CHECK(batchesIn(sample().bytes()) == Batches{{4, 7}, {1, 5'000'000'000}, {9}});
}

TEST_CASE("a file that is skimmed says where consecutive batches lie, as one place") {
  const TempFolder folder;
  ProbeText text = sample();
  text.batches(0, 5, {{3}, {2}});
  shardlens::test::spill(folder / "a.slprobe", text.bytes());
  const RecordedFile file{folder / "a.slprobe", "a.slprobe", {}};
  std::vector<BatchesPlace> places;
  REQUIRE(skimProbe(file, places).has_value());
  REQUIRE(places.size() == 2);
  CHECK(places[0].first == 0);
  CHECK(places[0].count == 3);
  CHECK(places[1].first == 5);
  CHECK(places[1].count == 2);
  std::vector<std::int64_t> steps;
  for (const BatchesPlace& place : places)
    CHECK(readPlace(file, place, [&](const BatchFacts& batch) { steps.push_back(batch.step); }).has_value());
  CHECK(steps == std::vector<std::int64_t>{0, 1, 2, 5, 6});
}

TEST_CASE("a file that was cut anywhere gives what was written before, and nothing else") {
  const std::string whole = sample().bytes();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const ProcessFacts facts = parseProbe(std::string_view(whole).substr(0, size));
    CHECK(facts.damaged_bytes == 0);
    const Batches batches = batchesIn(std::string_view(whole).substr(0, size));
    for (std::size_t i = 0; i < batches.size(); ++i) CHECK(batches[i] == batchesIn(whole)[i]);
  }
}

TEST_CASE("a flipped byte costs the frame that it is in, and is counted") {
  const std::string whole = sample().bytes();
  for (std::size_t at = 16; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    const ProcessFacts facts = parseProbe(damaged);
    const Batches batches = batchesIn(damaged);
    for (const auto& batch : batches) {
      const Batches all = batchesIn(whole);
      CHECK(std::find(all.begin(), all.end(), batch) != all.end());
    }
    CHECK_MESSAGE(facts.damaged_bytes + (batches.size() == 3 ? 1 : 0) > 0, at);
  }
}

TEST_CASE("another file is refused, an empty one has nothing to say") {
  const TempFolder folder;
  std::ofstream(folder / "a.slprobe") << "this is not a probe's file";
  std::ofstream(folder / "b.slprobe");
  const auto files = probeFilesOf(folder / ".");
  REQUIRE(files);
  REQUIRE(files->size() == 2);
  CHECK(readProbe((*files)[0]).error().code == ErrorCode::BadInput);
  const auto empty = readProbe((*files)[1]);
  REQUIRE(empty);
  CHECK(empty->passes.empty());
  CHECK(probeFilesOf(folder / "a.slprobe").error().code == ErrorCode::BadInput);
}

TEST_CASE("values of other types than promised count as missing") {
  std::string file = probeFileHeader();
  file += probeFrame(ProbeKind::Process, R"({"host":5,"environment":[1]})");
  file += probeFrame(ProbeKind::Loader,
                     R"({"loader":0,"dataset":7,"sampler":{"values":{"seed":1e300},"lists":{"indices":["x"]}}})");
  file += probeFrame(ProbeKind::Pass, R"({"pass":0,"loader":0,"epoch":"one","distributed":{"rank":1}})");
  file += probeFrame(ProbeKind::Pass, "[]");
  file += probeFrame(static_cast<ProbeKind>(99), "of a later version");
  const ProcessFacts facts = parseProbe(file);
  REQUIRE(facts.loaders.size() == 1);
  CHECK(facts.loaders[0].dataset_type.empty());
  CHECK(facts.loaders[0].sampler->lists.at("indices").empty());
  REQUIRE(facts.passes.size() == 1);
  CHECK_FALSE(facts.passes[0].epoch);
  CHECK_FALSE(facts.passes[0].distributed);
}
