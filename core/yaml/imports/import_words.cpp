// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/imports/import_words.h"

#include "core/base/phrase.h"

namespace shardlens::yaml::words {

std::string said(const std::string& text, const std::string& from) {
  return filled(worded("import", "%1 (%2)"), text, from);
}

std::string saysOtherwise(const std::string& text, const std::string& from) {
  return filled(worded("import", "%2 says %1; the spec has the value from another place."), text, from);
}

std::string notReadable(const std::string& text, const std::string& from) {
  return filled(worded("import", "%2 says %1, which has no meaning here."), text, from);
}

std::string dividedBy(const std::string& total, const std::string& from, std::int64_t by) {
  return by == 1 ? from : filled(worded("import", "%2: %1, divided by %3"), total, from, std::to_string(by));
}

std::string doesNotDivide(const std::string& total, const std::string& from, std::int64_t by) {
  return filled(worded("import", "%2 says %1, which %3 does not divide."), total, from, std::to_string(by));
}

std::string nodesNotSaid() {
  return worded("import", "no file says on how many nodes the ranks are");
}

std::string usualSampler() {
  return worded("import", "no file says how the data is divided among the ranks");
}

std::string givenSamples() {
  return worded("import", "as given");
}

std::string notSaid(const std::string& fallback, bool is_size) {
  return is_size ? filled(worded("import", "No file says how many samples there are; %1 is a placeholder."), fallback)
                 : filled(worded("import", "No file says it; %1 is the default of a spec."), fallback);
}

std::string accumulationNotSaid(const std::string& fallback) {
  return filled(
      worded("import",
             "No key or option that is read says it, and a script may accumulate by itself; %1 is the default "
             "of a spec."),
      fallback);
}

std::string sizeNotSaid() {
  return worded("import", "No file says how many samples there are: write it here.");
}

std::string groupsAreOneRank(std::int64_t all, std::int64_t parts, const std::string& from) {
  return filled(worded("import", "%1 ranks in groups of %2 that read the same data: %3"), std::to_string(all),
                std::to_string(parts), from);
}

std::string groupsOfUnknownWorld(std::int64_t parts, const std::string& from) {
  return filled(worded("import", "Groups of %1 ranks read the same data (%2): divide the world by that."),
                std::to_string(parts), from);
}

std::string groupsDoNotDivide(std::int64_t parts, const std::string& from) {
  return filled(worded("import", "Groups of %1 ranks (%2) do not divide the world; the spec has all ranks."),
                std::to_string(parts), from);
}

std::string defaultOf(const std::string& reader) {
  return filled(worded("import", "the default of %1"), reader);
}

std::string shuffles() {
  return worded("import", "a loader for training usually shuffles");
}

std::string perRank(const std::string& from) {
  return filled(worded("import", "%1, taken as the batch of each rank"), from);
}

std::string scriptsOwnArgument(const std::string& from) {
  return filled(worded("import", "%1, an argument of the script, whose meaning is guessed from its name"), from);
}

std::string onOnePath(const std::string& from) {
  return filled(worded("import", "%1, on one path of the script"), from);
}

std::string defaultOfArgument(const std::string& argument, const std::string& from) {
  return filled(worded("import", "%2: the default of the argument %1"), argument, from);
}

std::string versionNotSaid() {
  return worded("import", "no file says which PyTorch the job runs");
}

std::string oneProcess(const std::string& from) {
  return filled(worded("import", "%1: a plain Python command is one process"), from);
}

std::string mayBeChanged(const std::string& from, const std::string& argument) {
  return filled(worded("import", "%1: no parser in the script explains the argument %2, which may change it."), from,
                argument);
}

std::string needsRunning(const std::string& from) {
  return filled(worded("import", "%1: its value is not known without running the script."), from);
}

std::string loopMayEndEarly(const std::string& from) {
  return filled(
      worded("import", "%1: this loop may end before the loader does; it is not known how many steps it makes."), from);
}

std::string hasDefault(const std::string& value) {
  return filled(worded("import", "The spec has the default, %1."), value);
}

std::string mayDifferByRank(const std::string& from) {
  return filled(worded("import",
                       "%1: each rank may have its own dataset here, but a spec has one for all ranks. An audit may be "
                       "wrong about samples that ranks share or never read, and about ranks that run out early."),
                from);
}

std::string waitsByRank(const std::string& from) {
  return filled(
      worded("import",
             "%1: whether a rank calls this depends on its number, and not all collectives of the script can be put "
             "into a schedule. The spec has no schedule, so an audit does not see whether ranks wait forever."),
      from);
}

std::string isNotAllRead(const std::string& what, const std::string& issue) {
  return filled(worded("import", "Left out, because a part of it is not valid in a spec: %2 (%1)"), what, issue);
}

std::string collectivesAt(const std::string& places) {
  return filled(
      worded(
          "import",
          "the collectives at %1; their sizes are placeholders, and functions of other files are assumed to have none"),
      places);
}

std::string oneOfLoaders(const std::string& chosen, const std::string& other_lines) {
  return filled(worded("import", "the one at %1 is assumed to be the training; there are others at %2"), chosen,
                other_lines);
}

std::string othersAreTrained(const std::string& chosen, const std::string& other_lines) {
  return filled(
      worded("import", "the spec covers only the one at %1, but a loop with backward passes also reads others: %2"),
      chosen, other_lines);
}

std::string ownSampler(const std::string& from) {
  return filled(worded("import", "The script makes its own sampler (%1)."), from);
}

std::string groupsByLength(const std::string& from) {
  return filled(
      worded("import",
             "%1 groups samples by length, in an order that depends on random draws before training; the spec "
             "has the Trainer's usual order instead."),
      from);
}

std::string rankSharesUnknown(const std::string& what, const std::string& from) {
  return filled(worded("import", "%2 says %1: the number depends on the machine."), what, from);
}

std::string fractionOfEpoch(const std::string& text, const std::string& from) {
  return filled(worded("import", "%2 says %1; the spec has whole epochs."), text, from);
}

std::string runsForSteps(const std::string& from) {
  return filled(worded("import", "The job ends after a number of steps, not of epochs (%1)."), from);
}

std::string allOnOneNode(const std::string& from) {
  return filled(worded("import", "%1, all on one node"), from);
}

std::string batchOfUnknownWorld(const std::string& text, const std::string& from) {
  return filled(worded("import", "%2 says %1 for all ranks, and no file says how many there are."), text, from);
}

std::string expertsNotUsed(const std::string& said, const std::string& why) {
  return filled(worded("import", "%1 is not used: %2"), said, why);
}

std::string expertsOfUnknownWorld(const std::string& said) {
  return filled(worded("import", "%1 is not used: no file says how many ranks there are."), said);
}

std::string stepOfUnknownParts(const std::string& text, const std::string& from) {
  return filled(worded("import",
                       "%2 says %1 for an optimizer step of all ranks. This value does not follow from it, because "
                       "other numbers are not known."),
                text, from);
}

std::string stepContradicts(const std::string& text, const std::string& from, std::int64_t batch,
                            std::int64_t accumulation, std::int64_t ranks) {
  return filled(worded("import",
                       "%2 says %1 for an optimizer step of all ranks, which is not a batch of %3 times an "
                       "accumulation of %4 times the number of ranks, %5."),
                text, from, std::to_string(batch), std::to_string(accumulation), std::to_string(ranks));
}

std::string seedsNotSaid() {
  return worded("import", "No file says whether the script seeds; the spec says that it does not.");
}

std::string seedsApart(const std::string& from) {
  return filled(worded("import", "Each rank's seed depends on its place in a group (%1)."), from);
}

std::string startsUnreadScript(const std::string& name) {
  return filled(worded("import", "%1 starts another script, which was not read: give that script, too."), name);
}

std::string nothingStartsRanks(const std::string& name) {
  return filled(worded("import", "No command in %1 starts the ranks."), name);
}

std::string severalPrograms(const std::string& from) {
  return filled(worded("import", "%1 starts several programs at once."), from);
}

std::string isElastic(const std::string& text, const std::string& from) {
  return filled(worded("import", "%2 says %1: the number may change while the job runs."), text, from);
}

std::string oneOfCommands(std::int64_t count, const std::string& title) {
  return filled(worded("import", "%1 commands start processes; the one with %2 was read."), std::to_string(count),
                title);
}

std::string standsInCondition() {
  return worded("import", "The command is inside a condition, a loop or a function.");
}

std::string anotherLoader(const std::string& from) {
  return filled(worded("import", "With %1, a loader other than the Trainer's usual one reads the data."), from);
}

std::string isNotRead(const std::string& from) {
  return filled(worded("import", "%1 is not read."), from);
}

std::string datasetNotKnown(const std::string& from) {
  return filled(worded("import", "%1 does not say that it is a StreamingDataset."), from);
}

std::string templateDivides() {
  return worded("import", "as lightning-hydra-template divides it");
}

std::string changesByEpoch(const std::string& from) {
  return filled(worded("import", "%1 sets numbers by epoch; the spec has one for all epochs."), from);
}

std::string nothingKnown(const std::string& name) {
  return filled(worded("import", "%1 has nothing that can be imported."), name);
}

std::string noLoader(const std::string& scripts) {
  return filled(worded("import",
                       "There is no loader and no number of ranks in %1: no call of DataLoader, TrainingArguments, "
                       "Trainer or spawn gives any."),
                scripts);
}

std::string noPython(const std::string& why) {
  return filled(worded("import", "Python cannot read this script: %1."), why);
}

std::string isSpec(const std::string& name) {
  return filled(worded("import", "%1 is already a spec."), name);
}

}  // namespace shardlens::yaml::words
