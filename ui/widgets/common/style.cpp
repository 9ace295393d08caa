// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/style.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QApplication>
#include <QFocusEvent>
#include <QFontDatabase>
#include <QFontInfo>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QPalette>
#include <QPointer>
#include <QPushButton>
#include <QScreen>
#include <QStyle>
#include <QStyleFactory>
#include <QToolTip>
#include <QWidget>

#include <algorithm>
#include <cmath>
#include <utility>

namespace shardlens::ui {
namespace {

// @name is a colour token, #n# a length of the drawings. Order matters: later rules win.
// What no rule gives a colour has that of the palette. A rule for the fields' text would make their placeholders half
// transparent.
constexpr const char* kSheet = R"(
QWidget[surface="window"] { background: @window; }
QWidget[surface="panel"] { background: @panel; }
QWidget[surface="field"] { background: @field; }
QFrame[surface="sheet"] { background: @panel; border: 1px solid @hairline; border-radius: #10#px; }
QToolTip { background: @field; color: @text; border: 1px solid @hairline; padding: #4#px #6#px; }

QLabel[tone="muted"] { color: @muted; }
QLabel[tone="faint"] { color: @faint; }
QLabel[tone="error"] { color: @error; }
QLabel[tone="warning"] { color: @warning; }
QLabel[tone="fine"] { color: @fine; }
QLabel[tone="accent"] { color: @accent; }
QLabel[tone="on_accent"] { color: @on_accent; }
QLabel[role="title"] { font-weight: 600; }
QLabel[role="small"] { font-size: #11#px; }
QLabel[role="text"] { font-size: #12#px; }
QLabel[role="dot"] { font-size: #8#px; }

QPushButton { background: @panel; border: 1px solid @hairline; border-radius: #6#px; padding: 0 #12#px; min-height: #26#px; font-weight: 500; }
QPushButton:hover { background: @hover; }
QPushButton:pressed { background: @pressed; }
QPushButton:disabled { color: @faint; }
QPushButton[ring="on"]:focus { border: 1px solid @accent; }
QPushButton[role="primary"] { background: @accent; color: @on_accent; border: 1px solid @accent; font-weight: 600; }
QPushButton[role="primary"]:hover { background: @accent_hover; }
QPushButton[role="primary"][ring="on"]:focus { border: 2px solid @text; }
QPushButton[role="primary"]:disabled { background: @hairline; border-color: @hairline; color: @muted; }
QPushButton[role="danger"] { color: @error; border: 1px solid @error; font-weight: 600; }
QPushButton[role="quiet"], QToolButton { background: transparent; border: 1px solid transparent; border-radius: #6#px; padding: 0 #6#px; min-height: #24#px; font-weight: 400; color: @muted; }
QPushButton[role="quiet"]:hover, QToolButton:hover { background: @hover; color: @text; }
QPushButton[role="quiet"][ring="on"]:focus, QToolButton[ring="on"]:focus { border: 1px solid @accent; }
QToolButton::menu-indicator { image: none; }
QToolButton[role="inline"] { padding: 0; font-size: #12#px; text-align: left; }
QToolButton[role="inline"]:hover { background: transparent; color: @accent; }
QToolButton[role="field"] { background: @panel; border: 1px solid @hairline; padding: 0 #7#px; color: @text; }
QToolButton[role="field"]:hover { border-color: @hover_line; }
QToolButton[role="field"][ring="on"]:focus { border: 1px solid @accent; }
QPushButton[role="link"] { background: transparent; border: 1px solid transparent; border-radius: #4#px; padding: 0 #2#px; min-height: #20#px; color: @accent; font-weight: 500; text-align: left; }
QPushButton[role="link"]:hover { text-decoration: underline; }
QPushButton[role="link"]:disabled { color: @faint; font-weight: 400; }
QPushButton[role="link"][ring="on"]:focus { border: 1px solid @accent; }
QPushButton[role="link"][tone="muted"] { color: @muted; font-weight: 400; }
QPushButton[role="chip"] { background: @field; border: 1px solid @hairline; border-radius: #4#px; padding: 0 #2#px; min-height: #20#px; font-size: #11#px; font-weight: 400; }
QPushButton[role="chip"][state="error"] { border: 1px solid @error; }
QPushButton[role="chip"][state="on"] { background: @selected; }
QPushButton[role="filter"] { background: @panel; border: 1px solid @hairline; border-radius: #13#px; padding: 0 #11#px; min-height: #24#px; max-height: #24#px; font-weight: 400; }
QPushButton[role="filter"]:hover { background: @hover; }
QPushButton[role="filter"]:checked { background: @selected; border: 1px solid @accent; }
QPushButton[role="filter"][ring="on"]:focus { border: 1px solid @accent; }
QPushButton[role="chip"]:hover, QPushButton[role="chip"][ring="on"]:focus { border: 1px solid @accent; }

QLineEdit, QComboBox, QSpinBox, QDoubleSpinBox { background: @field; border: 1px solid @hairline; border-radius: #6#px; padding: 0 #8#px; min-height: #24#px; max-height: #24#px; selection-background-color: @accent; selection-color: @on_accent; }
QLineEdit[role="search"] { min-height: #34#px; max-height: #34#px; border-radius: #8#px; padding: 0 #10#px; }
QLineEdit[role="search"]:focus { border: 2px solid @accent; }
QLineEdit:hover, QComboBox:hover { border-color: @hover_line; }
QLineEdit:focus, QComboBox:focus { border: 1px solid @accent; background: @panel; }
QLineEdit:disabled, QComboBox:disabled { color: @faint; }
QLineEdit[state="error"], QComboBox[state="error"] { border: 1px solid @error; color: @error; }
QComboBox { padding: 0 0 0 #10#px; }
QComboBox:editable { padding: 0 0 0 #7#px; }
QComboBox QLineEdit { background: transparent; border: none; padding: 0; }
QComboBox::drop-down { border: none; width: #20#px; }
QComboBox::down-arrow { image: none; }
QComboBox QAbstractItemView { background: @panel; border: 1px solid @hairline; padding: #4#px; outline: none; selection-background-color: @selected; selection-color: @text; }
QTextEdit, QPlainTextEdit { background: @field; border: 1px solid @hairline; border-radius: #6#px; selection-background-color: @accent; selection-color: @on_accent; }
QTextEdit:focus, QPlainTextEdit:focus { border: 1px solid @accent; }

QCheckBox { spacing: #6#px; }
QCheckBox::indicator { width: #12#px; height: #12#px; border: 1px solid @faint; border-radius: #3#px; background: @field; }
QCheckBox::indicator:checked { background: @accent; border-color: @accent; }
QListView, QTreeView, QTableView { background: @panel; border: none; outline: none; selection-background-color: @selected; selection-color: @text; alternate-background-color: @field; gridline-color: @hairline; }
QTableView::item { border: 0; padding: 0 #5#px; }
QListView::item { border: 0; border-radius: #4#px; padding: 0 #5#px; }
QListView::item:selected { background: @selected; color: @text; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QListView[role="popup"] { border: 1px solid @hairline; border-radius: #6#px; padding: #4#px 0; }
QTableView[role="dense"]::item { padding: 0 #2#px; }
QHeaderView { background: @panel; }
QHeaderView::section { background: @panel; color: @faint; border: none; border-bottom: 1px solid @hairline; padding: #4#px #8#px; font-weight: 400; }
QTableView[role="dense"] QHeaderView::section { padding: #4#px #3#px; }
QTableCornerButton::section { background: @panel; border: none; }

QMenuBar { background: @panel; border-bottom: 1px solid @hairline; padding: 0 #8#px; }
QMenuBar::item { background: transparent; padding: #4#px #8#px; border-radius: #4#px; }
QMenuBar::item:selected { background: @selected; }
QMenu { background: @panel; border: 1px solid @hairline; padding: #6#px; }
QMenu::item { padding: #5#px #24#px #5#px #20#px; border-radius: #4#px; }
QMenu::item:selected { background: @selected; color: @text; }
QMenu::item:disabled { color: @faint; }
QMenu::separator { height: 1px; background: @hairline; margin: #6#px #8#px; }

QSplitter::handle { background: @hairline; }
QSplitter[handle="gap"]::handle { background: transparent; }
QScrollArea, QScrollArea > QWidget, QScrollArea > QWidget > QWidget { background: transparent; border: none; }
QScrollBar:vertical { background: transparent; width: #8#px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: #8#px; margin: 0; }
QScrollBar::handle { background: @hairline; border-radius: #3#px; margin: 1px; min-height: #32#px; min-width: #32#px; }
QScrollBar::handle:hover { background: @faint; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QTabBar { background: transparent; }
QTabBar::tab { background: transparent; color: @muted; padding: #8#px #2#px #7#px #2#px; margin: 0 #12#px; border: none; border-bottom: 2px solid transparent; }
QTabBar::tab:hover { color: @text; }
QTabBar::tab:selected { color: @text; border-bottom: 2px solid @accent; font-weight: 600; }
QTabBar::tab:focus { color: @accent; }
QProgressBar { background: @hairline; border: none; border-radius: 2px; max-height: #4#px; min-height: #4#px; }
QProgressBar::chunk { background: @accent; border-radius: 2px; }
)";

QString withColors(QString sheet, const Theme& theme) {
  const std::pair<const char*, QColor> tokens[] = {
      // longer names first where one begins with another
      {"@on_accent", theme.on_accent},
      {"@accent_hover", mix(theme.text, theme.accent, 0.12)},
      {"@accent", theme.accent},
      {"@hover_line", mix(theme.text, theme.hairline, 0.2)},
      {"@hover", mix(theme.text, theme.panel, 0.05)},
      {"@pressed", mix(theme.text, theme.panel, 0.1)},
      {"@selected", mix(theme.accent, theme.panel, theme.dark ? 0.22 : 0.12)},
      {"@window", theme.window},
      {"@panel", theme.panel},
      {"@field", theme.field},
      {"@hairline", theme.hairline},
      {"@text", theme.text},
      {"@muted", theme.muted},
      {"@faint", theme.faint},
      {"@error", theme.error},
      {"@warning", theme.warning},
      {"@fine", theme.fine},
  };
  for (const auto& [name, color] : tokens) sheet.replace(QLatin1String(name), color.name());
  return sheet;
}

QString withLengths(const QString& sheet) {
  QString out;
  const QStringList parts = sheet.split('#');
  for (qsizetype i = 0; i < parts.size(); ++i) {
    bool is_length = false;
    const int length = parts[i].toInt(&is_length);
    const bool inside = i > 0 && i + 1 < parts.size() && parts[i + 1].startsWith("px");
    out += is_length && inside ? QString::number(px(length)) : parts[i];
  }
  return out;
}

QPalette paletteOf(const Theme& theme) {
  QPalette palette;
  palette.setColor(QPalette::Window, theme.window);
  palette.setColor(QPalette::WindowText, theme.text);
  palette.setColor(QPalette::Base, theme.panel);
  palette.setColor(QPalette::AlternateBase, theme.field);
  palette.setColor(QPalette::Text, theme.text);
  palette.setColor(QPalette::PlaceholderText, theme.faint);
  palette.setColor(QPalette::Button, theme.panel);
  palette.setColor(QPalette::ButtonText, theme.text);
  palette.setColor(QPalette::Highlight, theme.accent);
  palette.setColor(QPalette::HighlightedText, theme.on_accent);
  palette.setColor(QPalette::ToolTipBase, theme.field);
  palette.setColor(QPalette::ToolTipText, theme.text);
  palette.setColor(QPalette::Link, theme.accent);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    palette.setColor(QPalette::Disabled, role, theme.faint);
  }
  return palette;
}

constexpr const char* kRing = "ring";

bool isModifier(int key) {
  return key == Qt::Key_Shift || key == Qt::Key_Control || key == Qt::Key_Alt || key == Qt::Key_Meta ||
         key == Qt::Key_AltGr;
}

class FocusRings : public QObject {
 public:
  explicit FocusRings(QObject* parent) : QObject(parent) {}

  bool eventFilter(QObject* watched, QEvent* event) override {
    switch (event->type()) {
      case QEvent::KeyPress:
      case QEvent::ShortcutOverride:
        if (!isModifier(static_cast<QKeyEvent*>(event)->key())) by_key_ = true;
        break;
      case QEvent::MouseButtonPress:
        by_key_ = false;
        break;
      case QEvent::FocusIn:
      case QEvent::FocusOut:
        if (watched->isWidgetType()) mark(*static_cast<QWidget*>(watched), *static_cast<QFocusEvent*>(event));
        break;
      default:
        break;
    }
    return false;
  }

 private:
  /// A window that is left and comes back, and a menu that closes, find the ring as it was.
  void mark(QWidget& widget, const QFocusEvent& event) const {
    const Qt::FocusReason reason = event.reason();
    if (reason == Qt::ActiveWindowFocusReason || reason == Qt::PopupFocusReason || reason == Qt::MenuBarFocusReason)
      return;
    const QString ring = event.gotFocus() && by_key_ && reason != Qt::MouseFocusReason ? "on" : "";
    if (qobject_cast<QAbstractButton*>(&widget) != nullptr) return setLook(&widget, kRing, ring);
    widget.setProperty(kRing, ring);
  }

  bool by_key_ = false;
};

class Tips : public QObject {
 public:
  Tips(QWidget* widget, std::function<QString(QPoint)> tip_at) : QObject(widget), tip_at_(std::move(tip_at)) {
    widget->installEventFilter(this);
  }

  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() != QEvent::ToolTip) return false;
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), tip_at_(help->pos()), static_cast<QWidget*>(watched));
    return true;
  }

 private:
  std::function<QString(QPoint)> tip_at_;
};

template <class Layout>
Layout* layoutIn(QWidget* parent, const QMargins& margins, int gap) {
  auto* layout = new Layout(parent);
  layout->setContentsMargins(margins);
  layout->setSpacing(gap);
  return layout;
}

}  // namespace

QString styleSheetOf(const Theme& theme) {
  return withColors(withLengths(kSheet), theme);
}

void useFusion() {
  if (QApplication::style()->objectName() != "fusion") QApplication::setStyle(QStyleFactory::create("Fusion"));
}

void applyTheme(const Theme& theme) {
  setTheme(theme);
  useFusion();
  installFocusRings();
  QApplication::setPalette(paletteOf(theme));
  if (const QString sheet = styleSheetOf(theme); qApp->styleSheet() != sheet) qApp->setStyleSheet(sheet);
}

void installFonts() {
  constexpr double kPixelsPerPoint = 1.3;  // 10 pt, the usual system size, is the drawings' 13 px
  constexpr int kLeast = 13;
  constexpr int kMost = 32;
  const QFont system = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
  constexpr double kUsualDpi = 96;
  const double dpi = QGuiApplication::primaryScreen()->logicalDotsPerInchY() / kUsualDpi;
  const int pixels = system.pointSizeF() > 0 ? qRound(system.pointSizeF() * dpi * kPixelsPerPoint) : system.pixelSize();
  QFont font(textFamilies());
  font.setStyleHint(QFont::SansSerif);  // for where none of them is installed
  font.setPixelSize(std::clamp(pixels, kLeast, kMost));
  QApplication::setFont(font);
}

QColor toneColor(Tone tone) {
  switch (tone) {
    case Tone::Error:
      return theme().error;
    case Tone::Warning:
      return theme().warning;
    case Tone::Fine:
      return theme().fine;
    case Tone::Note:
      break;
  }
  return theme().faint;
}

void setLook(QWidget* widget, const char* property, const QString& value) {
  if (widget->property(property).toString() == value) return;
  widget->setProperty(property, value);
  if (!widget->testAttribute(Qt::WA_WState_Polished)) return;  // the style looks when it dresses the widget first
  widget->style()->unpolish(widget);
  widget->style()->polish(widget);
  widget->update();
}

void setSurface(QWidget* widget, const QString& surface) {
  setLook(widget, "surface", surface);
  widget->setAttribute(Qt::WA_StyledBackground);
}

void installFocusRings() {
  static QPointer<FocusRings> rings;
  if (rings != nullptr) return;
  rings = new FocusRings(qApp);
  qApp->installEventFilter(rings);
}

bool showsFocusRing(const QWidget& widget) {
  return widget.hasFocus() && widget.property(kRing).toString() == QLatin1String("on");
}

void setTips(QWidget* widget, std::function<QString(QPoint)> tip_at) {
  new Tips(widget, std::move(tip_at));
}

int px(int design) {
  constexpr double kDrawnType = 13.0;
  return static_cast<int>(std::lround(design * uiFont().pixelSize() / kDrawnType));
}

QHBoxLayout* rowIn(QWidget* parent, const QMargins& margins, int gap) {
  return layoutIn<QHBoxLayout>(parent, margins, gap);
}

QVBoxLayout* columnIn(QWidget* parent, const QMargins& margins, int gap) {
  return layoutIn<QVBoxLayout>(parent, margins, gap);
}

void removeAll(QLayout& layout) {
  while (QLayoutItem* item = layout.takeAt(0)) {
    if (QWidget* widget = item->widget()) {
      widget->hide();
      widget->deleteLater();
    }
    if (item->layout() != nullptr) removeAll(*item->layout());
    delete item;
  }
}

QPushButton* pushButton(const QString& text, const char* role, QWidget* parent) {
  auto* button = new QPushButton(text, parent);
  setLook(button, "role", role);
  return button;
}

QFont demiBold(QFont font) {
  font.setWeight(QFont::DemiBold);
  return font;
}

void paintBar(QWidget& bar, const QColor& ground) {
  QPainter painter(&bar);
  painter.fillRect(bar.rect(), ground);
  painter.fillRect(QRect(0, bar.height() - 1, bar.width(), 1), theme().hairline);
}

QSize roomOf(const QWidget& widget) {
  for (const QWidget* outer = widget.parentWidget(); outer != nullptr; outer = outer->parentWidget()) {
    const auto* area = qobject_cast<const QAbstractScrollArea*>(outer->parentWidget());
    if (area != nullptr && area->viewport() == outer) return outer->size();
  }
  return widget.size();
}

}  // namespace shardlens::ui
