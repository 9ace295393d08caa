// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/job_capture.h"

#include <algorithm>
#include <utility>

namespace shardlens::ui {
namespace {

constexpr qint64 kEvery = 3000;      ///< ms between two looks at a recording that grows
constexpr qint64 kShareOfTime = 10;  ///< a look that takes long is repeated after so many times its length

}  // namespace

JobCapture::JobCapture(RunService& runs, QObject* parent) : QObject(parent), runs_(runs) {}

void JobCapture::refresh() {
  if (runs_.runFile() != file_) {
    job_.cancel();
    file_ = runs_.runFile();
    is_read_ = false;
    pause_ms_ = 0;
    since_.invalidate();
    found_.reset();
    problem_.clear();
    emit changed();
  }
  if (file_.isEmpty() || is_read_ || job_.isBusy()) return;
  if (runs_.isActive() && since_.isValid() && since_.elapsed() < pause_ms_) return;
  read();
}

void JobCapture::read() {
  const bool grows = runs_.isActive();
  since_.start();
  capture::CaptureOptions options;
  options.search = !grows;  // rules for unknown samplers are looked for once, in all that was read
  job_.start([file = file_.toStdString(),
              options](const Work& work) { return std::optional(capture::capture(file, options, work)); },
             [this, grows](Result<capture::Capture> capture) {
               is_read_ = !grows;
               pause_ms_ = std::max(kEvery, kShareOfTime * since_.elapsed());
               since_.start();
               problem_ = capture ? QString() : QString::fromStdString(capture.error().message);
               found_ = capture ? std::make_shared<const capture::Capture>(*std::move(capture)) : nullptr;
               emit changed();
               if (grows && !runs_.isActive()) refresh();  // what came after this look began
             });
}

}  // namespace shardlens::ui

#include "moc_job_capture.cpp"
