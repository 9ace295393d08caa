// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/perspectives.h"

#include "ui/widgets/lens/lens_page.h"
#include "ui/widgets/resume/resume_page.h"
#include "ui/widgets/run/run_page.h"
#include "ui/window/design_page.h"

namespace shardlens::ui {
namespace {

template <class Shown>
Page* make(Workspace& workspace, QWidget* parent) {
  return new Shown(workspace, parent);
}

}  // namespace

const std::vector<Perspective>& perspectives() {
  static const std::vector<Perspective> kRows = {
      {.name = kDesignPerspective,
       .label = "Design",
       .menu = "&Design",
       .key = QKeySequence("Ctrl+1"),
       .make = make<DesignPage>,
       .plays = true,
       .keys_of = "Stage",
       .page_keys = {{"Play or pause", "Space"},
                     {"Step back, step forward", "Left, Right"},
                     {"Zoom, pan", "W A S D, wheel"},
                     {"Fit everything into the view", "F"},
                     {"Select the next rank, step or sample", "Arrow keys"},
                     {"Go to what a row or a link names", "Enter"},
                     {"Copy the rows of a list", "Ctrl+C"},
                     {"Menu of a panel: copy, save its picture", "Shift+F10"}}},
      {.name = "lens",
       .label = "Lens",
       .menu = "&Lens",
       .key = QKeySequence("Ctrl+2"),
       .make = make<LensPage>,
       .plays = true},
      {.name = "resume",
       .label = "Resume",
       .menu = "Re&sume",
       .key = QKeySequence("Ctrl+3"),
       .make = make<ResumePage>,
       .keys_of = "Resume",
       .page_keys = {{"Select a resume method", "Up, Down"},
                     {"Stop one step earlier, one step later", "Left, Right"},
                     {"Ten steps", "Shift+Left, Shift+Right"},
                     {"Stop at the beginning, at the end", "Home, End"}}},
      {.name = kRunPerspective,
       .label = "Run",
       .menu = "&Run",
       .key = QKeySequence("Ctrl+4"),
       .make = make<RunPage>,
       .shows_job = true,
       .keys_of = "Run and Autopsy",
       .page_keys = {{"Zoom, pan the lanes", "W A S D, wheel"},
                     {"Show what is dragged over", "Drag"},
                     {"The whole run, the latest steps", "Home, 0"},
                     {"Follow the job at this zoom", "End"},
                     {"Move the frame of the minimap, size it", "Left and Right, Shift"},
                     {"Select a rank; sort by lateness", "Up and Down; L"}}},
      {.name = kAutopsyPerspective,
       .label = "Autopsy",
       .menu = "&Autopsy",
       .key = QKeySequence("Ctrl+5"),
       .make = make<RunPage>,
       .shows_job = true},
  };
  return kRows;
}

QStringList namesOf(const std::vector<Perspective>& rows) {
  QStringList names;
  for (const Perspective& row : rows) names += row.name;
  return names;
}

}  // namespace shardlens::ui
