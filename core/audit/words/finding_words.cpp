// SPDX-License-Identifier: Apache-2.0
// Parts that sentences of several families share.
#include "core/audit/words/finding_words.h"

#include "core/base/phrase.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace shardlens::words {
namespace {

/// " of 90", where there is more than one epoch.
std::string ofEpochs(std::int64_t all) {
  return all > 1 ? filled(worded("findings", " of %1"), grouped(all)) : std::string();
}

std::string overAudited() {
  return worded("findings", " Over the audited epochs, the number ranges from %1 to %2.");
}

/// What an epoch has in another way than those that the message is about.
enum class Other { Ranks, Numbers, Reason };

/// "epochs 1 and 4 have different ranks."
std::string otherIn(const std::string& which, Other what, bool one) {
  switch (what) {
    case Other::Ranks:
      return one ? filled(worded("findings", "%1 has different ranks."), which)
                 : filled(worded("findings", "%1 have different ranks."), which);
    case Other::Numbers:
      return one ? filled(worded("findings", "%1 has different numbers."), which)
                 : filled(worded("findings", "%1 have different numbers."), which);
    case Other::Reason:
      break;
  }
  return one ? filled(worded("findings", "%1 has a different reason."), which)
             : filled(worded("findings", "%1 have a different reason."), which);
}

}  // namespace

std::string epochsText(const std::vector<std::int64_t>& alike, std::int64_t all) {
  if (static_cast<std::int64_t>(alike.size()) == all && all > 1) return worded("findings", "in every epoch");
  const std::string which = listed(alike);
  return alike.size() == 1 ? filled(worded("findings", "in epoch %1%2"), which, ofEpochs(all))
                           : filled(worded("findings", "in epochs %1%2"), which, ofEpochs(all));
}

std::string howOftenText(std::int64_t each, std::int64_t duplicated) {
  if (each > 1) {
    return each == 2 ? worded("findings", "every sample is read twice")
                     : filled(worded("findings", "every sample is read %1 times"), grouped(each));
  }
  return duplicated == 1 ? worded("findings", "1 sample is read more than once")
                         : filled(worded("findings", "%1 samples are read more than once"), grouped(duplicated));
}

std::string neverReadText(std::int64_t samples, std::int64_t first_epoch, std::int64_t epochs, std::int64_t all_epochs,
                          bool in_all) {
  const std::string which = epochs == all_epochs
                                ? filled(worded("findings", "of the %1"), wordedCount(epochs, "epoch"))
                                : filled(worded("findings", "of epochs %1 to %2%3"), grouped(first_epoch),
                                         grouped(first_epoch + epochs - 1), ofEpochs(all_epochs));
  if (in_all) {
    return samples == 1
               ? filled(worded("findings", " In all, 1 sample is never read in any %1."), which)
               : filled(worded("findings", " In all, %1 samples are never read in any %2."), grouped(samples), which);
  }
  return samples == 1 ? filled(worded("findings", " 1 sample is never read in any %1."), which)
                      : filled(worded("findings", " %1 samples are never read in any %2."), grouped(samples), which);
}

std::string heldIn(const std::string& message, const Held& held) {
  const std::string when = epochsText(held.holds, held.planned);
  const bool is_named = message.find(when.substr(1)) != std::string::npos;  // at the start, it has a capital letter
  const bool is_range = held.fewest < held.most;
  const std::string holds = listedEpochs(held.holds);
  const std::array others = {std::pair(Other::Ranks, &held.ranks), std::pair(Other::Numbers, &held.numbers),
                             std::pair(Other::Reason, &held.reasons)};
  const auto differs = [](const auto& other) { return !other.second->empty(); };
  if (is_range || std::ranges::none_of(others, differs)) {
    std::string told = is_named ? message : message + filled(worded("findings", " This happens in %1."), holds);
    if (!is_range) return told;
    return told + filled(overAudited(), grouped(held.fewest), grouped(held.most));
  }
  std::string told = message;
  bool begins = is_named;
  for (const auto& other : others) {
    if (!differs(other)) continue;
    const std::string which = listedEpochs(*other.second);
    const std::string differ = otherIn(begins ? capital(which) : which, other.first, other.second->size() == 1);
    told += begins ? " " + differ : filled(worded("findings", " This is for %1; %2"), holds, differ);
    begins = true;
  }
  return told;
}

std::string countedIn(const std::string& message, const std::string& when) {
  const std::string range = overAudited();
  const bool is_range = message.find(range.substr(0, range.find('%'))) != std::string::npos;
  const bool is_named = message.find(when.substr(1)) != std::string::npos;  // at the start, it has a capital letter
  if (is_range || is_named) return message;
  return message + filled(worded("findings", " This was counted %1."), when);
}

