// SPDX-License-Identifier: Apache-2.0
#include "app/cli/audited.h"

#include "core/capture/judged.h"

#include <utility>

namespace shardlens::cli {
namespace {

/// Of a spec.
Result<AuditReport> auditOf(const LoadedPlan& spec, const AuditedOptions& options, const Work& work) {
  AuditOptions wanted;
  wanted.first_epoch = options.first_epoch;
  wanted.epochs = options.epochs ? *options.epochs : usualEpochs(spec.plan, wanted.first_epoch, {work.stop, {}});
  return spec.counted ? auditCounts(*spec.counted, wanted, work) : audit(spec.plan, wanted, work);
}

}  // namespace

void addAudited(Arguments& verb, AuditedOptions& options) {
  verb.add("SPEC", options.spec, "spec file, or a recording").required();
  addLoader(verb, options.loader);
  verb.add("--epochs", options.epochs,
           "how many epochs to count sample by sample; all of a small spec, else 2, by default")
      .positive();
  verb.add("--first-epoch", options.first_epoch, "first epoch to count, from 0").notNegative();
}

std::variant<Audited, Issues> auditedPlan(const AuditedOptions& options, Progress& progress) {
  auto loaded = loadPlan({options.spec, options.loader, true, options.counts_suffice}, progress.whole());
  if (auto* issues = std::get_if<Issues>(&loaded)) return std::move(*issues);
  auto& spec = std::get<LoadedPlan>(loaded);
  if (auto range = checkRange(spec.plan.spec(), options.first_epoch, {}); !range) {
    Error outside = range.error();
    outside.place.field = "--first-epoch";
    return Issues{outside};
  }
  const Work work = progress.whole();
  auto report = spec.judged ? capture::auditJudged(*spec.judged, {options.first_epoch, options.epochs}, work)
                            : auditOf(spec, options, work);
  if (!report) return Issues{spec.placed(report.error())};
  return Audited{std::move(spec), *std::move(report)};
}

}  // namespace shardlens::cli
