// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tabs/fix_offer.h"

#include "ui/state/phrase.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/metrics.h"

#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace shardlens::ui {

FixOffer::FixOffer(QWidget* parent) : QWidget(parent), button_(new QPushButton), price_(noteLabel({}, "muted")) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins({});
  column->setSpacing(px(4));
  column->addWidget(button_, 0, Qt::AlignLeft);
  column->addWidget(price_);
  connect(button_, &QPushButton::clicked, this, [this] {
    if (fix_) emit wanted(*fix_);
  });
  setFix({});
}

void FixOffer::setFix(std::optional<Fix> fix) {
  fix_ = std::move(fix);
  setVisible(fix_.has_value());
  if (!fix_) return;
  button_->setText(QString::fromStdString(fix_->label));
  price_->setText(fix_->price.empty() ? QString()
                                      : phrase("design", "Effect: %1").arg(QString::fromStdString(fix_->price)));
  price_->setVisible(!fix_->price.empty());
  button_->setAccessibleDescription(price_->text());
}

}  // namespace shardlens::ui