std::string batches(std::int64_t count) {
  return count == 1 ? worded("findings", "1 batch") : filled(worded("findings", "%1 batches"), grouped(count));
}

std::string allRanks(std::int64_t ranks) {
  return ranks == 2 ? worded("findings", "both ranks") : filled(worded("findings", "all %1 ranks"), grouped(ranks));
}

std::string asRecorded() {
  return worded("findings", "These are the recorded batches. The recording does not say why these were read.");
}

std::string neverSeeds() {
  return worded("findings", "The script never seeds torch's global generator");
}

std::string ranksHave(const std::vector<std::int64_t>& ranks) {
  return ranks.size() == 1 ? filled(worded("findings", "Rank %1 has"), listed(ranks))
                           : filled(worded("findings", "Ranks %1 have"), listed(ranks));
}

namespace {

using schedule::Absent;
using schedule::At;
using schedule::Hang;
using schedule::Kind;
using schedule::Moment;
using schedule::Operation;
using schedule::Schedule;

constexpr std::size_t kMostTold = 3;   ///< places where ranks wait instead
constexpr std::size_t kMostNamed = 8;  ///< ranks of a group

std::string momentText(const Moment& moment) {
  const std::string epoch = grouped(moment.epoch.value);
  switch (moment.at) {
    case At::Start:
      return worded("findings", "at the start");
    case At::EpochStart:
      return filled(worded("findings", "at the start of epoch %1"), epoch);
    case At::Step:
      return filled(worded("findings", "in epoch %1, step %2"), epoch, grouped(moment.step.value));
    case At::EpochEnd:
      return filled(worded("findings", "at the end of epoch %1"), epoch);
    case At::End:
      break;
  }
  return worded("findings", "at the end");
}

/// "[2, 3]".
std::string membersText(const schedule::Group& group) {
  std::vector<std::string> ranks;
  for (std::size_t i = 0; i < std::min(group.size(), kMostNamed); ++i) ranks.push_back(std::to_string(group[i].value));
  if (group.size() > kMostNamed) ranks.emplace_back("...");
  return "[" + join(ranks, ", ") + "]";
}

/// "barrier", "send to rank 1", "all_reduce of 1 024 000 bytes (avg)"; without the bytes where the schedule says none.
std::string callText(const Operation& operation) {
  const std::string name(nameOf(operation.kind));
  const std::string sized =
      operation.bytes == 0 ? name : filled(worded("findings", "%1 of %2 bytes"), name, grouped(operation.bytes));
  const std::string peer = grouped(operation.peer.value);
  switch (operation.kind) {
    case Kind::Send:
      return filled(worded("findings", "%1 to rank %2"), sized, peer);
    case Kind::Recv:
    case Kind::Broadcast:
      return filled(worded("findings", "%1 from rank %2"), sized, peer);
    case Kind::AllReduce:
    case Kind::ReduceScatter:
      return filled(worded("findings", "%1 (%2)"), sized, std::string(nameOf(operation.reduction)));
    default:
      return sized;
  }
}

/// "barrier in the tensor group [2, 3]", or "barrier in their tensor groups" of ranks in several; the call alone where
/// the schedule has no group but the world.
std::string groupedText(const Schedule& schedule, const Operation& operation, bool in_one_group) {
  const std::string call = callText(operation);
  const auto is_world = [&](const schedule::Group& group) {
    return static_cast<std::int64_t>(group.size()) == schedule.plan().worldSize();
  };
  if (std::ranges::all_of(schedule.groups(), is_world)) return call;
  const std::string& along = schedule.phasesAt(operation.moment.at)[operation.phase].group;
  if (along == "world") return filled(worded("findings", "%1 in the world group"), call);
  const bool has_name = !along.starts_with('[');
  if (!in_one_group)
    return has_name ? filled(worded("findings", "%1 in their %2 groups"), call, along)
                    : filled(worded("findings", "%1 in their groups"), call);
  const std::string members = membersText(schedule.groups()[operation.group]);
  return has_name ? filled(worded("findings", "%1 in the %2 group %3"), call, along, members)
                  : filled(worded("findings", "%1 in group %2"), call, members);
}

std::string placedText(const Schedule& schedule, const Operation& operation, bool in_one_group) {
  return filled(worded("findings", "%1 %2 (%3)"), groupedText(schedule, operation, in_one_group),
                momentText(operation.moment), "schedule[" + std::to_string(operation.line) + "]");
}

}  // namespace

std::string operationText(const Schedule& schedule, const Operation& operation) {
  return placedText(schedule, operation, true);
}

