// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/exporter.h"

#include "core/base/file.h"
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/sampling/registry.h"
#include "core/spec/validate.h"
#include "core/yaml/export_parts.h"
#include "core/yaml/merge.h"
#include "core/yaml/spec_writer.h"
#include "core/yaml/tree.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>
#include <utility>

namespace shardlens::yaml {
namespace {

/// In the head of the main file: below the lines with which it begins, which every target writes as # comments.
void sayNotCarried(ExportFile& file, const std::vector<std::string>& sentences) {
  if (sentences.empty()) return;
  std::size_t at = 0;
  while (at < file.text.size() && file.text[at] == '#') at = file.text.find('\n', at) + 1;
  std::string comment = "# Not included here:\n";
  for (const std::string& sentence : sentences) comment += commentLines(sentence);
  file.text.insert(at, comment);
}

/// Why a target that says sizes of batches, or who gets which sample, cannot say it for ranks that divide one copy of
/// the model: it takes every rank for a data-parallel one, or nobody knows what the sampler gives to such ranks.
Issues groupsNotKnown(const ExportTarget& target, const PipelineSpec& spec) {
  constexpr std::array<std::string_view, 3> kKnowGroups = {"pytorch", "deepspeed", "megatron"};
  constexpr std::array<std::string_view, 5> kDataParallel = {"lightning", "hydra", "accelerate", "huggingface",
                                                             "composer"};
  if (std::ranges::find(kKnowGroups, target.id) != kKnowGroups.end()) {
    const auto known = sampling::checkPeers(spec);
    return known ? Issues{} : Issues{known.error()};
  }
  if (spec.world.groups.ranksOfModel() == 1 || std::ranges::find(kDataParallel, target.id) == kDataParallel.end())
    return {};
  return {Error::inField(
      ErrorCode::Unsupported, "world.groups",
      filled(worded("export", "the export to %1 does not support ranks that divide one copy of the model."),
             target.title),
      worded("export",
             "export to Megatron-LM, DeepSpeed or PyTorch, or only the start of the job, to torchrun or Slurm"))};
}

/// Of options.
using Ids = std::vector<std::string>;

using K = ExportOption::Kind;

constexpr std::int64_t kMostGpus = 1'000'000;

bool isInWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("._:/@+,=-").find(c) != std::string_view::npos;
}

bool isNumber(const std::string& text) {
  std::int64_t number = -1;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  return code == std::errc() && end == text.data() + text.size() && number >= 0 && number <= kMostGpus;
}

Error refused(const ExportOption& option, const std::string& text, std::string hint) {
  return Error::of(ErrorCode::Usage,
                   filled(worded("export", "--%1 %2 cannot be written into the files."), option.id, oneLine(text)),
                   std::move(hint));
}

Result<std::vector<std::string>> namesIn(const std::string& text) {
  std::vector<std::string> names = text.empty() ? std::vector<std::string>() : split(text, ',');
  if (std::ranges::find(names, std::string()) == names.end()) return names;
  return Error::of(ErrorCode::Usage, filled(worded("export", "--host %1 contains an empty name."), oneLine(text)),
                   worded("export", "name each node"));
}

namespace fs = std::filesystem;

/// Of what is there, if the text of an export can be merged into it.
void merge(ExportDestination& destination) {
  const auto extension = destination.path.extension();
  if (extension != ".yaml" && extension != ".yml" && extension != ".json") {
    destination.why_not_merged = worded("export", "Only YAML and JSON files can be merged.");
    return;
  }
  if (extension == ".json" && !nlohmann::json::accept(*destination.present)) {
    destination.why_not_merged = worded("export", "The file is not valid JSON.");
    return;
  }
  auto merged = mergeTexts(*destination.present, destination.file.text, destination.file.kept);
  if (merged) {
    destination.merged = *std::move(merged);
  } else {
    destination.why_not_merged = merged.error().text();
  }
}

Result<void> writeDestination(const ExportDestination& destination, Overwriting how) {
  const std::string& text =
      how == Overwriting::Merged && destination.merged ? *destination.merged : destination.file.text;
  if (destination.present != text) {
    if (auto written = writeFile(destination.path, text); !written) return written;
  }
  if (!destination.file.executable || destination.present) return {};
  constexpr auto kExecute = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
  std::error_code code;
  fs::permissions(destination.path, kExecute, fs::perm_options::add, code);
  if (!code) return {};
  return Error::inFile(ErrorCode::Io, destination.path.string(),
                       "the file was written but could not be made executable: " + code.message() + ".",
                       "chmod +x it yourself");
}

}  // namespace

