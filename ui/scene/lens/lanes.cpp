// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/lens/lanes.h"

#include "core/lens/head.h"
#include "core/sampling/recorded_lists.h"
#include "ui/scene/number_text.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"

#include <QStringList>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <tuple>
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

constexpr double kBetweenPieces = 2;
constexpr double kLeastPiece = 4;

/// "another batch in this place": the Stage beside a Lens needs to say where.
QString lensWords(const LegendEntry& entry) {
  return entry.mark == LegendMark::DogEar ? phrase("lens", "another batch in this place") : entry.text;
}

/// Less is more similar.
std::tuple<int, double, double> unlikeness(const LensLane& lane) {
  const JudgedColumn& judged = lane.judged;
  if (judged.verdict == LensVerdict::Same) return {0, 0, 0};
  if (!judged.samples) return {2, 0, 0};
  const ReadingShares& shares = judged.samples->shares;
  const auto all = static_cast<double>(std::max<std::int64_t>(shares.sum(), 1));
  return {1, static_cast<double>(shares.lost) / all, -static_cast<double>(shares.same) / all};
}

}  // namespace

QString LensLane::headline() const {
  return state == LaneState::Stopped ? phrase("lens", "Stopped") : text(headOf(judged).text);
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

/// Computes the lanes of one spec.
class LensLanes::Maker {
 public:
  Maker(PipelineSpec spec, Epoch epoch, quint64 generation, std::shared_ptr<const EpochPlan> known)
      : spec_(std::move(spec)), generation_(generation), judge_(spec_, epoch, true, std::move(known)) {}

  /// The others can be compared with the first.
  [[nodiscard]] bool knowsFirst() const { return knows_first_; }

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
  std::optional<LensLane> done(std::size_t place, std::stop_source own, const Work& all) {
    const std::stop_callback with_all(all.stop, [&own] { own.request_stop(); });
    const auto share = static_cast<double>(place) / static_cast<double>(count());
    const Work part = all.part(share, share + 1 / static_cast<double>(count()));
    const Work work{own.get_token(), part.report};
    LensLane lane = waiting(place, false);
    auto judged = judge_.judge(place, work.part(0, kJudged));
    const bool drawn =
        judged && (lane.judged = *std::move(judged), draw(lane, known(place), generation_, work.part(kJudged, 1)));
    if (all.stopped()) return std::nullopt;
    if (!drawn) {
      lane = waiting(place, false);
      lane.state = LaneState::Stopped;
      return lane;
    }
    if (place > 0) lane.cost = capitalized(costText(lane.judged, first_.judged));
    if (place == 0) {
      first_ = lane;
      knows_first_ = true;
    }
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

  PipelineSpec spec_;
  quint64 generation_;
  LensJudge judge_;
  LensLane first_;
  bool knows_first_ = false;
};

LensLanes::LensLanes(PipelineSpec spec, Epoch epoch, quint64 generation, std::shared_ptr<const EpochPlan> known)
    : maker_(std::make_unique<Maker>(std::move(spec), epoch, generation, std::move(known))) {}

LensLanes::~LensLanes() = default;

std::vector<LensLane> LensLanes::begin(const Wanted& wanted) {
  const MutexLock lock(mutex_);
  std::vector<LensLane> lanes;
  for (std::size_t place = 0; place < maker_->count(); ++place) {
    lanes.push_back(maker_->waiting(place, true));
    if (place > 0 && !wanted(lanes.back().id())) lanes.back().state = LaneState::Done;
  }
  return lanes;
}

bool LensLanes::compute(const Wanted& wanted, LaneStops& stops, const LaneDone& done, const Work& work) {
  const MutexLock lock(mutex_);
  for (std::size_t place = 0; place < maker_->count(); ++place) {
    const LensLane lane = maker_->waiting(place, true);
    const bool is_wanted = place == 0 ? !maker_->knowsFirst() : wanted(lane.id());
    if (!is_wanted || lane.state != LaneState::Waiting) continue;
    auto judged = maker_->done(place, stops.sourceOf(lane.id()), work);
    if (!judged) return false;
    done(place, *std::move(judged));
  }
  return !work.stopped();
}

QString lensSummary(const std::vector<LensLane>& lanes) {
  const auto count = [&](const auto& counts) { return std::count_if(lanes.begin(), lanes.end(), counts); };
  const auto of = [](LensVerdict verdict) {
    return [verdict](const LensLane& lane) { return lane.judged.verdict == verdict; };
  };
  QStringList parts;
  if (const auto raising = count(of(LensVerdict::Raises))) parts << phrase("lens", "%1 cannot run").arg(raising);
  if (const auto other = count(of(LensVerdict::Differs))) {
    const auto losing =
        count([](const LensLane& lane) { return lane.judged.samples && lane.judged.samples->only_first > 0; });
    QString part = phrase("lens", "%1 with different batches").arg(other);
    if (losing == 1) part = phrase("lens", "%1, 1 of them loses samples").arg(part);
    if (losing > 1) part = phrase("lens", "%1, %2 of them lose samples").arg(part).arg(losing);
    parts << part;
  }
  if (const auto same = count(of(LensVerdict::Same))) parts << phrase("lens", "%1 with the same batches").arg(same);
  return parts.join(QStringLiteral(" · "));
}

QString lensText(const std::vector<LensLane>& lanes) {
  QString out = lensSummary(lanes) + '\n';
  for (const LensLane& lane : lanes) {
    out += '\n' + text(lane.judged.column.title) + '\n';
    for (const QString& line : {text(sampling::samplerName(lane.judged.column.sampler)), lane.headline(), lane.shares(),
                                lane.verdict(), lane.detail()}) {
      if (!line.isEmpty()) out += "  " + line + '\n';
    }
  }
  return out;
}

QString lensCsv(const std::vector<LensLane>& lanes) {
  QString out = csvLine({"column", "title", "sampler", "verdict", "batches", "items", "same", "moved",
                         "read_less_often", "lost", "repeated", "added"});
  for (const LensLane& lane : lanes) {
    const JudgedColumn& judged = lane.judged;
    std::array<std::int64_t, 6> readings{};
    for (const LensShare& share : sharesOf(judged)) readings[static_cast<std::size_t>(share.kind)] = share.readings;
    QStringList cells = {text(judged.column.id),          text(judged.column.title),
                         text(judged.column.sampler),     text(std::string(lensVerdictName(judged.verdict))),
                         QString::number(judged.batches), QString::number(judged.items)};
    for (const std::int64_t count : readings) cells += judged.samples ? QString::number(count) : QString();
    out += csvLine(cells);
  }
  return out;
}

void LensOrder::setPinned(const std::string& id, bool pinned) {
  if (pinned) {
    pinned_.insert(id);
  } else {
    pinned_.erase(id);
  }
}

void LensOrder::setByHand(std::vector<std::string> ids) {
  hand_ = std::move(ids);
  if (!hand_.empty()) by_ = By::Hand;
}

std::vector<std::size_t> LensOrder::arranged(const std::vector<LensLane>& lanes) const {
  std::vector<std::size_t> places(lanes.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  if (places.empty()) return places;
  const auto begin = places.begin() + 1;
  if (by_ == By::Similarity) {
    std::stable_sort(begin, places.end(),
                     [&](std::size_t a, std::size_t b) { return unlikeness(lanes[a]) < unlikeness(lanes[b]); });
  }
  if (by_ == By::Hand) {
    const auto rank = [&](std::size_t place) {
      return std::find(hand_.begin(), hand_.end(), lanes[place].id()) - hand_.begin();
    };
    std::stable_sort(begin, places.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  }
  std::stable_partition(begin, places.end(), [&](std::size_t place) { return isPinned(lanes[place].id()); });
  return places;
}

std::size_t LensOrder::standing(const std::vector<LensLane>& lanes) const {
  return static_cast<std::size_t>(std::count_if(lanes.begin(), lanes.end(), [&](const LensLane& lane) {
    return &lane == &lanes.front() || isPinned(lane.id());
  }));
}

bool LensOrder::move(const std::vector<LensLane>& lanes, const std::string& id, int by) {
  std::vector<std::size_t> places = arranged(lanes);
  const auto at =
      std::find_if(places.begin(), places.end(), [&](std::size_t place) { return lanes[place].id() == id; });
  if (at == places.end() || at == places.begin()) return false;
  const auto fixed = static_cast<std::ptrdiff_t>(standing(lanes));
  const std::ptrdiff_t from = at - places.begin();
  const std::ptrdiff_t first = from < fixed ? 1 : fixed;
  const std::ptrdiff_t last = from < fixed ? fixed - 1 : std::ssize(places) - 1;
  const std::ptrdiff_t to = std::clamp<std::ptrdiff_t>(from + by, first, last);
  if (to == from) return false;
  if (to > from) {
    std::rotate(places.begin() + from, places.begin() + from + 1, places.begin() + to + 1);
  } else {
    std::rotate(places.begin() + to, places.begin() + from, places.begin() + from + 1);
  }
  std::vector<std::string> ids;
  ids.reserve(places.size());
  for (const std::size_t place : places) ids.push_back(lanes[place].id());
  // Columns that are out of sight now keep their places behind those that were moved.
  for (const std::string& other : hand_) {
    if (std::find(ids.begin(), ids.end(), other) == ids.end()) ids.push_back(other);
  }
  setByHand(std::move(ids));
  return true;
}

std::vector<SharePiece> shareBar(const std::vector<LensShare>& shares, double width) {
  std::vector<SharePiece> pieces;
  if (shares.empty()) return pieces;
  const double room = std::max(0.0, width - kBetweenPieces * static_cast<double>(shares.size() - 1));
  double needed = 0;
  std::vector<double> lengths;
  for (const LensShare& share : shares) {
    lengths.push_back(std::max(kLeastPiece, share.share * room));
    needed += lengths.back();
  }
  // What small pieces take beyond their share, the longest gives.
  *std::max_element(lengths.begin(), lengths.end()) -= needed - room;
  double at = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const double to = at + std::max(1.0, lengths[i]);
    pieces.push_back({shares[i].kind, at, to});
    at = to + kBetweenPieces;
  }
  return pieces;
}

QColor shareColor(const Theme& theme, ShareKind kind) {
  switch (kind) {
    case ShareKind::Same:
      return QColor::fromRgb(0x009E73);
    case ShareKind::Moved:
      return QColor::fromRgb(0x56B4E9);
    case ShareKind::Fewer:
      return theme.cell_empty;
    case ShareKind::Lost:
      return neverColor();
    case ShareKind::Repeated:
      return duplicateColor(theme);
    case ShareKind::Added:
      break;
  }
  return QColor::fromRgb(0xF0E442);
}

std::vector<LegendEntry> lensCellLegend(const std::vector<const LensLane*>& lanes, const Theme& theme) {
  std::vector<LegendEntry> entries;
  for (const LensLane* lane : lanes) {
    for (LegendEntry& entry : stageLegend(lane->stage, lane->facts.get(), StageColour::SamplePosition, false, theme)) {
      const auto is_known = [&](const LegendEntry& one) { return one.mark == entry.mark; };
      if (entry.mark == LegendMark::Spread || std::ranges::any_of(entries, is_known)) continue;
      entry.text = lensWords(entry);
      if (entry.mark == LegendMark::Scale) entry.from = phrase("lens", "sample %1").arg(entry.from);
      entries.push_back(std::move(entry));
    }
  }
  std::ranges::stable_sort(entries, {}, &LegendEntry::mark);
  return entries;
}

std::vector<LegendEntry> lensBarLegend(const std::vector<const LensLane*>& lanes, const Theme& theme) {
  std::set<ShareKind> kinds;
  for (const LensLane* lane : lanes) {
    for (const LensShare& share : sharesOf(lane->judged)) kinds.insert(share.kind);
  }
  std::vector<LegendEntry> entries;
  for (const ShareKind kind : kinds) {
    const LegendMark mark = kind == ShareKind::Lost ? LegendMark::Lost : LegendMark::Fills;
    entries.push_back({mark, text(shareName(kind)), {}, {}, {shareColor(theme, kind)}});
  }
  return entries;
}

}  // namespace shardlens::ui
