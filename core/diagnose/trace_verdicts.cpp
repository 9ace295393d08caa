// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/verdict_words.h"
#include "core/diagnose/verdicts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace shardlens {
namespace {

constexpr std::size_t kMostSentences = 4;

const TraceEnd::OfRank& endOf(const Evidence& evidence, std::int64_t rank) {
  static const TraceEnd::OfRank kNone;
  const auto place = static_cast<std::size_t>(rank);
  return place < evidence.trace->ranks.size() ? evidence.trace->ranks[place] : kNone;
}

/// The ranks whose calls read alike, those of the most ranks first.
template <class CallOf>
std::vector<words::RanksAt> alike(const Ranks& ranks, const CallOf& call_of) {
  std::map<std::tuple<std::string, std::string, std::string>, words::RanksAt> by_text;
  for (const std::int64_t rank : ranks) {
    const std::optional<TracedCall>& call = call_of(rank);
    if (!call) continue;
    auto& at = by_text[{call->operation, call->state, call->code}];
    at.call = *call;
    at.ranks.push_back(rank);
  }
  std::vector<words::RanksAt> out;
  out.reserve(by_text.size());
  for (auto& [text, at] : by_text) out.push_back(std::move(at));
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return a.ranks.size() > b.ranks.size(); });
  if (out.size() > kMostSentences) out.resize(kMostSentences);
  return out;
}

/// What these ranks are in.
std::vector<std::string> standing(const Evidence& evidence, const Ranks& ranks) {
  std::vector<std::string> sentences;
  for (const auto& at : alike(
           ranks, [&](std::int64_t rank) -> const auto& { return endOf(evidence, rank).open; }))
    sentences.push_back(words::standIn(at));
  return sentences;
}

/// What these ranks called last.
std::vector<std::string> newest(const Evidence& evidence, const Ranks& ranks) {
  std::vector<std::string> sentences;
  for (const auto& at : alike(
           ranks, [&](std::int64_t rank) -> const auto& { return endOf(evidence, rank).newest; }))
    sentences.push_back(words::endsWith(at));
  Ranks empty;
  for (const std::int64_t rank : ranks) {
    if (!endOf(evidence, rank).newest) empty.push_back(rank);
  }
  if (!empty.empty()) sentences.push_back(words::holdsNothing(empty));
  return sentences;
}

/// The operation of this group and number that a rank is in, as its trace names it.
std::string nameOf(const Evidence& evidence, std::int64_t rank) {
  const auto& open = endOf(evidence, rank).open;
  return open ? open->operation : words::doing(evidence, rank);
}

Ranks without(const Evidence& evidence) {
  Ranks ranks;
  for (const RankState& rank : evidence.state.ranks) {
    if (!rank.is_measured) ranks.push_back(rank.rank);
  }
  return ranks;
}

/// Of the ranks without a trace, those that this rank's operation needs.
Ranks neededWithout(const Evidence& evidence, std::int64_t rank) {
  const Operation& operation = evidence.tracker(rank).operations().front();
  const Collective* collective = isJoinable(operation) ? evidence.collectives.find(keyOf(rank, operation)) : nullptr;
  const Visit* visit = collective == nullptr ? nullptr : collective->visitOf(rank);
  if (visit == nullptr) return {};
  Ranks ranks = collective->missingFor(*visit);
  std::erase_if(ranks, [&](std::int64_t one) { return evidence.rank(one).is_measured; });
  return ranks;
}

/// Whether all members have come and none has left.
bool isMet(const Evidence& evidence, std::int64_t rank) {
  const Operation& operation = evidence.tracker(rank).operations().front();
  const Collective* collective = isJoinable(operation) ? evidence.collectives.find(keyOf(rank, operation)) : nullptr;
  return collective != nullptr && collective->left == 0 && collective->knowsArrivals();
}

Verdict notCome(const Evidence& evidence, const Waits& waits) {
  const Ranks waiting = waitersFor(evidence, waits, waits.culprits);
  std::vector<std::string> where = standing(evidence, waiting);
  for (std::string& sentence : newest(evidence, waits.culprits)) where.push_back(std::move(sentence));
  const bool knows_code = std::any_of(waits.culprits.begin(), waits.culprits.end(), [&](std::int64_t rank) {
    const auto& last = endOf(evidence, rank).newest;
    return last && !last->code.empty();
  });
  Verdict verdict =
      verdictOf(VerdictKind::Stalled, waits.culprits,
                words::didNotCome(waits.culprits, nameOf(evidence, waiting.front()), where, knows_code), 1);
  verdict.from_ns = evidence.rank(waiting.front()).since_ns;
  verdict.to_ns = evidence.state.elapsed_ns;
  if (!evidence.trace->tells_times) verdict.confidence = 0;  // of a job that runs, some ranks are ahead at any moment
  return verdict;
}

