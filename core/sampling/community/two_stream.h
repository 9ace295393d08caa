// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/random/numpy_legacy.h"
#include "core/sampling/sampler_rule.h"
#include "core/spec/value.h"

#include <cstdint>
#include <span>
#include <vector>

namespace shardlens::sampling {

/// What a TwoStreamBatchSampler is made with.
struct TwoStreamArguments {
  const IndexList* primary = nullptr;
  const IndexList* secondary = nullptr;
  std::int64_t batch_size = 0;
  std::int64_t secondary_batch_size = 0;

  [[nodiscard]] std::int64_t primaryBatchSize() const { return batch_size - secondary_batch_size; }
  /// Batches of an epoch; expects check() to have passed.
  [[nodiscard]] std::int64_t batches() const;
  /// The constructor's assertions: each list holds at least its share of a batch, and no share is zero.
  [[nodiscard]] Result<void> check() const;
};

/// One epoch of TwoStreamBatchSampler, batch by batch, on NumPy's global stream: the primary list permuted once, and
/// the secondary one anew, only when a batch needs it, whenever it is used up. Sources:
/// CuriousAI/mean-teacher @546348f pytorch/mean_teacher/data.py, HiLab-git/SSL4MIS @06df604
/// code/dataloaders/dataset.py: the same algorithm.
class TwoStream {
 public:
  /// __iter__: draws the permutation of the primary list.
  static Result<TwoStream> start(const TwoStreamArguments& arguments, NumpyLegacy& numpy, const Work& work);

  /// Fills the next batch, primary samples first; false when the epoch has no more. `batch` holds batch_size items.
  Result<bool> next(NumpyLegacy& numpy, std::span<std::uint32_t> batch, const Work& work);

  /// Consumes the draws of a whole epoch, or of __iter__ alone, without making it.
  static Result<void> skip(const TwoStreamArguments& arguments, NumpyLegacy& numpy, const Work& work);
  static Result<void> skipStart(const TwoStreamArguments& arguments, NumpyLegacy& numpy, const Work& work);

 private:
  explicit TwoStream(const TwoStreamArguments& arguments) : arguments_(arguments) {}

  TwoStreamArguments arguments_;
  std::vector<std::uint32_t> primary_;
  std::vector<std::uint32_t> secondary_;
  std::size_t primary_used_ = 0;
  std::size_t secondary_used_ = 0;
};

/// primary_indices, secondary_indices and secondary_batch_size; the batch size is the loader's.
std::vector<Field> twoStreamFields();
TwoStreamArguments twoStreamArguments(const PipelineSpec& spec);
/// The assertions, and samples that the dataset does not have.
Result<void> checkTwoStream(const PipelineSpec& spec);
/// In neither list; otherwise in a batch that is not full, or not yet reached in the secondary list.
LeftOutCause twoStreamLeftOut(const PipelineSpec& spec, Epoch epoch);
/// All batches of one epoch, one after the other.
Result<OrderPtr> twoStreamOrder(const TwoStreamArguments& arguments, NumpyLegacy& numpy, const Work& work);

}  // namespace shardlens::sampling
