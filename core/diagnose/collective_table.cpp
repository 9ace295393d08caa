// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/collective_table.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace shardlens {
namespace {

constexpr std::size_t kMostOpen = 65'536;
constexpr std::size_t kFewestOpen = 8;
/// Visits of open collectives kept at most, so that a large world does not multiply them.
constexpr std::size_t kMostOpenCells = 4'000'000;
/// Arrivals kept at most, of one group and of all groups together.
constexpr std::size_t kMostLostCells = 1'000'000;
constexpr std::size_t kMostLostCellsOfAll = 4'000'000;
/// Open collectives of one group that are compared with each other.
constexpr std::size_t kMostCompared = 32;

/// The first visit that is not of a lower rank. In the world, and in every group of the first ranks, it stands at its
/// rank.
std::size_t placeOf(const std::vector<Visit>& visits, std::int64_t rank) {
  const auto index = static_cast<std::size_t>(rank);
  if (index < visits.size() && visits[index].rank == rank) return index;
  const auto place = std::lower_bound(visits.begin(), visits.end(), rank,
                                      [](const Visit& visit, std::int64_t wanted) { return visit.rank < wanted; });
  return static_cast<std::size_t>(place - visits.begin());
}

Visit* slotFor(Collective& collective, std::int64_t rank) {
  const std::size_t place = placeOf(collective.visits, rank);
  if (place < collective.visits.size() && collective.visits[place].rank == rank) return &collective.visits[place];
  if (collective.members != nullptr) return nullptr;
  Visit fresh;
  fresh.rank = rank;
  return &*collective.visits.insert(collective.visits.begin() + static_cast<std::ptrdiff_t>(place), fresh);
}

/// The two ends of a send, or the members of the group.
Members membersOf(const OperationKey& key, const GroupTable& groups) {
  if (!key.isPair()) return groups.members(key.group);
  if (key.from == key.to) return nullptr;
  return std::make_shared<const std::vector<std::int64_t>>(
      std::vector<std::int64_t>{std::min(key.from, key.to), std::max(key.from, key.to)});
}

void countEnter(Collective& collective, std::int64_t time_ns) {
  collective.first_enter_ns = collective.entered == 0 ? time_ns : std::min(collective.first_enter_ns, time_ns);
  collective.last_enter_ns = std::max(collective.last_enter_ns, time_ns);
  ++collective.entered;
}

void seat(Collective& collective, const Members& members) {
  const std::vector<Visit> before = std::move(collective.visits);
  collective.members = members;
  collective.visits.clear();
  collective.entered = collective.left = collective.absent = 0;
  collective.first_enter_ns = collective.last_enter_ns = -1;
  if (members != nullptr) {
    collective.visits.resize(members->size());
    for (std::size_t i = 0; i < members->size(); ++i) collective.visits[i].rank = (*members)[i];
  }
  for (const Visit& visit : before) {
    if (visit.enter_ns < 0) continue;
    Visit* place = slotFor(collective, visit.rank);
    if (place == nullptr) continue;  // no member after all
    *place = visit;
    countEnter(collective, visit.enter_ns);
    collective.left += visit.isInside() ? 0 : 1;
  }
}

bool isComplete(const Collective& collective) {
  return collective.members != nullptr && collective.left + collective.absent == collective.members->size();
}

Call callOf(const Collective& collective) {
  return {collective.key.op, collective.bytes};
}

/// What it calls one after the other, when these are open.
std::vector<Call> callsOf(const std::vector<const Collective*>& open) {
  std::vector<Call> calls;
  calls.reserve(open.size());
  for (const Collective* one : open) calls.push_back(callOf(*one));
  return calls;
}

/// The rank has left, and nothing says when.
void loseVisit(Collective& collective, std::int64_t rank) {
  if (collective.members == nullptr && !collective.hasEntered(rank)) return;
  Visit* visit = slotFor(collective, rank);
  if (visit == nullptr || visit->leave_ns >= 0 || visit->is_lost) return;
  visit->is_lost = true;
  ++(visit->enter_ns >= 0 ? collective.left : collective.absent);
}

/// As Collective::held_all says.
bool heldAll(const Collective& collective) {
  const Meeting meeting = meetingOf(collective.key.op);
  if (meeting != Meeting::FromRoot && meeting != Meeting::ToRoot) return false;
  if (!collective.knowsArrivals() || !collective.isComparable() || !collective.earlier.empty()) return false;
  const std::int64_t last_ns = collective.last_enter_ns;
  std::int64_t end_ns = last_ns;
  for (const Visit& visit : collective.visits) {
    if (visit.leave_ns < last_ns || visit.alone.from_ns > visit.enter_ns) return false;
    end_ns = std::max(end_ns, visit.leave_ns);
  }
  const auto hops = static_cast<std::int64_t>(collective.visits.size()) - 1;
  return last_ns - collective.first_enter_ns > hops * (end_ns - last_ns);
}

/// It has not left after all.
void findVisit(Collective& collective, Visit& visit) {
  if (!std::exchange(visit.is_lost, false)) return;
  --(visit.enter_ns >= 0 ? collective.left : collective.absent);
}

}  // namespace

