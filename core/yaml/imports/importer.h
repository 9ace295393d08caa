// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/spec/pipeline_spec.h"
#include "core/spec/sampler_info.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace shardlens::yaml {

constexpr std::size_t kMostImportBytes = 4'000'000;  ///< of a source

/// A file of a training job, or a command line as it is typed. A Python script as describeScript() of core/collect
/// describes it.
struct ImportSource {
  std::string name;  ///< "job.sbatch": how notes call it
  std::string text;
};

/// Where a field of the imported spec comes from.
struct ImportNote {
  enum class Kind : std::uint8_t {
    Read,     ///< a file says it, or what its reader takes where the file says nothing
    Assumed,  ///< usual, and said by no file
    Unknown,  ///< not said, or not in a way that can be read; the spec has its default
  };
  Kind kind = Kind::Read;
  std::string field;  ///< "loader.batch_size"
  std::string text;   ///< a sentence without the field: "32 (job.sbatch: --batch-size)"
};

/// What files of a job say about its data pipeline, as a spec. With problems there is none.
struct Imported {
  PipelineSpec spec;
  std::vector<std::string> formats;  ///< what each source was read as, in their order
  std::vector<ImportNote> notes;     ///< first what was read, then what was assumed, then what is unknown
  Issues problems;

  [[nodiscard]] std::vector<std::string> lines(ImportNote::Kind kind) const;  ///< "loader.batch_size: 32 (...)"
};

struct ImportOptions {
  std::optional<std::int64_t> samples;  ///< dataset.size, which job files seldom say
  bool reads_scripts = false;           ///< of an sbatch command, below the working folder, where it is no source
};

/// Reads the sources together: what the first says is not overridden by a later one. Knows scripts and command lines
/// (torchrun, mpirun, srun, sbatch and #SBATCH, salloc, accelerate launch, deepspeed, with the arguments of the Hugging
/// Face Trainer and of Megatron-LM), YAML of Lightning, Hydra, Accelerate, the Trainer, LLaMA-Factory, llm-foundry,
/// Kubeflow and SkyPilot, JSON of DeepSpeed, and described Python scripts. Never runs anything, and follows no file
/// that a source names, but as `options` say. A source that an sbatch command of another one submits is read with it.
Imported importSpec(std::span<const ImportSource> sources, SamplerCatalogue catalogue,
                    const ImportOptions& options = {});

/// The spec as a file, with the notes as comments before it.
std::string importedText(const Imported& imported, SamplerCatalogue catalogue);

/// Whether dataset.size is a placeholder. Then it is 0 from now on, and the notes say so: nothing is to be counted from
/// it until somebody says it.
bool leaveSizeOpen(Imported& imported);

/// Whether a file is one that importSpec() reads, and no spec.
bool isImportable(const ImportSource& source);

/// Whether a described Python script says anything about a data pipeline. Almost any text is Python to Python.
bool tellsOfPipeline(const ImportSource& script);

}  // namespace shardlens::yaml
