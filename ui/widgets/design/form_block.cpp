// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/design/form_block.h"

#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/link_button.h"
#include "ui/widgets/common/metrics.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace shardlens::ui {

FormBlock::FormBlock(const QString& head, bool collapsed, QWidget* parent)
    : QWidget(parent), head_(head), collapsed_(collapsed) {
  button_ = new QToolButton(this);
  button_->setFont(headFont());
  button_->setCursor(Qt::PointingHandCursor);
  button_->setAccessibleName(phrase("design", "%1 fields").arg(head));
  body_ = new QWidget(this);
  rows_ = columnIn(body_, {}, px(kFieldPitch - kFieldHeight));
  auto* line = rowIn(nullptr, {px(kMargin - 11), 0, 0, 0});
  line->addWidget(button_);
  line->addStretch();
  auto* column = columnIn(this, {}, px(2));
  column->addLayout(line);
  column->addWidget(body_);
  connect(button_, &QToolButton::clicked, this, [this] { setCollapsed(!collapsed_); });
  setCollapsed(collapsed);
}

void FormBlock::setRows(const std::vector<QWidget*>& rows) {
  while (QLayoutItem* item = rows_->takeAt(0)) delete item;
  for (QWidget* row : rows) rows_->addWidget(row);
}

void FormBlock::setCollapsed(bool collapsed) {
  collapsed_ = collapsed;
  body_->setVisible(!collapsed);
  button_->setText(collapsed ? head_ + "  ▸" : head_);
  button_->setToolTip(collapsed ? phrase("design", "Show these fields") : phrase("design", "Hide these fields"));
}

RecordHead::RecordHead(const std::string& list, std::size_t index, QWidget* parent) : QWidget(parent) {
  const QString path = QString("%1[%2]").arg(QString::fromStdString(list)).arg(index);
  auto* remove = new LinkButton(phrase("design", "remove"), "", this);
  remove->setObjectName("remove:" + path);
  remove->setAccessibleName(phrase("design", "Remove %1").arg(path));
  auto* line = rowIn(this, {px(kMargin), 0, px(kMargin), 0});
  line->addWidget(noteLabel(path.section('.', 1), "muted", this));
  line->addStretch();
  line->addWidget(remove);
  connect(remove, &QAbstractButton::clicked, this, &RecordHead::removed);
}

}  // namespace shardlens::ui

#include "moc_form_block.cpp"
