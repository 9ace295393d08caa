// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/job_capture.h"

#include "core/base/phrase.h"
#include "core/capture/capture_words.h"
#include "core/capture/judged.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_writer.h"
#include "ui/state/phrase.h"

#include <algorithm>
#include <filesystem>
#include <limits>

namespace shardlens::ui {
namespace {

constexpr qint64 kEvery = 3000;      ///< ms between two looks at a recording that grows
constexpr qint64 kShareOfTime = 10;  ///< a look that takes long is repeated after so many times its length

/// The loader that is meant, or else the first one.
std::size_t loaderOf(const capture::Capture& found, const std::string& name) {
  std::vector<capture::JobLoader> jobs;
  for (const capture::CapturedLoader& loader : found.loaders) jobs.push_back(loader.job);
  const auto meant = capture::loaderMeant(jobs, name);
  return meant ? *meant : 0;
}

/// In which epochs of a grid the ranks read the epochs of the spec that was judged.
std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> epochsInGrid(const capture::CapturedLoader& judged,
                                                                           const capture::EpochsOfPasses& in_grid) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> found;
  for (const capture::RankLoader& rank : judged.job.ranks) {
    for (std::size_t i = 0; i < rank.passes.size(); ++i) {
      const auto epoch = in_grid.of(rank.rank, i);
      if (epoch) found.try_emplace({rank.rank, judged.spec.epochOf(rank, i)}, *epoch);
    }
  }
  return found;
}

/// The loader of that name; null where there is none.
const capture::CapturedLoader* loaderIn(const capture::Capture& found, const std::string& loader) {
  const auto one =
      std::ranges::find_if(found.loaders, [&loader](const auto& other) { return other.job.name == loader; });
  return one == found.loaders.end() ? nullptr : &*one;
}

std::string nameOf(const std::string& file) {
  return std::filesystem::path(file).filename().string();
}

struct Design {
  PipelineSpec spec;
  std::string text;  ///< it as a file
  std::string said;  ///< what of the recording it plans; empty where that is not all
};

/// The file of a loader, English as all files are: what was captured for the window is in the window's language, and so
/// it is captured once more. Without a recording that says it again, the file has `spec` alone.
Design englishDesign(const std::string& file, const std::string& loader, const capture::CaptureOptions& options,
                     const PipelineSpec& spec, const Work& work) {
  const InEnglish english;
  const auto job = capture::readJob(file, work.part(0, 0.2));
  const auto index = job ? capture::loaderMeant(job->loaders, loader) : Result<std::size_t>(job.error());
  const auto found = index ? capture::captured(*job, *index, options, work.part(0.2, 1))
                           : Result<capture::CapturedLoader>(index.error());
  if (found && found->yaml) return {found->spec.spec, *found->yaml, {}};
  return {spec, yaml::writeSpec(spec, sampling::catalogue()), {}};
}

Design designFrom(const std::string& file, const capture::CapturedLoader& loader,
                  const capture::CaptureOptions& options, const Work& work) {
  Design made = speaksEnglish() ? Design{loader.spec.spec, *loader.yaml, {}}
                                : englishDesign(file, loader.job.name, options, loader.spec.spec, work.part(0, 0.8));
  if (!loader.isProven()) return made;
  const auto plan = Plan::make(made.spec);
  const auto said = plan ? capture::planSentence(nameOf(file), loader, *plan, work.part(0.8, 1)) : plan.error();
  if (said) made.said = *said;
  return made;
}

}  // namespace

Selected LoaderAudit::inGrid(Selected place) const {
  if (!place.epoch && !place.step) return place;
  const std::int64_t any = grid_epochs.empty() ? 0 : grid_epochs.begin()->first.first;
  const std::int64_t rank = place.ranks.empty() ? any : place.ranks.front();
  const auto found = place.epoch ? grid_epochs.find({rank, *place.epoch})
                                 : grid_epochs.lower_bound({rank, std::numeric_limits<std::int64_t>::min()});
  const bool is_there = found != grid_epochs.end() && found->first.first == rank;
  place.epoch = is_there ? std::optional<qint64>(found->second) : std::nullopt;
  if (!is_there) place.step.reset();
  return place;
}

