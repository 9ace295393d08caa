// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/labels.h"

#include "ui/scene/links.h"
#include "ui/scene/theme.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/common/toast.h"

#include <QCursor>
#include <QEvent>
#include <QFontMetrics>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace shardlens::ui {
namespace {

constexpr int kLeastHeight = 24;
constexpr int kInset = 2;  // room for the focus ring

}  // namespace

QLabel* sectionHead(const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setFont(headFont());
  setLook(label, "tone", "muted");
  return label;
}

QLabel* textLabel(const QString& text, const char* tone, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setTextFormat(Qt::PlainText);
  setLook(label, "tone", tone);
  return label;
}

QLabel* noteLabel(const QString& text, const char* tone, QWidget* parent) {
  auto* label = textLabel(text, tone, parent);
  setLook(label, "role", "small");
  label->setWordWrap(true);
  return label;
}

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent) : QLabel(parent) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
  setFullText(text);
}

void ElidedLabel::setFullText(const QString& text) {
  if (text == full_) return;
  full_ = text;
  setAccessibleName(text);
  updateGeometry();
  update();
}

void ElidedLabel::setCut(Qt::TextElideMode cut) {
  cut_ = cut;
  update();
}

QSize ElidedLabel::sizeHint() const {
  return {fontMetrics().horizontalAdvance(full_) + 2, fontMetrics().height()};
}

QSize ElidedLabel::minimumSizeHint() const {
  return {std::min(sizeHint().width(), px(24)), fontMetrics().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(palette().color(foregroundRole()));
  const QString shown = fontMetrics().elidedText(full_, cut_, width());
  painter.drawText(rect(), static_cast<int>(alignment() | Qt::TextSingleLine), shown);
}

Column::Column(QMargins margins, int gap, QWidget* parent) : QWidget(parent), margins_(margins), gap_(gap) {}

void Column::add(QWidget* widget) {
  widget->setParent(this);
  widget->show();
  widgets_.push_back(widget);
  arrange();
}

void Column::set(const std::vector<QWidget*>& widgets) {
  for (QWidget* widget : std::exchange(widgets_, widgets)) {
    if (std::ranges::find(widgets, widget) != widgets.end()) continue;
    widget->hide();
    widget->deleteLater();
  }
  for (QWidget* widget : widgets_) {
    if (widget->parent() == this) continue;
    widget->setParent(this);
    widget->show();
  }
  arrange();
}

void Column::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

bool Column::event(QEvent* event) {
  const bool done = QWidget::event(event);
  if (event->type() == QEvent::LayoutRequest) arrange();
  return done;
}

void Column::arrange() {
  const int room = width() - margins_.left() - margins_.right();
  int y = margins_.top();
  for (QWidget* widget : widgets_) {
    if (widget->isHidden()) continue;
    const int height = widget->hasHeightForWidth() ? widget->heightForWidth(room) : widget->sizeHint().height();
    widget->setGeometry(margins_.left(), y, room, height);
    y += height + gap_;
  }
  setMinimumHeight(y - (y > margins_.top() ? gap_ : 0) + margins_.bottom());
}

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
  if (text == plain_ && context == context_ && !whole_ && links_ == Links::Names) return;
  context_ = context;
  take(text, Links::Names);
}

void LinkLabel::setLink(const QString& text, const Selected& place) {
  if (text != plain_ || whole_ != place) take(text, Links::None, place);
}

void LinkLabel::take(const QString& text, Links links, const std::optional<Selected>& whole) {
  plain_ = text;
  links_ = links;
  whole_ = whole;
  setAccessibleName(text);
  render();
}

void LinkLabel::setSelectable() {
  selectable_ = true;
  render();
}

/// Links carry their colour, so that another theme is another text.
void LinkLabel::render() {
  const QString words = selectable_ ? plain_ : breakable(plain_);
  const QString html = whole_                     ? linkText(words, *whole_)
                       : links_ == Links::Samples ? linkedSamples(words)
                       : links_ == Links::Names   ? linked(words, context_)
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

LinkButton::LinkButton(const QString& text, const char* tone, QWidget* parent)
    : QAbstractButton(parent), muted_(std::strcmp(tone, "muted") == 0) {
  setWords(text);
  setCursor(Qt::PointingHandCursor);
  setFocusPolicy(Qt::TabFocus);
  setAttribute(Qt::WA_Hover);
  QSizePolicy policy(QSizePolicy::Maximum, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void LinkButton::setWords(const QString& text) {
  setText(text);
  setAccessibleName(text);
  updateGeometry();
}

void LinkButton::offer(const QString& text) {
  setWords(text);
  setVisible(!text.isEmpty());
}

QFont LinkButton::shownFont() const {
  QFont shown = font();
  if (!muted_) shown.setWeight(QFont::Medium);
  shown.setUnderline(underMouse() && isEnabled());
  return shown;
}

QSize LinkButton::sizeHint() const {
  // One line, when there is room: with less than a pixel to spare, drawing wraps what measuring does not.
  const int width = static_cast<int>(std::ceil(QFontMetricsF(shownFont()).horizontalAdvance(text())));
  return {width + 2 * kInset + 2, px(kLeastHeight)};
}

QSize LinkButton::minimumSizeHint() const {
  return {std::min(sizeHint().width(), px(64)), px(kLeastHeight)};
}

int LinkButton::heightForWidth(int width) const {
  const QRect room(0, 0, width - 2 * kInset, px(1000));
  const int needed = QFontMetrics(shownFont()).boundingRect(room, Qt::TextWordWrap, breakable(text())).height();
  return std::max(px(kLeastHeight), needed + 2 * kInset);
}

void LinkButton::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
    click();
  } else {
    QAbstractButton::keyPressEvent(event);
  }
}

void LinkButton::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setFont(shownFont());
  painter.setPen(!isEnabled() ? theme().faint : muted_ ? theme().muted : theme().accent);
  painter.drawText(rect().adjusted(kInset, 0, -kInset, 0), Qt::TextWordWrap | Qt::AlignVCenter | Qt::AlignLeft,
                   breakable(text()));
  if (!showsFocusRing(*this)) return;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme().accent, 1));
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), px(4), px(4));
}

}  // namespace shardlens::ui

#include "moc_labels.cpp"
