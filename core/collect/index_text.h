// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/diagnose/proof.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace shardlens {

/// A batch that a text lists.
struct ListedBatch {
  std::int64_t rank = 0;
  std::int64_t epoch = 0;
  std::int64_t step = 0;
  std::vector<SampleIndex> samples;
};

/// What people print from a job to see who gets what, one batch a line.
struct IndexText {
  std::vector<ListedBatch> batches;  ///< by rank, epoch and step; without those that are listed again, all the same
  std::int64_t left_out = 0;         ///< lines that list no batch, or of which it is not clear which one
  std::int64_t first_left_out = 0;   ///< the first of them, counted from 1
  std::int64_t cut = 0;              ///< lists with "..." in them or without an end, left out
  std::int64_t again = 0;            ///< batches that were listed before, with the same samples
  bool names_epochs = true;          ///< false: the epochs were counted, see readIndexText()
};

/// Reads "rank 0 epoch 1 step 3: 12 7 9", in any order and with any of `= : #` between a name and its number. The
/// samples are what a name such as ids or indices has, else the only bracketed list behind these numbers, else all that
/// follows them. A table has a head, such as "epoch,rank,step,ids"; with one sample a row, rows of one batch are
/// joined. A text of numbers alone is rank, step and samples. A list goes on in the next lines where these hold nothing
/// else, as long tensors are printed. Where no epoch is named, a step that is not above the last one of its rank begins
/// the rank's next epoch. Whatever could be read in two ways is left out. The Error of a text that lists no batch;
/// `name` is said in it.
Result<IndexText> readIndexText(std::istream& in, const std::string& name, const Work& work = {});

/// Compares the listed batches with a plan; notes tell the samples of the first difference, and that the text counts
/// ranks, epochs or steps from 1 where it is the plan, or nearer to it, by that, and that its steps count on over the
/// epochs where it is the plan, or nearer to it, only by that. What the text does not list is not
/// reported, and no difference.
Result<Proof> proveIndexText(const Plan& plan, const IndexText& text, const Work& work = {});

}  // namespace shardlens
