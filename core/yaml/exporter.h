// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/spec/pipeline_spec.h"
#include "core/spec/sampler_info.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens::yaml {

/// What a target needs to know and no spec says. An empty text is not said.
struct ExportContext {
  std::string script = "train.py";  ///< the user's training script
  std::string python = "python3";
  std::string data_class;  ///< "my.module.DataModule" when the Lightning CLI chooses its data module by class_path
  std::vector<std::string>
      hosts;              ///< names of the nodes; missing ones are called node0, node1, ... (localhost on one node)
  std::string partition;  ///< of Slurm
  std::string account;    ///< of Slurm
  std::string time;       ///< limit, as Slurm writes it: "2-00:00:00"
  std::string gpus;       ///< of each node, a number
  std::string image;      ///< of the container
  std::vector<std::string> audit_errors;  ///< sentences about the spec, which are in the head of every main file

  bool operator==(const ExportContext&) const = default;
};

/// One text of the context: an option of the command line, a field of the window.
struct ExportOption {
  enum class Kind : std::uint8_t {
    Text,    ///< on one line
    Word,    ///< without spaces and quotes: it stands unquoted in a file
    Number,  ///< 0 or more
    Time,    ///< as Slurm writes it
    Names,   ///< separated by commas
  };
  std::string id;  ///< "script"; the flag is --script
  Kind kind = Kind::Text;
  std::string title;                           ///< beside its field
  std::string help;                            ///< one phrase
  std::string ExportContext::*text = nullptr;  ///< null of hosts
};

/// Every option: one row each.
std::span<const ExportOption> exportOptions();

/// The option `id`, or null.
const ExportOption* findOption(std::string_view id);

/// What the context says, as setOption() takes it.
std::string optionText(const ExportContext& context, const ExportOption& option);

/// Puts the text into the context, or says what is wrong with it and leaves the context as it is.
Result<void> setOption(ExportContext& context, const ExportOption& option, const std::string& text);

struct ExportFile {
  std::string name;  ///< "run.sh"
  std::string text;
  bool executable = false;
  std::vector<std::string> kept = {};  ///< keys that stand for what only the user knows: merging keeps those of a file
};

/// The files of a target, the main one first, and what they leave out.
struct ExportResult {
  std::vector<ExportFile> files;
  /// Sentences: which parts of the spec the target has no place for, and where they go instead.
  std::vector<std::string> not_carried = {};
  Issues problems = {};  ///< with problems there are no files
};

using WriteTarget = ExportResult(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context);

/// One kind of file for training jobs. The spec handed to `write` must be valid under the catalogue.
struct ExportTarget {
  std::string id;                    ///< "torchrun"
  std::string title;                 ///< "torchrun script"
  std::string file_name;             ///< of the main file: "torchrun.sh"
  std::string extension;             ///< "sh"
  std::string summary;               ///< one sentence
  std::vector<std::string> options;  ///< ids of those that its files depend on
  WriteTarget* write;
};

/// Every target: one row each.
std::span<const ExportTarget> exportTargets();

/// The target `id`, or null.
const ExportTarget* findTarget(const std::string& id);

/// Writes the spec for the target; an invalid spec gives its problems and no file. The main file is English, and says
/// in its head what is not carried.
ExportResult exportSpec(const ExportTarget& target, const PipelineSpec& spec, SamplerCatalogue catalogue,
                        const ExportContext& context = {});

/// A file of an export, where it goes on disk, and what the file there contains now.
struct ExportDestination {
  ExportFile file;
  std::filesystem::path path;
  std::optional<std::string> present;  ///< what the file on disk says; absent: there is none
  std::optional<std::string> merged;   ///< what it says when the export is merged into it; of YAML and JSON that differ
  std::string why_not_merged;          ///< of those of which there is none

  [[nodiscard]] bool isSame() const { return present && *present == file.text; }
  /// Whether the file has all of the export, and more.
  [[nodiscard]] bool hasAll() const { return present && merged == present; }
  /// Whether writing would lose what a person wrote.
  [[nodiscard]] bool isConflict() const { return present && *present != file.text && !hasAll(); }
};

/// The main file goes to `main`, the others into the same folder. Fails when an existing file cannot be read.
Result<std::vector<ExportDestination>> exportDestinations(const ExportResult& result,
                                                          const std::filesystem::path& main);

/// What becomes of a file that is there and says something else.
enum class Overwriting {
  Whole,   ///< it says what is exported, and nothing else
  Merged,  ///< it keeps what it says beside that; a file that cannot be merged is an error, and none is written then
};

/// Writes what differs, each file at once, conflicts included: the caller has asked the user. New scripts become
/// executable.
Result<void> writeExport(const std::vector<ExportDestination>& destinations, Overwriting how = Overwriting::Whole);

}  // namespace shardlens::yaml
