// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/command_field.h"

#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/common/toast.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace shardlens::ui {

CommandField::CommandField(QWidget* parent)
    : QWidget(parent), command_(new ElidedLabel({}, this)), copy_(new QPushButton(phrase("run", "Copy"), this)) {
  command_->setFont(monoFont());
  copy_->setObjectName("copyCommand");
  copy_->setToolTip(phrase("run", "Copy the command"));
  setLook(copy_, "role", "quiet");
  connect(copy_, &QPushButton::clicked, this, [this] { copyText(*this, command()); });
  setLook(this, "surface", "field");
  setAttribute(Qt::WA_StyledBackground);
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(px(10), px(4), px(4), px(4));
  line->addWidget(command_, 1);
  line->addWidget(copy_);
}

void CommandField::setCommand(const QString& command) {
  command_->setFullText(command);
}

const QString& CommandField::command() const {
  return command_->fullText();
}

}  // namespace shardlens::ui

#include "moc_command_field.cpp"