/// How the batches of a loader compare.
struct JobCapture::Compared {
  std::optional<Result<JobProof>> proof = {};  ///< none: the job goes on, or no loader was seen
  std::string sentence = {};
  std::string loader = {};   ///< empty: with a design
  bool is_recorded = false;  ///< with what was recorded
  std::string audited = {};  ///< the loader whose audit stands beside it; empty: none
};

/// What one look at a recording finds.
struct JobCapture::Found {
  Result<capture::Capture> capture;
  Compared compared = {};
};

JobCapture::JobCapture(RunService& runs, QObject* parent) : QObject(parent), runs_(runs) {}

void JobCapture::refresh() {
  if (runs_.runFile() != file_) {
    job_.cancel();
    audit_job_.cancel();
    design_job_.cancel();
    file_ = runs_.runFile();
    is_read_ = false;
    pause_ms_ = 0;
    since_.invalidate();
    found_.reset();
    proof_.reset();
    audit_.reset();
    problem_.clear();
    no_proof_.clear();
    compared_.clear();
    loader_.clear();
    judged_.clear();
    is_recorded_ = false;
    other_design_.reset();
    emit changed();
  }
  if (file_.isEmpty() || is_read_ || job_.isBusy()) return;
  if (!runs_.isActive() && runs_.facts() == nullptr) return;  // they say what the design is
  if (runs_.isActive() && since_.isValid() && since_.elapsed() < pause_ms_) return;
  read();
}

JobCapture::Found JobCapture::look(const Asked& asked, bool grows, const Work& work) {
  capture::CaptureOptions options;
  options.search = !grows;  // rules for unknown samplers are looked for once, in all that was read
  Found found{capture::capture(asked.file, options, work)};
  if (!grows && found.capture) found.compared = compare(*found.capture, asked, work);
  return found;
}

/// With the design, or what its loader read with the spec that was captured from it.
JobCapture::Compared JobCapture::compare(const capture::Capture& found, const Asked& asked, const Work& work) {
  Compared compared;
  const capture::CapturedLoader& loader = found.loaders[loaderOf(found, asked.loader)];
  compared.audited = loader.job.name;
  if (asked.design) {
    const auto plan = Plan::make(*asked.design);
    compared.proof = plan ? proveJob(*plan, asked.file, {}, work) : plan.error();
    if (*compared.proof && (*compared.proof)->loader) compared.audited = *(*compared.proof)->loader;
    compared.sentence = *compared.proof ? (*compared.proof)->text() : compared.proof->error().message;
    if (!asked.is_other) return compared;
    const std::string said = *compared.proof ? compared.sentence : compared.proof->error().text();
    compared.sentence = filled(phrase("run", "Compared with the open design: %1").toStdString(), said);
    if (!*compared.proof) compared.proof = Error{compared.proof->error().code, compared.sentence, {}, {}};
    return compared;
  }
  const auto named = [&](const std::string& said) {
    return found.loaders.size() > 1 ? filled(phrase("run", "%1: %2").toStdString(), loader.job.name, said) : said;
  };
  compared.loader = loader.job.name;
  compared.is_recorded = loader.is_recorded;
  compared.sentence = named(capture::accountOf(loader).checked);
  if (!loader.spec.problems.empty()) {
    compared.proof = Error{ErrorCode::BadInput, named(loader.spec.problems.front()), {}, {}};
    return compared;
  }
  const auto plan = Plan::make(loader.spec.spec);
  compared.proof = plan ? proveJob(*plan, asked.file, loader.job.name, work) : plan.error();
  return compared;
}

/// As the verb audit does it.
std::optional<LoaderAudit> JobCapture::audited(const capture::Capture& found, const Audited& of, const Work& work) {
  const capture::CapturedLoader* const loader = loaderIn(found, of.loader);
  if (loader == nullptr) return std::nullopt;
  LoaderAudit audit;
  audit.loader = of.loader;
  audit.findings = capture::foundInRun(*loader);
  const auto job = capture::readJob(of.file, work);
  const auto index = job ? capture::loaderMeant(job->loaders, of.loader) : Result<std::size_t>(job.error());
  if (!index) {
    audit.not_judged = index.error().text();
    return audit;
  }
  capture::Judgement judgement = capture::judge(*job, *index, *loader, nameOf(of.file), work);
  auto report = judgement.judged ? capture::auditJudged(*judgement.judged, {.fixes = false}, work)
                                 : Result<AuditReport>(judgement.judged.error());
  if (work.stopped()) return std::nullopt;
  if (!report) {
    audit.not_judged = report.error().text();
    return audit;
  }
  capture::JudgedLoader& judged = *judgement.judged;
  audit.findings = std::move(report->findings);
  audit.said = std::move(judgement.said);
  audit.reading = std::move(judged.reading);
  if (judged.not_judged) audit.not_judged = words::notJudged(*judged.not_judged);
  if (of.in_grid) audit.grid_epochs = epochsInGrid(judged.loader, *of.in_grid);
  return audit;
}

