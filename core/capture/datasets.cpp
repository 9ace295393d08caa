// SPDX-License-Identifier: Apache-2.0
#include "core/capture/datasets.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace shardlens::capture {
namespace {

constexpr std::string_view kSubset = "torch.utils.data.dataset.Subset";

/// A dataset of one rank, below its Subset if it is one.
struct Whole {
  const std::string& type;
  const std::optional<std::int64_t>& length;
  const DatasetMarks& marks;
};

Whole wholeOf(const LoaderFacts& loader) {
  if (loader.subset) return {loader.subset->type, loader.subset->length, loader.subset->marks};
  return {loader.dataset_type, loader.dataset_length, loader.dataset_marks};
}

/// An attribute that one of them lacks, or that has another value.
std::optional<std::string> otherAttribute(const DatasetMarks& a, const DatasetMarks& b) {
  for (const auto& [name, mark] : a) {
    const auto found = b.find(name);
    if (found == b.end() || found->second != mark) return name;
  }
  for (const auto& [name, mark] : b) {
    if (!a.contains(name)) return name;
  }
  return std::nullopt;
}

std::optional<DatasetDifference> differenceOf(const LoaderOfRank& one, const LoaderOfRank& other) {
  DatasetDifference found{DatasetPart::Class, {}, one.rank, other.rank};
  const Whole a = wholeOf(*one.loader);
  const Whole b = wholeOf(*other.loader);
  if (a.type != b.type || (one.loader->subset == nullptr) != (other.loader->subset == nullptr)) return found;
  found.part = DatasetPart::Length;
  if (a.length != b.length) return found;
  found.part = DatasetPart::Attribute;
  if (const auto name = otherAttribute(a.marks, b.marks)) {
    found.attribute = *name;
    return found;
  }
  return std::nullopt;
}

/// Of Subsets of one dataset.
std::optional<DatasetDifference> subsetDifference(const LoaderOfRank& one, const LoaderOfRank& other) {
  const auto digest = [](const LoaderOfRank& of) {
    return of.loader->subset ? of.loader->subset->digest : std::string();
  };
  const bool is_unseen = digest(one).empty() || digest(other).empty();
  if (!is_unseen && digest(one) == digest(other)) return std::nullopt;
  return DatasetDifference{is_unseen ? DatasetPart::Unseen : DatasetPart::Indices, {}, one.rank, other.rank};
}

bool isTranslated(const LoaderOfRank& of) {
  const auto& subset = of.loader->subset;
  return subset && static_cast<std::int64_t>(subset->indices.size()) == of.loader->dataset_length.value_or(-1);
}

}  // namespace

RankDatasets compareDatasets(const std::vector<LoaderOfRank>& loaders) {
  const LoaderOfRank& first = loaders.front();
  if (first.loader->is_iterable) return {SampleIds::None, std::nullopt};
  RankDatasets found;
  for (const LoaderOfRank& other : loaders) {
    if (auto difference = differenceOf(first, other)) return {SampleIds::OwnPositions, std::move(difference)};
    const bool is_subset = other.loader->subset || other.loader->dataset_type == kSubset;
    if (is_subset && loaders.size() > 1 && !found.difference) found.difference = subsetDifference(first, other);
  }
  if (!found.difference) return found;
  const bool below = found.difference->part == DatasetPart::Indices && std::ranges::all_of(loaders, isTranslated);
  found.ids = below ? SampleIds::Below : SampleIds::OwnPositions;
  return found;
}

bool toIdsBelow(const SubsetFacts& subset, std::vector<SampleIndex>& positions) {
  const std::vector<SampleIndex>& indices = subset.indices;
  for (SampleIndex& position : positions) {
    if (position < 0 || position >= static_cast<SampleIndex>(indices.size())) return false;
    position = indices[static_cast<std::size_t>(position)];
  }
  return true;
}

}  // namespace shardlens::capture