const Visit* Collective::visitOf(std::int64_t rank) const {
  const std::size_t place = placeOf(visits, rank);
  return place < visits.size() && visits[place].rank == rank ? &visits[place] : nullptr;
}

bool Collective::hasEntered(std::int64_t rank) const {
  const Visit* visit = visitOf(rank);
  return visit != nullptr && visit->enter_ns >= 0;
}

bool Collective::isComparable() const {
  return std::ranges::all_of(visits, [this](const Visit& visit) { return visit.clock == visits.front().clock; });
}

std::int64_t Collective::releaseOf(const Visit& visit) const {
  if (held_all) return last_enter_ns;
  switch (meetingOf(key.isPair() ? std::uint16_t{SL_OP_SEND} : key.op)) {
    case Meeting::All:
      return last_enter_ns;
    case Meeting::FromRoot: {
      const Visit* from = visitOf(root);
      return from == nullptr || visit.rank == root ? visit.enter_ns : std::max(visit.enter_ns, from->enter_ns);
    }
    case Meeting::ToRoot:
      return visit.rank == root ? last_enter_ns : visit.enter_ns;
    case Meeting::Pair: {
      const std::int64_t last = last_enter_ns;
      // A send that was over before the recv came was buffered: it did not wait.
      return visit.sends && visit.leave_ns < last ? visit.enter_ns : last;
    }
    case Meeting::Unknown:
      break;
  }
  return visit.enter_ns;
}

std::vector<std::int64_t> Collective::missingFor(const Visit& visit) const {
  const Meeting meeting = meetingOf(key.isPair() ? std::uint16_t{SL_OP_SEND} : key.op);
  if (members == nullptr || meeting == Meeting::Unknown) return {};
  const bool by_root = meeting == Meeting::FromRoot || (meeting == Meeting::ToRoot && visit.rank != root);
  std::vector<std::int64_t> missing;
  std::vector<std::int64_t> not_there;
  for (const Visit& one : visits) {
    if (one.enter_ns >= 0 || one.is_lost) continue;
    not_there.push_back(one.rank);
    if (!by_root || one.rank == root) missing.push_back(one.rank);
  }
  // The data goes from rank to rank, and a root may have to wait until it is taken.
  return missing.empty() ? not_there : missing;
}

std::vector<std::int64_t> Collective::awaitedBy(const Visit& visit) const {
  const Meeting meeting = meetingOf(key.isPair() ? std::uint16_t{SL_OP_SEND} : key.op);
  const bool waits_for_none = (meeting == Meeting::FromRoot && visit.rank == root) ||
                              (meeting == Meeting::ToRoot && visit.rank != root) ||
                              (meeting == Meeting::Pair && visit.sends);
  if (waits_for_none) return {};
  std::vector<std::int64_t> awaited = missingFor(visit);
  if (meeting == Meeting::FromRoot) std::erase_if(awaited, [this](std::int64_t rank) { return rank != root; });
  return awaited;
}

CollectiveTable::CollectiveTable(std::int64_t world_size, bool excuses_waits)
    : world_size_(world_size), excuses_waits_(excuses_waits) {}

void CollectiveTable::forgetOldest() {
  const auto found = open_.find(by_age_.begin()->second);
  forgetful_.insert(found->first.group);
  ++forgotten_;
  (void)takeOut(found);
}

