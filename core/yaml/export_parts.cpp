// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/export_parts.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/sampling/registry.h"
#include "core/spec/field.h"
#include "core/spec/field_table.h"
#include "core/yaml/scalar.h"
#include "core/yaml/spec_writer.h"

#include <algorithm>

namespace shardlens::yaml {
namespace {

/// Fields that decide what a rank reads even where they hold their defaults.
bool matters(const PipelineSpec& spec, const Field& field) {
  const std::string section = field.section();
  if (section == "sampler") return field.path == "sampler.type" || spec.sampler.parameters.contains(field.key());
  const bool main_loader_key = section == "loader" && field.key() != "prefetch_factor" &&
                               field.key() != "persistent_workers" && field.key() != "gradient_accumulation_steps";
  return main_loader_key || section == "seeds" || section == "world" || field.path == "epochs" ||
         getValue(spec, field) != field.fallback;
}

/// "loader {batch_size: 2, num_workers: 0}, epochs: 2": the fields by section, in their order.
std::string listed(const PipelineSpec& spec, const std::vector<const Field*>& fields) {
  std::vector<std::string> parts;
  std::string section;
  for (const Field* field : fields) {
    const std::string entry = field->key() + ": " + valueText(getValue(spec, *field));
    if (field->section().empty()) {
      parts.push_back(entry);
    } else if (!parts.empty() && field->section() == section) {
      parts.back().insert(parts.back().size() - 1, ", " + entry);
    } else {
      parts.push_back(field->section() + " {" + entry + "}");
    }
    section = field->section();
  }
  return join(parts, ", ");
}

bool isHostName(const std::string& name) {
  return !name.empty() && name.front() != '-' && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
           c == '_' || c == ':';
  });
}

/// Whether epochs differ because the script calls set_epoch.
bool needsSetEpoch(const PipelineSpec& spec, SamplerCatalogue catalogue) {
  const bool is_shuffled = findField(spec, catalogue, "sampler.shuffle") == nullptr ||
                           samplerParameter(spec, catalogue, "shuffle") == Value(true);
  return is_shuffled && spec.epochs > 1 && samplerParameter(spec, catalogue, "set_epoch") == Value(true);
}

constexpr const char* kAccumulation = "loader.gradient_accumulation_steps";

/// Whether the sampler says what an optimizer step takes, and the loader's key something else.
bool overrulesLoader(const PipelineSpec& spec) {
  const std::int64_t batches = spec.loader.gradient_accumulation_steps;
  return batches > 1 && sampling::batchesPerStep(spec) != batches;
}

/// Long lists are wrapped; consecutive ones are a range.
std::string pythonList(const IndexList& list) {
  if (isRun(list)) return "range(" + std::to_string(list.front()) + ", " + std::to_string(list.back() + 1) + ")";
  constexpr std::size_t kOnALine = 12;
  std::string out = "[";
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) out += i % kOnALine == 0 ? ",\n        " : ", ";
    out += std::to_string(list[i]);
  }
  return out + "]";
}

}  // namespace

std::string oneLine(std::string_view text) {
  std::string out(text);
  std::ranges::replace_if(
      out, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, ' ');
  // Readers that follow Unicode also end a line at U+0085, U+2028 and U+2029.
  for (const std::string_view separator : {"\u0085", "\u2028", "\u2029"}) {
    for (std::size_t i = out.find(separator); i != std::string::npos; i = out.find(separator, i))
      out.replace(i, separator.size(), " ");
  }
  return out;
}

std::string auditComment(const ExportContext& context) {
  if (context.audit_errors.empty()) return {};
  std::string out = "# The audit of this spec found errors:\n";
  for (const std::string& error : context.audit_errors) out += "#   " + oneLine(error) + "\n";
  return out;
}

std::string commentLines(std::string_view sentence) {
  constexpr std::size_t kWide = 100;
  const std::string text = oneLine(sentence);
  std::string out;
  std::string line = "#  ";
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    if (line.size() > 4 && line.size() + 1 + end - begin > kWide) {
      out += line + "\n";
      line = "#    ";
    }
    line += " " + text.substr(begin, end - begin);
    begin = end + 1;
  }
  return out + line + "\n";
}

std::string fileHead(const PipelineSpec& spec, const ExportContext& context, const std::string& how) {
  return "# " + oneLine(spec.name) + ", written by ShardLens " + oneLine(how) + ".\n" + auditComment(context);
}

