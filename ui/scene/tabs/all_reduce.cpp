// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/tabs/all_reduce.h"

#include "core/audit/words/finding_words.h"
#include "core/base/text.h"
#include "core/schedule/schedule.h"
#include "ui/scene/number_text.h"
#include "ui/state/phrase.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>

namespace shardlens::ui {
namespace {

using schedule::AllReduce;
using schedule::RingAllReduce;
using schedule::Round;

QString ranksText(const AllReduce& call) {
  std::vector<std::int64_t> ranks;
  for (const Rank rank : call.ranks) ranks.push_back(rank.value);
  return text(listedRanks(ranks));
}

/// Follows the messages of an algorithm.
class MessageFollower {
 public:
  MessageFollower(const AllReduce& call, const RingAllReduce& ring, const std::vector<Round>& rounds)
      : call_(call), ring_(ring), rounds_(rounds), values_(ring.given) {
    std::set<std::size_t> begins;
    for (const Round& round : rounds)
      for (const schedule::Message& message : round.messages) begins.insert(message.first);
    begins_.assign(begins.begin(), begins.end());
    reduced_.assign(ring.ranks.size(), std::vector<std::size_t>(begins_.size(), 1));
  }

  void run(ReduceRounds& out) {
    out.rows.push_back(rows());
    for (const Round& round : rounds_) {
      out.arrows.push_back(arrows(round));
      count(round);
      exchange(round, ring_, values_);
      out.rows.push_back(rows());
    }
  }

 private:
  [[nodiscard]] std::vector<ReduceArrow> arrows(const Round& round) const {
    std::vector<ReduceArrow> all;
    for (const schedule::Message& message : round.messages)
      all.push_back({ring_.placeOf(message.from), ring_.placeOf(message.to), label(message)});
    return all;
  }

  /// A message that has all values has one chunk.
  [[nodiscard]] QString label(const schedule::Message& message) const {
    const bool is_whole = message.values.size() == ring_.given.front().size();
    const QString values = text(ring_.text(message.values));
    if (is_whole) return call_.given.empty() ? phrase("tabs", "all chunks") : values;
    const QString chunk = number(std::ranges::lower_bound(begins_, message.first) - begins_.begin());
    return call_.given.empty() ? phrase("tabs", "chunk %1").arg(chunk)
                               : phrase("tabs", "chunk %1: %2").arg(chunk, values);
  }

  /// How many ranks are reduced into each chunk after the round.
  void count(const Round& round) {
    const auto before = reduced_;
    for (const schedule::Message& message : round.messages) {
      const std::size_t from = ring_.placeOf(message.from);
      const std::size_t to = ring_.placeOf(message.to);
      for (std::size_t chunk = 0; chunk < begins_.size(); ++chunk) {
        if (begins_[chunk] < message.first || begins_[chunk] >= message.first + message.values.size()) continue;
        reduced_[to][chunk] = round.gathers ? ring_.ranks.size() : reduced_[to][chunk] + before[from][chunk];
      }
    }
  }

  [[nodiscard]] std::vector<ReduceRow> rows() const {
    std::vector<ReduceRow> all;
    for (std::size_t place = 0; place < values_.size(); ++place) {
      ReduceRow& row = all.emplace_back();
      if (!call_.given.empty()) row.values = text(ring_.text(values_[place]));
      for (std::size_t chunk = 0; chunk < begins_.size(); ++chunk) row.chunks.push_back(chunkOf(place, chunk));
    }
    return all;
  }

  [[nodiscard]] ReduceChunk chunkOf(std::size_t place, std::size_t chunk) const {
    const std::vector<double>& values = values_[place];
    const std::size_t end = chunk + 1 < begins_.size() ? begins_[chunk + 1] : values.size();
    const auto at = [&values](std::size_t i) { return values.begin() + static_cast<std::ptrdiff_t>(i); };
    const double share = static_cast<double>(reduced_[place][chunk]) / static_cast<double>(ring_.ranks.size());
    if (call_.given.empty()) return {{}, share};
    const QString listed = text(ring_.text({at(begins_[chunk]), at(end)}));
    return {listed.mid(1, listed.size() - 2), share};
  }

