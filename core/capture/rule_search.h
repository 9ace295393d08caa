// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/capture/recorded_batches.h"
#include "core/sampling/sampler_rule.h"
#include "core/spec/pipeline_spec.h"

#include <cstdint>
#include <string>
#include <vector>

namespace shardlens::capture {

/// A rule of the registry that gives every recorded id.
struct RuleMatch {
  PipelineSpec spec;           ///< with this sampler and its parameters
  bool batches_alike = false;  ///< in the recorded batches; false: in the same order, cut into other batches
  bool by_attribute = false;   ///< the pass with sampler.epoch e is epoch e; else the e-th pass is
  std::string seed;            ///< the parameter that is its seed; "seeds.base": the script's; empty: it has none
};

/// Which rules give what was read, and what was compared to find them.
struct RuleSearch {
  std::vector<RuleMatch> matches;  ///< the most usual one first
  std::int64_t ids = 0;            ///< recorded ones, each of which every match gives
  std::int64_t ranks = 0;
  std::int64_t passes = 0;   ///< of the rank that has the most
  std::int64_t tried = 0;    ///< rules with their parameters and seed
  std::int64_t seeds = 0;    ///< that were tried
  bool ended_early = false;  ///< at the bound, with seeds left
};

struct RuleSearchBounds {
  std::int64_t seeds = 100;              ///< 0 to seeds - 1 are tried beside usual ones and those that were recorded
  std::int64_t drawn_ids = 300'000'000;  ///< how many ids may be drawn: some seconds
};

/// Tries the rules of the registry that need no list, with their flags and choices, on what was read. `recorded` is the
/// spec of recordedSpec(), `seeds` are tried first. A match was compared with every id in `passes`; that other rules
/// give the same ids cannot be excluded.
Result<RuleSearch> searchRules(const std::vector<RecordedPass>& passes, const PipelineSpec& recorded,
                               const std::vector<std::int64_t>& seeds, const RuleSearchBounds& bounds = {},
                               const Work& work = {});

/// The seeds that the recording shows: of torch, of generators, and whole numbers among the attributes of samplers.
std::vector<std::int64_t> seedsSeen(const JobLoader& job);

/// A rule with its flags and choices, whose seed is still open.
struct RuleCandidate {
  std::int64_t number = 0;  ///< from 1
  const sampling::SamplerRule* rule = nullptr;
  PipelineSpec spec;
  std::int64_t changes = 0;  ///< parameters that have not their usual value
  std::string seed;          ///< the parameter that is its seed; "seeds.base": the script's; empty: it has none
};

/// Every rule that can deal `base`, with each value of its flags and choices.
std::vector<RuleCandidate> ruleCandidates(const PipelineSpec& base);

/// Puts the seed into the candidate. False when it takes no such seed.
bool setSeed(RuleCandidate& candidate, std::int64_t seed);

}  // namespace shardlens::capture

/// What is said about the rules that give recorded ids.
namespace shardlens::words {

/// Which rule gives the ids, what was compared, and which others give the same; or that none does.
std::vector<std::string> rulesFound(const capture::RuleSearch& search);

/// "sampler: {type: torch.DistributedSampler, shuffle: true, seed: 3, set_epoch: false}"
std::string ruleText(const capture::RuleMatch& match);

}  // namespace shardlens::words
