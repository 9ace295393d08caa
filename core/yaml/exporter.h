// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/spec/pipeline_spec.h"
#include "core/spec/sampler_info.h"
#include "core/yaml/export_options.h"

#include <span>
#include <string>
#include <vector>

namespace shardlens::yaml {

struct ExportFile {
  std::string name;  ///< "run.sh"
  std::string text;
  bool executable = false;
  std::vector<std::string> kept = {};  ///< keys that stand for what only the user knows: merging keeps those of a file
};

/// The files of a target, the main one first, and what they leave out.
struct ExportResult {
  std::vector<ExportFile> files;
  std::vector<std::string>
      not_carried;  ///< sentences: which parts of the spec the target has no place for, and where they go instead
  Issues problems;  ///< with problems there are no files
};

/// One kind of file for training jobs. The spec handed to `write` must be valid under the catalogue.
struct ExportTarget {
  std::string id;                    ///< "torchrun"
  std::string title;                 ///< "torchrun script"
  std::string file_name;             ///< of the main file: "torchrun.sh"
  std::string extension;             ///< "sh"
  std::string summary;               ///< one sentence
  std::vector<std::string> options;  ///< ids of those that its files depend on
  ExportResult (*write)(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context);
};

/// Every target: one row each, and one file each in this folder.
std::span<const ExportTarget> exportTargets();

/// The target `id`, or null.
const ExportTarget* findTarget(const std::string& id);

/// Writes the spec for the target; an invalid spec gives its problems and no file. The main file is English, and says
/// in its head what is not carried.
ExportResult exportSpec(const ExportTarget& target, const PipelineSpec& spec, SamplerCatalogue catalogue,
                        const ExportContext& context = {});

}  // namespace shardlens::yaml
