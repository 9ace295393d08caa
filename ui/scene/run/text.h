// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/collect/run_replay.h"
#include "core/spec/pipeline_spec.h"
#include "ui/scene/number_text.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace shardlens {
namespace capture {
struct Capture;
}
struct JobProof;
struct Proof;
struct RunState;
}  // namespace shardlens

namespace shardlens::ui {

/// The verdict on a run: a few words, the sentence with the numbers, what it costs, what to do.
struct RunHeadline {
  Tone tone = Tone::Note;
  QString title;
  QString message;
  QString cost;  ///< "fixing it saves 2.9 s of 9.4 s (31 %)", of a pause "delayed the job by 2.9 s"; empty when that is
                 ///< nothing
  QString next;
  qint64 rank = -1;               ///< whom it is about, -1 = nobody
  QString gain = {};              ///< the length of time in `cost`
  bool says_title_first = false;  ///< the first sentence of `message` is the title

  bool operator==(const RunHeadline&) const = default;
};

/// What to say first about this moment of a run; of one that is over also how much of its recording was not understood.
/// `compared` is what is known of its batches beside what its ranks reported, one sentence.
RunHeadline headlineOf(const RunState& state, const QString& compared = {});
/// The verdicts after the first, most important first.
std::vector<RunHeadline> furtherHeadlines(const RunState& state);
/// "4 ranks share 2 cores, so waits include CPU scheduling."; empty when every rank has a core.
QString crowdingText(const RunState& state);
/// The ranks that the first verdict about ranks names, ascending; none of a pause that is over.
std::vector<qint64> culpritsOf(const RunState& state);
bool isCulprit(const RunState& state, qint64 rank);

/// "8 of 8 ranks · epoch 0 · step 4 812 of 10 010 · 9 648 samples/s · ETA 15 min", for the status bar. `facts` may be
/// null: steps are then not counted by epoch.
QString runStatusText(const RunState& state, const RunFacts* facts);
/// "0 dropped · 412 bytes damaged · 3 not understood": what the ranks could not hand over, and what of the recording
/// could not be read; for the status bar's right end.
QString droppedText(const RunState& state);
/// "recording · 00:14:22", "starting", "finished · 00:14:22": for the header, beside its dot.
QString recordingText(const RunState& state, bool is_active);

/// 862 s -> "00:14:22".
QString clockText(std::int64_t ns);

/// One sentence for the proof of assignment, and how it is meant.
struct ProofVerdict {
  Tone tone = Tone::Note;
  QString text;
  bool is_finding = false;  ///< what `verify` found, and not why it found nothing
};
ProofVerdict proofVerdict(const RunState& state, const RunFacts* facts);
/// What `shardlens verify` finds in a recording: "match · all 1 024 planned batches".
ProofVerdict verifyVerdict(const Proof& proof);

/// "only rank 3", "only ranks 0 and 1", or "all ranks" where some are shown alone; empty when there is nothing to
/// offer, as where the selection is of a larger world.
QString onlyRanksOffer(const std::vector<qint64>& only, const std::vector<qint64>& selected, qint64 world_size);

/// What the first lines say once it is also known what is wrong with what the loaders read: a job that finished well
/// is no green one then.
std::vector<RunHeadline> withLoaders(RunHeadline first, std::vector<RunHeadline> further,
                                     const capture::Capture& loaders);

/// That the job's loaders did not read what its design plans, or another one that is open.
RunHeadline mismatchHeadline(const JobProof& proof, bool is_of_open_design = false);

/// What Launch will do, in words, before it is done.
struct LaunchFacts {
  struct Line {
    QString name;
    QString value;
    bool is_warning = false;
  };

  QString title;
  std::vector<Line> lines;
  QString button;    ///< what the button says that starts it: both numbers where there are more ranks than cores
  QString question;  ///< asked before that many ranks are started; empty where each has a core of its own
  QString problem;   ///< why it cannot be launched; empty when it can
  QString hint;      ///< what to do about that
};

LaunchFacts launchFacts(const PipelineSpec& spec, std::int64_t cores, const Result<void>& readiness);

}  // namespace shardlens::ui
