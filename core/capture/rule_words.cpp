// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/capture/capture_words.h"
#include "core/capture/rule_search.h"
#include "core/sampling/registry.h"
#include "core/spec/field_table.h"
#include "core/yaml/spec_writer.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
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
  return std::ranges::any_of(told, [&](const Told& one) { return one.path == path; });
}

/// "torch.DistributedSampler with seed: 3, set_epoch never called"
std::string withSettings(const RuleMatch& match, const RuleSearch& search, const std::vector<Told>& told) {
  const PipelineSpec& spec = match.spec;
  std::vector<std::string> texts;
  const sampling::SamplerTraits& traits = sampling::traitsOf(spec);
  for (const auto& [key, value] : spec.sampler.parameters) {
    if (isUndecided(told, "sampler." + key)) continue;
    if (key == traits.set_epoch && value == Value(false)) {
      if (search.passes > 1) texts.push_back(worded("capture", "set_epoch never called"));
    } else {
      texts.push_back(key + ": " + valueText(value));
    }
  }
  if (match.seed == kScriptSeed && !isUndecided(told, kScriptSeed))
    texts.push_back("seeds: {base: " + std::to_string(spec.seeds.base) + ", rule: " + spec.seeds.rule + "}");
  return texts.empty() ? spec.sampler.type : filled(worded("capture", "%1 with %2"), spec.sampler.type, inRow(texts));
}

std::string othersText(const RuleSearch& search) {
  constexpr std::size_t kMost = 6;
  const std::string& first = search.matches.front().spec.sampler.type;
  std::vector<std::string> types;
  for (const RuleMatch& match : search.matches) {
    const std::string& type = match.spec.sampler.type;
    if (type != first && std::ranges::find(types, type) == types.end()) types.push_back(type);
  }
  if (types.empty()) return {};
  const std::size_t more = types.size() > kMost ? types.size() - kMost : 0;
  types.resize(types.size() - more);
  return more == 0 ? filled(worded("capture", "The same ids come from %1."), inRow(types))
                   : filled(worded("capture", "The same ids come from %1 and %2."), inRow(types),
                            wordedCount(static_cast<std::int64_t>(more), "more rule"));
}

std::string triedText(const RuleSearch& search) {
  return filled(search.tried == 1 ? worded("capture", "%1 of rule, parameters and seed was tried")
                                  : worded("capture", "%1 of rule, parameters and seed were tried"),
                wordedCount(search.tried, "combination"));
}

/// How far the evidence goes.
std::string doubtText(const RuleSearch& search) {
  constexpr std::int64_t kFew = 64;
  std::vector<std::string> texts;
  if (search.ids < kFew)
    texts.push_back(filled(worded("capture", "Only %1 could be compared, so others may fit by chance."),
                           wordedCount(search.ids, "id")));
  if (search.passes == 1) texts.push_back(worded("capture", "One pass does not show what the next one reads."));
  if (search.ranks == 1 && search.matches.front().spec.worldSize() > 1)
    texts.push_back(worded("capture", "One rank does not show what the others read."));
  texts.push_back(filled(worded("capture", "%1; rules that ShardLens does not know were not."), triedText(search)));
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
    return {
        filled(search.ended_early
                   ? worded("capture",
                            "None of the %1 of rule, parameters and seed that were tried, up to the bound of drawn "
                            "ids, gives these ids.")
                   : worded("capture", "None of the %1 of rule, parameters and seed that were tried gives these ids."),
               wordedCount(search.tried, "combination"))};
  const RuleMatch& first = search.matches.front();
  const std::vector<Told> told = undecided(search);
  std::vector<std::string> said = {
      filled(first.batches_alike
                 ? worded("capture", "All %1 recorded ids of %2 on %3 are those that %4 deals, in the same batches.")
                 : worded("capture",
                          "All %1 recorded ids of %2 on %3 are those that %4 deals; it would cut them into other "
                          "batches."),
             grouped(search.ids), wordedCount(search.passes, "pass"), wordedCount(search.ranks, "rank"),
             withSettings(first, search, told))};
  for (const Told& one : told) {
    std::string values = *one.values.begin();
    for (auto value = std::next(one.values.begin()); value != one.values.end(); ++value)
      values = filled(worded("list", "%1 and %2"), values, *value);
    said.push_back(filled(worded("capture", "%1 cannot be determined: %2 give the same ids."), one.path, values));
  }
  if (std::string others = othersText(search); !others.empty()) said.push_back(std::move(others));
  said.push_back(doubtText(search));
  said.push_back(filled(worded("capture", "As a rule: %1"), ruleText(first)));
  return said;
}

}  // namespace shardlens::words
