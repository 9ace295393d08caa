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

/// 'it'\''s': one word of a POSIX shell, whatever the text holds.
std::string shellWord(std::string_view text);

/// "train.py" -> "train.py" where a shell takes it as it is, else shellWord.
std::string shellArgument(std::string_view text);

/// Sentences about every field that says something and is not among `carried`: samplers, loader and seeds with `reason`
/// ("torchrun has no key for it"), the others with what is true for every target.
std::vector<std::string> notCarried(const PipelineSpec& spec, SamplerCatalogue catalogue,
                                    const std::set<std::string>& carried, const std::string& reason);

/// The name of node `index` in the context, or a placeholder.
std::string hostName(const PipelineSpec& spec, const ExportContext& context, std::int64_t index);

}  // namespace shardlens::yaml
