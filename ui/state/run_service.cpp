// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/run_service.h"

#include "core/base/file.h"
#include "core/base/thread_annotations.h"
#include "core/collect/job.h"
#include "core/collect/run_follower.h"
#include "core/launch/launchers/typed_command.h"
#include "ui/state/phrase.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <QTimer>

#include <algorithm>
#include <atomic>
#include <list>
#include <optional>
#include <thread>

namespace shardlens::ui {
namespace {

/// Our headless twin: beside the studio in a build, in bin/ when the studio is installed in lib/shardlens.
Result<std::string> supervisorProgram() {
  const QDir here(QCoreApplication::applicationDirPath());
  for (const char* place : {"shardlens", "../bin/shardlens", "../../bin/shardlens"}) {
    const QFileInfo file(here.filePath(place));
    if (file.isExecutable() && file.isFile()) return file.canonicalFilePath().toStdString();
  }
  const QString installed = QStandardPaths::findExecutable("shardlens");
  if (!installed.isEmpty()) return installed.toStdString();
  return Error{
      ErrorCode::Environment,
      phrase("run", "The program shardlens, which runs jobs, is neither next to the studio nor in PATH.").toStdString(),
      {},
      phrase("run", "install all of ShardLens").toStdString()};
}

/// What the window asks for: the design as it is, on the launcher that it names.
JobRequest requestFor(const PipelineSpec& spec, const std::string& spec_path, const std::string& run_file = {}) {
  JobRequest request;
  request.spec = spec_path;
  request.launcher = spec.run.launcher;
  request.run_file = run_file;
  return request;
}

/// What the window asks for of a command of the user's.
Result<JobRequest> requestFor(const RunService::OwnCommand& command, const std::string& spec_path) {
  auto words = commandWords(command.line.toStdString());
  if (!words) return words.error();
  auto environment = environmentLines(command.environment.toStdString());
  if (!environment) return environment.error();
  JobRequest request;
  request.spec = spec_path;
  request.environment = takeAssignments(*words, *std::move(environment));
  request.command = *std::move(words);
  return request;
}

RunState startingState(const std::string& name, const RunFolder& folder, const JobRequest& request) {
  RunState state;
  state.name = name;
  state.command = commandText(runArguments(request));
  state.cores = usableCores();
  if (request.spec.empty()) return state;
  if (const auto text = readFile(folder.spec(), 64 << 20)) state.spec_yaml = *text;
  return state;
}

}  // namespace

struct RunService::Private {
  /// The newest moment, waiting for the GUI thread: at most one call is on its way however slow that is.
  struct Mailbox {
    Mutex mutex;
    std::optional<RunMoment> moment SHARDLENS_GUARDED_BY(mutex);
    bool posted SHARDLENS_GUARDED_BY(mutex) = false;
  };

  std::shared_ptr<Mailbox> mailbox;  ///< another one for each run: what belongs to an earlier run is not looked at
  RunMoment newest;
  std::optional<RunFolder> folder;
  std::unique_ptr<RunFollower> follower;

  /// A job that is being ended.
  struct Ending {
    ProcessId recorder;
    std::atomic<bool> done = false;
    std::jthread thread = {};  ///< last: it sets the above
  };
  std::chrono::milliseconds end_patience{};
  std::list<Ending> endings;
  std::vector<std::unique_ptr<RunFollower>> left;  ///< of runs that are not shown any more; told to stop
  std::vector<std::shared_ptr<JobProcess>> jobs;   ///< started here, and not yet seen to have ended
  QTimer sweeper;                                  ///< runs while there is any of these

  /// The GUI thread waits neither for a job's end nor for a reader: it looks now and then which of them are done.
  void sweep() {
    std::erase_if(endings, [](const Ending& ending) { return ending.done.load(); });
    std::erase_if(left, [](const auto& reader) { return reader->hasEnded(); });
    std::erase_if(jobs, [](const auto& job) { return job->exitCode().has_value(); });
    if (endings.empty() && left.empty() && jobs.empty()) sweeper.stop();
  }

  /// Environment for want of a thread: the job goes on, and can be stopped once more.
  Result<void> end(ProcessId recorder) {
    if (isEnding(recorder)) return {};
    endings.emplace_back().recorder = recorder;
    Ending& ending = endings.back();
    const auto begun = guarded([this, &ending] {
      ending.thread = std::jthread([&ending, patience = end_patience] {
        (void)guarded([&] { endJob(ending.recorder, patience); });
        ending.done = true;
      });
    });
    if (!begun) endings.pop_back();
    sweeper.start();
    return begun;
  }
  [[nodiscard]] bool isEnding(ProcessId recorder) const {
    return std::ranges::any_of(endings, [&](const Ending& one) { return one.recorder == recorder && !one.done; });
  }

