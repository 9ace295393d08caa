// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/perspectives.h"

#include "ui/state/phrase.h"
#include "ui/widgets/lens/lens_panel.h"
#include "ui/widgets/resume/resume_page.h"
#include "ui/widgets/run/run_page.h"
#include "ui/window/design_page.h"

namespace shardlens::ui {
namespace {

template <class Shown>
Page* make(Workspace& workspace, QWidget* parent) {
  return new Shown(workspace, parent);
}

std::vector<PageKey> designKeys() {
  return {{phrase("window", "Play or pause"), {"Space"}},
          {phrase("window", "Step back, step forward"), {"Left", "Right"}},
          {phrase("window", "Zoom, pan"), {"W", "A", "S", "D", "Wheel"}},
          {phrase("window", "Zoom the rows of ranks"), {"Shift+W", "Shift+S", "Alt+Wheel"}},
          {phrase("window", "Fit everything into the view"), {"F"}},
          {phrase("window", "Select the next rank, step or sample"), {"Arrow keys"}},
          {phrase("window", "Go to what a row or a link names"), {"Enter"}},
          {phrase("window", "Copy the rows of a list"), {"Ctrl+C"}},
          {phrase("window", "Menu of a panel: copy, save, hide, move"), {"Shift+F10"}}};
}

}  // namespace

std::vector<Perspective> perspectives() {
  return {
      {.name = kDesignPerspective,
       .label = phrase("window", "Design"),
       .menu = phrase("window", "&Design"),
       .key = QKeySequence("Ctrl+1"),
       .make = make<DesignPage>,
       .plays = true,
       .keys_of = phrase("window", "Stage"),
       .page_keys = designKeys()},
      {.name = "lens",
       .label = phrase("window", "Lens"),
       .menu = phrase("window", "&Lens"),
       .key = QKeySequence("Ctrl+2"),
       .make = make<LensPage>,
       .plays = true,
       .keys_of = phrase("window", "Lens"),
       .page_keys = {{phrase("window", "Pin a column beside the reference"), {"Ctrl+Shift+B"}},
                     {phrase("window", "Move a column left, right"), {"Ctrl+Shift+Left", "Ctrl+Shift+Right"}},
                     {phrase("window", "Hide a column"), {"Ctrl+Shift+D"}}}},
      {.name = "resume",
       .label = phrase("window", "Resume"),
       .menu = phrase("window", "Re&sume"),
       .key = QKeySequence("Ctrl+3"),
       .make = make<ResumePage>,
       .keys_of = phrase("window", "Resume"),
       .page_keys = {{phrase("window", "Select a resume method"), {"Up", "Down"}},
                     {phrase("window", "Stop one step earlier, one step later"), {"Left", "Right"}},
                     {phrase("window", "Ten steps"), {"Shift+Left", "Shift+Right"}},
                     {phrase("window", "Stop at the beginning, at the end"), {"Home", "End"}}}},
      {.name = kRunPerspective,
       .label = phrase("window", "Run"),
       .menu = phrase("window", "&Run"),
       .key = QKeySequence("Ctrl+4"),
       .make = make<RunPage>,
       .shows_job = true,
       .keys_of = phrase("window", "Run and Autopsy"),
       .page_keys = {{phrase("window", "Zoom, pan the lanes"), {"W", "A", "S", "D", "Wheel"}},
                     {phrase("window", "Show what is dragged over"), {"Drag"}},
                     {phrase("window", "The whole run, the latest steps"), {"Home", "0"}},
                     {phrase("window", "Follow the job at this zoom"), {"End"}},
                     {phrase("window", "Move or resize the frame of the minimap"),
                      {"Left", "Right", "Shift+Left", "Shift+Right"}},
                     {phrase("window", "Select a rank; sort by lateness"), {"Up", "Down", "L"}},
                     {phrase("window", "Go to a batch of the proof; select it"), {"Arrow keys", "Enter"}}}},
      {.name = kAutopsyPerspective,
       .label = phrase("window", "Autopsy"),
       .menu = phrase("window", "&Autopsy"),
       .key = QKeySequence("Ctrl+5"),
       .make = make<RunPage>,
       .shows_job = true},
  };
}

QStringList namesOf(const std::vector<Perspective>& rows) {
  QStringList names;
  for (const Perspective& row : rows) names += row.name;
  return names;
}

}  // namespace shardlens::ui