/// Ranks that gave no answer when the others did.
void addRanksLost(const Evidence& evidence, const Waits& waits, TraceEnd::Lost how, std::vector<Verdict>& verdicts) {
  Ranks ranks;
  for (const RankState& rank : evidence.state.ranks) {
    if (endOf(evidence, rank.rank).lost == how) ranks.push_back(rank.rank);
  }
  if (ranks.empty()) return;
  const bool are_dead = how == TraceEnd::Lost::Dead;
  const std::string process = ranks.size() == 1 ? words::processText(evidence.rank(ranks.front())) : std::string();
  verdicts.push_back(verdictOf(
      are_dead ? VerdictKind::Dead : VerdictKind::Stalled, ranks,
      words::ranksLost(ranks, are_dead, evidence.trace->source, process, standing(evidence, waits.blocked)), 1));
}

}  // namespace

void addTraceStalled(const Evidence& evidence, const Waits& waits, std::vector<Verdict>& verdicts) {
  addRanksLost(evidence, waits, TraceEnd::Lost::Dead, verdicts);
  addRanksLost(evidence, waits, TraceEnd::Lost::Silent, verdicts);
  if (!verdicts.empty() || waits.blocked.empty()) return;
  if (const Ranks circle = circleOf(evidence, waits); !circle.empty()) {
    verdicts.push_back(
        verdictOf(VerdictKind::Mismatch, circle, words::circleAtEnd(circle, standing(evidence, circle)), 1));
    verdicts.back().says_places = true;
    return;
  }
  if (!waits.culprits.empty()) return verdicts.push_back(notCome(evidence, waits));
  for (const std::int64_t rank : waits.blocked) {
    const Ranks needed = neededWithout(evidence, rank);
    if (needed.empty()) continue;
    verdicts.push_back(
        verdictOf(VerdictKind::Stalled, needed,
                  words::mayNotHaveCome(needed, nameOf(evidence, rank), standing(evidence, waits.blocked)), 1));
    verdicts.back().confidence = 0;  // it is where to look, not who is to blame
    return;
  }
  if (evidence.collectives.uneven() != nullptr) return;  // that is why
  for (const std::int64_t rank : waits.blocked) {
    if (!isMet(evidence, rank)) continue;
    verdicts.push_back(verdictOf(VerdictKind::Stalled, Ranks{},
                                 words::stuckAtEnd(nameOf(evidence, rank), standing(evidence, waits.blocked)), 1));
    return;
  }
}

void addPlaces(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  if (!evidence.is_at_end) return;
  for (Verdict& verdict : verdicts) {
    if (verdict.kind != VerdictKind::Mismatch || verdict.says_places) continue;
    Ranks all;
    for (const RankState& rank : evidence.state.ranks) all.push_back(rank.rank);
    for (const std::string& sentence : standing(evidence, all)) verdict.message += " " + sentence;
    verdict.says_places = true;
  }
}

void addTraceLost(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  const auto add = [&verdicts](const Ranks& ranks, words::VerdictWords words) {
    verdicts.push_back(verdictOf(VerdictKind::Lost, Ranks{}, std::move(words), 0));
    verdicts.back().ranks = ranks;
  };
  Ranks cut;
  for (const RankState& rank : evidence.state.ranks) {
    if (endOf(evidence, rank.rank).is_cut) cut.push_back(rank.rank);
  }
  if (!cut.empty()) add(cut, words::tracesCut(cut));
  const Ranks missing = without(evidence);
  const bool are_told = std::all_of(missing.begin(), missing.end(), [&](std::int64_t rank) {
    return endOf(evidence, rank).lost != TraceEnd::Lost::No;
  });
  if (!are_told && evidence.is_at_end) add(missing, words::tracesMissing(missing, evidence.state.world_size));
  if (const std::int64_t unknown = evidence.groups.unknown(); unknown > 0) add({}, words::groupsUnknown(unknown));
  if (evidence.trace->tells_times && !evidence.state.clock_error_us && evidence.state.world_size > 0)
    add({}, words::traceClocksUnknown());
}

}  // namespace shardlens
