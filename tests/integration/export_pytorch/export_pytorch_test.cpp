// SPDX-License-Identifier: Apache-2.0
// The exported Python is run by the real torch and must yield exactly what the plan says.
#include "core/plan/plan.h"
#include "core/sampling/registry.h"
#include "core/sampling/starter.h"
#include "core/spec/edit.h"
#include "core/spec/field_table.h"
#include "core/spec/validate.h"
#include "core/yaml/exporter.h"
#include "core/yaml/spec_file.h"
#include "tests/core/yaml/random_spec.h"
#include "tests/support/places.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

using namespace shardlens;
using test::spill;
using test::TempFolder;
namespace fs = std::filesystem;

namespace {

/// Imports FOLDER/*.py once for every rank and prints {file: [[[epoch, step, [ids]], ...], ...]}.
constexpr const char* kDriver = R"(
import glob, json, os, runpy, sys, torch, warnings
warnings.simplefilter("ignore")
got = {}
for path in sorted(glob.glob(sys.argv[1] + "/*.py")):
    with open(path + ".json") as file:
        wanted = json.load(file)
    got[os.path.basename(path)] = ranks = []
    for rank in range(wanted["ranks"]):
        os.environ["RANK"] = str(rank)
        os.environ["WORLD_SIZE"] = str(wanted["ranks"])
        module = runpy.run_path(path)
        ranks.append([])
        print(path, rank, ranks[-1][-1:], file=sys.stderr)  # where it was, should it fail
        more = {"collate_fn": torch.tensor} if "plan" in module else {}  # fairseq fills ranks up with empty batches
        for e, s, batch in module["batches"](range(wanted["size"]), **more):
            ranks[-1].append([e, s, batch.tolist()])
            torch.rand(3)  # what dropout does
print(json.dumps(got))
)";

std::string snippet(const PipelineSpec& spec) {
  const auto result = yaml::exportSpec(*yaml::findTarget("pytorch"), spec, sampling::catalogue());
  REQUIRE_MESSAGE(result.problems.empty(), result.problems.front().text());
  return result.files.at(0).text;
}

nlohmann::json planned(const Plan& plan) {
  nlohmann::json ranks = nlohmann::json::array();
  for (Rank rank{0}; rank.value < plan.worldSize(); ++rank) {
    nlohmann::json& batches = ranks.emplace_back(nlohmann::json::array());
    for (Epoch epoch{0}; epoch.value < plan.epochs(); ++epoch) {
      const auto slice = plan.rankEpoch(epoch, rank);
      REQUIRE(slice);
      for (Step step{0}; step.value < slice->batches(); ++step)
        batches.push_back({epoch.value, step.value, slice->batchSamples(step)});
    }
  }
  return ranks;
}

/// Runs the snippets of all these specs under torch, one Python for all, and compares each with its plan.
void requireEqualPlans(const std::vector<PipelineSpec>& specs) {
  const TempFolder folder;
  std::vector<nlohmann::json> plans;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const auto plan = Plan::make(specs[i]);
    REQUIRE_MESSAGE(plan, plan.error().text());
    plans.push_back(planned(*plan));
    const fs::path file = folder / ("s" + std::to_string(1000 + i) + ".py");
    spill(file, snippet(specs[i]));
    spill(file.string() + ".json",
          nlohmann::json{{"ranks", specs[i].worldSize()}, {"size", specs[i].dataset.size}}.dump());
  }
  const TempFolder elsewhere;
  spill(elsewhere / "driver.py", kDriver);
  const auto ran = test::runShell("PYTHONPATH=" + test::binDir() + "/python timeout 110 " + std::string(test::kPython) +
                                  " " + (elsewhere / "driver.py").string() + " " + folder.path().string());
  REQUIRE(ran.code == 0);
  const nlohmann::json got = nlohmann::json::parse(ran.out);
  REQUIRE(got.size() == specs.size());
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const std::string name = "s" + std::to_string(1000 + i) + ".py";
    CAPTURE(test::slurp(folder / name));
    CHECK(got.at(name) == plans[i]);
  }
}

