// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/plan_picture.h"

#include "ui/paint/stage_layer.h"
#include "ui/scene/theme.h"

#include <QPainter>

#include <algorithm>

namespace shardlens::ui {
namespace {

constexpr double kLargestStep = 40;
constexpr double kLargestRank = 28;
constexpr double kUsualStep = 20;
constexpr double kSmallestStep = 8;
constexpr int kBetweenEpochs = 12;
constexpr qint64 kFewRanks = 2;

/// As many steps as are drawn with cells of a size that is easy to read, fewer pixels to a step where that shows all.
StageAxis stepsOf(qint64 steps, int width) {
  const double all = static_cast<double>(width) / static_cast<double>(std::max<qint64>(steps, 1));
  const double pitch = all >= kSmallestStep ? std::min(all, kLargestStep) : kUsualStep;
  const auto shown = std::min(steps, static_cast<qint64>(width / pitch));
  return {shown, 0, pitch, static_cast<int>(static_cast<double>(shown) * pitch)};
}

StageAxis ranksOf(qint64 ranks, int height) {
  const double pitch = std::min(kLargestRank, static_cast<double>(height) / static_cast<double>(ranks));
  return {ranks, 0, pitch, static_cast<int>(static_cast<double>(ranks) * pitch)};
}

struct Part {
  std::shared_ptr<const EpochPlan> epoch;
  std::shared_ptr<const StageLayer> layer;
};

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
  key.steps = stepsOf(input.steps, room.width());
  key.ranks = ranksOf(input.ranks(), room.height());
  key.dark = dark;
  key.ratio = ratio;
  part.layer = stageLayer(key, input, facts.get(), work);
  return part.layer ? std::optional(std::move(part)) : std::nullopt;
}

}  // namespace

std::optional<PlanPicture> planPicture(const Plan& plan, QSize size, bool dark, qreal ratio, const Work& work) {
  const qint64 ranks = plan.spec().worldSize();
  const int epochs = ranks <= kFewRanks && plan.epochs() > 1 ? 2 : 1;
  const QSize room(size.width(), (size.height() - (epochs - 1) * kBetweenEpochs) / epochs);
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
    for (const Part& part : parts) {
      painter.drawImage(QPoint((size.width() - part.layer->key.steps.length) / 2, top), (*part.layer).*image);
      top += part.layer->key.ranks.length + kBetweenEpochs;
    }
    return picture;
  };
  return PlanPicture{drawn(&StageLayer::dealt), drawn(&StageLayer::undealt)};
}

}  // namespace shardlens::ui
