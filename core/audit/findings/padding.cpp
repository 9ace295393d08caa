// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/base/text.h"

namespace shardlens::findings {

using sampling::SamplerTraits;

namespace {

std::string messageOf(const Facts& facts, std::int64_t padding) {
  const std::int64_t size = facts.coverage().dataset_size;
  if (facts.traits().deals_to_world) {  // Streaming repeats last ones, in each canonical node
    return "The order does not divide evenly: " + counted(padding, "item") + (padding == 1 ? " repeats" : " repeat") +
           " a sample to fill it up.";
  }
  const std::int64_t parts = facts.replicas();
  if (size < parts && (size + padding) % parts == 0) {
    return counted(size, "sample") + " cannot fill " + counted(parts, "slice") + ": the sampler repeats " +
           (size == 1 ? "it" : "them") + " until each slice has one.";
  }
  // An order may be shorter or longer than the dataset: a list of samples, or so many draws.
  const bool whole = (size + padding) % parts == 0;
  return (whole ? grouped(size) : std::string("The length of the order")) + " is not a multiple of " + grouped(parts) +
         ": the sampler repeats its first " + (padding == 1 ? "sample" : counted(padding, "sample")) + ".";
}

}  // namespace

void paddingRepeats(const Facts& facts, std::vector<Finding>& findings) {
  const Ledger& coverage = facts.coverage();
  const std::int64_t padding = coverage.padding();
  if (padding == 0) return;
  Finding finding;
  finding.code = "padding-repeats";
  finding.severity = Severity::Warning;
  finding.title = counted(padding, "sample") + (padding == 1 ? " is" : " are") + " padding";
  finding.message = messageOf(facts, padding);
  finding.why =
      "Repeated samples weigh more in training, and an evaluation counts them twice: its result then depends on the "
      "number of ranks.";
  finding.where.epoch = coverage.epoch;
  finding.where.samples = coverage.padding_ids;
  finding.where.field = facts.fieldOf(&SamplerTraits::drop_last);
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
