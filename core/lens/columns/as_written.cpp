// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/lens/columns/columns.h"

namespace shardlens::lenses {

std::vector<LensColumn> asWritten(const PipelineSpec& spec) {
  LensColumn column;
  column.id = "as-written";
  column.title = worded("lens", "As written");
  column.sampler = samplerCode(spec);
  column.makes = worded("lens", "The design itself, the reference for the other columns.");
  column.spec = spec;
  return {column};
}

}  // namespace shardlens::lenses
