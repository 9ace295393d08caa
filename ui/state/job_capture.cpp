// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/job_capture.h"

#include "core/capture/loader_account.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace shardlens::ui {
namespace {

constexpr qint64 kEvery = 3000;      ///< ms between two looks at a recording that grows
constexpr qint64 kShareOfTime = 10;  ///< a look that takes long is repeated after so many times its length

}  // namespace

/// How the batches of a loader compare.
struct JobCapture::Compared {
  std::optional<Result<JobProof>> proof = {};  ///< none: the job goes on, or no loader was seen
  std::string sentence = {};
  std::string loader = {};  ///< empty: with a design
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
    file_ = runs_.runFile();
    is_read_ = false;
    pause_ms_ = 0;
    since_.invalidate();
    found_.reset();
    proof_.reset();
    problem_.clear();
    no_proof_.clear();
    compared_.clear();
    loader_.clear();
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
  if (asked.design) {
    const auto plan = Plan::make(*asked.design);
    compared.proof = plan ? proveJob(*plan, asked.file, {}, work) : plan.error();
    compared.sentence = *compared.proof ? (*compared.proof)->text() : compared.proof->error().message;
    return compared;
  }
  std::vector<capture::JobLoader> jobs;
  for (const capture::CapturedLoader& loader : found.loaders) jobs.push_back(loader.job);
  const auto meant = capture::loaderMeant(jobs, asked.loader);
  const capture::CapturedLoader& loader = found.loaders[meant ? *meant : 0];
  const std::string whose = jobs.size() > 1 ? loader.job.name + ": " : "";
  compared.loader = loader.job.name;
  compared.sentence = whose + capture::accountOf(loader).checked;
  if (!loader.spec.problems.empty()) {
    compared.proof = Error{ErrorCode::BadInput, whose + loader.spec.problems.front(), {}, {}};
    return compared;
  }
  const auto plan = Plan::make(loader.spec.spec);
  compared.proof = plan ? proveJob(*plan, asked.file, loader.job.name, work) : plan.error();
  return compared;
}

JobCapture::Asked JobCapture::asked() const {
  const auto facts = runs_.facts();
  const bool has_design = facts != nullptr && facts->planned_batches > 0;
  return {file_.toStdString(), has_design ? std::optional(facts->spec) : std::nullopt, {}};
}

void JobCapture::compareWith(const std::string& loader) {
  if (found_ == nullptr || !is_read_ || job_.isBusy()) return;
  Asked wanted = asked();
  wanted.loader = loader;
  job_.start([wanted, found = found_](const Work& work) { return std::optional(compare(*found, wanted, work)); },
             [this](Compared compared) {
               show(std::move(compared));
               emit changed();
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
               if (grows && !runs_.isActive()) refresh();  // what came after this look began
             });
}

void JobCapture::show(Compared compared) {
  auto& proof = compared.proof;
  compared_ = QString::fromStdString(compared.sentence);
  loader_ = QString::fromStdString(compared.loader);
  no_proof_ = proof && !*proof ? QString::fromStdString(proof->error().message) : QString();
  proof_ = proof && *proof ? std::make_shared<const JobProof>(**std::move(proof)) : nullptr;
}

}  // namespace shardlens::ui

#include "moc_job_capture.cpp"
