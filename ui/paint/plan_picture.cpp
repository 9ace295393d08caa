// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/plan_picture.h"

#include "ui/paint/stage_layer.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

constexpr double kLargestStep = 40;
constexpr double kLargestRank = 28;
constexpr double kUsualStep = 20;
constexpr double kSmallestStep = 8;
constexpr double kNodeGap = 8;
constexpr int kBetweenEpochs = 12;
constexpr qint64 kFewRanks = 2;
constexpr int kBesideCaption = 8;

/// As many steps as are drawn with cells of a size that is easy to read, fewer pixels to a step where that shows all.
StageAxis stepAxis(qint64 steps, int width) {
  const double all = static_cast<double>(width) / static_cast<double>(std::max<qint64>(steps, 1));
  const double pitch = all >= kSmallestStep ? std::min(all, kLargestStep) : kUsualStep;
  const auto shown = std::min(steps, static_cast<qint64>(width / pitch));
  return {shown, 0, pitch, static_cast<int>(static_cast<double>(shown) * pitch)};
}

/// Nodes stand apart, as on the Stage.
StageAxis ranksOf(qint64 ranks, qint64 ranks_per_node, int height) {
  StageAxis axis{ranks, 0, 1, height, ranks_per_node, kNodeGap};
  axis = axis.fitted(kLargestRank);
  axis.length = std::min(height, static_cast<int>(std::ceil(axis.content())));
  return axis;
}

struct Part {
  std::shared_ptr<const EpochPlan> epoch;
  std::shared_ptr<const StageLayer> layer;
};

/// What a block of rows is, at its left.
struct Caption {
  QString words;
  double middle = 0;  ///< of the block, from its top
};

/// Whether rows are named by node: several that have as many ranks each.
bool namesNodes(const Plan& plan) {
  return plan.spec().world.nodes > 1 && plan.spec().world.ranks_per_node.ofEveryNode().has_value();
}

/// One epoch of several by its number; else nodes, where there are some; else ranks. As many as have a line each.
std::vector<Caption> captionsOf(const Plan& plan, int epochs, int epoch, const StageAxis& ranks) {
  if (epochs > 1) return {{phrase("stage", "epoch %1").arg(epoch), ranks.length / 2.0}};
  const double line = QFontMetricsF(smallFont()).height();
  const bool nodes = namesNodes(plan);
  const qint64 each = nodes ? plan.spec().world.mostRanksOnNode() : 1;
  std::vector<Caption> captions;
  double free_from = -line;
  for (qint64 rank = 0; rank < ranks.count; rank += each) {
    const double top = ranks.pixelOf(static_cast<double>(rank));
    const double bottom = ranks.pixelOf(static_cast<double>(std::min(rank + each, ranks.count) - 1)) + ranks.pitch;
    const double middle = (top + bottom) / 2;
    if (middle - line / 2 < free_from || bottom > ranks.length + 1) continue;
    captions.push_back(
        {nodes ? phrase("stage", "node %1").arg(rank / each) : phrase("stage", "rank %1").arg(rank), middle});
    free_from = middle + line / 2;
  }
  return captions;
}

/// Room for the widest caption of the picture.
int captionWidth(const Plan& plan, int epochs) {
  const QString words = epochs > 1         ? phrase("stage", "epoch %1").arg(epochs - 1)
                        : namesNodes(plan) ? phrase("stage", "node %1").arg(plan.spec().world.nodes - 1)
                                           : phrase("stage", "rank %1").arg(plan.spec().worldSize() - 1);
  return static_cast<int>(std::ceil(QFontMetricsF(smallFont()).horizontalAdvance(words))) + kBesideCaption;
}

std::optional<Part> partOf(const Plan& plan, Epoch number, QSize room, bool dark, qreal ratio, const Work& work) {
  auto drawn = plan.epoch(number, work);
  if (!drawn) return std::nullopt;
  Part part;
  part.epoch = std::make_shared<const EpochPlan>(*std::move(drawn));
  const StageInput input = stageInput(1, plan.spec(), part.epoch);
  const auto facts = EpochFacts::compute(*part.epoch, input.dataset_size, work);
  if (facts == nullptr || input.steps == 0) return std::nullopt;
  LayerKey key;
  key.epoch = part.epoch.get();
  key.facts = facts.get();
  key.steps = stepAxis(input.steps, room.width());
  key.ranks = ranksOf(input.ranks(), input.blockSize(), room.height());
  key.dark = dark;
  key.ratio = ratio;
  part.layer = stageLayer(key, input, facts.get(), work);
  return part.layer ? std::optional(std::move(part)) : std::nullopt;
}

}  // namespace

std::optional<PlanPicture> planPicture(const Plan& plan, QSize size, bool dark, qreal ratio, const Work& work) {
  const qint64 ranks = plan.spec().worldSize();
  const int epochs = ranks <= kFewRanks && plan.epochs() > 1 ? 2 : 1;
  const int beside = captionWidth(plan, epochs);
  const QSize room(size.width() - beside, (size.height() - (epochs - 1) * kBetweenEpochs) / epochs);
  std::vector<Part> parts;
  int height = (epochs - 1) * kBetweenEpochs;
  for (int i = 0; i < epochs; ++i) {
    auto part = partOf(plan, Epoch{i}, room, dark, ratio, work);
    if (!part) return std::nullopt;
    height += part->layer->key.ranks.length;
    parts.push_back(*std::move(part));
  }
  const Theme& look = dark ? Theme::darkTheme() : Theme::light();
  const auto drawn = [&](QImage StageLayer::*image) {
    QImage picture(size * ratio, QImage::Format_RGB32);
    picture.setDevicePixelRatio(ratio);
    picture.fill(look.panel);
    QPainter painter(&picture);
    int top = (size.height() - height) / 2;
    painter.setFont(smallFont());
    painter.setPen(look.muted);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Part& part = parts[i];
      const int left = (size.width() - beside - part.layer->key.steps.length) / 2;
      for (const Caption& caption : captionsOf(plan, epochs, static_cast<int>(i), part.layer->key.ranks)) {
        painter.drawText(QRectF(left, top + caption.middle - 10, beside, 20), Qt::AlignLeft | Qt::AlignVCenter,
                         caption.words);
      }
      painter.drawImage(QPoint(left + beside, top), (*part.layer).*image);
      top += part.layer->key.ranks.length + kBetweenEpochs;
    }
    return picture;
  };
  return PlanPicture{drawn(&StageLayer::dealt), drawn(&StageLayer::undealt)};
}

}  // namespace shardlens::ui
