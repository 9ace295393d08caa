// SPDX-License-Identifier: Apache-2.0
#include "tests/support/places.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

using namespace shardlens;
using test::runShell;
using test::slurp;
using test::spill;
using test::TempFolder;
namespace fs = std::filesystem;

namespace {

const std::string kProgram = test::binDir() + "/shardlens";
const std::string kExamples = test::sourceDir() + "/resources/examples/";
const std::string kExample = kExamples + "distributed-sampler.yaml";

/// Runs `shardlens film` in the folder; stderr is in the answer, too.
test::Finished runFilm(const TempFolder& folder, const std::string& arguments) {
  return runShell("cd " + folder.path().string() + " && " + kProgram + " film " + arguments + " 2>&1");
}

}  // namespace

TEST_CASE("the page is written, and what it has no room for is said") {
  const TempFolder folder;
  const auto small = runFilm(folder, kExample + " -o film.html");
  CHECK(small.code == 0);
  CHECK(small.out.find("film.html: written, ") != std::string::npos);
  CHECK(small.out.find("shown") == std::string::npos);
  const std::string page = slurp(folder / "film.html");
  CHECK(page.starts_with("<!DOCTYPE html>"));
  CHECK(page.ends_with("</html>\n"));
  CHECK(page.find("<title>distributed-sampler</title>") != std::string::npos);

  const auto large =
      runFilm(folder, kExamples + "shard-local-rank.yaml --epochs 1 --steps 50 --theme dark -o large.html");
  CHECK(large.code == 0);
  CHECK(large.out.find("The film shows only the first 50 of the 10\u202f010 steps of epoch 0.") != std::string::npos);
  CHECK(large.out.find("400 batches") != std::string::npos);
  CHECK(slurp(folder / "large.html").find("data-theme=\"dark\"") != std::string::npos);
}

TEST_CASE("epochs that the spec does not have are told, and a folder is named as one") {
  const TempFolder folder;
  const auto many = runFilm(folder, kExample + " -o film.html --epochs 9");
  CHECK(many.code == 0);
  CHECK(many.out.find("so the film shows ") != std::string::npos);
  const auto usual = runFilm(folder, kExample + " -o film.html --force --epochs 3");
  CHECK(usual.code == 0);
  CHECK(usual.out.find("The spec has only 2 epochs, so the film shows 2 instead of 3.") != std::string::npos);
  fs::create_directory(folder / "pages");
  for (const char* force : {"", " --force"}) {
    const auto refused = runFilm(folder, kExample + " -o pages" + force);
    CHECK(refused.code == 2);
    CHECK(refused.out.find("pages: this is a folder, not a file.") != std::string::npos);
  }
}

TEST_CASE("with - the page goes to stdout alone") {
  const TempFolder folder;
  const auto page = runShell(kProgram + " film " + kExample + " -o - 2>/dev/null");
  CHECK(page.code == 0);
  CHECK(page.out.starts_with("<!DOCTYPE html>"));
  CHECK(page.out.ends_with("</html>\n"));
}

TEST_CASE("a file that is there stays until --force") {
  const TempFolder folder;
  spill(folder / "film.html", "mine");
  const auto refused = runFilm(folder, kExample + " -o film.html");
  CHECK(refused.code == 2);
  CHECK(refused.out.find("--force") != std::string::npos);
  CHECK(slurp(folder / "film.html") == "mine");
  CHECK(runFilm(folder, kExample + " -o film.html --force").code == 0);
  CHECK(slurp(folder / "film.html").starts_with("<!DOCTYPE html>"));
}

TEST_CASE("mistakes are named, and nothing is written") {
  const TempFolder folder;
  CHECK(runFilm(folder, kExample).code == 2);
  CHECK(runFilm(folder, kExample + " -o film.html --epochs 0").code == 2);
  CHECK(runFilm(folder, kExample + " -o film.html --theme pink").code == 2);
  const auto outside = runFilm(folder, kExample + " -o film.html --first-epoch 9");
  CHECK(outside.code == 2);
  CHECK(outside.out.find("--first-epoch") != std::string::npos);
  spill(folder / "bad.yaml", "dataset: {size: -1}\n");
  CHECK(runFilm(folder, "bad.yaml -o film.html").code == 2);
  CHECK(runFilm(folder, kExample + " -o missing/film.html").code == 2);
  CHECK(!fs::exists(folder / "film.html"));
}

TEST_CASE("stopped with Ctrl+C it leaves no page behind, whole or in part") {
  const TempFolder folder;
  spill(folder / "huge.yaml",
        "shardlens: 2\nname: huge\ndataset: {size: 400000000}\nworld: {nodes: 8, ranks_per_node: 8}\n"
        "loader: {batch_size: 64}\nsampler: {type: torch.DistributedSampler, shuffle: true}\nepochs: 3\n");
  const auto stopped = runShell("cd " + folder.path().string() + " && timeout -s INT 0.2 env --default-signal=INT " +
                                kProgram + " film huge.yaml -o film.html >/dev/null 2>&1");
  CHECK(stopped.code == 124);  // it was still at work
  CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);
}
