// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb.h"
#include "core/audit/audit.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/capture/judged.h"
#include "core/plan/counted_plan.h"
#include "core/plan/plan.h"
#include "core/yaml/imports/importer.h"
#include "core/yaml/spec_reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace shardlens::cli {

/// That there are events in this recording. What RecordingReader::open says, and BadInput when it is empty.
Result<void> checkRecording(const std::string& path);
/// Likewise, or what probes wrote.
Result<void> checkObserved(const std::string& path);

/// A folder, or a file that begins as a packed recording or a segment does.
bool isRecording(const std::string& path);

/// The spec in the file `path`; "-" and "/dev/stdin" stand for what comes in on stdin. A file of a job that can be
/// imported is one, too: what was read, assumed and not known goes to stderr.
yaml::ReadSpec readSpecAt(const std::string& path);

/// A plan, and where the text that it was read from has its fields.
struct LoadedPlan {
  Plan plan;
  yaml::ReadSpec read;
  std::optional<capture::JudgedLoader> judged = {};  ///< of a recording that is to be judged; has the same plan
  std::optional<CountedPlan> counted = {};           ///< the order is not known: then the plan is its stand-in

  /// Why no epoch of a recording can be judged; null: it can, or this is no recording.
  [[nodiscard]] const Error* notJudged() const;

  /// What the plan fails with when it is drawn, with the place of the field that is to blame. An error about no field,
  /// or about an option, stays as it is.
  [[nodiscard]] Error placed(Error error) const;
};

/// The plan of a spec, or everything that is wrong with it. Where `counts_suffice`, a spec whose order nobody can
/// predict is loaded, too, if anything is known of it.
std::variant<LoadedPlan, Issues> planOf(yaml::ReadSpec read, bool counts_suffice = false);

/// What stands where a verb takes a SPEC.
struct Source {
  std::string path;
  std::string loader = {};  ///< of a recording, and a usage error with a spec; empty: the only one of its training
  /// Of what was read, only epochs that every rank read to the end: what is not recorded must not be judged. And what
  /// was recorded, as such.
  bool is_judged = false;
  bool counts_suffice = false;  ///< as of planOf()
  /// Of a rule that gives batches which nobody got, as ranks did not read the loader or loading them raised an error,
  /// what was read instead.
  bool only_read = false;
};

/// The plan of a spec file, or of the spec that was captured from a recording and plans every batch in it: by the rule
/// of its sampler, or as it was read. A line on stderr then says which. Or everything that is wrong.
std::variant<LoadedPlan, Issues> loadPlan(const Source& source, const Work& work = {});

/// The spec of loadPlan(), for verbs that look at it without its plan: a design may be one that cannot be planned.
yaml::ReadSpec loadSpec(const Source& source, const Work& work = {});

/// --loader NAME, for verbs that take a Source.
void addLoader(Arguments& verb, std::string& target);

/// Says, when a chosen epoch or rank is outside the spec, what the range is.
Result<void> checkRange(const PipelineSpec& spec, std::optional<std::int64_t> epoch, std::optional<std::int64_t> rank);

/// How many batches of each rank an optimizer step takes, of the spec that was loaded from `path`. A recording whose
/// spec does not say it is a usage error.
Result<std::int64_t> batchesPerStep(const PipelineSpec& spec, const std::string& path);

/// A file of a job; a Python script is described first.
Result<yaml::ImportSource> importSource(const std::string& path);

/// What was read, assumed and not known, on stderr.
void printNotes(const yaml::Imported& imported);

/// The spec that a script, a YAML or a batch file of a job is imported as, with its notes on stderr, or why it is none;
/// nothing where the file is none of those.
std::optional<yaml::ReadSpec> importedSpec(const std::string& path);

/// What verbs that judge a plan are told.
struct AuditedOptions {
  std::string spec;
  std::string loader;
  bool quiet = false;
  std::int64_t first_epoch = 0;
  std::optional<std::int64_t> epochs;
  bool counts_suffice = false;  ///< also a design whose order nobody can predict is audited, as far as that goes
};

/// SPEC, --loader, --epochs and --first-epoch.
void addAudited(Arguments& verb, AuditedOptions& options);

/// A plan and its audit.
struct Audited {
  LoadedPlan loaded;
  AuditReport report;
};

/// Loads the plan that is to be judged, and audits it; or everything that is wrong with it.
std::variant<Audited, Issues> auditedPlan(const AuditedOptions& options, Progress& progress);

}  // namespace shardlens::cli