Collective CollectiveTable::takeOut(Place found) {
  const auto age = age_of_.find(found->first);
  by_age_.erase(age->second);
  age_of_.erase(age);
  if (found->first == uneven_key_) uneven_ = found->second;
  Collective out = std::move(found->second);
  open_cells_ -= out.visits.size();
  open_.erase(found);
  return out;
}

Collective& CollectiveTable::at(const OperationKey& key, const GroupTable& groups) {
  const auto found = open_.find(key);
  if (found != open_.end()) return found->second;
  const Members members = membersOf(key, groups);
  const std::size_t cells = members != nullptr ? members->size() : 0;
  while (open_.size() >= kMostOpen || (open_.size() >= kFewestOpen && open_cells_ + cells > kMostOpenCells))
    forgetOldest();
  Collective& made = open_[key];
  made.key = key;
  seat(made, members);
  markPassed(made);
  open_cells_ += cells;
  age_of_[key] = next_age_;
  by_age_[next_age_++] = key;
  return made;
}

void CollectiveTable::enter(const Entry& entry, const GroupTable& groups) {
  const Operation operation = operationOf(entry.record);
  if (!isJoinable(operation)) return;
  const OperationKey key = keyOf(entry.rank, operation);
  if (key.isPair() && (key.from >= world_size_ || key.to >= world_size_)) return;
  Collective& collective = at(key, groups);
  const std::size_t cells = collective.visits.size();
  Visit* visit = slotFor(collective, entry.rank);
  open_cells_ += collective.visits.size() - cells;
  if (visit == nullptr || visit->enter_ns >= 0) return;
  findVisit(collective, *visit);
  visit->enter_ns = operation.since_ns;
  visit->epoch = entry.record.epoch;
  visit->step = entry.record.step;
  visit->bytes = entry.record.a;
  visit->clock = entry.clock;
  visit->worked = entry.worked;
  visit->after_steps = entry.after_steps;
  visit->started_ns = entry.started_ns;
  visit->sends = operation.op == SL_OP_SEND;
  const Meeting meeting = meetingOf(operation.op);
  const bool has_root = meeting == Meeting::FromRoot || meeting == Meeting::ToRoot;
  if (has_root && operation.peer != SL_NO_PEER) collective.root = operation.peer;
  countEnter(collective, visit->enter_ns);
  compareSizes(collective, *visit);
}

void CollectiveTable::compareSizes(Collective& collective, const Visit& fresh) {
  const std::uint16_t op = collective.key.op;
  const bool is_alike = op == SL_OP_ALLREDUCE || op == SL_OP_BROADCAST || op == SL_OP_REDUCE || op == SL_OP_SCAN;
  if (uneven_key_ || !is_alike || fresh.bytes == 0) return;
  if (collective.bytes == 0) collective.bytes = fresh.bytes;
  if (collective.bytes == fresh.bytes) return;
  uneven_key_ = collective.key;
  const std::vector<Call> since = callsOf(openBefore(collective, fresh.rank));
  const auto usual = history_[collective.key.group].usual(since, callOf(collective), {op, fresh.bytes});
  if (usual) usual_bytes_ = usual->bytes;
}

/// In the order in which the rank came to them.
std::vector<const Collective*> CollectiveTable::openBefore(const Collective& collective, std::int64_t rank) const {
  const auto entered = [rank](const Collective& one) {
    const Visit* const visit = one.visitOf(rank);
    return visit == nullptr ? -1 : visit->enter_ns;
  };
  const std::int64_t until_ns = entered(collective);
  std::vector<const Collective*> before;
  for (const auto& [key, one] : open_) {
    const bool is_of_group = key.group == collective.key.group && !key.isPair() && key != collective.key;
    if (is_of_group && entered(one) >= 0 && entered(one) <= until_ns) before.push_back(&one);
  }
  std::ranges::sort(before, [&](const Collective* a, const Collective* b) { return entered(*a) < entered(*b); });
  return before;
}