std::span<const ExportTarget> exportTargets() {
  const Ids script = {"script", "python", "host"};
  const Ids slurm = {"script", "python", "partition", "account", "time", "gpus"};
  static const std::vector<ExportTarget> kTargets = {
      {"shardlens", marked("export", "ShardLens spec"), "pipeline.yaml", "yaml",
       marked("export", "The whole spec in its canonical form."), Ids{}, writeShardlens},
      {"pytorch", marked("export", "PyTorch snippet"), "loader.py", "py",
       marked("export",
              "Python code that builds the same DataLoader, seeds and epochs; by the package shardlens where torch "
              "has no such sampler."),
       Ids{}, writePyTorch},
      {"torchrun", marked("export", "torchrun script"), "torchrun.sh", "sh",
       marked("export", "A bash script that starts the training script on every rank with torchrun."), script,
       writeTorchrun},
      {"slurm", marked("export", "Slurm, srun"), "job.sbatch", "sbatch",
       marked("export", "A batch script in which srun starts every rank, with torch's variables."), slurm, writeSlurm},
      {"slurm-torchrun", marked("export", "Slurm, torchrun"), "torchrun.sbatch", "sbatch",
       marked("export", "A batch script in which srun starts torchrun once on each node."), slurm, writeSlurmTorchrun},
      {"openmpi", marked("export", "Open MPI script"), "openmpi.sh", "sh",
       marked("export", "A bash script for mpirun, and its hostfile."), script, writeOpenMpi},
      {"mpich", marked("export", "MPICH script"), "mpich.sh", "sh",
       marked("export", "A bash script for MPICH's mpiexec, and its hostfile."), script, writeMpich},
      {"lightning", marked("export", "Lightning CLI"), "lightning.yaml", "yaml",
       marked("export", "trainer, seed and data module settings for `train.py fit --config`."),
       Ids{"script", "data-class"}, writeLightning},
      {"hydra", marked("export", "Hydra overlay"), "experiment.yaml", "yaml",
       marked("export", "An experiment that overlays the seed, trainer and data of a Lightning project with Hydra."),
       Ids{}, writeHydra},
      {"accelerate", "Accelerate", "accelerate.yaml", "yaml",
       marked("export", "What `accelerate launch --config_file` reads, and the DataLoaderConfiguration beside it."),
       Ids{"script", "host", "gpus"}, writeAccelerate},
      {"huggingface", marked("export", "Hugging Face Trainer"), "training_args.yaml", "yaml",
       marked("export", "The TrainingArguments of the Trainer, which LLaMA-Factory reads, too."), Ids{},
       writeHuggingFace},
      {"deepspeed", "DeepSpeed", "deepspeed.sh", "sh",
       marked("export", "A bash script for DeepSpeed's launcher, its ds_config.json, and its hostfile."),
       Ids{"script", "host"}, writeDeepSpeed},
      {"composer", marked("export", "Composer, llm-foundry"), "composer.yaml", "yaml",
       marked("export", "Keys of an llm-foundry YAML: batch size, loader, and the arguments of StreamingDataset."),
       Ids{}, writeComposer},
      {"megatron", marked("export", "Megatron-LM script"), "megatron.sh", "sh",
       marked("export", "A torchrun script with Megatron-LM's arguments for batch size, seed and data loader."), script,
       writeMegatron},
      {"trainjob", "Kubeflow TrainJob", "trainjob.yaml", "yaml",
       marked("export", "A TrainJob of Kubeflow's Trainer, with the runtime torch-distributed."),
       Ids{"script", "image", "gpus"}, writeTrainJob},
      {"pytorchjob", "Kubeflow PyTorchJob", "pytorchjob.yaml", "yaml",
       marked("export", "A PyTorchJob of Kubeflow's training operator."), Ids{"script", "image", "gpus"},
       writePyTorchJob},
      {"mpijob", "Kubeflow MPIJob", "mpijob.yaml", "yaml",
       marked("export", "An MPIJob of Kubeflow's MPI operator, with Open MPI."),
       Ids{"script", "python", "image", "gpus"}, writeMpiJob},
      {"skypilot", "SkyPilot", "skypilot.yaml", "yaml",
       marked("export", "A task of SkyPilot that starts torchrun on every node."), Ids{"script", "python"},
       writeSkypilot},
      {"ray", "Ray Train", "ray_scaling.py", "py",
       marked("export", "The ScalingConfig of a TorchTrainer: as many workers as ranks."), Ids{"gpus"}, writeRay},
  };
  return kTargets;
}

const ExportTarget* findTarget(const std::string& id) {
  const auto targets = exportTargets();
  const auto found = std::ranges::find(targets, id, &ExportTarget::id);
  return found == targets.end() ? nullptr : &*found;
}

