// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/page.h"

namespace shardlens::ui {

Page::~Page() = default;

void Page::enter(const QString& /*perspective*/) {
  setFocus();
}

std::vector<ActionInfo> Page::actions() {
  return {};
}

QVariantMap Page::layout() const {
  return {};
}

void Page::restoreLayout(const QVariantMap& /*layout*/) {}

void Page::resetLayout() {}

}  // namespace shardlens::ui

#include "moc_page.cpp"