/// Makes a random spec one that torch 1.13 runs within moments.
PipelineSpec small(PipelineSpec spec, test::RandomSpec& random) {
  spec.dataset = {};
  spec.dataset.size = 1 + random.below(40);
  spec.world = {1 + random.below(2), 1 + random.below(3)};
  spec.loader.batch_size = 1 + random.below(7);
  spec.loader.num_workers = random.below(5) == 0 ? 2 : 0;
  spec.epochs = 1 + random.below(3);
  spec.framework = {};
  spec.framework.torch = "1.13";
  spec.framework.torch_mkl = false;
  spec.run = {};
  for (auto& [key, value] : spec.sampler.parameters) {
    if (auto* list = std::get_if<IndexList>(&value)) {
      std::vector<SampleIndex> indices = *list;
      for (SampleIndex& index : indices) index %= spec.dataset.size;
      *list = std::move(indices);
    } else if (auto* weights = std::get_if<NumberList>(&value)) {
      std::vector<double> numbers = *weights;
      numbers.resize(std::min(numbers.size(), static_cast<std::size_t>(spec.dataset.size)));
      for (double& weight : numbers) weight = std::abs(weight);
      *weights = std::move(numbers);
    } else if (auto* number = std::get_if<std::int64_t>(&value); number != nullptr && key != "seed") {
      *number = 1 + *number % 4;
    }
  }
  return spec;
}

/// Whether the sampler is made of torch's own classes, and needs no plan at run time.
bool hasCode(const PipelineSpec& spec) {
  return snippet(spec).find("import shardlens") == std::string::npos;
}

bool isPlannable(const PipelineSpec& spec) {
  return validate(spec, sampling::catalogue()).empty() && Plan::make(spec).has_value();
}

}  // namespace

TEST_CASE("torch yields the plan, for random specs of every sampler, rule and world") {
  test::RandomSpec random(sampling::catalogue(), 113);
  std::vector<PipelineSpec> specs;
  std::map<std::string, int> samplers;
  for (int i = 0; i < 2000 && specs.size() < 60; ++i) {
    const PipelineSpec spec = small(random.next(), random);
    if (!isPlannable(spec) || !hasCode(spec)) continue;
    specs.push_back(spec);
    ++samplers[spec.sampler.type];
  }
  REQUIRE(specs.size() == 60);
  for (const SamplerInfo& info : sampling::catalogue()) {
    if (info.type.starts_with("torch.")) CHECK_MESSAGE(samplers.count(info.type) == 1, info.type);
  }
  requireEqualPlans(specs);
}

