// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/capture/facts.h"
#include "core/record/pack.h"

#include <functional>
#include <string_view>

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

/// Likewise, what the process got of streams.
Result<void> readMarks(const RecordedFile& file, const UseMarks& use, const Work& work = {});

}  // namespace shardlens::capture
