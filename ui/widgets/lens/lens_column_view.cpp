// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/lens/lens_column_view.h"

#include "ui/scene/number_text.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/column.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/link_button.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/stage/stage_view.h"

#include <QScrollArea>
#include <QVBoxLayout>

namespace shardlens::ui {
namespace {

QLabel* wrapped(const char* tone, const char* role) {
  QLabel* label = textLabel({}, tone);
  setLook(label, "role", role);
  label->setWordWrap(true);
  return label;
}

/// Two lines of a narrow column; a tool tip has the rest.
QString shortened(const QString& code) {
  constexpr qsizetype kMost = 72;
  return code.size() <= kMost ? code : code.left(kMost - 1) + QStringLiteral("…");
}

const char* noteTone(Severity severity) {
  return severity == Severity::Error ? "error" : severity == Severity::Warning ? "warning" : "muted";
}

}  // namespace

LensColumnView::LensColumnView(QWidget* parent)
    : QWidget(parent),
      title_(new ElidedLabel),
      sampler_(wrapped("muted", "text")),
      verdict_(wrapped("muted", "text")),
      stage_(new StageView),
      notes_(new Column({0, px(4), px(4), px(kGap)}, px(6))),
      use_(new LinkButton(tr("Use this design"))) {
  setLook(title_, "role", "title");
  sampler_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  // As many lines whether they are needed or not: the Stages of all columns stand at one height.
  for (const auto& [label, lines] : {std::pair(sampler_, 2), std::pair(verdict_, 3)}) {
    label->ensurePolished();  // the style decides the font
    label->setFixedHeight(lines * label->fontMetrics().lineSpacing() + px(3));
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  }
  stage_->setNarrow(true);
  QSizePolicy keep = use_->sizePolicy();
  keep.setRetainSizeWhenHidden(true);
  use_->setSizePolicy(keep);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(px(4));
  for (QLabel* label : {static_cast<QLabel*>(title_), sampler_, verdict_}) column->addWidget(label);
  column->addWidget(stage_, 3);
  column->addWidget(thinScroll(notes_), 2);
  column->addWidget(use_, 0, Qt::AlignLeft);
  connect(use_, &QAbstractButton::clicked, this, &LensColumnView::useWanted);
}

void LensColumnView::setLane(const LensLane& lane) {
  const LensColumn& column = lane.judged.column;
  id_ = column.id;
  setObjectName("lens:" + text(id_));
  title_->setFullText(text(column.title));
  title_->setToolTip(text(column.title));
  sampler_->setText(shortened(text(column.sampler)));
  sampler_->setToolTip(text(column.sampler));
  verdict_->setText(lane.verdict());
  verdict_->setToolTip(lane.detail());
  setLook(verdict_, "tone", toneName(lane.tone()));
  setAccessibleName(text(column.title));
  setAccessibleDescription(lane.verdict());
  stage_->setInput(lane.stage);
  stage_->setFacts(lane.facts);
  StageNotice notice;
  if (lane.stage.isEmpty()) {
    notice.title = column.error ? text(column.error->raised) : tr("Not computed");
    if (notice.title.isEmpty()) notice.title = tr("Not modelled");
    notice.text = column.error ? text(column.error->message) : lane.verdict();
  }
  stage_->setNotice(notice);
  use_->setVisible(column.spec && !column.error && id_ != "as-written");
  showNotes(column);
}

QString LensColumnView::verdict() const {
  return verdict_->text();
}

void LensColumnView::showNotes(const LensColumn& column) {
  notes_->clear();
  addNote(text(column.makes), "");
  if (!column.remedy_of.empty()) addNote(tr("Fixes the column to its left."), "muted");
  if (column.error && !column.error->hint.empty()) addNote(text(column.error->hint), "muted");
  for (const Note& note : column.notes) addNote(text(note.text), noteTone(note.severity));
}

void LensColumnView::addNote(const QString& note, const char* tone) {
  QLabel* label = wrapped(tone, "text");
  label->setText(note);
  notes_->add(label);
}

}  // namespace shardlens::ui
