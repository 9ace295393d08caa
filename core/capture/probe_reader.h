// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/capture/facts.h"
#include "core/capture/job_loaders.h"
#include "core/record/pack.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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

/// Consecutive batches of a pass, and the part of the file of its process in which their frames are.
struct BatchesPlace {
  std::int64_t pass = 0;
  std::int64_t first = 0;  ///< batch of the pass
  std::int64_t count = 0;
  std::size_t begin = 0;  ///< of the first of these frames; frames of something else may lie between them
  std::size_t length = 0;
};

/// As readProbe(), much faster: it does not look into batches, so it finds no damage there, and says where they lie.
Result<ProcessFacts> skimProbe(const RecordedFile& file, std::vector<BatchesPlace>& places, const Work& work = {});

/// The batches of one such place, but for those that are damaged.
Result<void> readPlace(const RecordedFile& file, const BatchesPlace& place, const UseBatch& use);

/// Likewise, what the process got of streams.
Result<void> readMarks(const RecordedFile& file, const UseMarks& use, const Work& work = {});

// The messages of a probe's file that are JSON. A value of another type than the key promises counts as missing; what
// is no JSON object at all gives nothing.

void readProcess(std::string_view message, ProcessFacts& facts);
std::optional<LoaderFacts> readLoader(std::string_view message);
std::optional<PassFacts> readPass(std::string_view message);
/// How far a pass is: number, drawn, yielded, exhausted, grad_at_end, backwards, order_seed.
std::optional<PassFacts> readPassNews(std::string_view message);
/// When Python ended the process, of the wall clock in nanoseconds; 0: an older probe.
std::int64_t readEndTime(std::string_view message);
void readTrouble(std::string_view message, ProcessFacts& facts);

/// Follows the file of one probe while the job writes it.
class ProbeTail {
 public:
  explicit ProbeTail(std::filesystem::path file) : file_(std::move(file)) {}

  /// Reads up to 16 MiB that were appended since the last call; each new batch goes to `use`. True when there may be
  /// more already. A file that cannot be read, or is none of a probe, gives nothing.
  bool more(const UseBatch& use);
  /// What the file says so far.
  [[nodiscard]] const ProcessFacts& facts() const { return facts_; }

 private:
  std::filesystem::path file_;
  std::string pending_;    ///< the header, and what follows the last whole frame
  std::int64_t read_ = 0;  ///< bytes of the file
  ProcessFacts facts_;
};

/// Reads the batches of one rank's passes over a loader, each with whether the loop got it, from the file of its
/// process. Their samples are ids as the loader's datasets have them: SampleIds. Errors as those of readProbe().
Result<ProcessFacts> readBatches(const RecordedFile& file, const JobLoader& job, const RankLoader& rank,
                                 const UseBatch& use, const Work& work = {});

/// What takes the batches of a process and gives those of the rank's passes over the loader to `use`, likewise. The
/// job, the rank and `use` must outlive it.
UseBatch batchesFor(const JobLoader& job, const RankLoader& rank, const UseBatch& use);

}  // namespace shardlens::capture
