// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tabs/id_list.h"

#include "ui/scene/number_text.h"
#include "ui/scene/theme.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStringList>

namespace shardlens::ui {

IdList::IdList(QWidget* parent)
    : QWidget(parent), caption_(textLabel({}, "muted")), copy_(new QPushButton(tr("Copy"))), ids_(new QPlainTextEdit) {
  setLook(copy_, "role", "link");
  caption_->setWordWrap(true);
  ids_->setReadOnly(true);
  ids_->setFont(monoFont());
  ids_->setFrameShape(QFrame::NoFrame);
  ids_->setTabChangesFocus(true);
  ids_->setAccessibleName(tr("Sample ids"));
  auto* head = new QHBoxLayout;
  head->addWidget(caption_, 1);
  head->addWidget(copy_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins({});
  column->setSpacing(px(4));
  column->addLayout(head);
  column->addWidget(ids_, 1);
  connect(copy_, &QPushButton::clicked, this, &IdList::copy);
}

void IdList::setIds(const QString& caption, const std::vector<SampleIndex>& ids, qint64 total) {
  const auto shown = static_cast<qint64>(ids.size());
  caption_->setText(shown < total ? tr("%1, the first %2").arg(caption, number(shown)) : caption);
  QStringList words;
  words.reserve(static_cast<qsizetype>(ids.size()));
  for (const SampleIndex id : ids) words << QString::number(id);
  ids_->setPlainText(words.join(QStringLiteral(", ")));
  copy_->setEnabled(!ids.empty());
  ids_->setVisible(!ids.empty());
}

QString IdList::text() const {
  return ids_->toPlainText();
}

QString IdList::caption() const {
  return caption_->text();
}

void IdList::copy() {
  QGuiApplication::clipboard()->setText(text());
}

}  // namespace shardlens::ui
