// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace shardlens::findings {
namespace {

struct Reason {
  RepeatCause cause;
  const char* text;
};

constexpr std::array kByDesign = {
    Reason{RepeatCause::Replacement, "drawn with replacement"},
    Reason{RepeatCause::RepeatFactor, "repeated by the sampler's factors"},
    Reason{RepeatCause::ClassBalance, "drawn again to balance classes"},
    Reason{RepeatCause::ListedTwice, "listed more than once"},
    Reason{RepeatCause::TwoStreams, "of a stream that starts over, or of both streams"},
    Reason{RepeatCause::AnotherPass, "of another pass in the same epoch"},
    Reason{RepeatCause::Replication, "for ranks that are meant to read alike"},
};

}  // namespace

void repeatedOnPurpose(const Facts& facts, std::vector<Finding>& findings) {
  const Ledger& ledger = facts.coverage();
  std::int64_t items = 0;
  std::vector<std::string> parts;
  for (const Reason& reason : kByDesign) {
    const std::int64_t of_cause = ledger.repeats[reason.cause];
    if (of_cause > 0) parts.push_back(grouped(of_cause) + " " + reason.text);
    items += of_cause;
  }
  if (items == 0) return;
  Finding finding = aboutSamples(facts, "samples-repeated", Severity::Info, facts.coverage().duplicated_ids);
  finding.title = counted(items, "item") + (items == 1 ? " repeats a sample" : " repeat samples");
  finding.message = grouped(items) + " of " + counted(ledger.handed_out, "item") + " " + facts.epochsAlike() +
                    (items == 1 ? " repeats a sample: " : " repeat samples: ") + join(parts, ", ") + "; " +
                    facts.howOften() + ".";
  finding.why = "The sampler does what its parameters ask for.";
  findings.push_back(std::move(finding));
}

void duplicatingWorkers(const Facts& facts, std::vector<Finding>& findings) {
  const Ledger& ledger = facts.coverage();
  const std::int64_t items = ledger.repeats[RepeatCause::DuplicatingWorkers];
  if (items == 0) return;
  Finding finding = aboutSamples(facts, "workers-duplicate", Severity::Error, facts.coverage().duplicated_ids);
  finding.title = "Workers read the same samples";
  finding.message = "Each of " + counted(facts.spec().loader.num_workers, "worker") +
                    " reads what the others of its rank read. This accounts for " + grouped(items) + " of " +
                    counted(ledger.handed_out, "item") + " " + facts.epochsAlike() + ", and " + facts.howOften() + ".";
  finding.why = "Every worker has a copy of the dataset. Only get_worker_info() tells a copy which part is its own.";
  findings.push_back(std::move(finding));
}

void unexplainedRepeats(const Facts& facts, std::vector<Finding>& findings) {
  const Ledger& ledger = facts.coverage();
  const std::int64_t defects = ledger.repeats[RepeatCause::ShuffleDefect];
  const std::int64_t items = defects + ledger.repeats[RepeatCause::NotExplained];
  if (items == 0) return;
  Finding finding = aboutSamples(facts, "repeats-unexplained", Severity::Warning, facts.coverage().duplicated_ids);
  finding.title = counted(items, "item") + (items == 1 ? " repeats a sample" : " repeat samples");
  finding.message = grouped(items) + " of " + counted(ledger.handed_out, "item") + " " + facts.epochsAlike() +
                    (items == 1 ? " repeats a sample." : " repeat samples.");
  finding.why = defects > 0 ? "A known defect of the framework's shuffle takes an index twice and leaves another out."
                            : "Nothing that ShardLens knows of this sampler explains it.";
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
