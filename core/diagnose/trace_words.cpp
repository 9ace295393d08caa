// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/diagnose/verdict_words.h"

namespace shardlens::words {
namespace {

/// "all_reduce #41 (started), called at step (train.py:31)"
std::string callText(const TracedCall& call) {
  std::string text = call.operation;
  if (call.state == "scheduled") text = filled(worded("verdicts", "%1 (scheduled)"), text);
  if (call.state == "started") text = filled(worded("verdicts", "%1 (started)"), text);
  if (call.state == "completed") text = filled(worded("verdicts", "%1 (completed)"), text);
  return call.code.empty() ? text : filled(worded("verdicts", "%1, called at %2"), text, call.code);
}

std::string newestEntries() {
  return worded("verdicts", "the newest operations in the traces of the ranks");
}

std::string stillRunning() {
  return worded(
      "verdicts",
      " A trace shows one moment: if the job continued after it, take another one and compare their numbers.");
}

}  // namespace

std::string standIn(const RanksAt& at) {
  return at.ranks.size() == 1 ? filled(worded("verdicts", "%1 is in %2."), capitalRanks(at.ranks), callText(at.call))
                              : filled(worded("verdicts", "%1 are in %2."), capitalRanks(at.ranks), callText(at.call));
}

std::string endsWith(const RanksAt& at) {
  return at.ranks.size() == 1
             ? filled(worded("verdicts", "The trace of %1 ends with %2."), listedRanks(at.ranks), callText(at.call))
             : filled(worded("verdicts", "The traces of %1 end with %2."), listedRanks(at.ranks), callText(at.call));
}

std::string holdsNothing(const Ranks& ranks) {
  return ranks.size() == 1 ? filled(worded("verdicts", "The trace of %1 holds no operation."), listedRanks(ranks))
                           : filled(worded("verdicts", "The traces of %1 hold no operation."), listedRanks(ranks));
}

VerdictWords didNotCome(const Ranks& culprits, const std::string& operation, const std::vector<std::string>& where,
                        bool knows_code) {
  const std::string next =
      knows_code
          ? worded("verdicts",
                   "Find out what the rank did after that call: from its own log, or with py-spy dump while it runs.")
          : worded("verdicts",
                   "See where the rank is: py-spy dump while it runs, or its log. Dumps in the form of pickles "
                   "also hold the Python stack of each call.");
  return {culprits.size() == 1
              ? filled(worded("verdicts", "%1 has not reached %2"), capitalRanks(culprits), operation)
              : filled(worded("verdicts", "%1 have not reached %2"), capitalRanks(culprits), operation),
          join(where, " "), newestEntries(), next + stillRunning()};
}

VerdictWords mayNotHaveCome(const Ranks& without, const std::string& operation, const std::vector<std::string>& where) {
  return {filled(worded("verdicts", "Every rank with a trace waits in %1"), operation),
          join(where, " ") +
              (without.size() == 1
                   ? filled(worded("verdicts", " %1 left no trace, so it is not known whether it got there."),
                            capitalRanks(without))
                   : filled(worded("verdicts", " %1 left no trace, so it is not known whether they got there."),
                            capitalRanks(without))),
          newestEntries(),
          filled(worded("verdicts",
                        "Look for the traces of %1 on their hosts, and check whether their processes still run: a rank "
                        "that died writes none."),
                 listedRanks(without))};
}

VerdictWords stuckAtEnd(const std::string& operation, const std::vector<std::string>& where) {
  return {filled(worded("verdicts", "All ranks have reached %1, and it has not completed"), operation),
          join(where, " "), worded("verdicts", "all ranks have called it, and none has completed it"),
          worded("verdicts",
                 "No rank is late: look at the network, the devices, and what the devices do before this operation. If "
                 "only some ranks have started it, look at the devices of the others.") +
              stillRunning()};
}

VerdictWords circleAtEnd(const Ranks& ranks, const std::vector<std::string>& where) {
  return {worded("verdicts", "Ranks wait for each other"),
          filled(worded("verdicts", "%1 wait for each other."), capitalRanks(ranks)) + " " + join(where, " "),
          newestEntries(), sameOrder()};
}

std::string processText(const RankState& rank) {
  if (rank.pid <= 0 || rank.host.empty()) return {};
  return filled(worded("verdicts", " (pid %1 on %2)"), std::to_string(rank.pid), rank.host);
}

VerdictWords ranksLost(const Ranks& ranks, bool are_dead, const std::string& source, const std::string& process,
                       const std::vector<std::string>& where) {
  const std::string name = capitalRanks(ranks);
  const bool one = ranks.size() == 1;
  const std::string title =
      are_dead
          ? filled(one ? worded("verdicts", "%1 is considered dead") : worded("verdicts", "%1 are considered dead"),
                   name)
          : filled(one ? worded("verdicts", "%1 does not answer") : worded("verdicts", "%1 do not answer"), name);
  const std::string message = filled(
      are_dead ? worded("verdicts", "%1 has lost %2%3 for good.") : worded("verdicts", "%1 gets no answer from %2%3."),
      source, listedRanks(ranks), process);
  return {title, join(std::vector<std::string>{message, join(where, " ")}, where.empty() ? "" : " "),
          filled(worded("verdicts", "what %1 says about its processes"), source),
          worded("verdicts",
                 "Check on its host whether the process still runs, and read its last lines; the kernel's log says "
                 "whether it ran out of memory.")};
}

VerdictWords tracesMissing(const Ranks& ranks, std::int64_t world_size) {
  const std::string world = wordedCount(world_size, "rank");
  return {worded("verdicts", "Not all ranks have a trace"),
          ranks.size() == 1 ? filled(worded("verdicts", "%1 of %2 left none, so it is not known who waits for it."),
                                     capitalRanks(ranks), world)
                            : filled(worded("verdicts", "%1 of %2 left none, so it is not known who waits for them."),
                                     capitalRanks(ranks), world),
          {},
          worded("verdicts", "Collect the traces of all hosts into one folder.")};
}

VerdictWords tracesCut(const Ranks& ranks) {
  return {
      worded("verdicts", "Some traces were not read to their end"),
      ranks.size() == 1
          ? filled(worded("verdicts", "What %1 did last is not known, so it is not blamed."), listedRanks(ranks))
          : filled(worded("verdicts", "What %1 did last is not known, so they are not blamed."), listedRanks(ranks)),
      worded("verdicts", "the note says which file, and up to which byte"),
      worded("verdicts", "Copy these files once more, or dump again.")};
}

VerdictWords traceClocksUnknown() {
  return {worded("verdicts", "Clocks cannot be compared"),
          worded("verdicts",
                 "The traces do not say how far apart the clocks of the ranks' hosts are, and no operations of all "
                 "ranks reveal it."),
          worded("verdicts", "clock_error_us is null"),
          worded("verdicts",
                 "Waits between these ranks are not measured. Which operation each rank has reached does not depend on "
                 "clocks.")};
}

}  // namespace shardlens::words
