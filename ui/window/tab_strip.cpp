// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/tab_strip.h"

#include "ui/widgets/common/card.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"

#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

namespace shardlens::ui {

TabStrip::TabStrip(QWidget* parent) : QWidget(parent), bar_(new QTabBar(this)), stack_(new QStackedWidget(this)) {
  setLook(this, "surface", "panel");
  setAttribute(Qt::WA_StyledBackground);
  bar_->setDrawBase(false);
  bar_->setExpanding(false);
  bar_->setElideMode(Qt::ElideNone);
  bar_->setUsesScrollButtons(true);
  stack_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // a wide tab must not push the side panels
  auto* line = new QHBoxLayout;
  line->setContentsMargins(px(4), 0, 0, 0);
  line->addWidget(bar_);
  line->addStretch();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(line);
  column->addWidget(hairline(Qt::Horizontal, this));
  column->addWidget(stack_, 1);
  connect(bar_, &QTabBar::currentChanged, this, &TabStrip::choose);
}

void TabStrip::add(const QString& name, const QString& label, Maker make) {
  names_ += name;
  makers_.push_back(std::move(make));
  tabs_.push_back(nullptr);
  bar_->addTab(label);
}

QWidget* TabStrip::tab(const QString& name) {
  const auto index = static_cast<std::size_t>(names_.indexOf(name));
  if (tabs_[index] == nullptr) {
    tabs_[index] = makers_[index](stack_);
    stack_->addWidget(tabs_[index]);
  }
  return tabs_[index];
}

bool TabStrip::show(const QString& name) {
  if (!names_.contains(name)) return false;
  bar_->setCurrentIndex(static_cast<int>(names_.indexOf(name)));
  choose(bar_->currentIndex());
  return true;
}

void TabStrip::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  stack_->setCurrentWidget(tab(current()));
}

QString TabStrip::current() const {
  return names_.value(bar_->currentIndex());
}

void TabStrip::choose(int index) {
  if (index < 0 || index >= static_cast<int>(makers_.size())) return;
  if (isVisible()) stack_->setCurrentWidget(tab(names_[index]));  // else showEvent() does, when there is a size
  emit currentChanged(names_[index]);
}

}  // namespace shardlens::ui