const Collective* CollectiveTable::usual(const Mixed& mixed) const {
  const auto history = history_.find(mixed.group);
  const auto before = openBefore(*mixed.one, mixed.only_one.front());
  if (history == history_.end() || before != openBefore(*mixed.other, mixed.only_other.front())) return nullptr;
  const auto usual = history->second.usual(callsOf(before), callOf(*mixed.one), callOf(*mixed.other));
  return !usual ? nullptr : *usual == callOf(*mixed.one) ? mixed.one : mixed.other;
}

const Collective* CollectiveTable::uneven() const {
  if (uneven_ || !uneven_key_) return uneven_ ? &*uneven_ : nullptr;
  return find(*uneven_key_);
}

void CollectiveTable::completeAt(Place place, std::vector<Collective>& complete) {
  if (!isComplete(place->second)) return;
  complete.push_back(takeOut(place));
  complete.back().held_all = heldAll(complete.back());
  if (!complete.back().key.isPair()) history_[complete.back().key.group].add(callOf(complete.back()));
  if (excuses_waits_) logWaits(complete.back());
  keepTimeLost(complete.back());
}

void CollectiveTable::closeFor(std::int64_t rank, Place place, std::vector<Collective>& complete) {
  loseVisit(place->second, rank);
  completeAt(place, complete);
}

/// A rank leaves the collectives of one group and kind in their order. That matters where records of it were lost:
/// those before this one, which it seems never to have left or come to, it has left.
void CollectiveTable::pass(std::int64_t rank, const OperationKey& key, std::vector<Collective>& complete) {
  if (key.isPair() || isPointToPoint(key.op) || !lossy_.contains(rank)) return;
  std::uint64_t& passed = passed_[{key.group, key.op}][rank];
  if (key.seq <= passed) return;
  for (auto next = open_.lower_bound({key.group, key.op, -1, -1, passed}); next != open_.end() && next->first < key;)
    closeFor(rank, next++, complete);
  passed = key.seq;
}

/// Ranks whose records of it were lost may have left it before another rank's first record of it is read.
void CollectiveTable::markPassed(Collective& collective) {
  const auto found = passed_.find({collective.key.group, collective.key.op});
  if (collective.key.isPair() || found == passed_.end()) return;
  for (const auto& [rank, passed] : found->second) {
    if (collective.key.seq < passed) loseVisit(collective, rank);
  }
}

std::vector<Collective> CollectiveTable::end() {
  std::vector<Collective> complete;
  if (lossy_.empty()) return complete;
  for (auto next = open_.begin(); next != open_.end();) {
    const auto place = next++;
    for (const std::int64_t rank : lossy_) loseVisit(place->second, rank);
    completeAt(place, complete);
  }
  return complete;
}

std::vector<Collective> CollectiveTable::leave(std::int64_t rank, const sl_record& record,
                                               std::span<const Interval> alone) {
  std::vector<Collective> complete;
  const OperationKey key = keyOf(rank, operationOf(record));
  pass(rank, key, complete);
  const auto found = open_.find(key);
  if (found == open_.end()) return complete;
  Collective& collective = found->second;
  Visit* visit = collective.members == nullptr && !collective.hasEntered(rank) ? nullptr : slotFor(collective, rank);
  if (visit == nullptr || visit->enter_ns < 0 || visit->leave_ns >= 0) return complete;
  findVisit(collective, *visit);
  visit->leave_ns = static_cast<std::int64_t>(record.time_ns);
  const std::int64_t first = std::min(visit->enter_ns, visit->leave_ns);
  visit->alone = {visit->leave_ns, visit->leave_ns};
  for (const Interval& one : alone) {
    const Interval inside{std::clamp(one.from_ns, first, visit->leave_ns),
                          std::clamp(one.to_ns, first, visit->leave_ns)};
    if (visit->alone.from_ns < visit->alone.to_ns) collective.earlier.push_back({rank, visit->alone});
    visit->alone = inside;
  }
  ++collective.left;
  // When it was released is known once all that the others say is read; until then, all of this was no work of its own.
  if (excuses_waits_ && !key.isPair()) waits_.add(rank, visit->alone);
  completeAt(found, complete);
  return complete;
}