namespace {

/// Whether ranks that are absent are so for one reason.
bool areAlike(const Absent& a, const Absent& b) {
  if (!a.waits_in || !b.waits_in) return !a.waits_in && !b.waits_in;
  Operation one = *a.waits_in;
  one.group = b.waits_in->group;
  return one == *b.waits_in;
}

/// Whether the rank is in the same call, but for its size, reduction or source.
bool callsOtherwise(const Hang& hang, const Absent& one) {
  const Operation& told = hang.operation;
  if (hang.cause != Hang::Cause::Differs || !one.waits_in || one.waits_in->group != told.group) return false;
  return schedule::isMessage(told.kind) || one.waits_in->kind == told.kind;
}

std::string absentText(const Schedule& schedule, const Hang& hang, const Absent& example,
                       const std::vector<std::int64_t>& ranks, bool in_one_group) {
  const std::string who = capitalRanks(ranks);
  if (!example.waits_in) {
    return ranks.size() == 1 ? filled(worded("findings", " %1 never comes: it has finished."), who)
                             : filled(worded("findings", " %1 never come: they have finished."), who);
  }
  const std::string in = placedText(schedule, *example.waits_in, in_one_group);
  if (callsOtherwise(hang, example)) {
    if (schedule::isMessage(hang.operation.kind))
      return filled(worded("findings", " %1 answers with another size: %2."), who, in);
    return ranks.size() == 1 ? filled(worded("findings", " %1 calls it otherwise: %2."), who, in)
                             : filled(worded("findings", " %1 call it otherwise: %2."), who, in);
  }
  return ranks.size() == 1 ? filled(worded("findings", " %1 does not come: it waits in %2."), who, in)
                           : filled(worded("findings", " %1 do not come: they wait in %2."), who, in);
}

std::string absentText(const Schedule& schedule, const Hang& hang) {
  std::string text;
  std::vector<Absent> left = hang.absent;
  for (std::size_t told = 0; !left.empty(); ++told) {
    if (told == kMostTold) return text + worded("findings", " The others do not come, either.");
    const Absent example = left.front();
    std::vector<std::int64_t> ranks;
    bool in_one_group = true;
    std::erase_if(left, [&](const Absent& one) {
      if (!areAlike(one, example)) return false;
      if (one.waits_in && one.waits_in->group != example.waits_in->group) in_one_group = false;
      ranks.push_back(one.rank.value);
      return true;
    });
    text += absentText(schedule, hang, example, ranks, in_one_group);
  }
  return text;
}

/// " Rank 0 may get further: ..."; empty where no rank that is told of may.
std::string mayGetFurther(const Hang& hang) {
  if (!hang.is_followed)
    return worded("findings",
                  " Whether every rank finishes where no broadcast keeps it is not known: the schedule is too long.");
  std::vector<std::int64_t> ranks;
  for (const Rank rank : hang.waiting)
    if (hang.may_go_on) ranks.push_back(rank.value);
  for (const Absent& one : hang.absent)
    if (one.may_go_on) ranks.push_back(one.rank.value);
  std::ranges::sort(ranks);
  if (ranks.empty()) return {};
  return filled(
      worded("findings",
             " %1 may get further: MPI does not say whether a broadcast keeps its source, or a rank that has its "
             "data, until the others have called it."),
      capitalRanks(ranks));
}

std::string reasonOfMessage(const Hang& hang) {
  if (hang.cause == Hang::Cause::Differs) return worded("findings", "Give the send and its recv the same size.");
  if (!hang.absent.front().waits_in)
    return worded("findings", "Each send needs a recv on the other rank, and each recv a send.");
  if (hang.operation.kind == Kind::Recv)
    return worded("findings",
                  "A recv waits until its send begins. Let the other rank send before it waits for something else.");
  return worded("findings",
                "A send is assumed to wait until its recv of the same size begins; a buffer may let a small message "
                "through. Let one of the ranks receive first.");
}

std::string reasonOf(const Hang& hang) {
  if (hang.cause == Hang::Cause::NotMember)
    return worded("findings",
                  "A rank calls collectives of its own groups, and sends to other ranks of those groups. Let only "
                  "ranks that have a partner do it.");
  if (schedule::isMessage(hang.operation.kind)) return reasonOfMessage(hang);
  if (hang.cause == Hang::Cause::Differs)
    return worded("findings",
                  "The ranks of a group must call the same collectives, in the same order and with the same size.");
  const std::string rule =
      hang.operation.kind == Kind::Broadcast
          ? worded("findings", "A broadcast is certain to complete only when every rank of its group has called it.")
          : worded("findings", "A collective completes when every rank of its group has called it.");
  const bool has_one_finished = std::ranges::any_of(hang.absent, [](const Absent& one) { return !one.waits_in; });
  return rule + (has_one_finished
                     ? worded("findings", " Either all of them must call it, or none.")
                     : worded("findings",
                              " Let the others call it before they wait for something else, or let no rank call it."));
}

/// Whether all ranks come, and call the same but for its size, reduction or source: MPI may fail then, or go on.
bool differInDetail(const Hang& hang) {
  return hang.cause == Hang::Cause::Differs &&
         std::ranges::all_of(hang.absent, [&hang](const Absent& one) { return callsOtherwise(hang, one); });
}

std::string hangTitle(const Hang& hang) {
  if (differInDetail(hang))
    return filled(worded("findings", "The calls of the ranks do not match %1"), momentText(hang.operation.moment));
  if (!hang.knowsPlace()) return worded("findings", "The schedule hangs");
  return filled(
      hang.may_end ? worded("findings", "The schedule may hang %1") : worded("findings", "The schedule hangs %1"),
      momentText(hang.operation.moment));
}

/// Who waits in what: a sentence for the ranks at each place of the schedule.
std::string waitingText(const Schedule& schedule, const Hang& hang) {
  struct Place {
    Operation operation;
    std::vector<std::int64_t> ranks;
  };
  std::vector<Place> places = {{hang.operation, {}}};
  for (std::size_t i = 0; i < hang.waiting.size(); ++i) {
    auto place = std::ranges::find(places, hang.calls[i], &Place::operation);
    if (place == places.end()) place = places.insert(place, {hang.calls[i], {}});
    place->ranks.push_back(hang.waiting[i].value);
  }
  std::string text;
  for (std::size_t told = 0; told < places.size(); ++told) {
    if (told == kMostTold) return text + worded("findings", " The others wait in the same call at other places.");
    const auto& [operation, ranks] = places[told];
    const bool is_one = ranks.size() == 1;
    const std::string sentence =
        told == 0 ? is_one ? worded("findings", "%1 waits in %2.") : worded("findings", "%1 wait in %2.")
        : is_one ? worded("findings", " %1 waits in %2.")
                  : worded("findings", " %1 wait in %2.");
    text += filled(sentence, capitalRanks(ranks), operationText(schedule, operation));
  }
  return text;
}

}  // namespace

