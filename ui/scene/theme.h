// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/spec/pipeline_spec.h"
#include "core/timeline/timeline.h"

#include <QColor>
#include <QFont>
#include <QStringList>

namespace shardlens::ui {

/// Every colour of the program, as tokens. Painters and style sheets take colours from here and from nowhere else.
struct Theme {
  bool dark = false;
  QColor window, panel, field, hairline;
  QColor text, muted, faint;
  QColor accent, on_accent;
  QColor error, warning, fine;
  QColor cell_empty;  ///< where nothing is: the unseen dataset, the empty overlap cell

  static const Theme& light();
  static const Theme& darkTheme();
};

/// The theme in force. setTheme() repaints nothing: whoever calls it also sets the application's palette, and widgets
/// repaint on the palette change that follows.
const Theme& theme();
void setTheme(const Theme& theme);

/// data wait, compute, waiting, transfer: the same on lanes, plots and tables.
QColor phaseColor(Phase phase);
/// The same at full strength, for small things: dots, bars in tables.
QColor phaseAccent(Phase phase);
/// Around what is drawn in phaseColor(), where that is too faint on its ground; else the same colour.
QColor phaseEdge(Phase phase);
/// `over` painted with `opacity` on `under`, as one opaque colour.
QColor mix(const QColor& over, const QColor& under, double opacity);

/// The families of text, in the order in which they are tried for each character. They have names of their own, not
/// "sans" or "monospace", since those are another font on each machine, and pages would be laid out differently there.
QStringList textFamilies();

/// The sizes of type: 13 px values, 11 px axis labels, 11 px section heads (small caps, weight 600), 16 px verdict, 12
/// px monospaced.
QFont uiFont();
QFont smallFont();
QFont headFont();
QFont verdictFont();
QFont monoFont();

// The colours of data, each with one meaning. Colour-blind safe; every fill has an edge that can be told from the
// panel. What is named by a colour is also named by a number, a shape or a word.

/// Up to 8 ranks: a hue each (Tol, Okabe and Ito). More: a hue for each node, repeated after 8 nodes, in two tones by
/// local rank.
QColor rankColor(const Theme& theme, qint64 rank, const PipelineSpec::World& world);

/// How many notches of 2 px tell ranks of the same colour apart: one for the nodes 8 to 15, two for the next eight, at
/// most three; none where colours do not repeat.
int rankNotches(qint64 rank, const PipelineSpec::World& world);

/// A loader worker (Tol's light set, repeated after 8).
QColor workerColor(const Theme& theme, qint64 worker);
/// A class of samples, in the same set: workers and classes are never coloured together.
QColor labelColor(const Theme& theme, qint64 label);

/// A place in the dataset, 0..1: viridis without the end that drowns in the panel.
QColor positionColor(const Theme& theme, double place);

/// The fill's own hue, darkened on light panels and lightened on dark ones until its contrast with the panel is 3.
QColor edgeOf(const Theme& theme, const QColor& fill);

/// Read more than once, whoever reads it, by design or after a stop: a ring.
QColor duplicateColor(const Theme& theme);
/// Repeated so that slices or batches come out even: hatching.
QColor paddingColor(const Theme& theme);
/// A batch that never comes, samples that are lost or never seen: a cross, or hatching in a bar.
QColor neverColor();
/// Not dealt yet: a quiet outline.
QColor undealtColor(const Theme& theme);

/// How well one colour can be told from the other: 1 to 21 (WCAG 2.2, contrast ratio).
double contrastOf(const QColor& one, const QColor& other);

/// Black or white, whichever can be read on `background`.
QColor readableOn(const QColor& background);
/// White where a mark of it can be told from `background`, else black.
QColor markOn(const QColor& background);

}  // namespace shardlens::ui