TEST_CASE("every sampler that torch lacks comes out as planned through the package") {
  if (test::isSanitized()) {
    MESSAGE("SKIPPED: a plain Python cannot load the package's library as it was built here, with sanitizers");
    return;
  }
  std::vector<PipelineSpec> specs;
  for (const sampling::SamplerRule& rule : sampling::rules()) {
    PipelineSpec spec;
    spec.name = rule.info.type + " \"quoted\" \\ \"\"\"";
    spec.dataset.size = 97;
    spec.world = {1, 2};
    spec.loader.batch_size = 3;
    spec.sampler.type = rule.info.type;
    const auto begun = applyEdits(spec, sampling::starterEdits(spec), sampling::catalogue());
    REQUIRE_MESSAGE(begun, rule.info.type);
    if (!hasCode(*begun)) specs.push_back(*begun);
  }
  CHECK(specs.size() >= 65);
  PipelineSpec list = specs.front();  // too long for the code: a file beside it
  std::vector<SampleIndex> ids(20'000);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<SampleIndex>((i * 7919) % ids.size());
  list.dataset.size = static_cast<std::int64_t>(ids.size());
  list.dataset.labels = std::move(ids);
  CHECK(yaml::exportSpec(*yaml::findTarget("pytorch"), list, sampling::catalogue()).files.size() == 2);
  requireEqualPlans(specs);
}

TEST_CASE("torch yields the plan of every small example") {
  std::vector<PipelineSpec> specs;
  for (const auto& entry : fs::directory_iterator(test::sourceDir() + "/resources/examples")) {
    const yaml::SpecFile file = yaml::readSpecFile(entry.path(), sampling::catalogue());
    REQUIRE_MESSAGE(file.read.issues.empty(), file.read.issues.front().text());
    if (hasCode(file.read.spec) && file.read.spec.dataset.size < 10'000) specs.push_back(file.read.spec);
  }
  REQUIRE(specs.size() >= 7);
  requireEqualPlans(specs);
}

TEST_CASE("run as it stands the snippet prints its rank's batches") {
  const TempFolder folder;
  PipelineSpec spec;
  spec.sampler.parameters = {{"set_epoch", true}};
  spill(folder / "loader.py", snippet(spec));
  const auto ran =
      test::runShell("RANK=1 " + std::string(test::kPython) + " " + (folder / "loader.py").string() + " 2>/dev/null");
  CHECK(ran.out.starts_with("0 0 [10, 6]\n0 1 [8, 5]\n0 2 [14, 0]\n0 3 [3, 1]\n1 0 ["));
}

TEST_CASE("torch, NumPy and Python are seeded as the plan says, by a function to call first") {
  const TempFolder folder;
  PipelineSpec spec;
  spec.seeds = {40, "base+rank"};
  spill(folder / "loader.py", snippet(spec));
  spill(folder / "train.py", R"(
import random, numpy, torch
import loader
loader.seed_everything()
got = [torch.initial_seed(), numpy.random.rand(), random.random()]
numpy.random.seed(41); random.seed(41)
print(got == [41, numpy.random.rand(), random.random()])
model = torch.nn.Linear(3, 3)
before = torch.initial_seed(), torch.get_rng_state()
list(loader.batches(range(loader.SAMPLES)))
print(before[0] == torch.initial_seed() and torch.equal(before[1], torch.get_rng_state()))
)");
  const auto ran = test::runShell("cd " + folder.path().string() + " && RANK=1 " + test::kPython + " train.py 2>&1");
  CHECK(ran.out == "True\nTrue\n");
  const auto late = test::runShell("cd " + folder.path().string() + " && RANK=1 " + test::kPython +
                                   " -c 'import loader; list(loader.batches(range(loader.SAMPLES)))' 2>&1");
  CHECK(late.code == 0);
  CHECK(late.out.find("UserWarning: seed_everything() was not called before") != std::string::npos);
}

TEST_CASE("where the script never seeds, the snippet seeds nothing, and the plan still comes out") {
  PipelineSpec spec;
  spec.loader.num_workers = 2;
  spec.seeds.rule = "unseeded";
  CHECK(snippet(spec).find("manual_seed") == std::string::npos);
  CHECK(snippet(spec).find("seed_everything") == std::string::npos);
  PipelineSpec own = spec;
  own.sampler = {"torch.RandomSampler", {{"generator", std::string("sampler")}, {"generator_seed", std::int64_t{7}}}};
  PipelineSpec shared = own;
  shared.sampler.parameters["generator"] = std::string("loader");
  requireEqualPlans({spec, own, shared});
}

TEST_CASE("another world, another dataset, or nobody who says who is who are errors, and importing is none") {
  const TempFolder folder;
  PipelineSpec spec;
  spec.world = {2, 2};
  spill(folder / "loader.py", snippet(spec));
  const auto says = [&](const std::string& environment, const std::string& samples = "loader.SAMPLES") {
    return test::runShell("cd " + folder.path().string() + " && env -i " + environment + " " + test::kPython +
                          " -c 'import loader; print(next(loader.batches(range(" + samples + "))))' 2>&1")
        .out;
  };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(has(says("RANK=3"), "(0, 0, tensor("));
  CHECK(has(says(""), "RuntimeError: nothing says which of 4 ranks this process is"));
  CHECK(has(says("LOCAL_RANK=1"), "RuntimeError: nothing says which of 4 ranks"));  // of which node?
  CHECK(has(says("LOCAL_RANK=3 NODE_RANK=0"), "RuntimeError: nothing says which"));
  CHECK(has(says("RANK=0 WORLD_SIZE=8"), "RuntimeError: planned for a world size of 4; RANK says 8"));
  CHECK(has(says("SLURM_PROCID=0 SLURM_NTASKS=1"), "RuntimeError: planned for a world size of 4; SLURM_PROCID says 1"));
  const std::string batch_script = "SLURM_JOB_ID=7 SLURM_PROCID=0 SLURM_NTASKS=4 SLURM_LOCALID=0";  // without srun
  CHECK(has(says(batch_script), "RuntimeError: nothing says which of 4 ranks this process is"));
  CHECK(has(says(batch_script + " SLURM_STEP_ID=0"), "(0, 0, tensor("));
  CHECK(has(says("RANK=4"), "RuntimeError: planned for ranks 0 to 3; RANK says 4"));
  CHECK(has(says("RANK=0", "5"), "ValueError: planned for 16 samples; this dataset has 5"));
}

TEST_CASE("a RANK that another launcher left over is nobody's share, but an error") {
  const TempFolder folder;
  PipelineSpec spec;
  spec.world = {1, 4};
  spill(folder / "loader.py", snippet(spec));
  for (const std::string left : {"OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=4", "PMI_RANK=2 PMI_SIZE=4",
                                 "SLURM_PROCID=2 SLURM_NTASKS=4", "LOCAL_RANK=2"}) {
    CAPTURE(left);
    const auto ran = test::runShell("cd " + folder.path().string() + " && env -i RANK=0 WORLD_SIZE=4 " + left + " " +
                                    test::kPython + " loader.py 2>&1");
    CHECK(ran.code != 0);
    CHECK(ran.out.find("RuntimeError: RANK says 0 and " + left.substr(0, left.find('=')) + " says 2: unset the one") !=
          std::string::npos);
  }
}

TEST_CASE("whoever started the process, it reads its own share") {
  const TempFolder folder;
  PipelineSpec spec;
  spec.world = {2, 2};
  spill(folder / "loader.py", snippet(spec));
  const auto rankBy = [&](const std::string& environment) {
    return test::runShell("cd " + folder.path().string() + " && env -i " + environment + " " + test::kPython +
                          " -c 'import loader; print(loader.this_rank())' 2>/dev/null")
        .out;
  };
  CHECK(rankBy("RANK=2 WORLD_SIZE=4 LOCAL_RANK=0") == "2\n");
  CHECK(rankBy("SLURM_PROCID=3 SLURM_NTASKS=4 SLURM_LOCALID=1") == "3\n");
  CHECK(rankBy("OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=4") == "1\n");
  CHECK(rankBy("PMI_RANK=2 PMI_SIZE=4") == "2\n");
  CHECK(rankBy("LOCAL_RANK=1 NODE_RANK=1 WORLD_SIZE=4") == "3\n");  // Lightning's own launcher
  CHECK(rankBy("TORCHELASTIC_RUN_ID=x RANK=1 WORLD_SIZE=4 SLURM_PROCID=0 SLURM_NTASKS=4") == "1\n");  // below srun
  CHECK(rankBy("OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=4 SLURM_PROCID=0 SLURM_NTASKS=4") == "3\n");
  // Lightning in an interactive job: what Slurm says is about the shell.
  CHECK(rankBy("LOCAL_RANK=1 NODE_RANK=0 WORLD_SIZE=4 SLURM_PROCID=0 SLURM_NTASKS=4 SLURM_LOCALID=0") == "1\n");
}