ExportResult exportSpec(const ExportTarget& target, const PipelineSpec& spec, SamplerCatalogue catalogue,
                        const ExportContext& context) {
  Issues problems = validate(spec, catalogue);
  if (problems.empty()) problems = groupsNotKnown(target, spec);
  if (!problems.empty()) return {{}, {}, std::move(problems)};
  ExportResult out = target.write(spec, catalogue, context);
  if (!out.problems.empty()) return out;
  if (speaksEnglish()) {
    sayNotCarried(out.files.front(), out.not_carried);
    return out;
  }
  const InEnglish english;  // in files, which other people read
  ExportResult files = target.write(spec, catalogue, context);
  sayNotCarried(files.files.front(), files.not_carried);
  out.files = std::move(files.files);
  return out;
}

std::span<const ExportOption> exportOptions() {
  using C = ExportContext;
  static const std::vector<ExportOption> kOptions = {
      {"script", K::Text, marked("export", "script"), marked("export", "training script in start commands"),
       &C::script},
      {"python", K::Text, marked("export", "interpreter"), marked("export", "Python interpreter in start commands"),
       &C::python},
      {"data-class", K::Text, marked("export", "data module"),
       marked("export", "class_path of the Lightning data module"), &C::data_class},
      {"host", K::Names, marked("export", "hosts"),
       marked("export", "names of the nodes, separated by commas, node 0 first"), nullptr},
      {"partition", K::Word, marked("export", "partition"), marked("export", "Slurm partition"), &C::partition},
      {"account", K::Word, marked("export", "account"), marked("export", "Slurm account"), &C::account},
      {"time", K::Time, marked("export", "time limit"),
       marked("export", "time limit as Slurm writes it, for example 2-00:00:00"), &C::time},
      {"gpus", K::Number, marked("export", "GPUs per node"),
       marked("export", "GPUs of each node; 0 for none; without it nothing is said of GPUs"), &C::gpus},
      {"image", K::Word, marked("export", "image"), marked("export", "container image"), &C::image},
  };
  return kOptions;
}

const ExportOption* findOption(std::string_view id) {
  const auto all = exportOptions();
  const auto found = std::ranges::find(all, id, &ExportOption::id);
  return found == all.end() ? nullptr : &*found;
}

std::string optionText(const ExportContext& context, const ExportOption& option) {
  return option.text == nullptr ? join(context.hosts, ",") : context.*option.text;
}

Result<void> setOption(ExportContext& context, const ExportOption& option, const std::string& text) {
  if (option.text == nullptr) {
    auto names = namesIn(text);
    if (!names) return names.error();
    context.hosts = *std::move(names);
    return {};
  }
  if (option.kind == K::Word && !std::ranges::all_of(text, isInWord))
    return refused(option, text, worded("export", "use letters, digits and . _ - : / @ + , ="));
  if (option.kind == K::Number && !text.empty() && !isNumber(text))
    return refused(option, text, worded("export", "give a whole number, 0 or more"));
  if (option.kind == K::Time && text.find_first_not_of("0123456789-:") != std::string::npos)
    return refused(option, text, worded("export", "write it as Slurm does: minutes, 1:30:00, or 2-00:00:00"));
  if (text.empty() && !(ExportContext{}.*option.text).empty())
    return refused(option, "''", worded("export", "name it"));
  if (oneLine(text) != text) return refused(option, text, worded("export", "write it on one line"));
  context.*option.text = text;
  return {};
}

Result<std::vector<ExportDestination>> exportDestinations(const ExportResult& result, const fs::path& main) {
  std::vector<ExportDestination> out;
  for (const ExportFile& file : result.files) {
    ExportDestination destination{file, out.empty() ? main : main.parent_path() / file.name, {}, {}, {}};
    std::error_code code;
    if (fs::exists(destination.path, code)) {
      auto present = readFile(destination.path, kMostBytes);
      if (!present) return std::move(present).error();
      destination.present = std::move(*present);
      if (!destination.isSame()) merge(destination);
    }
    out.push_back(std::move(destination));
  }
  return out;
}

Result<void> writeExport(const std::vector<ExportDestination>& destinations, Overwriting how) {
  for (const ExportDestination& one : destinations) {
    if (how == Overwriting::Merged && one.isConflict() && !one.merged)
      return Error::inFile(ErrorCode::BadInput, one.path.string(), one.why_not_merged);
  }
  for (const ExportDestination& destination : destinations) {
    if (auto written = writeDestination(destination, how); !written) return written;
  }
  return {};
}

ExportResult writeShardlens(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context) {
  return {{{"pipeline.yaml", auditComment(context) + writeSpec(spec, catalogue)}}};
}

}  // namespace shardlens::yaml
