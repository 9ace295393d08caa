// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/claims.h"

#include <array>
#include <memory>
#include <vector>

namespace shardlens::sampling {

LeftOutCause notListed(const IndexList& list, std::int64_t dataset_size, MissingCause otherwise) {
  auto listed = std::make_shared<std::vector<bool>>(static_cast<std::size_t>(dataset_size));
  for (const SampleIndex id : list) (*listed)[static_cast<std::size_t>(id)] = true;
  return [listed = std::move(listed), otherwise](SampleIndex sample) {
    return (*listed)[static_cast<std::size_t>(sample)] ? otherwise : MissingCause::NotAmongIndices;
  };
}

}  // namespace shardlens::sampling

namespace shardlens {
namespace {

constexpr std::array<std::string_view, kRepeatCauses> kRepeatNames = {
    "sampler_padding",     "batch_filling", "replacement",  "repeat_factor",  "class_balance",
    "listed_twice",        "two_streams",   "another_pass", "shuffle_defect", "overlapping_ranks",
    "duplicating_workers", "replication",   "not_explained"};
static_assert(static_cast<std::size_t>(RepeatCause::NotExplained) + 1 == kRepeatCauses);

constexpr std::array<std::string_view, kMissingCauses> kMissingNames = {
    "cut_by_sampler",     "cut_by_loader",     "no_whole_step",       "not_among_indices", "outside_subset",
    "weight_zero",        "without_weight",    "not_drawn",           "not_handed_out",    "handed_out_before",
    "count_carried_over", "waiting_in_buffer", "rank_that_nobody_is", "divided_twice",     "different_orders",
    "shuffle_defect",     "not_explained"};
static_assert(static_cast<std::size_t>(MissingCause::NotExplained) + 1 == kMissingCauses);

}  // namespace

std::string_view causeName(RepeatCause cause) {
  return kRepeatNames[static_cast<std::size_t>(cause)];
}

std::string_view causeName(MissingCause cause) {
  return kMissingNames[static_cast<std::size_t>(cause)];
}

}  // namespace shardlens
