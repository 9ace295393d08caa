// SPDX-License-Identifier: Apache-2.0
// The page: its size, what it holds, and that no text of a design can be more than text.

#include "core/film/film.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

using namespace shardlens;

namespace {

Film filmOf(std::int64_t size, std::int64_t ranks, std::int64_t batch, std::int64_t epochs) {
  PipelineSpec spec;
  spec.dataset.size = size;
  spec.world.ranks_per_node = ranks;
  spec.loader.batch_size = batch;
  spec.epochs = epochs;
  const auto plan = Plan::make(spec);
  return *makeFilm(*plan, *filmRange(*plan, {}));
}

std::string base64Of(std::string_view text) {
  return base64(std::vector<std::uint8_t>(text.begin(), text.end()));
}

std::size_t countOf(std::string_view text, std::string_view word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

/// What stands between the opening tag of the element with this id and its end.
std::string contentOf(const std::string& page, const std::string& id) {
  const std::size_t begin = page.find('>', page.find("id=\"" + id + "\"")) + 1;
  return page.substr(begin, page.find("</script>", begin) - begin);
}

/// The numbers of one array, read as the page reads them.
std::vector<std::uint32_t> unpacked(const Packed& packed, const std::string& name) {
  std::size_t at = 0;
  for (const PackedArray& array : packed.arrays) {
    std::vector<std::uint32_t> numbers(static_cast<std::size_t>(array.count), array.value);
    for (std::uint32_t& number : numbers) {
      if (array.width > 0) number = 0;
      for (int byte = 0; byte < array.width; ++byte) number |= std::uint32_t{packed.bytes[at++]} << 8 * byte;
    }
    if (array.name == name) return numbers;
  }
  return {};
}

}  // namespace

TEST_CASE("base64 gives the examples of RFC 4648") {
  CHECK(base64Of("") == "");
  CHECK(base64Of("f") == "Zg==");
  CHECK(base64Of("fo") == "Zm8=");
  CHECK(base64Of("foo") == "Zm9v");
  CHECK(base64Of("foob") == "Zm9vYg==");
  CHECK(base64Of("fooba") == "Zm9vYmE=");
  CHECK(base64Of("foobar") == "Zm9vYmFy");
}

TEST_CASE("packed numbers come back, in no more bytes than they need") {
  const Film film = filmOf(5'000, 2, 300, 1);
  REQUIRE(!film.has_ids);
  const Packed all = packed(film);
  const auto samples = unpacked(all, "samples");
  const auto hairs = unpacked(all, "hairs");
  REQUIRE(samples.size() == film.epochs[0].cells.size());
  for (std::size_t i = 0; i < samples.size(); ++i) CHECK(samples[i] == film.epochs[0].cells[i].samples);
  CHECK(std::vector<std::uint8_t>(hairs.begin(), hairs.end()) == film.epochs[0].hairs);
  CHECK(all.arrays[0].width == 2);
  CHECK(all.arrays[1].name == "padding");
  CHECK(all.arrays[1].width == 0);
}

TEST_CASE("a page of 100 000 batches stays below two megabytes") {
  for (const Film& film : {filmOf(3'000'000, 1, 30, 3), filmOf(2'000'000, 64, 32, 3)}) {
    CAPTURE(film.sentence);
    CHECK(film.cells() > 99'000);
    CHECK(film.cells() <= kMostFilmCells);
    CHECK(film.hairs >= 1);
    CHECK(filmPage(film).size() < 2'000'000);
  }
}

TEST_CASE("a page asks for nothing outside of it and has no hole left") {
  const std::string page = filmPage(filmOf(16, 2, 2, 2), PageTheme::Dark);
  for (const char* word :
       {"http://", "https://", "src=", "@import", "fetch(", "XMLHttpRequest", "@head@", "@data@", "@name@"}) {
    CAPTURE(word);
    CHECK(page.find(word) == std::string::npos);
  }
  CHECK(page.find("data-theme=\"dark\"") != std::string::npos);
  const auto head = nlohmann::json::parse(contentOf(page, "head"));
  CHECK(head["size"] == 16);
  CHECK(head["epochs"].size() == 2);
  CHECK(head["hasIds"] == true);
}

TEST_CASE("text of a design is text in the page, whatever stands in it") {
  Film film = filmOf(16, 2, 2, 1);
  const std::string evil = "</script><script>alert(1)</script><!-- \" onload='x' & @data@ \xff";
  film.name = evil;
  film.sentence = evil;
  film.left_out = {evil};
  REQUIRE(!film.findings.empty());
  film.findings.front().message = evil;
  film.findings.front().title = evil;
  const std::string page = filmPage(film);
  const std::string tame = filmPage(filmOf(16, 2, 2, 1));
  CHECK(countOf(page, "<script") == countOf(tame, "<script"));
  CHECK(countOf(page, "</script") == countOf(tame, "</script"));
  CHECK(countOf(page, "<!--") == countOf(tame, "<!--"));
  CHECK(countOf(page, "' onload") == 0);
  CHECK(countOf(page, "alert(1)") > 0);
  const auto head = nlohmann::json::parse(contentOf(page, "head"));
  CHECK(head["name"] == evil.substr(0, evil.size() - 1) + "\xef\xbf\xbd");
  CHECK(contentOf(page, "data") == contentOf(tame, "data"));
}
