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
#include <iterator>
#include <sstream>

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

/// Runs each [[variable, ...], code] of a list in a process of its own, which has nothing but these variables and has
/// imported torch; prints
/// [[exit code, output], ...].
constexpr const char* kEach = R"(
import json, os, sys, torch, traceback
ends = []
for variables, code in json.loads(sys.stdin.read()):
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.dup2(writer, 1), os.dup2(writer, 2)
        os.environ.clear()
        os.environ.update(one.split("=", 1) for one in variables)
        try:
            exec(code, {"__name__": "__main__"})
            status = 0
        except BaseException:
            traceback.print_exc()
            status = 1
        sys.stdout.flush(), sys.stderr.flush()
        os._exit(status)
    os.close(writer)
    with os.fdopen(reader) as output:
        text = output.read()
    ends.append([os.waitstatus_to_exitcode(os.wait()[1]), text])
print(json.dumps(ends))
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
  const auto ran =
      test::runShell("PYTHONPATH=" + test::binDir() + "/python timeout 1200 " + std::string(test::kPython) + " " +
                     (elsewhere / "driver.py").string() + " " + folder.path().string());
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

/// What a process of torch does in a shell that has these variables alone, in a folder with the exported loader.py.
struct Run {
  std::string variables;  ///< words, as of env -i
  std::string code;
  std::string says;  ///< or a part of it
  test::Finished ended = {};
};

void runEach(const PipelineSpec& spec, std::vector<Run>& runs) {
  const TempFolder folder;
  spill(folder / "loader.py", snippet(spec));
  spill(folder / "each.py", kEach);
  nlohmann::json all = nlohmann::json::array();
  for (const Run& run : runs) {
    std::istringstream words(run.variables);
    const std::vector<std::string> variables{std::istream_iterator<std::string>(words), {}};
    all.push_back({variables, run.code});
  }
  spill(folder / "runs.json", all.dump());
  const auto ran = test::runShell("cd " + folder.path().string() + " && " + test::kPython + " each.py < runs.json");
  REQUIRE(ran.code == 0);
  const nlohmann::json ends = nlohmann::json::parse(ran.out);
  REQUIRE(ends.size() == runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].ended = {ends[i][0], ends[i][1]};
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

TEST_CASE("torch yields the plan of ranks that divide one copy of the model, in both orders") {
  std::vector<PipelineSpec> specs;
  for (const char* order : {kDataThenPipeline, kPipelineThenData}) {
    PipelineSpec spec;
    spec.dataset.size = 23;
    spec.world = {2, 4, {.tensor = 2, .pipeline = 2, .order = order}};
    spec.loader.batch_size = 3;
    spec.seeds = {7, "base+data_parallel_rank"};
    spec.framework.torch = "1.13";
    spec.framework.torch_mkl = false;
    spec.sampler = {"torch.DistributedSampler",
                    {{"num_replicas", std::string("data_parallel_size")}, {"rank", std::string("data_parallel_rank")}}};
    specs.push_back(spec);
    spec.sampler = {"torch.RandomSampler", {}};
    specs.push_back(spec);
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
    if (hasCode(file.read.spec) && file.read.spec.dataset.size < 1'000) specs.push_back(file.read.spec);
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
  PipelineSpec spec;
  spec.world = {2, 2};
  const std::string reads = "import loader; print(next(loader.batches(range(loader.SAMPLES))))";
  const std::string unknown = "RuntimeError: nothing says which of 4 ranks this process is";
  const std::string batch_script = "SLURM_JOB_ID=7 SLURM_PROCID=0 SLURM_NTASKS=4 SLURM_LOCALID=0";  // without srun
  std::vector<Run> runs = {
      {"RANK=3", reads, "(0, 0, tensor("},
      {"", reads, unknown},
      {"LOCAL_RANK=1", reads, unknown},               // of which node?
      {"LOCAL_RANK=1 WORLD_SIZE=4", reads, unknown},  // Lightning's own launcher, without NODE_RANK
      {"LOCAL_RANK=3 NODE_RANK=0", reads, unknown},
      {"RANK=0 WORLD_SIZE=8", reads, "RuntimeError: planned for a world size of 4; RANK says 8"},
      {"SLURM_PROCID=0 SLURM_NTASKS=1", reads, "RuntimeError: planned for a world size of 4; SLURM_PROCID says 1"},
      {batch_script, reads, unknown},
      {batch_script + " SLURM_STEP_ID=0", reads, "(0, 0, tensor("},
      {"RANK=4", reads, "RuntimeError: planned for ranks 0 to 3; RANK says 4"},
      {"RANK=0", "import loader; next(loader.batches(range(5)))",
       "ValueError: planned for 16 samples; this dataset has 5"},
  };
  runEach(spec, runs);
  for (const Run& run : runs) {
    CAPTURE(run.variables);
    CAPTURE(run.ended.out);
    CHECK(run.ended.out.find(run.says) != std::string::npos);
  }
}

TEST_CASE("a RANK that another launcher left over is nobody's share, but an error") {
  PipelineSpec spec;
  spec.world = {1, 4};
  std::vector<Run> runs;
  for (const std::string left : {"OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=4", "PMI_RANK=2 PMI_SIZE=4",
                                 "SLURM_PROCID=2 SLURM_NTASKS=4", "LOCAL_RANK=2"})
    runs.push_back({left + " RANK=0 WORLD_SIZE=4", "import runpy; runpy.run_path('loader.py', run_name='__main__')",
                    "RuntimeError: RANK says 0 and " + left.substr(0, left.find('=')) + " says 2: unset the one"});
  runEach(spec, runs);
  for (const Run& run : runs) {
    CAPTURE(run.variables);
    CAPTURE(run.ended.out);
    CHECK(run.ended.code != 0);
    CHECK(run.ended.out.find(run.says) != std::string::npos);
  }
}

TEST_CASE("whoever started the process, it reads its own share") {
  PipelineSpec spec;
  spec.world = {2, 2};
  const std::string prints = "import loader; print(loader.this_rank())";
  std::vector<Run> runs = {
      {"RANK=2 WORLD_SIZE=4 LOCAL_RANK=0", prints, "2\n"},
      {"SLURM_PROCID=3 SLURM_NTASKS=4 SLURM_LOCALID=1", prints, "3\n"},
      {"OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=4", prints, "1\n"},
      {"PMI_RANK=2 PMI_SIZE=4", prints, "2\n"},
      {"LOCAL_RANK=1 NODE_RANK=1 WORLD_SIZE=4", prints, "3\n"},  // Lightning's own launcher
      {"TORCHELASTIC_RUN_ID=x RANK=1 WORLD_SIZE=4 SLURM_PROCID=0 SLURM_NTASKS=4", prints, "1\n"},  // below srun
      {"OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=4 SLURM_PROCID=0 SLURM_NTASKS=4", prints, "3\n"},
      // Lightning in an interactive job: what Slurm says is about the shell.
      {"LOCAL_RANK=1 NODE_RANK=0 WORLD_SIZE=4 SLURM_PROCID=0 SLURM_NTASKS=4 SLURM_LOCALID=0", prints, "1\n"},
  };
  runEach(spec, runs);
  for (const Run& run : runs) {
    CAPTURE(run.variables);
    CHECK(run.ended.out == run.says);
  }
}