  /// Turns away from the run that is shown.
  void leave() {
    if (follower) {
      follower->requestStop();
      left.push_back(std::move(follower));
      sweeper.start();
    }
    mailbox.reset();
    folder.reset();
    newest = {};
  }

  RunFollower::Deliver deliverTo(RunService& service) {
    mailbox = std::make_shared<Mailbox>();
    return [&service, box = mailbox](RunMoment moment) {
      std::optional<RunMoment> other(std::move(moment));  // the older one, later: freed without the lock
      {
        const MutexLock lock(box->mutex);
        std::swap(box->moment, other);
        if (std::exchange(box->posted, true)) return;
      }
      emit service.delivered(RunService::QPrivateSignal());
    };
  }
};

RunService::RunService(QObject* parent, std::chrono::milliseconds end_patience)
    : QObject(parent), d_(std::make_unique<Private>()) {
  constexpr int kSweepMs = 100;
  d_->end_patience = end_patience;
  d_->sweeper.setInterval(kSweepMs);
  connect(&d_->sweeper, &QTimer::timeout, this, [this] { d_->sweep(); });
  connect(this, &RunService::delivered, this, &RunService::take, Qt::QueuedConnection);
}

RunService::~RunService() {
  d_->leave();
  d_->left.clear();  // before what their deliveries use
  d_->endings.clear();
  // The last thread of a process that was killed may end a little after it: only then can it be collected.
  const auto is_gone = [](const auto& job) { return !isAlive(job->id()); };
  for (int tries = 0; tries < 100; ++tries) {
    d_->sweep();
    if (std::ranges::none_of(d_->jobs, is_gone)) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

bool RunService::isRecording() const {
  return state_ != nullptr && !active_ && !d_->folder && !d_->newest.was_written;
}

QString RunService::logFile() const {
  return d_->folder ? QString::fromStdString(d_->folder->log().string()) : QString();
}

QString RunService::recordingsFolder() const {
  return QString::fromStdString(runsRoot().string());
}

QString RunService::commandLine(const PipelineSpec& spec, const QString& spec_path) const {
  const std::string path = spec_path.isEmpty() ? "spec.yaml" : spec_path.toStdString();
  return QString::fromStdString(commandText(runArguments(requestFor(spec, path))));
}

Result<QString> RunService::commandLine(const OwnCommand& command, const QString& spec_path) const {
  const auto request = requestFor(command, spec_path.toStdString());
  if (!request) return request.error();
  return QString::fromStdString(commandText(runArguments(*request)));
}

Result<void> RunService::readiness(const PipelineSpec& spec) const {
  const auto kind = launcherKind(spec.run.launcher);
  if (!kind) return kind.error();
  if (const auto launcher = findLauncher(**kind); !launcher) return launcher.error();
  if (const auto own = ownProgram(**kind, spec.run.program); !own) return own.error();
  if (const auto program = supervisorProgram(); !program) return program.error();
  return {};
}

Result<void> RunService::mayBegin() const {
  if (!active_) return {};
  return Error{ErrorCode::Usage,
               phrase("run", "A job is already running.").toStdString(),
               {},
               phrase("run", "stop it first, or open another window").toStdString()};
}

Result<void> RunService::launch(const PipelineSpec& spec) {
  if (auto may = mayBegin(); !may) return may;
  if (auto ready = readiness(spec); !ready) return ready;
  const auto folder = makeRunFolder(runsRoot(), spec);
  if (!folder) return folder.error();
  const JobRequest request = requestFor(spec, folder->spec().string(), folder->runFile().string());
  RunState starting = startingState(spec.name, *folder, request);
  starting.world_size = spec.worldSize();
  return begin(*folder, runArguments(request), {}, std::move(starting));
}

Result<void> RunService::watch(const OwnCommand& command, const QString& where, const PipelineSpec* design) {
  if (auto may = mayBegin(); !may) return may;
  auto request = requestFor(command, {});
  if (!request) return request.error();
  const std::string name = design != nullptr ? design->name : nameOfCommand(request->command);
  const auto folder = design != nullptr ? makeRunFolder(runsRoot(), *design) : makeRunFolder(runsRoot(), name);
  if (!folder) return folder.error();
  if (design != nullptr) request->spec = folder->spec().string();
  request->run_file = folder->runFile().string();
  RunState starting = startingState(name, *folder, *request);
  starting.reports = false;
  return begin(*folder, runArguments(*request), where, std::move(starting));
}

/// `arguments` are those of our headless twin.
Result<void> RunService::begin(const RunFolder& folder, std::vector<std::string> arguments, const QString& where,
                               RunState starting) {
  const auto program = supervisorProgram();
  if (!program) return program.error();
  if (!where.isEmpty() && !QFileInfo(where).isDir()) {
    return Error{ErrorCode::Environment,
                 phrase("run", "There is no folder %1.").arg(where).toStdString(),
                 {},
                 phrase("run", "choose the folder in which the command runs").toStdString()};
  }
  arguments.front() = *program;
  auto job = JobProcess::start(arguments, folder.log(), where.toStdString());
  if (!job) return job.error();
  d_->jobs.push_back(*job);
  d_->sweeper.start();
  if (auto noted = folder.writeProcess((*job)->id()); !noted) {
    (void)d_->end((*job)->id());
    return noted;
  }
  follow(QString::fromStdString(folder.runFile().string()));
  d_->folder = folder;
  state_ = std::make_shared<const RunState>(starting);
  proof_ = std::make_shared<const BatchProof>();
  d_->newest = RunMoment{state_, proof_, nullptr, nullptr, 0, true, (*job)->id()};
  d_->follower = std::make_unique<RunFollower>(folder, *job, std::move(starting), d_->deliverTo(*this));
  emit runFileChanged();
  setActive(true);
  emit stateChanged();
  return {};
}

Result<void> RunService::open(const QString& run_file) {
  auto replay = RunReplay::open(run_file.toStdString());
  if (!replay) return replay.error();
  follow(run_file);
  d_->follower = std::make_unique<RunFollower>(*std::move(replay), run_file.toStdString(), d_->deliverTo(*this));
  emit runFileChanged();
  setActive(false);
  emit stateChanged();
  return {};
}

void RunService::close() {
  follow({});
  emit runFileChanged();
  setActive(false);
  emit stateChanged();
}

/// Turns away from the run shown so far. Its job, if it has one, goes on.
void RunService::follow(const QString& run_file) {
  d_->leave();
  state_.reset();
  proof_.reset();
  facts_.reset();
  overview_.reset();
  run_file_ = run_file;
  position_ = -1;
  duration_ = 0;
  setStopping(false);
  setPaused(false);
}

bool RunService::canStop() const {
  return active_ && d_->newest.recorder.has_value();
}

void RunService::stop() {
  if (!canStop() || stopping_) return;
  if (const auto begun = d_->end(*d_->newest.recorder); !begun) {
    emit failed(QString::fromStdString(begun.error().text()));
    return;
  }
  setStopping(true);
}

std::vector<KnownRun> RunService::knownRuns() const {
  return shardlens::knownRuns(runsRoot());
}

std::vector<KnownRun> RunService::activeRuns() const {
  std::vector<KnownRun> runs = knownRuns();
  std::erase_if(runs, [](const KnownRun& run) { return !run.active; });
  return runs;
}

void RunService::seek(qint64 ns) {
  if (!d_->follower) return;
  position_ = ns < 0 ? -1 : ns;
  d_->follower->seek(position_);
}

bool RunService::isBehind() const {
  if (d_->follower && d_->follower->isSeeking()) return true;  // asked first: what it delivers is in the mailbox then
  if (!d_->mailbox) return false;
  const MutexLock lock(d_->mailbox->mutex);
  return d_->mailbox->moment.has_value();
}

void RunService::setPaused(bool paused) {
  if (paused == paused_) return;
  paused_ = paused;
  emit pausedChanged(paused);
  if (!paused) show();
}

void RunService::take() {
  if (!d_->mailbox) return;
  {
    const MutexLock lock(d_->mailbox->mutex);
    d_->mailbox->posted = false;
    if (!d_->mailbox->moment) return;
    d_->newest = std::move(*d_->mailbox->moment);
    d_->mailbox->moment.reset();
  }
  duration_ = d_->newest.newest_ns;
  const bool was_active = active_;
  if (!d_->newest.live) setStopping(false);
  if (d_->newest.live && d_->newest.recorder && d_->isEnding(*d_->newest.recorder)) setStopping(true);
  if (d_->newest.live) setActive(true);  // first: what looks at a moment asks whether there will be later ones
  if (!paused_ || !d_->newest.live) show();
  setActive(d_->newest.live);
  const RunState& now = *d_->newest.state;
  if (was_active && !active_ && !isRecording() &&
      (now.status == JobStatus::Failed || now.status == JobStatus::Unknown)) {
    emit failed(QString::fromStdString(now.failure));
  }
}

void RunService::show() {
  if (!d_->newest.state) return;
  state_ = d_->newest.state;
  proof_ = d_->newest.proof;
  facts_ = d_->newest.facts;
  overview_ = d_->newest.overview;
  emit stateChanged();
}

void RunService::setActive(bool active) {
  if (active == active_) return;
  active_ = active;
  emit activeChanged(active);
}

void RunService::setStopping(bool stopping) {
  if (stopping == stopping_) return;
  stopping_ = stopping;
  emit stoppingChanged(stopping);
}

}  // namespace shardlens::ui

#include "moc_run_service.cpp"
