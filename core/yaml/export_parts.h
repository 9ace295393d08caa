// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/yaml/exporter.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens::yaml {

/// The rows of the registry.
ExportTarget shardlensTarget();
ExportTarget lightningTarget();
ExportTarget torchrunTarget();
ExportTarget openMpiTarget();
ExportTarget pytorchTarget();

/// `text` on one line, fit for a comment: line breaks and control characters become spaces.
std::string oneLine(std::string_view text);

/// The audit's errors as comment lines of a script or YAML file; empty when there are none.
std::string auditComment(const ExportContext& context);

/// Whether the target pytorch writes this spec's sampler.
bool hasPyTorchCode(const PipelineSpec& spec);

/// Where what a target has no keys for goes instead: "train.py must set this, as the code of the target pytorch does."
std::string inTheScript(const PipelineSpec& spec, const std::string& script);

/// 'it'\''s': one word of a POSIX shell, whatever the text holds.
std::string shellWord(std::string_view text);

/// "train.py" -> "train.py" where a shell takes it as it is, otherwise shellWord.
std::string shellArgument(std::string_view text);

/// Sentences about every field that says something and is not among `carried`: samplers, loader and seeds with `reason`
/// ("torchrun has no key for it"), the others with what is true for every target.
std::vector<std::string> notCarried(const PipelineSpec& spec, SamplerCatalogue catalogue,
                                    const std::set<std::string>& carried, const std::string& reason);

/// "1 rank", "2 ranks", with ASCII digits only, for files that are read in any encoding.
std::string plainCounted(std::int64_t number, const std::string& noun);

/// Which of the given host names are not valid.
Issues hostProblems(const ExportContext& context);

/// The name of node `index` in the context, or a placeholder.
std::string hostName(const PipelineSpec& spec, const ExportContext& context, std::int64_t index);

}  // namespace shardlens::yaml
