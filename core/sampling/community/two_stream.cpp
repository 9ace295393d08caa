// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/community/two_stream.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/sampling/python.h"
#include "core/sampling/sample_list.h"

#include <algorithm>
#include <string>
#include <utility>

namespace shardlens::sampling {
namespace {

constexpr std::int64_t kMostSamples = 4'000'000'000;
constexpr std::size_t kLookEvery = std::size_t{1} << 18;

/// np.random.permutation of the list, into `items`.
Result<void> permute(const IndexList& list, NumpyLegacy& numpy, std::vector<std::uint32_t>& items, const Work& work) {
  items.resize(list.size());
  std::ranges::transform(list, items.begin(), [](SampleIndex id) { return static_cast<std::uint32_t>(id); });
  for (std::size_t i = items.size(); i-- > 1;) {
    if (i % kLookEvery == 0 && work.stopped()) return cancelled();
    std::swap(items[i], items[numpy.bounded(i)]);
  }
  return {};
}

/// The draws of a permutation, without making it.
Result<void> skipPermutation(std::size_t size, NumpyLegacy& numpy, const Work& work) {
  for (std::size_t i = size; i-- > 1;) {
    if (i % kLookEvery == 0 && work.stopped()) return cancelled();
    numpy.bounded(i);
  }
  return {};
}

Result<void> checkShare(const IndexList& list, std::int64_t share, const std::string& field, const std::string& what) {
  const auto samples = static_cast<std::int64_t>(list.size());
  if (share > 0 && samples >= share) return {};
  const auto refused = [&](std::string hint) { return raised("AssertionError", "", field, std::move(hint)); };
  if (list.empty())
    return refused(filled(worded("checks", "the list is empty: give at least %1, for example 0..7"),
                          wordedCount(std::max<std::int64_t>(1, share), what)));
  if (share > 0)
    return refused(filled(worded("checks", "a batch takes %1 of %2: list more"), std::to_string(share),
                          wordedCount(samples, what)));
  return refused(filled(worded("checks",
                               "a batch has room for %1: keep secondary_batch_size above 0 and below "
                               "loader.batch_size"),
                        wordedCount(share, what)));
}

const IndexList& listOf(const PipelineSpec& spec, const char* key) {
  static const IndexList kNone;
  const auto found = spec.sampler.parameters.find(key);
  return found == spec.sampler.parameters.end() ? kNone : std::get<IndexList>(found->second);
}

Field listField(const char* path, std::string help) {
  return {path, FieldKind::Indices, IndexList{}, 0, kMostSamples, {}, "samples", std::move(help)};
}

}  // namespace

std::int64_t TwoStreamArguments::batches() const {
  return static_cast<std::int64_t>(primary->size()) / primaryBatchSize();
}

Result<void> TwoStreamArguments::check() const {
  if (auto first = checkShare(*primary, primaryBatchSize(), "sampler.primary_indices", "primary sample"); !first)
    return first;
  return checkShare(*secondary, secondary_batch_size, "sampler.secondary_indices", "secondary sample");
}

Result<TwoStream> TwoStream::start(const TwoStreamArguments& arguments, NumpyLegacy& numpy, const Work& work) {
  TwoStream stream(arguments);
  if (auto drawn = permute(*arguments.primary, numpy, stream.primary_, work); !drawn) return drawn.error();
  return stream;
}

Result<bool> TwoStream::next(NumpyLegacy& numpy, std::span<std::uint32_t> batch, const Work& work) {
  const auto primary_share = static_cast<std::size_t>(arguments_.primaryBatchSize());
  if (primary_.size() - primary_used_ < primary_share) return false;
  std::ranges::copy_n(primary_.begin() + static_cast<std::ptrdiff_t>(primary_used_),
                      static_cast<std::ptrdiff_t>(primary_share), batch.begin());
  primary_used_ += primary_share;
  for (std::uint32_t& item : batch.subspan(primary_share)) {
    if (secondary_used_ == secondary_.size()) {
      if (auto drawn = permute(*arguments_.secondary, numpy, secondary_, work); !drawn) return drawn.error();
      secondary_used_ = 0;
    }
    item = secondary_[secondary_used_++];
  }
  return true;
}

Result<void> TwoStream::skipStart(const TwoStreamArguments& arguments, NumpyLegacy& numpy, const Work& work) {
  return skipPermutation(arguments.primary->size(), numpy, work);
}

Result<void> TwoStream::skip(const TwoStreamArguments& arguments, NumpyLegacy& numpy, const Work& work) {
  if (auto done = skipStart(arguments, numpy, work); !done) return done;
  const auto size = static_cast<std::int64_t>(arguments.secondary->size());
  const std::int64_t items = arguments.batches() * arguments.secondary_batch_size;
  for (std::int64_t used = 0; used < items; used += size) {
    if (auto done = skipPermutation(arguments.secondary->size(), numpy, work); !done) return done;
  }
  return {};
}

std::vector<Field> twoStreamFields() {
  return {
      listField("sampler.primary_indices",
                marked("fields", "The samples that each epoch reads once, usually the labelled ones.")),
      listField("sampler.secondary_indices",
                marked("fields", "The samples that fill up each batch, repeated as often as needed.")),
      intField(
          "sampler.secondary_batch_size", 1, 0, kMostSamples, "samples",
          marked("fields", "How many samples of loader.batch_size are secondary; they come after the primary ones.")),
  };
}

TwoStreamArguments twoStreamArguments(const PipelineSpec& spec) {
  const auto share = spec.sampler.parameters.find("secondary_batch_size");
  return {&listOf(spec, "primary_indices"), &listOf(spec, "secondary_indices"), spec.loader.batch_size,
          share == spec.sampler.parameters.end() ? 1 : std::get<std::int64_t>(share->second)};
}

Result<void> checkTwoStream(const PipelineSpec& spec) {
  const TwoStreamArguments arguments = twoStreamArguments(spec);
  if (auto made = arguments.check(); !made) return made;
  if (auto list = checkSamples(spec, *arguments.primary, "sampler.primary_indices"); !list) return list;
  return checkSamples(spec, *arguments.secondary, "sampler.secondary_indices");
}

LeftOutCause twoStreamLeftOut(const PipelineSpec& spec, Epoch /*epoch*/) {
  const TwoStreamArguments arguments = twoStreamArguments(spec);
  LeftOutCause primary = notListed(*arguments.primary, spec.dataset.size, MissingCause::CutBySampler);
  LeftOutCause secondary = notListed(*arguments.secondary, spec.dataset.size, MissingCause::NotDrawn);
  return [primary = std::move(primary), secondary = std::move(secondary)](SampleIndex sample) {
    const MissingCause of_primary = primary(sample);
    return of_primary == MissingCause::NotAmongIndices ? secondary(sample) : of_primary;
  };
}

Result<OrderPtr> twoStreamOrder(const TwoStreamArguments& arguments, NumpyLegacy& numpy, const Work& work) {
  const auto size = static_cast<std::size_t>(arguments.batch_size);
  const auto batches = static_cast<std::size_t>(arguments.batches());
  auto ids = LargeArray<std::uint32_t>::make(batches * size, "an order");
  if (!ids) return ids.error();
  auto stream = TwoStream::start(arguments, numpy, work);
  if (!stream) return stream.error();
  for (std::size_t batch = 0; batch < batches; ++batch) {
    if (batch * size % kLookEvery < size) {
      if (work.stopped()) return cancelled();
      work.progress(static_cast<double>(batch) / static_cast<double>(batches));
    }
    if (auto made = stream->next(numpy, ids->items().subspan(batch * size, size), work); !made) return made.error();
  }
  return Order::of(std::move(*ids));
}

}  // namespace shardlens::sampling
