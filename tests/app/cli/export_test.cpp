// SPDX-License-Identifier: Apache-2.0
#include "tests/support/json_schema.h"
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
const std::string kExample = test::sourceDir() + "/resources/examples/distributed-sampler.yaml";

/// Runs `shardlens export` in the folder.
test::Finished runExport(const TempFolder& folder, const std::string& arguments) {
  return runShell("cd " + folder.path().string() + " && " + kProgram + " export " + arguments);
}

std::size_t filesIn(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("the text goes to stdout alone and what is not carried to stderr") {
  const TempFolder folder;
  const auto text = runExport(folder, kExample + " --to torchrun 2>notes");
  CHECK(text.code == 0);
  CHECK(text.out.starts_with("#!/usr/bin/env bash\n# distributed-sampler: 1 node with 2 ranks each."));
  CHECK(slurp(folder / "notes").find("batch_size: 2") != std::string::npos);
  CHECK(runExport(folder, kExample + " --to shardlens").out.starts_with("shardlens: 2\n"));
  CHECK(filesIn(folder.path()) == 1);
}

TEST_CASE("the list names every target, and each of them answers in JSON of the schema") {
  const TempFolder folder;
  const auto list = runExport(folder, "--list");
  CHECK(list.code == 0);
  for (const char* target : {"shardlens", "lightning", "torchrun", "openmpi", "pytorch"}) {
    CHECK(list.out.find(target) != std::string::npos);
    const auto json = runExport(folder, kExample + " --format json --to " + target + " 2>&1");
    CHECK(json.code == 0);
    CHECK(test::schemaProblemsOfText(json.out, "export.schema.json") == "");
  }
}

TEST_CASE("files are written beside each other, runnable, and not twice") {
  const TempFolder folder;
  CHECK(runExport(folder, kExample + " --to openmpi -o run.sh 2>&1").code == 0);
  CHECK(fs::exists(folder / "hosts.txt"));
  CHECK((fs::status(folder / "run.sh").permissions() & fs::perms::owner_exec) != fs::perms::none);
  CHECK((fs::status(folder / "hosts.txt").permissions() & fs::perms::owner_exec) == fs::perms::none);
  CHECK(runExport(folder, kExample + " --to openmpi -o run.sh 2>&1").out.find("is up to date") != std::string::npos);
  CHECK(filesIn(folder.path()) == 2);
}

TEST_CASE("a file that says something else is kept until --force, and --diff shows what would change") {
  const TempFolder folder;
  spill(folder / "mine.yaml", "trainer:\n  devices: 9\n");
  const auto refused = runExport(folder, kExample + " --to lightning -o mine.yaml 2>&1");
  CHECK(refused.code == 2);
  CHECK(refused.out.find("--diff") != std::string::npos);
  CHECK(slurp(folder / "mine.yaml") == "trainer:\n  devices: 9\n");
  const auto diff = runExport(folder, kExample + " --to lightning -o mine.yaml --diff");
  CHECK(diff.code == 1);
  CHECK(diff.out.starts_with("--- mine.yaml\n+++ mine.yaml\n"));
  CHECK(diff.out.find("\n-  devices: 9\n") != std::string::npos);
  CHECK(runExport(folder, kExample + " --to lightning -o mine.yaml --force 2>&1").code == 0);
  const auto same = runExport(folder, kExample + " --to lightning -o mine.yaml --diff");
  CHECK(same.code == 0);
  CHECK(same.out.empty());
}

TEST_CASE("--merge changes the exported keys of a file and keeps the rest of it") {
  const TempFolder folder;
  spill(folder / "mine.yaml", "# mine\ntrainer:\n  devices: 9\n  precision: 16\n");
  const auto refused = runExport(folder, kExample + " --to lightning -o mine.yaml 2>&1");
  CHECK(refused.code == 2);
  CHECK(refused.out.find("--merge") != std::string::npos);
  const auto diff = runExport(folder, kExample + " --to lightning -o mine.yaml --merge --diff 2>&1");
  CHECK(diff.code == 1);
  CHECK(diff.out.find("\n-  devices: 9\n+  devices: 2\n") != std::string::npos);
  CHECK(diff.out.find("\n-  precision") == std::string::npos);
  CHECK(runExport(folder, kExample + " --to lightning -o mine.yaml --merge 2>&1").out.find("mine.yaml: merged") !=
        std::string::npos);
  CHECK(slurp(folder / "mine.yaml").starts_with("# mine\ntrainer:\n  devices: 2\n"));
  const auto again = runExport(folder, kExample + " --to lightning -o mine.yaml 2>&1");
  CHECK(again.code == 0);
  CHECK(again.out.find("mine.yaml: is up to date") != std::string::npos);
  CHECK(runExport(folder, kExample + " --to lightning -o mine.yaml --merge --force 2>&1").code == 2);
  spill(folder / "run.sh", "mine\n");
  const auto script = runExport(folder, kExample + " --to torchrun -o run.sh --merge 2>&1");
  CHECK(script.code == 2);
  CHECK(script.out.find("Only YAML and JSON files can be merged") != std::string::npos);
  CHECK(slurp(folder / "run.sh") == "mine\n");
  spill(folder / "bad.yaml", "a: [1\n");
  CHECK(runExport(folder, kExample + " --to lightning -o bad.yaml --merge 2>&1").code == 2);
  CHECK(slurp(folder / "bad.yaml") == "a: [1\n");
}

TEST_CASE("mistakes are named with the way out, and nothing is written") {
  const TempFolder folder;
  spill(folder / "bad.yaml", "shardlens: 2\nworld: {nods: 2}\nepochs: 0\n");
  const auto bad = runExport(folder, "bad.yaml --to torchrun -o out.sh 2>&1");
  CHECK(bad.code == 2);
  CHECK(bad.out.find("bad.yaml:2:9: world.nods: ") != std::string::npos);
  CHECK(bad.out.find("bad.yaml:3:9: epochs: ") != std::string::npos);
  CHECK(runExport(folder, kExample + " --to torchrum 2>&1").out.find("did you mean torchrun?") != std::string::npos);
  for (const std::string& wrong : {kExample, std::string("--to torchrun"), kExample + " --to torchrun --format xml",
                                   std::string("none.yaml --to torchrun"), kExample + " --to openmpi --host 'a b'",
                                   kExample + " --to torchrun -o no/such/folder/run.sh"}) {
    CAPTURE(wrong);
    const auto ran = runExport(folder, wrong + " 2>&1");
    CHECK(ran.code == 2);
    CHECK_FALSE(ran.out.empty());
  }
  CHECK(filesIn(folder.path()) == 1);
}

TEST_CASE("the schema of the plan verb holds") {
  const TempFolder folder;
  const auto plan = runShell(kProgram + " plan " + kExample + " --format json");
  CHECK(plan.code == 0);
  CHECK(test::schemaProblemsOfText(plan.out, "plan.schema.json") == "");
}

TEST_CASE("a spec with audit errors is exported with them in its head and on stderr") {
  const TempFolder folder;
  spill(folder / "frozen.yaml",
        "shardlens: 2\nname: frozen\nsampler: {type: torch.DistributedSampler, set_epoch: false}\nepochs: 3\n");
  const auto text = runExport(folder, "frozen.yaml --to pytorch 2>errors");
  CHECK(text.code == 0);
  CHECK(text.out.find("\n# The audit of this spec found errors:\n#   ") != std::string::npos);
  CHECK(slurp(folder / "errors").find("The audit of this spec found errors:\n  ") != std::string::npos);
  const auto json = runExport(folder, "frozen.yaml --to pytorch --format json 2>errors");
  CHECK(test::schemaProblemsOfText(json.out, "export.schema.json") == "");
  CHECK(json.out.find("\"audit_errors\": [\n    \"") != std::string::npos);
  const auto fine = runExport(folder, kExample + " --to pytorch 2>errors");
  CHECK(fine.out.find("The audit") == std::string::npos);
  CHECK(slurp(folder / "errors").find("The audit") == std::string::npos);
}

TEST_CASE("stdout takes one file, a dash is stdout, and all targets go into a folder") {
  const TempFolder folder;
  const auto script = runExport(folder, kExample + " --to openmpi 2>notes");
  CHECK(script.out.find("slots=") == std::string::npos);
  CHECK(slurp(folder / "notes").find("hosts.txt belongs to it and was not written; write both with -o openmpi.sh") !=
        std::string::npos);
  CHECK(runExport(folder, kExample + " --to openmpi -o - 2>notes").out == script.out);
  CHECK_FALSE(fs::exists(folder / "-"));
  CHECK(runExport(folder, kExample + " --to all 2>&1").code == 2);
  CHECK(runExport(folder, kExample + " --to all -o made/here 2>&1").code == 0);
  for (const char* name : {"pipeline.yaml", "lightning.yaml", "torchrun.sh", "openmpi.sh", "hosts.txt", "loader.py"})
    CHECK_MESSAGE(fs::exists(folder.path() / "made" / "here" / name), name);
}

TEST_CASE("a host without a name is refused, and does not move the others up") {
  const TempFolder folder;
  for (const char* hosts : {"a,,b", ",a", "a,", ","}) {
    CAPTURE(hosts);
    const auto ran = runExport(folder, kExample + " --to openmpi --host " + hosts + " 2>&1");
    CHECK(ran.code == 2);
    CHECK(ran.out.find("contains an empty name") != std::string::npos);
  }
  CHECK(runExport(folder, kExample + " --to openmpi -o run.sh --host alpha 2>&1").code == 0);
  CHECK(slurp(folder / "hosts.txt").find("alpha slots=2") != std::string::npos);
}
