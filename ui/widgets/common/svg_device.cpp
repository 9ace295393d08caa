// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/svg_device.h"

#include <QBuffer>
#include <QPaintEngine>
#include <QPainterPath>
#include <QPixmap>

#include <cmath>
#include <utility>

namespace shardlens::ui {
namespace {

QByteArray number(qreal value) {
  return QByteArray::number(std::round(value * 100) / 100, 'g', 8);
}

QByteArray attribute(const char* name, const QByteArray& value) {
  return QByteArray(" ") + name + "=\"" + value + '"';
}

QByteArray pathData(const QPainterPath& path) {
  QByteArray data;
  for (int i = 0; i < path.elementCount(); ++i) {
    const QPainterPath::Element at = path.elementAt(i);
    if (at.type == QPainterPath::MoveToElement) data += 'M';
    if (at.type == QPainterPath::LineToElement) data += 'L';
    if (at.type == QPainterPath::CurveToElement) data += 'C';
    if (at.type == QPainterPath::CurveToDataElement) data += ' ';
    data += number(at.x) + ' ' + number(at.y);
  }
  return data;
}

QByteArray matrix(const QTransform& transform) {
  if (transform.isIdentity()) return {};
  QByteArray numbers;
  for (const qreal one :
       {transform.m11(), transform.m12(), transform.m21(), transform.m22(), transform.dx(), transform.dy()})
    numbers += (numbers.isEmpty() ? "" : " ") + QByteArray::number(one, 'g', 8);
  return attribute("transform", "matrix(" + numbers + ")");
}

QByteArray colour(const char* name, const QColor& colour, qreal opacity) {
  const qreal alpha = colour.alphaF() * opacity;
  QByteArray text = attribute(name, colour.name(QColor::HexRgb).toLatin1());
  if (alpha < 1) text += attribute((QByteArray(name) + "-opacity").constData(), number(alpha));
  return text;
}

QByteArray stroke(const QPen& pen, qreal opacity) {
  if (pen.style() == Qt::NoPen || pen.color().alpha() == 0) return {};
  const qreal width = pen.widthF() > 0 ? pen.widthF() : 1;
  QByteArray text = colour("stroke", pen.color(), opacity) + attribute("stroke-width", number(width));
  if (pen.isCosmetic()) text += attribute("vector-effect", "non-scaling-stroke");
  if (pen.capStyle() == Qt::RoundCap) text += attribute("stroke-linecap", "round");
  if (pen.capStyle() == Qt::SquareCap) text += attribute("stroke-linecap", "square");
  if (pen.joinStyle() == Qt::RoundJoin) text += attribute("stroke-linejoin", "round");
  if (pen.joinStyle() == Qt::BevelJoin) text += attribute("stroke-linejoin", "bevel");
  QByteArray dashes;
  for (const qreal dash : pen.dashPattern()) dashes += (dashes.isEmpty() ? "" : " ") + number(dash * width);
  if (!dashes.isEmpty()) text += attribute("stroke-dasharray", dashes);
  return text;
}

QByteArray pngOf(const QPixmap& pixmap) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  pixmap.save(&buffer, "PNG");
  return "data:image/png;base64," + bytes.toBase64();
}

}  // namespace

class SvgEngine : public QPaintEngine {
 public:
  SvgEngine() : QPaintEngine(AllFeatures) {}

  [[nodiscard]] QByteArray content() const {
    return definitions_.isEmpty() ? body_ : "<defs>" + definitions_ + "</defs>\n" + body_;
  }

  bool begin(QPaintDevice* /*device*/) override { return true; }
  bool end() override {
    leaveClip();
    return true;
  }
  [[nodiscard]] Type type() const override { return SVG; }

  void updateState(const QPaintEngineState& now) override {
    const DirtyFlags dirty = now.state();
    if (dirty & DirtyClipPath) clip(now.clipOperation(), clipTransform(now).map(now.clipPath()));
    if (dirty & DirtyClipRegion) {
      QPainterPath path;
      path.addRegion(now.clipRegion());
      clip(now.clipOperation(), clipTransform(now).map(path));
    }
    if (dirty & DirtyClipEnabled) is_clipped_ = now.isClipEnabled() && has_clip_;
  }

  void drawPath(const QPainterPath& path) override { draw(path, state->brush(), state->pen(), state->transform(), {}); }

  void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override {
    QPainterPath path(points[0]);
    for (int i = 1; i < count; ++i) path.lineTo(points[i]);
    if (mode != PolylineMode) path.closeSubpath();
    path.setFillRule(mode == WindingMode ? Qt::WindingFill : Qt::OddEvenFill);
    draw(path, mode == PolylineMode ? QBrush() : state->brush(), state->pen(), state->transform(), {});
  }

  void drawTextItem(const QPointF& at, const QTextItem& item) override {
    QPainterPath path;
    path.addText(at, item.font(), item.text());
    path.setFillRule(Qt::WindingFill);
    draw(path, state->pen().brush(), Qt::NoPen, state->transform(),
         attribute("aria-label", item.text().toHtmlEscaped().toUtf8()));
  }

  void drawPixmap(const QRectF& target, const QPixmap& pixmap, const QRectF& source) override {
    const QRect part = source.toAlignedRect();
    const QPixmap seen = part == pixmap.rect() ? pixmap : pixmap.copy(part);
    enterClip();
    body_ += "<image" + attribute("x", number(target.x())) + attribute("y", number(target.y())) +
             attribute("width", number(target.width())) + attribute("height", number(target.height())) +
             attribute("preserveAspectRatio", "none") + attribute("image-rendering", "pixelated") +
             (state->opacity() < 1 ? attribute("opacity", number(state->opacity())) : QByteArray()) +
             matrix(state->transform()) + attribute("href", pngOf(seen)) + "/>\n";
  }

