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

namespace {

test::Finished runImport(const TempFolder& folder, const std::string& arguments) {
  return runShell("cd " + folder.path().string() + " && " + test::binDir() + "/shardlens import " + arguments);
}

}  // namespace

TEST_CASE("a command line becomes a spec that can be planned, with notes") {
  const TempFolder folder;
  const auto made =
      runImport(folder, "-o job.yaml --samples 1000 -- torchrun --nproc_per_node=4 'my train.py' --batch-size 32 2>&1");
  CHECK(made.code == 0);
  CHECK(made.out.find("Read:\n") != std::string::npos);
  CHECK(made.out.find("Assumed, since no file says it:\n") != std::string::npos);
  const auto plan = runShell("cd " + folder.path().string() + " && " + test::binDir() +
                             "/shardlens plan job.yaml --rank 3 --epoch 0");
  CHECK(plan.code == 0);
  CHECK(runImport(folder, "-o job.yaml -- torchrun train.py 2>&1").code == 2);
  CHECK(slurp(folder / "job.yaml").find("batch_size: 32") != std::string::npos);
  CHECK(runImport(folder, "-o job.yaml --force -- torchrun train.py 2>&1").code == 0);
}

TEST_CASE("files and JSON: the notes by kind, in the form of the schema") {
  const TempFolder folder;
  spill(folder / "job.sbatch", "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=4\nsrun python train.py\n");
  spill(folder / "args.yaml", "per_device_train_batch_size: 3\nseed: 5\n");
  const auto json = runImport(folder, "job.sbatch args.yaml --format json");
  CHECK(json.code == 0);
  CHECK(test::schemaProblemsOfText(json.out, "import.schema.json") == "");
  CHECK(json.out.find("Hugging Face Trainer") != std::string::npos);
  const auto text = runImport(folder, "job.sbatch args.yaml");
  CHECK(text.out.find("world: {nodes: 2, ranks_per_node: 4}") != std::string::npos);
}

TEST_CASE("mistakes are named") {
  const TempFolder folder;
  spill(folder / "letter.txt", "hello\n");
  CHECK(runImport(folder, "2>&1").out.find("neither a file nor a command") != std::string::npos);
  CHECK(runImport(folder, "letter.txt 2>&1").out.find("has nothing that can be imported") != std::string::npos);
  CHECK(runImport(folder, "none.sh 2>&1").code == 2);
  CHECK(runImport(folder, "--samples 0 -- torchrun a.py 2>&1").code == 2);
}
