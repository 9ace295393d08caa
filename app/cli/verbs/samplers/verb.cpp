// SPDX-License-Identifier: Apache-2.0
// shardlens samplers [WORD...] [--format text|json]: what a spec can name in sampler.type.
#include "app/cli/verb.h"

#include "core/base/text.h"
#include "core/sampling/registry.h"
#include "core/sampling/sampler_facts.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <memory>
#include <string>
#include <vector>

namespace shardlens::cli {
namespace {

constexpr std::size_t kTypeColumn = 50;

struct SamplersArgs {
  std::vector<std::string> words;
  std::string format = "text";
};

struct Listed {
  const SamplerInfo* info;
  std::string_view title;
  sampling::SamplerFacts facts;
};

std::string lowerCase(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// Every word stands in the sampler's name, its framework's or its description.
bool isWanted(const Listed& sampler, const std::vector<std::string>& words) {
  const std::string text = lowerCase(sampler.info->type + " " + std::string(sampler.title) + " " +
                                     sampler.info->summary + " " + join(sampler.facts.needs, " "));
  return std::ranges::all_of(words,
                             [&](const std::string& word) { return text.find(lowerCase(word)) != std::string::npos; });
}

/// Framework by framework, in the order of their titles.
std::vector<Listed> listed(const std::vector<std::string>& words) {
  std::vector<Listed> out;
  for (const sampling::FrameworkTitle& framework : sampling::frameworkTitles()) {
    for (const sampling::SamplerRule& rule : sampling::rules()) {
      if (sampling::frameworkOf(rule.info.type) != framework.framework) continue;
      Listed sampler{&rule.info, framework.title, sampling::factsOf(rule)};
      if (isWanted(sampler, words)) out.push_back(std::move(sampler));
    }
  }
  return out;
}

std::string tagsText(const sampling::SamplerFacts& facts) {
  std::string text(sampling::ranksText(facts));
  if (!facts.needs.empty()) text += ", needs " + join(facts.needs, " and ");
  return facts.evaluates ? text + ", for evaluation" : text;
}

void writeText(Output& out, const std::vector<Listed>& samplers) {
  std::string_view title;
  for (const Listed& sampler : samplers) {
    if (sampler.title != title) out << (title.empty() ? "" : "\n") << sampler.title << "\n";
    title = sampler.title;
    out << "  " << paddedText(sampler.info->type, kTypeColumn) << tagsText(sampler.facts) << "\n";
    writeWrapped(out, sampler.info->summary, 6);
  }
}

void writeJson(Output& out, const std::vector<Listed>& samplers) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Listed& sampler : samplers)
    rows.push_back({{"type", sampler.info->type},
                    {"framework", sampler.title},
                    {"summary", sampler.info->summary},
                    {"needs", sampler.facts.needs},
                    {"divides", sampler.facts.divides},
                    {"evaluates", sampler.facts.evaluates}});
  out << nlohmann::ordered_json{{"samplers", std::move(rows)}}.dump(1) << "\n";
}

int run(const SamplersArgs& options) {
  const std::vector<Listed> samplers = listed(options.words);
  if (samplers.empty() && options.format == "text")
    return fail(Error::of(ErrorCode::Usage,
                          "no sampler has '" + join(options.words, " ") + "' in its name or description.",
                          "shardlens samplers lists all of them"));
  Output out;
  options.format == "json" ? writeJson(out, samplers) : writeText(out, samplers);
  return out.finish();
}

}  // namespace

void addSamplers(CLI::App& app, Action& chosen) {
  auto options = std::make_shared<SamplersArgs>();
  Arguments verb(app, "samplers", "Lists the samplers that a spec can name: what each does and needs");
  verb.add("WORD", options->words, "list only samplers with these words in their name or description");
  verb.addFormat(options->format);
  verb.runs(chosen, [options] { return run(*options); });
}

}  // namespace shardlens::cli
