// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/exporter.h"

#include "core/base/phrase.h"
#include "core/spec/validate.h"
#include "core/yaml/export_parts.h"

#include <algorithm>
#include <array>
#include <string_view>
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

/// These say sizes of batches, or who gets which sample, as if every rank were a data-parallel one.
Issues groupsNotKnown(const ExportTarget& target, const PipelineSpec& spec) {
  constexpr std::array<std::string_view, 8> kDataParallel = {"pytorch",     "lightning", "hydra",    "accelerate",
                                                             "huggingface", "deepspeed", "composer", "megatron"};
  if (spec.world.groups.ranksOfModel() == 1 || std::ranges::find(kDataParallel, target.id) == kDataParallel.end())
    return {};
  return {Error{ErrorCode::Unsupported,
                filled(worded("export", "the export to %1 does not support ranks that divide one copy of the model."),
                       target.title),
                Place{{}, 0, 0, "world.groups"},
                worded("export", "export only the start of the job, to torchrun or Slurm, or remove the groups")}};
}

}  // namespace

std::span<const ExportTarget> exportTargets() {
  static const std::vector<ExportTarget> kTargets = {
      shardlensTarget(),   pytorchTarget(),   torchrunTarget(),  slurmTarget(),    slurmTorchrunTarget(),
      openMpiTarget(),     mpichTarget(),     lightningTarget(), hydraTarget(),    accelerateTarget(),
      huggingFaceTarget(), deepspeedTarget(), composerTarget(),  megatronTarget(), trainJobTarget(),
      pytorchJobTarget(),  mpiJobTarget(),    skypilotTarget(),  rayTarget(),
  };
  return kTargets;
}

const ExportTarget* findTarget(const std::string& id) {
  const auto targets = exportTargets();
  const auto found =
      std::find_if(targets.begin(), targets.end(), [&](const ExportTarget& target) { return target.id == id; });
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

}  // namespace shardlens::yaml