FindingWords scheduleHangs(const Schedule& schedule, const Hang& hang) {
  const bool is_outside = hang.cause == Hang::Cause::NotMember;
  const std::string what = is_outside && hang.operation.peer == hang.waiting.front()
                               ? worded("findings", "%1 calls %2: a rank cannot exchange messages with itself.")
                               : worded("findings", "%1 calls %2, across the border of the group.");
  const std::string message =
      is_outside ? filled(what, capitalRanks({hang.waiting.front().value}), operationText(schedule, hang.operation))
                 : waitingText(schedule, hang);
  return {hangTitle(hang), message + absentText(schedule, hang) + mayGetFurther(hang), reasonOf(hang)};
}

FindingWords scheduleNotFollowed(const Error& why) {
  return {worded("findings", "Whether the schedule hangs is not known"), why.message,
          worded("findings",
                 "A schedule hangs where a rank waits for a call that another rank never makes. To find that "
                 "out, every operation has to be followed.")};
}

std::string allReduceCosts(const schedule::AllReduce& call) {
  if (call.ranks.size() < 2) return {};
  const schedule::AllReduceCost ring = ringCost(call);
  const schedule::AllReduceCost tree = treeCost(call);
  const std::string rounds = wordedCount(tree.rounds, "round");
  if (call.given.empty() && call.bytes == 0)
    return filled(worded("findings", "a binomial tree would take %1, the ring %2."), rounds, grouped(ring.rounds));
  return filled(worded("findings",
                       "a binomial tree would take %1, the ring %2; the two ranks that exchange most exchange %3 in "
                       "the tree, %4 in the ring, both ways together."),
                rounds, grouped(ring.rounds), wordedCount(tree.most_bytes, "byte"), grouped(ring.most_bytes));
}

std::string wholeMean(const schedule::AllReduce& call) {
  if (call.given.empty() || !call.are_whole || call.reduction != schedule::Reduction::Avg) return {};
  return worded(
      "findings",
      "torch keeps whole numbers in an integer tensor, where `tensor /= n` raises: a quotient is a float, and "
      "does not fit into it. Write `tensor = tensor / n`, where n is the number of ranks of the group, or "
      "give floats: 1.0.");
}

}  // namespace shardlens::words