std::vector<Collective> CollectiveTable::learn(std::uint32_t group, const Members& members) {
  std::vector<Collective> complete;
  for (auto next = open_.lower_bound({group, 0, -1, -1, 0}); next != open_.end() && next->first.group == group;) {
    const auto found = next++;
    if (found->first.isPair()) continue;
    const std::size_t cells = found->second.visits.size();
    seat(found->second, members);
    markPassed(found->second);
    open_cells_ += found->second.visits.size() - cells;
    completeAt(found, complete);
  }
  return complete;
}

const Collective* CollectiveTable::find(const OperationKey& key) const {
  const auto found = open_.find(key);
  return found == open_.end() ? nullptr : &found->second;
}

/// A message is waited for from the moment when the rank wants it; what goes on beside other things is not.
void CollectiveTable::logWaits(const Collective& collective) {
  if (!collective.key.isPair()) {
    for (const Visit& visit : collective.visits) waits_.remove(visit.rank, visit.alone);  // as leave() added it
  }
  if (!collective.isComparable() || !collective.knowsArrivals()) return;
  for (const Visit& visit : collective.visits) {
    if (visit.leave_ns < 0) continue;
    const std::int64_t from = collective.key.isPair() ? visit.enter_ns : visit.alone.from_ns;
    // Data that goes from rank to rank keeps also a root, and who has its data, until the last one takes it.
    const bool was_kept = !collective.key.isPair() && visit.leave_ns >= collective.last_enter_ns;
    const std::int64_t release = was_kept ? collective.last_enter_ns : collective.releaseOf(visit);
    waits_.add(visit.rank, {from, std::min(visit.leave_ns, release)});
  }
}

/// As if each rank had come earlier by the time that it waited for others since the group met last; but not before the
/// first one really came: nobody waited here for longer than that.
Collective CollectiveTable::excused(const Collective& collective) {
  Collective out = collective;
  const auto [met, is_first] = met_ns_.try_emplace(collective.key.group, 0);
  for (Visit& visit : out.visits) {
    const std::int64_t waited = waits_.within(visit.rank, met->second, visit.enter_ns);
    visit.enter_ns = std::max(collective.first_enter_ns, visit.enter_ns - waited);
  }
  const auto earlier = [](const Visit& a, const Visit& b) { return a.enter_ns < b.enter_ns; };
  const auto [first, last] = std::ranges::minmax_element(out.visits, earlier);
  out.first_enter_ns = first->enter_ns;
  out.last_enter_ns = last->enter_ns;
  met->second = collective.last_enter_ns;
  return out;
}

void CollectiveTable::keepTimeLost(const Collective& collective) {
  if (collective.key.isPair()) return;
  const bool all_met = meetingOf(collective.key.op) == Meeting::All || collective.held_all;
  if (!all_met || !collective.isComparable() || collective.visits.size() < 2 || !collective.knowsArrivals()) {
    const auto found = time_lost_.find(collective.key.group);
    if (found != time_lost_.end()) found->second.leaveOut();
    return;
  }
  TimeLost& lost = time_lost_[collective.key.group];
  if (lost.members() != collective.members && (lost.members() == nullptr || *lost.members() != *collective.members)) {
    lost_cells_ -= lost.cells();
    lost = TimeLost(collective.members, kMostLostCells);
  }
  lost_cells_ -= lost.cells();
  lost.add(excuses_waits_ ? excused(collective) : collective);
  lost_cells_ += lost.cells();
  if (lost_cells_ > kMostLostCellsOfAll) shrinkLargest();
}

void CollectiveTable::shrinkLargest() {
  const auto largest = std::ranges::max_element(
      time_lost_, [](const auto& a, const auto& b) { return a.second.cells() < b.second.cells(); });
  TimeLost& lost = largest->second;
  const std::size_t before = lost.cells();
  if (lost.shrink()) lost_cells_ -= before - lost.cells();
}

std::vector<std::int64_t> CollectiveTable::cameOnlyTo(const Collective& one, const Collective& other) const {
  std::vector<std::int64_t> ranks;
  for (const Visit& visit : one.visits) {
    if (visit.isInside() && !other.hasEntered(visit.rank) && lossy_.count(visit.rank) == 0) ranks.push_back(visit.rank);
  }
  return ranks;
}

