// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/spec/fields/entry.h"

namespace shardlens::fields {
namespace {

using K = FieldKind;
using Phase = PipelineSpec::Phase;

std::vector<Item<Phase>> whatItems() {
  return {
      item<&Phase::what, Phase>(
          {.path = "do",
           .choices = {"load", "compute", "host", "all_reduce", "reduce_scatter", "all_gather", "broadcast",
                       "all_to_all", "barrier", "send", "recv", "ddp", "zero_first", "rank0_saves", "evaluation"},
           .help = marked("fields",
                          "What a rank does: it loads, computes, works on the host, or calls a collective, which waits "
                          "for every rank of the group; send waits for recv. ddp, zero_first, rank0_saves and "
                          "evaluation stand for several phases."),
           .required = true}),
      item<&Phase::at, Phase>({.path = "at",
                               .choices = {"start", "epoch_start", "step", "epoch_end", "end"},
                               .help = marked("fields",
                                              "When: once before or after all epochs, before or after the steps of "
                                              "each epoch, or in each step of the rank.")}),
      item<&Phase::condition, Phase>(
          {.path = "if",
           .help = marked("fields",
                          "Which ranks do it, and in which steps or epochs: always, or comparisons such as rank == 0, "
                          "local_rank in [0, 1], step % 100 == 0 and group_rank != last, joined by and.")}),
  };
}

/// What moves data.
std::vector<std::string> movers() {
  return {"all_reduce", "reduce_scatter", "all_gather", "broadcast", "all_to_all", "send", "recv"};
}

/// All but presets.
std::vector<std::string> singlePhases() {
  std::vector<std::string> phases = movers();
  for (const char* other : {"barrier", "load", "compute", "host"}) phases.emplace_back(other);
  return phases;
}

/// What ranks do alone has a group, too: group_rank is a rank of it, and ranks in none of `ranks` leave it out.
std::vector<Item<Phase>> groupItems() {
  return {
      item<&Phase::group, Phase>(
          {.path = "group",
           .choices = {"world", "tensor", "context", "data", "pipeline", "expert", "expert_data"},
           .help = marked("fields",
                          "Whom a collective waits for: all ranks, or those of the rank's own group along a dimension "
                          "of world.groups."),
           .of = singlePhases()}),
      item<&Phase::ranks, Phase>(
          {.path = "ranks",
           .kind = K::Lists,
           .min = 0,
           .max = kMostRanks,
           .help = marked("fields",
                          "Groups by the ranks in each, in place of group: [[0, 1], [2, 3]]. Ranks that are in none of "
                          "them leave the phase out."),
           .of = singlePhases()}),
  };
}

std::vector<Item<Phase>> amountItems() {
  return {
      item<&Phase::op, Phase>({.path = "op",
                               .choices = {"sum", "avg", "max"},
                               .help = marked("fields", "What all_reduce and reduce_scatter make of the values."),
                               .of = {"all_reduce", "reduce_scatter"}}),
      item<&Phase::peer, Phase>(
          {.path = "peer",
           .kind = K::IntOrName,
           .min = 0,
           .max = kMostRanks,
           .choices = {"next", "previous"},
           .help = marked("fields",
                          "The other rank of send and recv, by its number in the group, or next or previous in a ring; "
                          "of broadcast, the rank whose values are sent, 0 where no number is given."),
           .of = {"broadcast", "send", "recv"}}),
      item<&Phase::ms, Phase>({.path = "ms",
                               .min = 0,
                               .max = 3'600'000,
                               .unit = "ms",
                               .help = marked("fields",
                                              "How long load, compute or host takes, or, for the prediction, a "
                                              "collective or message once all of its ranks are there."),
                               .of = singlePhases()}),
      item<&Phase::kb, Phase>({.path = "kb",
                               .min = 0,
                               .max = 10'000'000,
                               .unit = "kB",
                               .help = marked("fields", "Size of what a rank gives to a collective, or sends."),
                               .of = movers()}),
      item<&Phase::values, Phase>(
          {.path = "values",
           .kind = K::Lists,
           .min = -1'000'000,
           .max = 1'000'000,
           .help = marked("fields",
                          "The numbers that each rank gives to all_reduce, rank 0 first: [[1, 2], [3, 4]]. They travel "
                          "as 32-bit floats, and `shardlens rehearse` holds the result against the predicted one."),
           .of = {"all_reduce"}}),
  };
}

const std::vector<Item<Phase>>& phaseItems() {
  static const std::vector<Item<Phase>> kItems = [] {
    std::vector<Item<Phase>> items = whatItems();
    for (auto* more : {groupItems, amountItems})
      for (Item<Phase>& item : more()) items.push_back(std::move(item));
    return items;
  }();
  return kItems;
}

}  // namespace

std::vector<Entry> schedule() {
  return {
      {{.path = "schedule",
        .kind = K::Records,
        .fallback = RecordList(),
        .help = marked("fields",
                       "What each rank does, phase by phase: `shardlens audit` says where that would hang. Empty means "
                       "that nothing is said about it."),
        .optional = true,
        .items = fieldsOf(phaseItems())},
       [](const PipelineSpec& spec) { return recordsOf(spec.schedule, phaseItems()); },
       [](PipelineSpec& spec, const Value& value) { spec.schedule = objectsOf(value, phaseItems()); }},
  };
}

}  // namespace shardlens::fields
