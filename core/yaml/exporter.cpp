// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/exporter.h"

#include "core/spec/validate.h"
#include "core/yaml/export_parts.h"

#include <algorithm>

namespace shardlens::yaml {

std::span<const ExportTarget> exportTargets() {
  static const std::vector<ExportTarget> kTargets = {
      shardlensTarget(), lightningTarget(), torchrunTarget(), openMpiTarget(), pytorchTarget(),
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
  if (!problems.empty()) return {{}, {}, std::move(problems)};
  return target.write(spec, catalogue, context);
}

}  // namespace shardlens::yaml