std::string jobName(const PipelineSpec& spec) {
  constexpr std::size_t kMost = 40;
  std::string name;
  for (const char c : spec.name) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    const bool is_kept = (c >= 'a' && c <= 'z') || (!name.empty() && c >= '0' && c <= '9');
    if (is_upper) name += static_cast<char>(c - 'A' + 'a');
    if (is_kept) name += c;
    if (!is_upper && !is_kept && !name.empty() && name.back() != '-') name += '-';
    if (name.size() == kMost) break;
  }
  while (name.ends_with('-')) name.pop_back();
  return name.empty() ? "job" : name;
}

std::string shellWord(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string shellArgument(std::string_view text) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._/+:@%-").find(c) != std::string_view::npos;
  };
  return !text.empty() && std::ranges::all_of(text, plain) ? std::string(text) : shellWord(text);
}

std::vector<std::string> notCarried(const PipelineSpec& spec, SamplerCatalogue catalogue,
                                    const std::set<std::string>& carried, const std::string& reason,
                                    const std::string& of_groups) {
  std::vector<const Field*> by_script;
  std::vector<const Field*> by_run;
  std::vector<const Field*> by_groups;
  const sampling::SamplerTraits& traits = sampling::traitsOf(spec);
  const std::string own_accumulation = "sampler." + std::string(traits.accumulation);
  for (const Field* field : fieldsOf(spec, catalogue)) {
    if (field->path == "dataset.size" || field->path == "framework.torch") continue;
    if (field->path.starts_with("framework.lightning.")) continue;  // only the framework lens asks what a Trainer does
    if (carried.contains(field->path) || !matters(spec, *field)) continue;
    if (field->path == "sampler.set_epoch" && needsSetEpoch(spec, catalogue)) continue;  // a sentence of its own
    if (field->path == kAccumulation && overrulesLoader(spec)) continue;                 // the same
    if (field->path == own_accumulation && carried.contains(kAccumulation)) continue;
    if (field->optional && field->section() == "loader" && getValue(spec, *field) == field->fallback) continue;
    if (field->path.starts_with("run.")) by_run.push_back(field);
    if (field->path.starts_with("world.groups.")) {
      by_groups.push_back(field);
    } else if (shapesPlan(field->path)) {
      by_script.push_back(field);
    }
  }
  std::vector<std::string> sentences;
  if (!by_script.empty()) sentences.push_back(filled(worded("export", "%1: %2"), listed(spec, by_script), reason));
  if (!by_groups.empty())
    sentences.push_back(
        of_groups.empty()
            ? filled(worded("export", "%1: there is no key for this; the script makes these groups itself."),
                     listed(spec, by_groups))
            : filled(worded("export", "%1: %2"), listed(spec, by_groups), of_groups));
  if (needsSetEpoch(spec, catalogue) && !carried.contains("sampler.set_epoch"))
    sentences.push_back(worded(
        "export",
        "sampler.set_epoch true: nothing that is exported calls it; the script itself must call set_epoch(epoch) "
        "before each epoch, or its later epochs are not as planned."));
  if (overrulesLoader(spec))
    sentences.push_back(
        filled(worded("export",
                      "loader.gradient_accumulation_steps %1: not used, because %2 says how much an optimizer step "
                      "takes."),
               std::to_string(spec.loader.gradient_accumulation_steps),
               traits.accumulation.empty() ? "sampler." + std::string(traits.global_batch) : own_accumulation));
  if (!carried.contains("dataset.size"))
    sentences.push_back(filled(worded("export",
                                      "dataset.size %1: the size of the script's own dataset counts; with another size "
                                      "every order is different."),
                               std::to_string(spec.dataset.size)));
  if (!carried.contains("framework.torch"))
    sentences.push_back(
        filled(worded("export", "framework.torch %1: the job uses the installed torch."), spec.framework.torch));
  if (!by_run.empty())
    sentences.push_back(
        filled(worded("export", "%1: only ShardLens's own rank programs read this."), listed(spec, by_run)));
  return sentences;
}

