// SPDX-License-Identifier: Apache-2.0
// Every fix of every finding, on many plans: the finding goes away and no new error comes.
#include "core/audit/audit.h"
#include "core/spec/edit.h"
#include "tests/support/small_spec.h"

#include <doctest/doctest.h>

#include <map>
#include <set>

using namespace shardlens;

namespace {

std::set<std::string> codesOf(const AuditReport& report, bool errors_only) {
  std::set<std::string> codes;
  for (const Finding& finding : report.findings) {
    if (!errors_only || finding.severity == Severity::Error) codes.insert(finding.code);
  }
  return codes;
}

std::set<std::string> errorsOf(PipelineSpec spec) {
  const auto plan = Plan::make(std::move(spec));
  REQUIRE(plan);
  const auto report = audit(*plan);
  REQUIRE(report);
  return codesOf(*report, true);
}

/// The errors that a mended plan may have. Where a rank makes no step, what it would read could not be judged before:
/// the same plan with nothing dropped, by the loader and then by the sampler, tells.
std::set<std::string> knownErrors(const Plan& plan, const AuditReport& before) {
  auto errors = codesOf(before, true);
  if (before.lockstep.fewest > 0) return errors;
  PipelineSpec spec = plan.spec();
  spec.loader.drop_last = false;
  errors.merge(errorsOf(spec));
  if (spec.sampler.parameters.count("drop_last") == 0) return errors;
  spec.sampler.parameters["drop_last"] = false;
  errors.merge(errorsOf(std::move(spec)));
  return errors;
}

void checkFix(const Plan& plan, const AuditReport& before, const Finding& finding) {
  CAPTURE(finding.code);
  CAPTURE(finding.message);
  CAPTURE(finding.fix->label);
  auto spec = applyEdits(plan.spec(), finding.fix->edits, sampling::catalogue());
  REQUIRE(spec);
  CHECK(*spec != plan.spec());
  CAPTURE(test::describe(*spec));
  const auto mended = Plan::make(*std::move(spec));
  REQUIRE(mended);
  const auto after = audit(*mended);
  REQUIRE(after);
  CHECK(codesOf(*after, false).count(finding.code) == 0);
  const auto errors = knownErrors(plan, before);
  for (const std::string& code : codesOf(*after, true)) {
    CAPTURE(code);
    CHECK(errors.count(code) == 1);
  }
}

}  // namespace

TEST_CASE("every fix removes its finding and brings no new error") {
  test::SmallSpecs specs(7);
  std::map<std::string, int> fixed;
  // So many that each sampler comes up often enough for its rarest finding.
  const std::size_t plans = 120 * sampling::rules().size();
  for (std::size_t i = 0; i < plans; ++i) {
    const Plan plan = specs.next();
    CAPTURE(test::describe(plan.spec()));
    const auto report = audit(plan);
    REQUIRE(report);
    for (const Finding& finding : report->findings) {
      if (!finding.fix) continue;
      ++fixed[finding.code];
      checkFix(plan, *report, finding);
    }
  }
  for (const char* code : {"ranks-share-samples", "ranks-identical-order", "samples-missing", "num-replicas-mismatch",
                           "padding-repeats", "samples-dropped-sampler", "samples-dropped-loader", "epochs-repeat",
                           "seeds-collide-ranks", "seeds-collide-nodes", "seeds-collide-epochs", "empty-ranks",
                           "batch-larger-than-slice", "idle-workers", "short-last-batch"}) {
    CAPTURE(code);
    CHECK(fixed[code] > 0);
  }
}

TEST_CASE("a report is well formed: errors first, proofs last, every finding says what, why and which field exists") {
  test::SmallSpecs specs(8);
  for (int i = 0; i < 400; ++i) {
    const Plan plan = specs.next();
    CAPTURE(test::describe(plan.spec()));
    const auto report = audit(plan);
    REQUIRE(report);
    int last = 0;
    std::set<std::string> codes;
    for (const Finding& finding : report->findings) {
      CAPTURE(finding.code);
      const int place = static_cast<int>(finding.severity) * 2 + (finding.is_proof ? 1 : 0);
      CHECK(place >= last);
      last = place;
      CHECK(codes.insert(finding.code).second);
      CHECK_FALSE(finding.title.empty());
      CHECK(finding.title.back() != '.');
      CHECK(finding.message.ends_with("."));
      CHECK(finding.why.ends_with("."));
      if (finding.is_proof) CHECK(finding.severity == Severity::Info);
      if (!finding.where.field.empty())
        CHECK(findField(plan.spec(), sampling::catalogue(), finding.where.field) != nullptr);
    }
  }
}
