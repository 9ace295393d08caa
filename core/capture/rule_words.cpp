// SPDX-License-Identifier: Apache-2.0
#include "core/capture/rule_words.h"

#include "core/base/text.h"
#include "core/sampling/registry.h"
#include "core/spec/field_table.h"
#include "core/yaml/spec_layout.h"
#include "core/yaml/spec_writer.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

namespace shardlens::words {
namespace {

using capture::RuleMatch;
using capture::RuleSearch;

constexpr const char* kScriptSeed = "seeds.base";

/// What a match says where another one of the same class says something else.
struct Told {
  std::string path;
  std::set<std::string> values;
};

Value valueAt(const PipelineSpec& spec, const std::string& path) {
  return getValue(spec, *findField(spec, sampling::catalogue(), path));
}

std::vector<std::string> pathsOf(const RuleMatch& match) {
  std::vector<std::string> paths;
  for (const Field& field : sampling::findRule(match.spec.sampler.type)->info.parameters) {
    if (!isLongList(field.kind)) paths.push_back(field.path);
  }
  paths.emplace_back("loader.drop_last");
  if (match.seed == kScriptSeed) paths.insert(paths.end(), {kScriptSeed, "seeds.rule"});
  return paths;
}

/// Parameters of the first match that the others of its class have otherwise.
std::vector<Told> undecided(const RuleSearch& search) {
  const RuleMatch& first = search.matches.front();
  std::vector<Told> all;
  for (const std::string& path : pathsOf(first)) {
    Told one{path, {}};
    for (const RuleMatch& match : search.matches) {
      if (match.spec.sampler.type == first.spec.sampler.type && match.batches_alike == first.batches_alike)
        one.values.insert(valueText(valueAt(match.spec, path)));
    }
    if (one.values.size() > 1) all.push_back(std::move(one));
  }
  return all;
}

bool isUndecided(const std::vector<Told>& told, const std::string& path) {
  return std::any_of(told.begin(), told.end(), [&](const Told& one) { return one.path == path; });
}

std::string capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

/// "with seed 3 and set_epoch never called"
std::string settingsText(const RuleMatch& match, const RuleSearch& search, const std::vector<Told>& told) {
  const PipelineSpec& spec = match.spec;
  std::vector<std::string> texts;
  const sampling::SamplerTraits& traits = sampling::traitsOf(spec);
  for (const auto& [key, value] : spec.sampler.parameters) {
    if (isUndecided(told, "sampler." + key)) continue;
    if (key == traits.set_epoch && value == Value(false)) {
      if (search.passes > 1) texts.emplace_back("set_epoch never called");
    } else {
      texts.push_back(key + ": " + valueText(value));
    }
  }
  if (match.seed == kScriptSeed && !isUndecided(told, kScriptSeed))
    texts.push_back("seeds: {base: " + std::to_string(spec.seeds.base) + ", rule: " + spec.seeds.rule + "}");
  return texts.empty() ? std::string() : " with " + join(texts, ", ");
}

std::string comparedText(const RuleSearch& search) {
  return "all " + grouped(search.ids) + " recorded ids of " + counted(search.passes, "pass") + " on " +
         counted(search.ranks, "rank");
}

std::string othersText(const RuleSearch& search) {
  constexpr std::size_t kMost = 6;
  const std::string& first = search.matches.front().spec.sampler.type;
  std::vector<std::string> types;
  for (const RuleMatch& match : search.matches) {
    const std::string& type = match.spec.sampler.type;
    if (type != first && std::find(types.begin(), types.end(), type) == types.end()) types.push_back(type);
  }
  if (types.empty()) return {};
  const std::size_t more = types.size() > kMost ? types.size() - kMost : 0;
  types.resize(types.size() - more);
  return "The same ids come from " + join(types, ", ") +
         (more > 0 ? " and " + counted(static_cast<std::int64_t>(more), "more rule") : std::string()) + ".";
}

std::string triedText(const RuleSearch& search) {
  return counted(search.tried, "combination") + " of rule, parameters and seed " +
         (search.tried == 1 ? "was" : "were") + " tried";
}

/// How far the evidence goes.
std::string doubtText(const RuleSearch& search) {
  constexpr std::int64_t kFew = 64;
  std::vector<std::string> texts;
  if (search.ids < kFew)
    texts.push_back("Only " + counted(search.ids, "id") + " could be compared, so others may fit by chance.");
  if (search.passes == 1) texts.emplace_back("One pass does not show what the next one reads.");
  if (search.ranks == 1 && search.matches.front().spec.worldSize() > 1)
    texts.emplace_back("One rank does not show what the others read.");
  texts.push_back(triedText(search) + "; rules that ShardLens does not know were not.");
  return join(texts, " ");
}

}  // namespace

std::string ruleText(const RuleMatch& match) {
  const yaml::LayoutItem layout = yaml::layoutOf(match.spec, sampling::catalogue());
  return yaml::writeItem(match.spec, *layout.find("sampler"), true);
}

std::vector<std::string> rulesFound(const RuleSearch& search) {
  if (search.tried == 0) return {};
  if (search.matches.empty())
    return {"No rule of ShardLens gives these ids: " + triedText(search) +
            (search.ended_early ? ", up to the bound of drawn ids." : ".")};
  const RuleMatch& first = search.matches.front();
  const std::vector<Told> told = undecided(search);
  std::vector<std::string> said = {
      capital(comparedText(search)) + " are those that " + first.spec.sampler.type + settingsText(first, search, told) +
      " deals" + (first.batches_alike ? ", in the same batches." : "; it would cut them into other batches.")};
  for (const Told& one : told)
    said.push_back(one.path +
                   " cannot be told: " + join(std::vector<std::string>(one.values.begin(), one.values.end()), " and ") +
                   " give the same ids.");
  if (std::string others = othersText(search); !others.empty()) said.push_back(std::move(others));
  said.push_back(doubtText(search));
  said.push_back("As a rule: " + ruleText(first));
  return said;
}

}  // namespace shardlens::words
