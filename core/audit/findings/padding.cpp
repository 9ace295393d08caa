// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/base/text.h"

namespace shardlens::findings {

using sampling::SamplerTraits;

namespace {

/// Says what does not divide by what, where the sampler deals an order like cards.
std::string slicesPadded(const Facts& facts, std::int64_t padding) {
  const auto division = facts.division();
  const std::int64_t rest = division ? division->size % division->slices : 0;
  if (rest == 0) {
    return "The sampler adds " + counted(padding, "item") +
           (padding == 1 ? " that repeats a sample" : " that repeat samples") + ", so that all ranks get equally many.";
  }
  const std::int64_t added = division->slices - rest;
  const std::string read = padding == added ? std::string() : " The ranks read " + counted(padding, "such item") + ".";
  if (division->size < division->slices) {
    return counted(division->size, "sample") + " cannot fill " + counted(division->slices, "slice") +
           ": the sampler repeats " + (division->size == 1 ? "it" : "them") + " until each slice has one." + read;
  }
  return grouped(division->size) + " is not a multiple of " + grouped(division->slices) +
         ": the sampler repeats its first " + (added == 1 ? "sample" : counted(added, "sample")) + "." + read;
}

std::string messageOf(const Facts& facts) {
  const auto& repeats = facts.coverage().repeats;
  std::vector<std::string> sentences;
  if (const std::int64_t items = repeats[RepeatCause::SamplerPadding]; items > 0)
    sentences.push_back(slicesPadded(facts, items));
  if (const std::int64_t items = repeats[RepeatCause::BatchFilling]; items > 0) {
    sentences.push_back(counted(items, "item") + (items == 1 ? " repeats a sample" : " repeat samples") +
                        " to fill the last batches.");
  }
  return join(sentences, " ");
}

}  // namespace

void paddingRepeats(const Facts& facts, std::vector<Finding>& findings) {
  const Ledger& coverage = facts.coverage();
  const std::int64_t padding = coverage.padding();
  if (padding == 0) return;
  const Severity severity = facts.isMuch(padding) || facts.evaluates() ? Severity::Warning : Severity::Info;
  Finding finding = aboutSamples(facts, "padding-repeats", severity, coverage.padding_ids);
  finding.title = counted(padding, "item") + (padding == 1 ? " is" : " are") + " padding";
  finding.message = messageOf(facts);
  finding.why =
      "Repeated samples weigh more in training, and an evaluation counts them twice: its result then depends on the "
      "number of ranks.";
  finding.where.field = facts.fieldOf(&SamplerTraits::drop_last);
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
