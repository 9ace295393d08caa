// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/design/record_head.h"

#include "ui/state/phrase.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/link_button.h"
#include "ui/widgets/common/metrics.h"

#include <QHBoxLayout>
#include <QLabel>

namespace shardlens::ui {

RecordHead::RecordHead(const std::string& list, std::size_t index, QWidget* parent) : QWidget(parent) {
  const QString path = QString("%1[%2]").arg(QString::fromStdString(list)).arg(index);
  auto* remove = new LinkButton(phrase("design", "remove"), "", this);
  remove->setObjectName("remove:" + path);
  remove->setAccessibleName(phrase("design", "Remove %1").arg(path));
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(px(kMargin), 0, px(kMargin), 0);
  line->addWidget(noteLabel(path.section('.', 1), "muted", this));
  line->addStretch();
  line->addWidget(remove);
  connect(remove, &QAbstractButton::clicked, this, &RecordHead::removed);
}

}  // namespace shardlens::ui

#include "moc_record_head.cpp"
