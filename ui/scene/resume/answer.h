// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"
#include "core/resume/report.h"
#include "ui/scene/design/inspection.h"
#include "ui/scene/number_text.h"

#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace shardlens::ui {

/// A piece of a verdict with its colour: "256 000 repeated".
struct VerdictPart {
  QString text;
  Tone tone = Tone::Note;
};

/// One way to go on, ready to be shown.
struct ResumeRow {
  JudgedWay judged;
  bool old = false;  ///< of an older choice: the new one is being computed
  std::vector<VerdictPart> verdict;
  QString reason;  ///< the exception's text, or why nobody can tell; empty for ways with an outcome
  Tone tone = Tone::Note;

  [[nodiscard]] QString verdictText() const;
};

/// Every way to go on after one stop.
struct ResumeAnswer {
  Issues problems;  ///< why there is none
  ResumePoint point;
  qint64 epochs = 0;
  qint64 steps = 0;    ///< of the interrupted epoch
  qint64 trained = 0;  ///< items before the stop, over all ranks; with `planned`, zero when no way tells
  qint64 planned = 0;
  std::vector<ResumeRow> rows;  ///< in the order of the core
};

/// How many pieces a strip has at most.
constexpr qint64 kResumePieces = 2000;

/// Answers a choice, brought inside the plan. Nothing when stopped. Long for large epochs: `so_far` is told of the
/// point, then of every new row with those before it, from the working thread.
std::optional<ResumeAnswer> resumeAnswer(const PipelineSpec& spec, const ResumeChoice& choice, const Work& work = {},
                                         const std::function<void(const ResumeAnswer&)>& so_far = {});

/// The rows of `part`, then those of an older answer that it does not have yet, marked as old.
ResumeAnswer filledUp(ResumeAnswer part, const ResumeAnswer& older);

/// "512 000 of 1 281 168 samples trained, 40 %"; empty when no way tells.
QString trainedText(const ResumeAnswer& answer);
/// "2 exact · 12 repeat or lose · 1 raises".
QString resumeSummary(const ResumeAnswer& answer);
/// How many rows, the first ones, are of the design's own framework; all of them where the others are none.
std::size_t ownRows(const ResumeAnswer& answer);
/// "15 methods of other frameworks: 2 exact · 12 repeat or lose samples": the line that the others are folded under;
/// empty where there are none.
QString othersText(const ResumeAnswer& answer);
/// What the chosen way does with the rest of the epoch, by name.
std::vector<Inspection::Fact> resumeFacts(const ResumeRow& row);
/// "3, 6, 8 and 255 997 more".
QString idsText(const std::vector<SampleIndex>& ids, qint64 all, std::size_t most);
/// "shardlens resume FILE --at 500 --epoch 2 --world 2x4".
QString resumeCommand(const QString& spec_path, const ResumePoint& point);

/// Where the stop is shown in every strip and on the axis, 0..1: one place for all of them.
double stopPlace(const ResumeAnswer& answer, qint64 steps);
/// The stop at such a place, in steps.
qint64 stopAt(const ResumeAnswer& answer, double place);

/// Where the stop stands in the strip of a row, 0..1, were it after `steps` steps: exact for the judged one.
double stopShare(const ResumeRow& row, qint64 steps);

/// What the rows say: a line for each method.
QString resumeText(const ResumeAnswer& answer);
/// The same as CSV; numbers are missing where a method has no outcome.
QString resumeCsv(const ResumeAnswer& answer);

/// A stretch of the planned epoch in time, with the worst of the pieces that fall into it.
struct ResumeStripColumn {
  int from = 0;  ///< device pixels, [from, to)
  int to = 0;
  double repeated = 0;  ///< share of the samples of the worst piece
  double lost = 0;
  bool trained = false;  ///< before the stop

  bool operator==(const ResumeStripColumn&) const = default;
};

/// One row's strip on so many device pixels: a column for each piece while there is room for it, else for each pixel.
struct ResumeStripScene {
  std::vector<ResumeStripColumn> columns;
  int seam = -1;  ///< the pixel at which the runs meet; negative at either end, where there is one run only
};

/// `stop_share`: of the epoch that lies before the stop, 0..1. What lies before it takes the pixels before
/// `stop_pixel`, what follows those behind it, with a gap where the runs meet.
ResumeStripScene resumeStripScene(const std::vector<ResumeSpan>& pieces, double stop_share, int stop_pixel, int width);

/// How many of `height` device pixels a share fills: at least one when there is anything, all only when it is whole.
int filledPixels(double share, int height);

}  // namespace shardlens::ui
