// SPDX-License-Identifier: Apache-2.0
#include "core/audit/readers.h"

#include "core/sampling/sampler_rule.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace shardlens {
namespace {

/// Where a slice's items end and begin, along the order or along its stride.
using Reach = std::pair<std::int64_t, std::int64_t>;

bool areDisjoint(std::vector<Reach> reaches) {
  std::ranges::sort(reaches);
  for (std::size_t i = 1; i < reaches.size(); ++i) {
    if (reaches[i].first < reaches[i - 1].second) return false;
  }
  return true;
}

}  // namespace

std::vector<Reader> ranksOf(const Plan& plan, Epoch epoch, std::int64_t most) {
  std::vector<Reader> readers;
  const std::int64_t ranks = std::min(plan.worldSize(), most);
  readers.reserve(static_cast<std::size_t>(ranks));
  for (std::int64_t rank = 0; rank < ranks; ++rank) readers.push_back({epoch, Rank{rank}});
  return readers;
}

std::vector<ReaderIndices> groupByOrder(const Plan& plan, std::span<const Reader> readers) {
  const sampling::SamplerRule& rule = plan.rule();
  std::map<sampling::OrderKey, std::size_t> places;
  std::vector<ReaderIndices> groups;
  for (std::size_t i = 0; i < readers.size(); ++i) {
    const auto key = rule.key(plan.spec(), readers[i].epoch, readers[i].rank);
    const auto place = places.try_emplace(key, groups.size()).first->second;
    if (place == groups.size()) groups.emplace_back();
    groups[place].push_back(i);
  }
  return groups;
}

void countPeersOnce(const Plan& plan, std::span<const Reader> readers, ReaderIndices& alike) {
  const PipelineSpec::World& world = plan.spec().world;
  if (world.groups.ranksOfModel() == 1) return;
  std::set<std::int64_t> known;
  std::erase_if(alike, [&](std::size_t i) { return !known.insert(world.dataParallelRankOf(readers[i].rank)).second; });
}

bool isHandedAll(const Plan& plan, const Reader& reader) {
  constexpr std::int64_t kChanceSize = 20;  // orders of fewer samples may be equal although their seeds are not
  const std::int64_t size = plan.spec().dataset.size;
  if (size <= kChanceSize || !plan.rule().whole(plan.spec())) return false;
  const auto shape = plan.shape(reader.epoch, reader.rank);
  return shape && shape->dropped == 0;
}

Result<std::vector<View>> viewsOf(const Plan& plan, std::span<const Reader> readers, const ReaderIndices& group,
                                  const Work& work) {
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>, View> views;
  for (const std::size_t index : group) {
    if (work.stopped()) return cancelled();
    auto items = plan.rankEpoch(readers[index].epoch, readers[index].rank, work);
    if (!items) return items.error();
    View& view = views[items->slice().geometry()];
    if (view.readers.empty()) {
      view.handed = items->handedOut();
      view.items = *std::move(items);
    }
    view.readers.push_back(index);
  }
  std::vector<View> out;
  out.reserve(views.size());
  for (auto& [geometry, view] : views) out.push_back(std::move(view));
  return out;
}

bool areInterleaved(std::span<const View> views) {
  for (std::size_t i = 0; i < views.size(); ++i) {
    const Slice& slice = views[i].items.slice();
    if (slice.stride() != views[0].items.slice().stride() || slice.block() != 1) return false;
    if (slice.first() < 0 || slice.first() >= slice.stride()) return false;
    if (i > 0 && slice.first() == views[i - 1].items.slice().first()) return false;
  }
  return true;
}

bool areApart(std::span<const View> views) {
  std::vector<Reach> reaches;
  const std::int64_t stride = views[0].items.slice().stride();
  for (const View& view : views) {
    const Slice& slice = view.items.slice();
    if (slice.size() == 0) continue;
    const bool whole = slice.block() == slice.stride();
    if (slice.stride() != stride || slice.block() != views[0].items.slice().block()) return false;
    const std::int64_t first = whole ? slice.first() : slice.first() % stride;
    reaches.emplace_back(first, first + (whole ? slice.size() : slice.block()));
    if (!whole && reaches.back().second > stride) return false;
  }
  return areDisjoint(std::move(reaches));
}

}  // namespace shardlens
