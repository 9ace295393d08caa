// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

}  // namespace shardlens::ui