 private:
  /// QPainter::restore() repeats the clips that were set (and only then are they not said to be enabled), and moves
  /// them once too often by the place of the widget in its window.
  [[nodiscard]] QTransform clipTransform(const QPaintEngineState& now) const {
    if (now.state() & DirtyClipEnabled) return now.transform();
    const QTransform place = painter()->combinedTransform().inverted() * painter()->deviceTransform();
    return now.transform() * place.inverted();
  }

  void clip(Qt::ClipOperation operation, const QPainterPath& path) {
    has_clip_ = operation != Qt::NoClip;
    clip_ = operation == Qt::IntersectClip && is_clipped_ ? clip_.intersected(path) : path;
    is_clipped_ = has_clip_;
  }

  /// What may be painted now: what the painter says, within what the widget that paints has of the device.
  [[nodiscard]] QByteArray clipData() const {
    QPainterPath all;
    if (!systemClip().isEmpty()) all.addRegion(systemClip());
    if (!is_clipped_) return pathData(all.simplified());
    const QPainterPath seen = all.isEmpty() ? clip_ : all.intersected(clip_);
    return seen.isEmpty() ? QByteArray("M0 0") : pathData(seen);
  }

  void enterClip() {
    const QByteArray data = clipData();
    if (data == entered_) return;
    leaveClip();
    if (data.isEmpty()) return;
    const QByteArray name = "c" + QByteArray::number(++clips_);
    definitions_ += "<clipPath id=\"" + name + "\"><path clip-rule=\"evenodd\" d=\"" + data + "\"/></clipPath>\n";
    body_ += "<g clip-path=\"url(#" + name + ")\">\n";
    entered_ = data;
  }
  void leaveClip() {
    if (!entered_.isEmpty()) body_ += "</g>\n";
    entered_.clear();
  }

  QByteArray gradient(const QGradient& gradient) {
    const QByteArray name = "g" + QByteArray::number(++gradients_);
    const auto& linear = static_cast<const QLinearGradient&>(gradient);
    definitions_ += "<linearGradient gradientUnits=\"userSpaceOnUse\"" + attribute("id", name) +
                    attribute("x1", number(linear.start().x())) + attribute("y1", number(linear.start().y())) +
                    attribute("x2", number(linear.finalStop().x())) + attribute("y2", number(linear.finalStop().y())) +
                    ">";
    for (const auto& [at, stop] : gradient.stops())
      definitions_ += "<stop" + attribute("offset", number(at)) + colour("stop-color", stop, 1) + "/>";
    definitions_ += "</linearGradient>\n";
    return attribute("fill", "url(#" + name + ")");
  }

  QByteArray fill(const QBrush& brush) {
    if (brush.style() == Qt::NoBrush || brush.color().alpha() == 0) return attribute("fill", "none");
    if (brush.style() == Qt::LinearGradientPattern) return gradient(*brush.gradient());
    return colour("fill", brush.color(), state->opacity());
  }

  void draw(const QPainterPath& path, const QBrush& brush, const QPen& pen, const QTransform& transform,
            const QByteArray& more) {
    if (path.isEmpty()) return;
    const QByteArray edge = stroke(pen, state->opacity());
    const QByteArray inside = fill(brush);
    if (edge.isEmpty() && inside == attribute("fill", "none")) return;
    enterClip();
    body_ += "<path" + inside + edge +
             (path.fillRule() == Qt::OddEvenFill ? attribute("fill-rule", "evenodd") : QByteArray()) +
             matrix(transform) + more + attribute("d", pathData(path)) + "/>\n";
  }

  QByteArray definitions_, body_, entered_;
  QPainterPath clip_;  ///< in pixels of the device
  bool has_clip_ = false;
  bool is_clipped_ = false;
  int clips_ = 0;
  int gradients_ = 0;
};

SvgDevice::SvgDevice(QSize size, int dpi, QString title)
    : size_(size), dpi_(dpi), title_(std::move(title)), engine_(std::make_unique<SvgEngine>()) {}

SvgDevice::~SvgDevice() = default;

QByteArray SvgDevice::document() const {
  const QByteArray width = QByteArray::number(size_.width());
  const QByteArray height = QByteArray::number(size_.height());
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"" +
         attribute("width", width) + attribute("height", height) + attribute("viewBox", "0 0 " + width + ' ' + height) +
         ">\n<title>" + title_.toHtmlEscaped().toUtf8() + "</title>\n" + engine_->content() + "</svg>\n";
}

QPaintEngine* SvgDevice::paintEngine() const {
  return engine_.get();
}

int SvgDevice::metric(PaintDeviceMetric metric) const {
  constexpr double kMmPerInch = 25.4;
  switch (metric) {
    case PdmWidth:
      return size_.width();
    case PdmHeight:
      return size_.height();
    case PdmWidthMM:
      return qRound(size_.width() * kMmPerInch / dpi_);
    case PdmHeightMM:
      return qRound(size_.height() * kMmPerInch / dpi_);
    case PdmDpiX:
    case PdmDpiY:
    case PdmPhysicalDpiX:
    case PdmPhysicalDpiY:
      return dpi_;
    case PdmDepth:
      return 32;
    case PdmNumColors:
      return 1 << 24;
    case PdmDevicePixelRatio:
      return 1;
    case PdmDevicePixelRatioScaled:
      return qRound(devicePixelRatioFScale());
    default:
      return QPaintDevice::metric(metric);
  }
}

}  // namespace shardlens::ui