/// Members call the collectives of a group in one order, so who is in the later of two has been in the earlier. Where
/// each of two has a rank that never came to the other, the orders differ.
std::optional<Mixed> CollectiveTable::firstMixed() const {
  std::map<std::uint32_t, std::vector<const Collective*>> waiting;
  for (const auto& [age, key] : by_age_) {
    const Collective& collective = open_.at(key);
    const bool is_judged = !key.isPair() && collective.members != nullptr && forgetful_.count(key.group) == 0;
    if (!is_judged || collective.left == collective.entered) continue;
    auto& of_group = waiting[key.group];
    if (of_group.size() < kMostCompared) of_group.push_back(&collective);
  }
  for (const auto& [group, collectives] : waiting) {
    for (std::size_t i = 0; i < collectives.size(); ++i) {
      for (std::size_t j = i + 1; j < collectives.size(); ++j) {
        if (collectives[i]->key.op == collectives[j]->key.op) continue;
        Mixed mixed{group, collectives[i], collectives[j], cameOnlyTo(*collectives[i], *collectives[j]), {}};
        if (mixed.only_one.empty()) continue;
        mixed.only_other = cameOnlyTo(*collectives[j], *collectives[i]);
        if (!mixed.only_other.empty()) return mixed;
      }
    }
  }
  return std::nullopt;
}

namespace {

constexpr std::size_t kMostCalls = 512;
constexpr std::size_t kLeastOften = 2;

}  // namespace

void CallHistory::add(const Call& call) {
  calls_.push_back(call);
  if (calls_.size() > kMostCalls) calls_.pop_front();
}

std::optional<Call> CallHistory::usual(const std::vector<Call>& since, const Call& one, const Call& other) const {
  std::vector<Call> calls(calls_.begin(), calls_.end());
  calls.insert(calls.end(), since.begin(), since.end());
  // How many calls before each one are those that were made last.
  std::vector<std::size_t> alike(calls.size());
  for (std::size_t next = 1; next < calls.size(); ++next) {
    while (alike[next] < next && calls[next - 1 - alike[next]] == calls[calls.size() - 1 - alike[next]]) ++alike[next];
  }
  std::vector<std::size_t> longest = alike;
  std::sort(longest.rbegin(), longest.rend());
  if (longest.size() < kLeastOften || longest[kLeastOften - 1] == 0) return std::nullopt;
  bool is_one = true;
  bool is_other = true;
  for (std::size_t next = 1; next < calls.size(); ++next) {
    if (alike[next] < longest[kLeastOften - 1]) continue;
    is_one = is_one && calls[next] == one;
    is_other = is_other && calls[next] == other;
  }
  if (is_one == is_other) return std::nullopt;
  return is_one ? one : other;
}

namespace {

constexpr std::size_t kMostWaits = 64;  ///< of a rank
constexpr std::int64_t kShortNs = 10'000;

}  // namespace

void WaitLog::add(std::int64_t rank, const Interval& wait) {
  if (wait.to_ns - wait.from_ns < kShortNs) return;
  auto& waits = waits_[rank];
  waits.push_back(wait);
  if (waits.size() > kMostWaits) waits.pop_front();
}

void WaitLog::remove(std::int64_t rank, const Interval& wait) {
  auto& waits = waits_[rank];
  const auto found = std::find(waits.rbegin(), waits.rend(), wait);
  if (found != waits.rend()) waits.erase(std::next(found).base());
}

std::int64_t WaitLog::within(std::int64_t rank, std::int64_t after_ns, std::int64_t until_ns) const {
  const auto found = waits_.find(rank);
  if (found == waits_.end()) return 0;
  std::vector<Interval> inside;
  for (const Interval& wait : found->second) {
    const Interval part{std::max(wait.from_ns, after_ns), std::min(wait.to_ns, until_ns)};
    if (part.from_ns < part.to_ns) inside.push_back(part);
  }
  std::ranges::sort(inside, [](const Interval& a, const Interval& b) { return a.from_ns < b.from_ns; });
  std::int64_t sum = 0;
  std::int64_t counted_to = after_ns;
  for (const Interval& part : inside) {
    sum += std::max<std::int64_t>(0, part.to_ns - std::max(part.from_ns, counted_to));
    counted_to = std::max(counted_to, part.to_ns);
  }
  return sum;
}

}  // namespace shardlens