JobCapture::Asked JobCapture::asked() const {
  if (other_design_) return {file_.toStdString(), other_design_, {}, true};
  const auto facts = runs_.facts();
  const bool has_design = facts != nullptr && facts->planned_batches > 0;
  return {file_.toStdString(), has_design ? std::optional(facts->spec) : std::nullopt, {}};
}

void JobCapture::compareWith(const std::string& loader) {
  if (!canCompare() || job_.isBusy()) return;
  Asked wanted = asked();
  wanted.loader = loader;
  compareAgain(wanted);
}

void JobCapture::compareWithDesign(std::optional<PipelineSpec> design) {
  if (!canCompare()) return;
  other_design_ = std::move(design);
  compareAgain(asked());
}

void JobCapture::compareAgain(const Asked& wanted) {
  job_.start([wanted, found = found_](const Work& work) { return std::optional(compare(*found, wanted, work)); },
             [this](Compared compared) {
               show(std::move(compared));
               emit changed();
             });
}

bool JobCapture::isDesigned(const std::string& loader) const {
  const auto* const found = found_ == nullptr ? nullptr : loaderIn(*found_, loader);
  return found != nullptr && found->yaml && found->isProven();
}

void JobCapture::makeDesign(const std::string& loader, bool unasked) {
  const auto* const captured = found_ == nullptr ? nullptr : loaderIn(*found_, loader);
  if (captured == nullptr || !captured->yaml) return;
  capture::CaptureOptions options;
  options.search = is_read_;
  design_job_.start(
      [file = file_.toStdString(), loader, options, found = found_](const Work& work) {
        return std::optional(designFrom(file, *loaderIn(*found, loader), options, work));
      },
      [this, unasked](const Design& made) {
        if (runs_.runFile() != file_) return;
        emit designMade(made.spec, QString::fromStdString(made.text), QString::fromStdString(made.said), unasked);
      });
}

void JobCapture::read() {
  const bool grows = runs_.isActive();
  since_.start();
  job_.start([wanted = asked(), grows](const Work& work) { return std::optional(look(wanted, grows, work)); },
             [this, grows](Found found) {
               is_read_ = !grows;
               pause_ms_ = std::max(kEvery, kShareOfTime * since_.elapsed());
               since_.start();
               problem_ = found.capture ? QString() : QString::fromStdString(found.capture.error().message);
               found_ = found.capture ? std::make_shared<const capture::Capture>(*std::move(found.capture)) : nullptr;
               show(std::move(found.compared));
               emit changed();
               // What came after this look began; this job counts as busy until its result has been delivered.
               if (grows && !runs_.isActive() && runs_.facts() != nullptr) read();
             });
}

void JobCapture::show(Compared compared) {
  auto& proof = compared.proof;
  compared_ = QString::fromStdString(compared.sentence);
  loader_ = QString::fromStdString(compared.loader);
  is_recorded_ = compared.is_recorded;
  no_proof_ = proof && !*proof ? QString::fromStdString(proof->error().message) : QString();
  proof_ = proof && *proof ? std::make_shared<const JobProof>(**std::move(proof)) : nullptr;
  judged_ = QString::fromStdString(compared.audited);
  if (!judged_.isEmpty()) startAudit(std::move(compared.audited));
}

/// After the proof, which is there sooner.
void JobCapture::startAudit(std::string loader) {
  Audited of{file_.toStdString(), std::move(loader)};
  if (proof_ != nullptr && proof_->loader == of.loader) of.in_grid = proof_->passes;
  audit_job_.start([of, found = found_](const Work& work) { return audited(*found, of, work); },
                   [this](LoaderAudit audit) {
                     audit_ = std::make_shared<const LoaderAudit>(std::move(audit));
                     emit changed();
                   });
}

}  // namespace shardlens::ui

#include "moc_job_capture.cpp"
