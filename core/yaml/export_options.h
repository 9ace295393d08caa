// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstdint>
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

}  // namespace shardlens::yaml
