// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/places.h"
#include "tests/ui/common/eventually.h"
#include "ui/widgets/design/field_row.h"
#include "ui/widgets/design/form_panel.h"
#include "ui/window/design_page.h"
#include "ui/window/main_window.h"

#include <QFile>
#include <QLineEdit>
#include <QTest>

namespace shardlens::ui {

inline QString example(const char* name) {
  return (QString::fromStdString(test::sourceDir()) + "/resources/examples/%1.yaml").arg(name);
}

/// A real window on an example, planned and audited, that remembers nothing.
struct Fixture {
  explicit Fixture(const char* name = "distributed-sampler", int patience_ms = 60'000) {
    window.resize(1280, 720);
    window.openFile(example(name));
    window.show();
    window.activateWindow();
    settled = waitUntilReady(window, patience_ms);
  }
  QLineEdit* line(const char* path) { return qobject_cast<QLineEdit*>(window.design()->form()->row(path)->editor()); }
  Workspace& workspace() { return window.workspace(); }
  const PipelineSpec& spec() { return window.workspace().document.spec(); }
  /// Ready, and laid out.
  bool isReady() const {
    return staysSo([this] { return window.isReady(); });
  }
  /// Takes the stand-ins that this build has: without MPI the ranks meet over a socket.
  void useBuiltRanks() {
    if (QFile::exists(QString::fromStdString(test::binDir()) + "/mpi_rank")) return;
    QVERIFY(workspace().document.edit(
        {{"run.launcher", std::string("plain")}, {"run.program", std::string("socket_rank")}}, "ranks"));
    QVERIFY(waitUntilReady(window));
  }

  MainWindow window{{false, {}, false}};
  bool settled = false;
};

}  // namespace shardlens::ui
