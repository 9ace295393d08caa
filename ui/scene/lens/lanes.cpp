// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/lens/lanes.h"

#include "core/lens/head.h"

#include <QStringList>

#include <algorithm>
#include <utility>

namespace shardlens::ui {
namespace {

/// Duplicates are looked for in epochs of up to so many samples: some tenths of a second a column.
constexpr qint64 kMostSamplesWithFacts = 10'000'000;
/// Of the work on a column, the part before its duplicates are looked for.
constexpr double kJudged = 0.7;

QString capitalized(const std::string& utf8) {
  const QString text = QString::fromStdString(utf8);
  return text.left(1).toUpper() + text.mid(1);
}

/// The column's picture. False when stopped.
bool draw(LensLane& lane, const LensLane* first, quint64 generation, const Work& work) {
  if (lane.judged.epoch == nullptr) return true;
  lane.stage = stageInput(generation, *lane.judged.column.spec, lane.judged.epoch);
  lane.stage.differences = lane.judged.differences;
  // Steps that the reference has stay in sight where their samples are lost.
  const bool loses = lane.judged.samples && lane.judged.samples->only_first > 0;
  if (first != nullptr && loses) lane.stage.steps = std::max(lane.stage.steps, first->stage.steps);
  if (lane.stage.dataset_size > kMostSamplesWithFacts) return true;
  lane.facts = EpochFacts::compute(*lane.stage.epoch, lane.stage.dataset_size, work);
  return lane.facts != nullptr;
}

/// Computes the lanes of one spec.
class LaneMaker {
 public:
  LaneMaker(const PipelineSpec& spec, Epoch epoch, quint64 generation, const Work& work)
      : spec_(spec), generation_(generation), work_(work), judge_(spec, epoch, true) {}

  [[nodiscard]] std::size_t count() const { return judge_.columns(); }

  LensLane waiting(std::size_t place, bool wanted) const {
    LensLane lane;
    lane.judged = judge_.unasked(place);
    lane.fixes = titleOf(lane.judged.column.remedy_of, place);
    if (wanted && !lane.judged.column.error) lane.state = LaneState::Waiting;
    if (place > 0) lane.change = capitalized(changeText(spec_, lane.judged.column));
    return lane;
  }

  /// Nothing when the whole is stopped; a lane that was stopped alone says so.
  std::optional<LensLane> done(std::size_t place, std::stop_source own) {
    const std::stop_callback with_all(work_.stop, [&own] { own.request_stop(); });
    const auto share = static_cast<double>(place) / static_cast<double>(count());
    const Work part = work_.part(share, share + 1 / static_cast<double>(count()));
    const Work work{own.get_token(), part.report};
    LensLane lane = waiting(place, false);
    auto judged = judge_.judge(place, work.part(0, kJudged));
    const bool drawn =
        judged && (lane.judged = *std::move(judged), draw(lane, known(place), generation_, work.part(kJudged, 1)));
    if (work_.stopped()) return std::nullopt;
    if (!drawn) {
      lane = waiting(place, false);
      lane.state = LaneState::Stopped;
      return lane;
    }
    if (place > 0) lane.cost = capitalized(costText(lane.judged, first_.judged));
    if (place == 0) first_ = lane;
    return lane;
  }

 private:
  /// A remedy comes after the column that it mends.
  [[nodiscard]] QString titleOf(const std::string& id, std::size_t before) const {
    for (std::size_t place = before; !id.empty() && place-- > 0;) {
      const LensColumn column = judge_.unasked(place).column;
      if (column.id == id) return text(column.title);
    }
    return {};
  }

  [[nodiscard]] const LensLane* known(std::size_t place) const { return place == 0 ? nullptr : &first_; }

  const PipelineSpec& spec_;
  quint64 generation_;
  const Work& work_;
  LensJudge judge_;
  LensLane first_;
};

}  // namespace

QString LensLane::headline() const {
  return state == LaneState::Stopped ? QStringLiteral("Stopped") : text(headOf(judged).text);
}

QString LensLane::shares() const {
  return text(judged.verdict == LensVerdict::Written ? readText(judged) : sharesText(judged));
}

QString LensLane::verdict() const {
  return capitalized(verdictText(judged));
}

QString LensLane::detail() const {
  return capitalized(firstDifferenceText(judged));
}

Tone LensLane::tone() const {
  switch (headOf(judged).tone) {
    case LensTone::Good:
      return Tone::Fine;
    case LensTone::Warning:
      return Tone::Warning;
    case LensTone::Bad:
      return Tone::Error;
    case LensTone::Neutral:
      break;
  }
  return Tone::Note;
}

void LaneStops::stop(const std::string& id) {
  sourceOf(id).request_stop();
}

std::stop_source LaneStops::sourceOf(const std::string& id) {
  const MutexLock lock(mutex_);
  return sources_[id];
}

bool lensLanes(const PipelineSpec& spec, Epoch epoch, quint64 generation,
               const std::function<bool(const std::string& id)>& wanted, LaneStops& stops, const LanesTold& told,
               const Work& work) {
  LaneMaker maker(spec, epoch, generation, work);
  std::vector<LensLane> lanes;
  for (std::size_t place = 0; place < maker.count(); ++place) {
    lanes.push_back(maker.waiting(place, true));
    const bool is_wanted = place == 0 || wanted(lanes.back().id());
    if (!is_wanted) lanes.back().state = LaneState::Done;
  }
  told.begun(lanes);
  for (std::size_t place = 0; place < lanes.size(); ++place) {
    if (lanes[place].state == LaneState::Done) continue;
    auto lane = maker.done(place, stops.sourceOf(lanes[place].id()));
    if (!lane) return false;
    told.laneDone(place, *std::move(lane));
  }
  return !work.stopped();
}

QString lensSummary(const std::vector<LensLane>& lanes) {
  const auto count = [&](const auto& counts) { return std::count_if(lanes.begin(), lanes.end(), counts); };
  const auto of = [](LensVerdict verdict) {
    return [verdict](const LensLane& lane) { return lane.judged.verdict == verdict; };
  };
  QStringList parts;
  if (const auto raising = count(of(LensVerdict::Raises))) parts << QStringLiteral("%1 cannot run").arg(raising);
  if (const auto other = count(of(LensVerdict::Differs))) {
    const auto losing =
        count([](const LensLane& lane) { return lane.judged.samples && lane.judged.samples->only_first > 0; });
    QString part = QStringLiteral("%1 with different batches").arg(other);
    if (losing == 1) part += QStringLiteral(", 1 of them loses samples");
    if (losing > 1) part += QStringLiteral(", %1 of them lose samples").arg(losing);
    parts << part;
  }
  if (const auto same = count(of(LensVerdict::Same))) parts << QStringLiteral("%1 with the same batches").arg(same);
  return parts.join(QStringLiteral(" · "));
}

}  // namespace shardlens::ui
