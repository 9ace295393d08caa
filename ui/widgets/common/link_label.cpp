// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/link_label.h"

#include "ui/scene/links.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/common/toast.h"

#include <QCursor>
#include <QEvent>
#include <QMouseEvent>
#include <QToolTip>

namespace shardlens::ui {

LinkLabel::LinkLabel(QWidget* parent) : QLabel(parent) {
  setTextFormat(Qt::PlainText);
  connect(this, &QLabel::linkActivated, this, [this](const QString& link) {
    went_ = true;
    if (const auto command = copiedBy(link)) return copyText(*this, *command);
    if (const auto place = selectedBy(link)) emit followed(*place);
  });
  connect(this, &QLabel::linkHovered, this, [this](const QString& link) {
    if (copiedBy(link)) QToolTip::showText(QCursor::pos(), tr("Copy this command"), this);
  });
}

LinkLabel::LinkLabel(const char* tone, const char* role, QWidget* parent) : LinkLabel(parent) {
  setLook(this, "tone", tone);
  setLook(this, "role", role);
  setWordWrap(true);
}

void LinkLabel::setPlain(const QString& text, const Selected& context) {
  if (text == plain_ && context == context_ && !whole_ && has_names_ && !are_samples_) return;
  whole_.reset();
  are_samples_ = false;
  has_names_ = true;
  plain_ = text;
  context_ = context;
  setAccessibleName(text);
  render();
}

void LinkLabel::setWithoutLinks(const QString& text) {
  plain_ = text;
  whole_.reset();
  has_names_ = false;
  are_samples_ = false;
  setAccessibleName(text);
  render();
}

void LinkLabel::setLink(const QString& text, const Selected& place) {
  if (text == plain_ && whole_ == place) return;
  plain_ = text;
  whole_ = place;
  setAccessibleName(text);
  render();
}

void LinkLabel::setSamples(const QString& ids) {
  plain_ = ids;
  whole_.reset();
  are_samples_ = true;
  setAccessibleName(ids);
  render();
}

void LinkLabel::setSelectable() {
  selectable_ = true;
  render();
}

/// Links carry their colour, so that another theme is another text.
void LinkLabel::render() {
  const QString words = selectable_ ? plain_ : breakable(plain_);
  const QString html = whole_         ? linkText(words, *whole_)
                       : are_samples_ ? linkedSamples(words)
                       : has_names_   ? linked(words, context_)
                                      : words;
  const bool has_links = html != words;
  setTextFormat(has_links ? Qt::RichText : Qt::PlainText);
  Qt::TextInteractionFlags wanted = selectable_ ? Qt::TextSelectableByMouse : Qt::NoTextInteraction;
  if (has_links) wanted |= Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard;
  setTextInteractionFlags(wanted);
  setFocusPolicy(has_links ? Qt::TabFocus : Qt::NoFocus);
  if (html != text()) setText(html);
}

void LinkLabel::changeEvent(QEvent* event) {
  QLabel::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) render();
}

/// What is around the label must not take a click on a link for its own, and gets every other one.
void LinkLabel::mouseReleaseEvent(QMouseEvent* event) {
  went_ = false;
  QLabel::mouseReleaseEvent(event);
  event->setAccepted(went_);
}

ElidedLinks::ElidedLinks(QWidget* parent) : LinkLabel(parent) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ElidedLinks::setFull(const QString& text, const Selected& context) {
  if (text == full_ && context == full_context_) return;
  full_ = text;
  full_context_ = context;
  updateGeometry();
  showWhatFits();
}

void ElidedLinks::showWhatFits() {
  if (fontMetrics().horizontalAdvance(full_) <= width()) {
    setPlain(full_, full_context_);
    setToolTip({});
    return;
  }
  setWithoutLinks(fontMetrics().elidedText(full_, Qt::ElideRight, width()));
  setAccessibleName(full_);
  setToolTip(full_);
}

QSize ElidedLinks::minimumSizeHint() const {
  return {fontMetrics().horizontalAdvance(QStringLiteral("…")), fontMetrics().height()};
}

QSize ElidedLinks::sizeHint() const {
  return {fontMetrics().horizontalAdvance(full_) + 1, fontMetrics().height()};
}

void ElidedLinks::resizeEvent(QResizeEvent* event) {
  LinkLabel::resizeEvent(event);
  showWhatFits();
}

void ElidedLinks::changeEvent(QEvent* event) {
  LinkLabel::changeEvent(event);
  if (event->type() == QEvent::FontChange) showWhatFits();
}

}  // namespace shardlens::ui

#include "moc_link_label.cpp"
