// SPDX-License-Identifier: Apache-2.0
// Any bytes are a spec or a list of problems; a spec can be written and read back, and written over the very bytes.
#include "core/yaml/spec_reader.h"
#include "core/yaml/spec_update.h"
#include "core/yaml/spec_writer.h"
#include "tests/core/yaml/samplers.h"

#include <cstdio>
#include <cstdlib>

using namespace shardlens;

namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  (void)std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

void requireSame(const std::string& text, const PipelineSpec& spec, const char* what) {
  const yaml::ReadSpec back = yaml::readSpec(text, test::samplers());
  require(back.issues.empty() && back.spec == spec, what);
}

void requireUpdated(std::string_view text, const PipelineSpec& changed) {
  if (const auto updated = yaml::updateText(text, changed, test::samplers())) {
    requireSame(*updated, changed, "an updated text says the new spec");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const yaml::ReadSpec got = yaml::readSpec(text, test::samplers());
  for (const Error& issue : got.issues) require(!issue.message.empty(), "an issue has a sentence");
  if (!got.issues.empty()) return 0;
  requireSame(yaml::writeSpec(got.spec, test::samplers()), got.spec, "what is written reads back the same");
  const auto same = yaml::updateText(text, got.spec, test::samplers());
  require(same && *same == text, "saving an unchanged spec leaves every byte");
  PipelineSpec changed = got.spec;
  changed.epochs = changed.epochs == 5 ? 6 : 5;
  changed.sampler = {"torch.SubsetRandomSampler", {{"indices", IndexList{2, 0}}}};
  requireUpdated(text, changed);
  changed.sampler = {"torch.WeightedRandomSampler", {{"weights", NumberList{0.1, 1e-300, -7}}}};
  changed.dataset.labels = {-1, 3, 3};
  changed.dataset.lengths = {};
  requireUpdated(text, changed);
  return 0;
}
