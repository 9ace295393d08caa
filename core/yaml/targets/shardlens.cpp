// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/yaml/export_parts.h"
#include "core/yaml/spec_writer.h"

namespace shardlens::yaml {
namespace {

ExportResult writeShardlens(const PipelineSpec& spec, SamplerCatalogue catalogue, const ExportContext& context) {
  return {{{"pipeline.yaml", auditComment(context) + writeSpec(spec, catalogue)}}, {}, {}};
}

}  // namespace

ExportTarget shardlensTarget() {
  return {"shardlens",
          marked("export", "ShardLens spec"),
          "pipeline.yaml",
          "yaml",
          marked("export", "The whole spec in its canonical form."),
          {},
          writeShardlens};
}

}  // namespace shardlens::yaml