std::string plainCounted(std::int64_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

Value samplerParameter(const PipelineSpec& spec, SamplerCatalogue catalogue, const std::string& key) {
  const Field* field = findField(spec, catalogue, "sampler." + key);
  return field == nullptr ? Value(false) : getValue(spec, *field);
}

std::optional<std::int64_t> sameSeed(const PipelineSpec& spec, std::int64_t least, std::int64_t most) {
  if (spec.seeds.rule != "same" || spec.seeds.base < least || spec.seeds.base > most) return std::nullopt;
  return spec.seeds.base;
}

std::int64_t rankBatch(const PipelineSpec& spec) {
  const std::int64_t batches = sampling::batchesPerStep(spec).value_or(1);
  const std::int64_t all = sampling::globalBatch(spec);
  if (all == 0) return spec.loader.batch_size;  // a global batch that holds no whole step, which the audit reports
  return std::max<std::int64_t>(1, all / batches / spec.world.dataParallelSize());
}

std::int64_t batchOfAllRanks(const PipelineSpec& spec) {
  return rankBatch(spec) * spec.world.dataParallelSize();
}

bool saysGlobalBatch(const PipelineSpec& spec) {
  const std::string_view name = sampling::traitsOf(spec).global_batch;
  return !name.empty() && spec.sampler.parameters.contains(std::string(name));
}

void addShareOfBatch(const PipelineSpec& spec, std::int64_t in_file, std::vector<std::string>& sentences) {
  const std::int64_t share = rankBatch(spec);
  if (!saysGlobalBatch(spec) || share == spec.loader.batch_size) return;
  if (sampling::globalBatch(spec) % spec.world.dataParallelSize() != 0) return;
  const std::string own = std::to_string(spec.loader.batch_size);
  sentences.push_back(
      in_file == share
          ? filled(worded("export",
                          "loader.batch_size %1: the file has %2 instead, what a rank takes of %3 in an optimizer "
                          "step."),
                   own, std::to_string(share), "sampler." + std::string(sampling::traitsOf(spec).global_batch))
          : filled(worded("export",
                          "loader.batch_size %1: the file has %2 of all ranks instead, of which each takes %3 in an "
                          "optimizer step."),
                   own, std::to_string(in_file), std::to_string(share)));
}

bool isInjected(const PipelineSpec& spec, SamplerCatalogue catalogue) {
  const auto holds = [&](const char* key, const Value& wanted) {
    return samplerParameter(spec, catalogue, key) == wanted;
  };
  return spec.sampler.type == "torch.DistributedSampler" && spec.worldSize() > 1 && holds("shuffle", true) &&
         holds("drop_last", false) && holds("set_epoch", true) &&
         holds("seed", sameSeed(spec, 0, kMostNumpySeed).value_or(0)) && holds("rank", std::string("rank")) &&
         (holds("num_replicas", std::string("world_size")) || holds("num_replicas", spec.worldSize()));
}

std::string accumulationKey(const PipelineSpec& spec) {
  const std::int64_t batches = sampling::batchesPerStep(spec).value_or(1);
  return batches > 1 ? "  accumulate_grad_batches: " + std::to_string(batches) + "\n" : "";
}

std::string injectionKey(const PipelineSpec& spec, SamplerCatalogue catalogue) {
  if (isInjected(spec, catalogue)) return "use_distributed_sampler: true\n";
  const char* why = spec.worldSize() == 1 ? "one rank: nothing to divide"
                    : spec.sampler.type == "torch.DistributedSampler"
                        ? "your loader has its own DistributedSampler"
                        : "with true, Lightning would replace the planned "
                          "sampler with its own DistributedSampler";
  return std::string("use_distributed_sampler: false  # ") + why + "\n";
}

std::string asRank(const RankVariables& variables) {
  return "# In single quotes, because every rank evaluates it, not this shell.\n"
         "as_rank='\n"
         "  export RANK=" +
         variables.rank + " WORLD_SIZE=" + variables.world_size + "\n  export LOCAL_RANK=" + variables.local_rank +
         " LOCAL_WORLD_SIZE=" + variables.local_world_size + "\n  exec \"$@\"'\n";
}

std::int64_t coresOfRank(const PipelineSpec& spec) {
  return 1 + spec.loader.num_workers;
}

std::string hostFile(const PipelineSpec& spec, const ExportContext& context, const char* separator) {
  std::string out = "# " + oneLine(spec.name) + ": one line a node, node 0 first.\n";
  for (std::int64_t node = 0; node < spec.world.nodes; ++node)
    out += hostName(spec, context, node) + separator + std::to_string(spec.world.ranksOn(node)) + "\n";
  return out;
}

std::string torchrunCommand(const ExportContext& context, const std::vector<std::string>& options,
                            const std::string& behind) {
  // Another interpreter has its own torchrun.
  std::string out = context.python == ExportContext{}.python
                        ? "torchrun"
                        : shellArgument(context.python) + " -m torch.distributed.run";
  for (const std::string& option : options) out += " \\\n  " + option;
  return out + " \\\n  " + shellArgument(context.script) + (behind.empty() ? "" : " " + behind) + "\n";
}

constexpr const char* kNodeRank = "${NODE_RANK:?set it to the number of this node, from 0}";

std::vector<std::string> torchrunNodes(const PipelineSpec& spec, const ExportContext& context) {
  // Underscores: torchrun of every release knows these spellings, dashes came with 2.0.
  const auto every = spec.world.ranks_per_node.ofEveryNode();
  const std::vector<std::string> counts = {
      "--nnodes=" + std::to_string(spec.world.nodes),
      "--nproc_per_node=" + (every ? std::to_string(*every) : "\"${ranks[" + std::string(kNodeRank) + "]}\"")};
  if (spec.world.nodes == 1) return {"--standalone", counts[0], counts[1]};
  return {counts[0], counts[1], "--node_rank=\"" + std::string(kNodeRank) + "\"",
          context.hosts.empty() ? "--master_addr=\"${MASTER_ADDR:?set it to the name of node 0}\""
                                : "--master_addr=\"${MASTER_ADDR:-" + context.hosts.front() + "}\"",
          "--master_port=\"${MASTER_PORT:-29500}\""};
}

std::string torchrunRanks(const PipelineSpec& spec) {
  if (spec.world.ranks_per_node.ofEveryNode()) return "";
  std::string ranks;
  for (const std::int64_t of_node : spec.world.ranks_per_node.list())
    ranks += (ranks.empty() ? "" : " ") + std::to_string(of_node);
  return "ranks=(" + ranks + ")  # of each node\n";
}

Issues unequalNodes(const PipelineSpec& spec, const std::string& target) {
  if (spec.world.ranks_per_node.ofEveryNode()) return {};
  return {Error::inField(
      ErrorCode::Unsupported, "world.ranks_per_node",
      filled(worded("export", "%1 gives every node the same number of ranks, but these nodes differ: %2."), target,
             spec.world.text()),
      worded("export", "export to torchrun, Open MPI, MPICH or DeepSpeed, which can express this"))};
}

Issues hostProblems(const PipelineSpec& spec, const ExportContext& context) {
  Issues problems;
  if (static_cast<std::int64_t>(context.hosts.size()) > spec.world.nodes)
    problems.push_back(Error::of(ErrorCode::Usage,
                                 filled(worded("export", "--host names %1 nodes, but the spec has %2."),
                                        std::to_string(context.hosts.size()), std::to_string(spec.world.nodes)),
                                 worded("export", "give one name or address per node")));
  for (const std::string& host : context.hosts) {
    if (isHostName(host)) continue;
    problems.push_back(Error::of(ErrorCode::Usage, filled(worded("export", "'%1' is not a host name."), oneLine(host)),
                                 worded("export", "give one name or address per node")));
  }
  return problems;
}

bool lacksHosts(const PipelineSpec& spec, const ExportContext& context) {
  return spec.world.nodes > 1 && spec.world.nodes > static_cast<std::int64_t>(context.hosts.size());
}

std::string hostName(const PipelineSpec& spec, const ExportContext& context, std::int64_t index) {
  if (static_cast<std::size_t>(index) < context.hosts.size()) return context.hosts[static_cast<std::size_t>(index)];
  return spec.world.nodes == 1 ? "localhost" : "node" + std::to_string(index);
}

std::string pythonText(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      constexpr std::string_view kDigits = "0123456789abcdef";
      out += {'\\', 'x', kDigits[static_cast<unsigned char>(c) >> 4U], kDigits[static_cast<unsigned char>(c) & 15U]};
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string pythonValue(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "True" : "False";
  if (const auto* text = std::get_if<std::string>(&value)) return pythonText(*text);
  if (const auto* list = std::get_if<IndexList>(&value)) return pythonList(*list);
  if (const auto* list = std::get_if<NumberList>(&value)) return writeValue(*list);
  return valueText(value);
}

}  // namespace shardlens::yaml

namespace shardlens::yaml::words {

std::string noOption(const std::string& launcher, const std::string& elsewhere) {
  return filled(worded("export", "%1 has no option for this; %2"), launcher, elsewhere);
}

std::string scriptLikePyTorch(const std::string& script) {
  return filled(worded("export", "%1 must set this, as the code of the target pytorch does."), script);
}

std::string noKeyIn(const std::string& target, const std::string& elsewhere) {
  return filled(worded("export", "%1 has no key for this; %2"), target, elsewhere);
}

std::string nodeNames(const std::string& file) {
  return filled(worded("export",
                       "The names of the nodes: %1 has placeholders (node0, node1, ...) where none is given; replace "
                       "them with yours."),
                file);
}

std::string launcherSaysWorld(const std::string& launcher, const PipelineSpec::World& world) {
  return filled(worded("export", "world {nodes: %1, ranks_per_node: %2}: options of %3 set it."),
                std::to_string(world.nodes), valueText(world.ranks_per_node.value()), launcher);
}

}  // namespace shardlens::yaml::words
