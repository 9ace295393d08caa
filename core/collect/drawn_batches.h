// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/capture/probe_reader.h"
#include "core/capture/same_loaders.h"
#include "core/record/event.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace shardlens {

/// What the loaders of a job drew for each step that its ranks begin, while the job runs. A rank says which pass over a
/// loader trains, and when a step of it begins; the probe's file of its process says what that pass drew. All loaders
/// with as many samples as the design are reported, each with its number, since any may be the designed one. What no
/// file says, for example because items are no numbers, is left out.
class DrawnBatches {
 public:
  /// `recording` is the folder to which the probes write; `samples` and `epochs` are the design's. Files of other hosts
  /// do not concern the ranks of this one.
  DrawnBatches(std::filesystem::path recording, std::int64_t samples, std::int64_t epochs, std::string host = {});

  /// Records of a rank, in their order.
  void use(std::int64_t rank, std::span<const sl_record> records);
  /// Reads what the probes wrote since the last call: an SL_DRAWN, without a time, of each step whose batch is known
  /// now. Its epoch is the one that set_epoch gave the sampler, if the design has it; otherwise it counts the passes
  /// over that loader. Epochs beyond the design's are left out.
  std::vector<RankRecord> take();

 private:
  struct Drawn {
    std::uint64_t fingerprint = 0;
    std::int64_t samples = 0;
  };
  /// A process that reads loaders.
  struct Process {
    capture::ProbeTail tail;
    std::map<std::int64_t, std::map<std::int64_t, Drawn>> passes = {};  ///< by pass and step
  };
  /// A step that began.
  struct Begun {
    std::int64_t pass = 0;
    std::uint32_t step = 0;
  };
  /// A pass that trains on a loader that the design may be about.
  struct Meant {
    std::size_t loader = 0;    ///< of the rank, from 0
    std::int64_t counted = 0;  ///< how many passes over that loader were before it
  };
  struct RankReads {
    std::int64_t pid = 0;
    std::map<std::uint32_t, std::int64_t> pass_of = {};  ///< the last that train, by the epoch that the rank counts
    std::deque<Begun> begun = {};                        ///< their batches are not known yet
    capture::SameLoaders loaders = capture::SameLoaders();
    std::map<std::int64_t, Meant> meant = {};         ///< by pass
    std::map<std::size_t, std::int64_t> passes = {};  ///< how many, by loader
  };

  void use(RankReads& rank, const sl_record& record);
  void lookForFiles();
  void read(Process& process);
  void takeOf(std::int64_t number, RankReads& rank, Process& process, std::vector<RankRecord>& taken) const;
  [[nodiscard]] Process* processOf(std::int64_t pid);
  /// Null where the design is about no loader of this kind.
  const Meant* meantBy(RankReads& rank, const capture::ProcessFacts& facts, const capture::PassFacts& pass) const;
  [[nodiscard]] std::int64_t epochOf(const Meant& meant, const capture::PassFacts& pass) const;

  std::filesystem::path recording_;
  std::int64_t samples_;
  std::int64_t epochs_;
  std::string host_;
  std::map<std::int64_t, RankReads> ranks_;
  std::map<std::filesystem::path, Process> processes_;
  std::map<std::int64_t, Process*> by_pid_;
};

}  // namespace shardlens
