// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"
#include "core/capture/capture.h"
#include "core/capture/capture_words.h"
#include "core/capture/rule_search.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_writer.h"

namespace shardlens::capture {
namespace {

void comment(std::string& text, const std::string& sentence, const char* indent = "") {
  text += std::string("# ") + indent + oneLine(sentence) + "\n";
}

}  // namespace

std::string specText(const CapturedLoader& loader) {
  std::string text;
  comment(text, words::capturedFrom(loader.job));
  comment(text, words::agreement(loader));
  if (loader.is_recorded) comment(text, words::heldAsRead());
  for (const std::string& reason : loader.reasons) comment(text, reason);
  for (const std::string& sentence : words::rulesFound(loader.rules)) comment(text, sentence);
  for (const RunFinding& finding : loader.findings) comment(text, finding.text);
  for (const std::string& sentence : loader.seeds) comment(text, sentence);
  if (!loader.spec.unknown.empty()) comment(text, "Not known, or not said below:");
  for (const std::string& sentence : loader.spec.unknown) comment(text, sentence, "- ");
  return text + yaml::writeSpec(loader.spec.spec, sampling::catalogue());
}

}  // namespace shardlens::capture
