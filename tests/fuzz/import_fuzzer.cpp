// SPDX-License-Identifier: Apache-2.0
// Any bytes are a job's file or none; what is imported is a sound spec, and its text reads as that spec.
#include "core/yaml/imports/importer.h"
#include "core/yaml/spec_reader.h"
#include "tests/core/yaml/samplers.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

using namespace shardlens;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<yaml::ImportSource> sources = {{"job", std::string(reinterpret_cast<const char*>(data), size)}};
  const yaml::Imported imported = yaml::importSpec(sources, test::samplers());
  if (!imported.problems.empty()) return 0;
  const yaml::ReadSpec back = yaml::readSpec(yaml::importedText(imported, test::samplers()), test::samplers());
  if (!back.issues.empty() || back.spec != imported.spec) std::abort();
  return 0;
}
