// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/capture/facts.h"
#include "core/record/pack.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace shardlens::capture {

using UseBatch = std::function<void(const BatchFacts&)>;
using UseMarks = std::function<void(const MarkedBatch&)>;

/// What a probe's file says. Arbitrary bytes are no harm: what is not understood is left out. Each batch goes to
/// `use`, and each batch of a stream to `use_marks`, in the order of the file, if there are such.
ProcessFacts parseProbe(std::string_view file, const UseBatch& use = {}, const UseMarks& use_marks = {});

/// Adds to `facts` what further bytes of a file say: they begin with its header, as every file does. Where the last
/// whole frame ends; 0 when they are not those of a probe.
std::size_t continueProbe(std::string_view file, ProcessFacts& facts, const UseBatch& use = {});

/// Reads one of the files of probeFilesOf(). Io when it cannot be read, BadInput when it is something else or of
/// another format.
Result<ProcessFacts> readProbe(const RecordedFile& file, const UseBatch& use = {}, const Work& work = {});

/// Batches of a pass that lie in the file of its process one after the other.
struct BatchesPlace {
  std::int64_t pass = 0;
  std::int64_t first = 0;  ///< batch of the pass
  std::int64_t count = 0;
  std::size_t begin = 0;  ///< of their frame in the file
  std::size_t length = 0;
};

/// As readProbe(), much faster: it does not look into batches, so it finds no damage there, and says where they lie.
Result<ProcessFacts> skimProbe(const RecordedFile& file, std::vector<BatchesPlace>& places, const Work& work = {});

/// The batches of one such place; none where they are damaged.
Result<void> readPlace(const RecordedFile& file, const BatchesPlace& place, const UseBatch& use);

/// Likewise, what the process got of streams.
Result<void> readMarks(const RecordedFile& file, const UseMarks& use, const Work& work = {});

}  // namespace shardlens::capture
