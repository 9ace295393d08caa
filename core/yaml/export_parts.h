// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/value.h"
#include "core/yaml/exporter.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens::yaml {

/// What the rows of exportTargets() are written by.
WriteTarget writeShardlens, writePyTorch, writeTorchrun, writeSlurm, writeSlurmTorchrun, writeOpenMpi, writeMpich,
    writeLightning, writeHydra, writeAccelerate, writeHuggingFace, writeDeepSpeed, writeComposer, writeMegatron,
    writeTrainJob, writePyTorchJob, writeMpiJob, writeSkypilot, writeRay;

/// `text` on one line, fit for a comment: line breaks and control characters become spaces.
std::string oneLine(std::string_view text);

/// The sentence as comment lines of at most 100 columns, as far as its words allow.
std::string commentLines(std::string_view sentence);

/// "# eight, written by ShardLens <how>.", and the audit's errors.
std::string fileHead(const PipelineSpec& spec, const ExportContext& context, const std::string& how);

/// The name of the spec as clusters take it: lower case letters, digits and dashes, a letter first, at most 40 of them.
std::string jobName(const PipelineSpec& spec);

/// The audit's errors as comment lines of a script or YAML file; empty when there are none.
std::string auditComment(const ExportContext& context);

/// 'it'\''s': one word of a POSIX shell, whatever the text holds.
std::string shellWord(std::string_view text);

/// "train.py" -> "train.py" where a shell takes it as it is, otherwise shellWord.
std::string shellArgument(std::string_view text);

/// Sentences about every field that says something and is not among `carried`: samplers, loader and seeds with `reason`
/// ("torchrun has no key for it"), groups with `of_groups` where it is given, the others with what is true for every
/// target.
std::vector<std::string> notCarried(const PipelineSpec& spec, SamplerCatalogue catalogue,
                                    const std::set<std::string>& carried, const std::string& reason,
                                    const std::string& of_groups = {});

/// A text as a Python string literal in double quotes.
std::string pythonText(std::string_view text);

/// True, 7, 0.5, "text", [3, 1, 2] or range(0, 9) for consecutive indices: an expression of that value.
std::string pythonValue(const Value& value);

/// "1 rank", "2 ranks", with ASCII digits only, for files that are read in any encoding.
std::string plainCounted(std::int64_t number, const std::string& noun);

/// The value of a parameter of the spec's sampler; its fallback where the spec does not say it.
Value samplerParameter(const PipelineSpec& spec, SamplerCatalogue catalogue, const std::string& key);

/// seeds.base, where every rank is seeded with it and it is least .. most.
std::optional<std::int64_t> sameSeed(const PipelineSpec& spec, std::int64_t least, std::int64_t most);
constexpr std::int64_t kMostNumpySeed = 4'294'967'295;

/// The batch of one rank, and of all data-parallel ones: what they take at once, of which an optimizer step may take
/// several.
std::int64_t rankBatch(const PipelineSpec& spec);
std::int64_t batchOfAllRanks(const PipelineSpec& spec);
/// Whether the sampler says the batch of all ranks.
bool saysGlobalBatch(const PipelineSpec& spec);
/// Of a file whose batch size is `in_file`, rankBatch() or batchOfAllRanks(): adds what a rank takes of the global
/// batch where loader.batch_size is another one. Says nothing where ranks cannot take equal shares.
void addShareOfBatch(const PipelineSpec& spec, std::int64_t in_file, std::vector<std::string>& sentences);

/// Whether Lightning's own injection gives exactly the spec's sampler: DistributedSampler(shuffle=True, seed=<global
/// seed or 0>) over all ranks, with set_epoch called.
bool isInjected(const PipelineSpec& spec, SamplerCatalogue catalogue);
/// "use_distributed_sampler: false  # why", with a line end.
std::string injectionKey(const PipelineSpec& spec, SamplerCatalogue catalogue);
/// "  accumulate_grad_batches: 4" of Lightning's Trainer, with a line end; empty where a step takes one batch.
std::string accumulationKey(const PipelineSpec& spec);

/// How a launcher tells a process who it is, as a shell reads it: "$SLURM_PROCID".
struct RankVariables {
  std::string rank, world_size, local_rank, local_world_size;
};

/// Shell lines that end in `as_rank='...'`: a script that gives torch's variables to what it starts.
std::string asRank(const RankVariables& variables);

/// One process a core, and one core for each loader worker: those of one rank.
std::int64_t coresOfRank(const PipelineSpec& spec);

/// "name slots=4", one line a node: what Open MPI and DeepSpeed read. MPICH has a colon for " slots=".
std::string hostFile(const PipelineSpec& spec, const ExportContext& context, const char* separator = " slots=");
constexpr const char* kHostFile = "hosts.txt";
/// A line of a script that knows its own folder as $here.
constexpr const char* kHere = "here=\"$(cd -- \"$(dirname -- \"${BASH_SOURCE[0]}\")\" && pwd)\"\n";

/// torchrun, of the context's interpreter, with these options, the script and what `behind` says, one on each line.
std::string torchrunCommand(const ExportContext& context, const std::vector<std::string>& options,
                            const std::string& behind = "\"$@\"");

/// A line of bash that torchrunNodes() needs before the command where nodes differ; empty where they do not.
std::string torchrunRanks(const PipelineSpec& spec);

/// The options of torchrun that say which nodes there are, where NODE_RANK and MASTER_ADDR say the rest.
std::vector<std::string> torchrunNodes(const PipelineSpec& spec, const ExportContext& context);

/// That the target, by its name in sentences, has no place for nodes with different numbers of ranks.
Issues unequalNodes(const PipelineSpec& spec, const std::string& target);

/// Which of the given host names are not valid, and that there are more than nodes.
Issues hostProblems(const PipelineSpec& spec, const ExportContext& context);

/// Whether files name nodes that the context does not: placeholders, for the user to replace.
bool lacksHosts(const PipelineSpec& spec, const ExportContext& context);

/// The name of node `index` in the context, or a placeholder.
std::string hostName(const PipelineSpec& spec, const ExportContext& context, std::int64_t index);

}  // namespace shardlens::yaml

/// Sentences of several targets.
namespace shardlens::yaml::words {

/// Reasons of notCarried(). `elsewhere`: what sets it instead.
std::string noOption(const std::string& launcher, const std::string& elsewhere);
std::string noKeyIn(const std::string& target, const std::string& elsewhere);
std::string scriptLikePyTorch(const std::string& script);
/// `file` has placeholders for the nodes.
std::string nodeNames(const std::string& file);
std::string launcherSaysWorld(const std::string& launcher, const PipelineSpec::World& world);

}  // namespace shardlens::yaml::words