  const AllReduce& call_;
  const RingAllReduce& ring_;
  const std::vector<Round>& rounds_;
  std::vector<std::vector<double>> values_;        ///< by place
  std::vector<std::size_t> begins_;                ///< of the chunks
  std::vector<std::vector<std::size_t>> reduced_;  ///< ranks, by place and chunk
};

ReduceRounds roundsOf(const QString& name, const AllReduce& call, const RingAllReduce& ring,
                      const std::vector<Round>& rounds, const QString& reduces, const QString& gathers) {
  ReduceRounds out;
  out.name = name;
  bool divides = call.reduction == schedule::Reduction::Avg;
  for (const Round& round : rounds) {
    out.phases += round.gathers ? gathers : reduces;
    if (!divides || !round.gathers) continue;
    out.phases.back() = phrase("tabs", "%1, each sum divided by %2").arg(gathers, number(call.ranks.size()));
    divides = false;
  }
  MessageFollower(call, ring, rounds).run(out);
  return out;
}

/// "[1, 2] + [3, 4] = [4, 6]", or with a list a line; without values the bytes, as far as they are said.
QString whatIsReduced(const AllReduce& call, const RingAllReduce& ring, bool has_lines) {
  if (call.given.empty()) return call.bytes > 0 ? countOf(call.bytes, "byte") : QString();
  QStringList given;
  for (const std::vector<double>& values : call.given) given += text(call.text(values));
  const bool adds = call.reduction == schedule::Reduction::Sum;
  const QString apart = has_lines ? QStringLiteral("\n") : QStringLiteral(" ");
  const QString between = adds ? apart + QStringLiteral("+ ") : has_lines ? apart : phrase("tabs", ", ");
  return given.join(between) + apart + (adds ? QStringLiteral("= ") : QStringLiteral("→ ")) +
         text(call.text(ring.result));
}

}  // namespace

std::size_t AllReduceScene::rounds() const {
  std::size_t most = 0;
  for (const ReduceRounds& one : drawn) most = std::max(most, one.rounds());
  return most;
}

bool hasAllReduce(const PipelineSpec& spec) {
  return schedule::hasPhase(spec, schedule::Kind::AllReduce);
}

QString reducePlace(const AllReduce& call) {
  return QStringLiteral("schedule[%1] · %2").arg(call.line).arg(ranksText(call));
}

AllReduceScene allReduceScene(const AllReduce& call) {
  AllReduceScene scene;
  const std::string_view reduction = nameOf(call.reduction);
  scene.title = QStringLiteral("all_reduce (%1) · %2").arg(text(std::string(reduction)), ranksText(call));
  if (const std::string costs = words::allReduceCosts(call); !costs.empty())
    scene.sentences += text(words::capital(costs));
  if (const std::string mean = words::wholeMean(call); !mean.empty()) scene.sentences += text(mean);
  const bool is_drawn = call.ranks.size() <= kMostReduceRanks;
  const RingAllReduce ring = is_drawn ? ringAllReduce(call) : RingAllReduce();
  scene.tip = scene.title;
  if (is_drawn || call.given.empty()) {
    const QString reduced = whatIsReduced(call, ring, false);
    if (!reduced.isEmpty()) scene.title += QStringLiteral(" · ") + reduced;
    if (!reduced.isEmpty()) scene.tip += '\n' + whatIsReduced(call, ring, true);
  }
  if (!is_drawn) {
    scene.sentences += phrase("tabs", "The rounds are drawn for groups of up to %1.")
                           .arg(countOf(static_cast<qint64>(kMostReduceRanks), "rank"));
    return scene;
  }
  for (const Rank rank : call.ranks) scene.ranks += number(rank.value);
  scene.drawn.push_back(roundsOf(phrase("tabs", "Ring"), call, ring, ring.rounds, phrase("tabs", "reduce-scatter"),
                                 phrase("tabs", "all-gather")));
  scene.drawn.push_back(roundsOf(phrase("tabs", "Tree"), call, ring, treeRounds(ring), phrase("tabs", "reduce"),
                                 phrase("tabs", "broadcast")));
  return scene;
}

QString reduceHead(const ReduceRounds& rounds, std::size_t done) {
  const auto all = static_cast<qint64>(rounds.rounds());
  const auto now = static_cast<qint64>(done);
  if (now >= all) return phrase("tabs", "%1 · done after %2").arg(rounds.name, countOf(all, "round"));
  return phrase("tabs", "%1 · round %2 of %3: %4")
      .arg(rounds.name, number(now + 1), number(all), rounds.phases.at(now));
}

QString reduceWords(const AllReduceScene& scene, const ReduceRounds& rounds, std::size_t done) {
  QStringList lines = {reduceHead(rounds, done)};
  const auto rank = [&scene](std::size_t place) { return scene.ranks.at(static_cast<qsizetype>(place)); };
  if (done < rounds.rounds()) {
    for (const ReduceArrow& arrow : rounds.arrows[done])
      lines += phrase("tabs", "rank %1 sends %2 to rank %3").arg(rank(arrow.from), arrow.label, rank(arrow.to));
  } else {
    const std::vector<ReduceRow>& rows = rounds.rows.back();
    for (std::size_t place = 0; place < rows.size(); ++place)
      if (!rows[place].values.isEmpty()) lines += phrase("tabs", "rank %1 has %2").arg(rank(place), rows[place].values);
  }
  return lines.join('\n');
}

QString allReduceText(const AllReduceScene& scene) {
  QStringList parts = {scene.title};
  parts += scene.sentences;
  for (const ReduceRounds& rounds : scene.drawn)
    for (std::size_t done = 0; done <= rounds.rounds(); ++done) parts += reduceWords(scene, rounds, done);
  return parts.join('\n') + '\n';
}

}  // namespace shardlens::ui
