// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

/// What people read about an import, in one place. `from` names a source and what it says there: "job.sbatch: --nodes".
namespace shardlens::yaml::words {

std::string said(const std::string& text, const std::string& from);
std::string saysOtherwise(const std::string& text, const std::string& from);
std::string notReadable(const std::string& text, const std::string& from);
std::string dividedBy(const std::string& total, const std::string& from, std::int64_t by);
std::string doesNotDivide(const std::string& total, const std::string& from, std::int64_t by);
std::string nodesNotSaid();
std::string usualSampler();
std::string givenSamples();
std::string notSaid(const std::string& fallback, bool is_size);
std::string accumulationNotSaid(const std::string& fallback);
/// The same of the number of samples, where no placeholder stands for it.
std::string sizeNotSaid();
std::string groupsAreOneRank(std::int64_t all, std::int64_t parts, const std::string& from);
std::string groupsOfUnknownWorld(std::int64_t parts, const std::string& from);
std::string groupsDoNotDivide(std::int64_t parts, const std::string& from);

std::string defaultOf(const std::string& reader);
std::string shuffles();
std::string perRank(const std::string& from);
std::string scriptsOwnArgument(const std::string& from);
std::string onOnePath(const std::string& from);
std::string defaultOfArgument(const std::string& argument, const std::string& from);
std::string versionNotSaid();
std::string oneProcess(const std::string& from);
std::string mayBeChanged(const std::string& from, const std::string& argument);
std::string needsRunning(const std::string& from);
/// Behind a sentence about a field that is not known.
std::string hasDefault(const std::string& value);
std::string loopMayEndEarly(const std::string& from);
std::string mayDifferByRank(const std::string& from);
std::string waitsByRank(const std::string& from);
/// `issue`: what is wrong with one of the records.
std::string isNotAllRead(const std::string& what, const std::string& issue);
std::string collectivesAt(const std::string& places);
std::string oneOfLoaders(const std::string& chosen, const std::string& other_lines);
std::string othersAreTrained(const std::string& chosen, const std::string& other_lines);
std::string ownSampler(const std::string& from);
std::string groupsByLength(const std::string& from);
std::string rankSharesUnknown(const std::string& what, const std::string& from);
std::string fractionOfEpoch(const std::string& text, const std::string& from);
std::string runsForSteps(const std::string& from);

std::string allOnOneNode(const std::string& from);
std::string batchOfUnknownWorld(const std::string& text, const std::string& from);
std::string expertsNotUsed(const std::string& said, const std::string& why);
std::string expertsOfUnknownWorld(const std::string& said);
std::string stepOfUnknownParts(const std::string& text, const std::string& from);
std::string stepContradicts(const std::string& text, const std::string& from, std::int64_t batch,
                            std::int64_t accumulation, std::int64_t ranks);
std::string seedsNotSaid();
std::string seedsApart(const std::string& from);
std::string startsUnreadScript(const std::string& name);
std::string nothingStartsRanks(const std::string& name);
std::string severalPrograms(const std::string& from);
std::string isElastic(const std::string& text, const std::string& from);
std::string oneOfCommands(std::int64_t count, const std::string& title);
std::string standsInCondition();
std::string anotherLoader(const std::string& from);
std::string isNotRead(const std::string& from);
std::string datasetNotKnown(const std::string& from);
std::string templateDivides();
std::string changesByEpoch(const std::string& from);

std::string nothingKnown(const std::string& name);
std::string noLoader(const std::string& scripts);
std::string noPython(const std::string& why);
std::string isSpec(const std::string& name);

}  // namespace shardlens::yaml::words
