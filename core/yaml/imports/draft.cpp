// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/sampling/registry.h"
#include "core/spec/field_table.h"
#include "core/spec/validate.h"
#include "core/yaml/export_parts.h"
#include "core/yaml/imports/readers.h"
#include "core/yaml/spec_reader.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <initializer_list>
#include <utility>

namespace shardlens::yaml::words {

std::string notReadable(const std::string& text, const std::string& from) {
  return filled(worded("import", "%2 says %1, which has no meaning here."), text, from);
}

std::string notSaid(const std::string& fallback, bool is_size) {
  return is_size ? filled(worded("import", "No file says how many samples there are; %1 is a placeholder."), fallback)
                 : filled(worded("import", "No file says it; %1 is the default of a spec."), fallback);
}

std::string defaultOf(const std::string& reader) {
  return filled(worded("import", "the default of %1"), reader);
}

std::string shuffles() {
  return worded("import", "a loader for training usually shuffles");
}

std::string hasDefault(const std::string& value) {
  return filled(worded("import", "The spec has the default, %1."), value);
}

std::string ownSampler(const std::string& from) {
  return filled(worded("import", "The script makes its own sampler (%1)."), from);
}

std::string rankSharesUnknown(const std::string& what, const std::string& from) {
  return filled(worded("import", "%2 says %1: the number depends on the machine."), what, from);
}

std::string runsForSteps(const std::string& from) {
  return filled(worded("import", "The job ends after a number of steps, not of epochs (%1)."), from);
}

std::string startsUnreadScript(const std::string& from) {
  return filled(worded("import", "%1 starts another script, which was not read: give that script, too."), from);
}

}  // namespace shardlens::yaml::words

namespace shardlens::yaml::imports {
namespace {

constexpr const char* kAccumulation = "loader.gradient_accumulation_steps";
constexpr std::array kAlwaysNamed = {"dataset.size",      "world.nodes",        "world.ranks_per_node",
                                     "loader.batch_size", "loader.num_workers", "loader.drop_last",
                                     "sampler.type",      "seeds.rule",         "epochs"};

std::string saidBy(const std::string& text, const std::string& from) {
  return filled(worded("import", "%1 (%2)"), text, from);
}

std::string dividedBy(const std::string& total, const std::string& from, std::int64_t by) {
  return by == 1 ? from : filled(worded("import", "%2: %1, divided by %3"), total, from, std::to_string(by));
}

std::string doesNotDivide(const std::string& total, const std::string& from, std::int64_t by) {
  return filled(worded("import", "%2 says %1, which %3 does not divide."), total, from, std::to_string(by));
}

std::string stepOfUnknownParts(const std::string& text, const std::string& from) {
  return filled(worded("import",
                       "%2 says %1 for an optimizer step of all ranks. This value does not follow from it, because "
                       "other numbers are not known."),
                text, from);
}

}  // namespace

void Draft::note(Kind kind, const std::string& field, std::string text) {
  notes_[field] = {kind, field, std::move(text)};
}

void Draft::name(const std::string& file) {
  const std::string stem = std::filesystem::path(file).stem().string();
  if (!stem.empty() && utf8Prefix(stem) == stem.size() && oneLine(stem) == stem) spec_.name = stem;
}

bool Draft::hasRead(const std::string& field) const {
  const auto found = notes_.find(field);
  return found != notes_.end() && found->second.kind == Kind::Read;
}

bool Draft::saysOfPipeline() const {
  return std::ranges::any_of(
      notes_, [](const auto& note) { return note.first != "epochs" && !note.first.starts_with("seeds."); });
}

bool Draft::isBareFlag(const std::string& field, const std::string& text) const {
  const Field* known = text.empty() ? findField(spec_, catalogue_, field) : nullptr;
  return known != nullptr && known->kind == FieldKind::Bool;
}

bool Draft::set(const std::string& field, const std::string& text, const std::string& from) {
  const Field* known = findField(spec_, catalogue_, field);
  if (known == nullptr) return false;
  auto value = parseValue(*known, text);
  if (value && checkValue(*known, *value)) value = *checkValue(*known, *value);
  const bool is_list = value && known->kind == FieldKind::IntOrList && std::holds_alternative<IndexList>(*value);
  if (!value || is_list) {  // devices: "1,2" names two devices of one node
    if (!hasRead(field)) note(Kind::Unknown, field, words::notReadable(text, from));
    return false;
  }
  setValue(spec_, *known, *value);
  return true;
}

void Draft::read(const std::string& field, const std::string& text, const std::string& from) {
  if (isBareFlag(field, text)) return read(field, "true", from);
  if (hasRead(field)) {
    const Field* known = findField(spec_, catalogue_, field);
    const auto value = known == nullptr ? Result<Value>(Value(false)) : parseValue(*known, text);
    if (known == nullptr || !value || *value == getValue(spec_, *known)) return;
    return remark(Kind::Unknown, field,
                  filled(worded("import", "%2 says %1; the spec has the value from another place."), text, from));
  }
  if (set(field, text, from)) note(Kind::Read, field, saidBy(text, from));
}

void Draft::assume(const std::string& field, const std::string& text, const std::string& why, const std::string& from) {
  if (isBareFlag(field, text)) return assume(field, "true", why, from);
  if (!notes_.contains(field) && set(field, text, from.empty() ? why : from))
    note(Kind::Assumed, field, saidBy(text, why));
}

void Draft::assumeRecords(const std::string& field, const TreeNode& list, const std::string& why) {
  const Field* known = findField(spec_, catalogue_, field);
  const ReadRecords records = known == nullptr ? ReadRecords() : readRecords(*known, list);
  if (!records.issues.empty())
    return leave(field, filled(worded("import", "Left out, because a part of it is not valid in a spec: %2 (%1)"), why,
                               records.issues.front().second.text()));
  if (notes_.contains(field) || records.list.empty()) return;
  setValue(spec_, *known, records.list);
  note(Kind::Assumed, field, why);
}

void Draft::leave(const std::string& field, const std::string& why, const std::string& instead) {
  if (notes_.contains(field)) return;
  if (!instead.empty()) set(field, instead, why);
  note(Kind::Unknown, field, why);
}

void Draft::doubt(const std::string& field, const std::string& why) {
  if (hasRead(field)) return;
  const PipelineSpec plain;
  const Field* known = findField(plain, catalogue_, field);
  if (known == nullptr) return note(Kind::Unknown, field, why);
  if (known->section() == "sampler" && known->key() != "type") {
    spec_.sampler.parameters.erase(known->key());
  } else {
    setValue(spec_, *known, getValue(plain, *known));
  }
  note(Kind::Unknown, field, why + ' ' + words::hasDefault(valueText(getValue(plain, *known))));
}

void Draft::remark(Kind kind, const std::string& field, std::string text) {
  remarks_.push_back({kind, field, std::move(text)});
}

void Draft::readWorldSize(const std::string& text, const std::string& from) {
  if (!world_size_) world_size_ = Said{text, from};
}

void Draft::readGlobalBatch(const std::string& text, const std::string& from, const std::string& why) {
  if (!global_batch_) global_batch_ = Said{text, from, why};
}

void Draft::readStepBatch(const std::string& text, const std::string& from) {
  if (!step_batch_) step_batch_ = Said{text, from};
}

void Draft::readDefault(const std::string& field, const std::string& text, const std::string& reader) {
  fill(field, text, words::defaultOf(reader));
}

void Draft::fill(const std::string& field, const std::string& text, const std::string& from) {
  if (!notes_.contains(field)) read(field, text, from);
}

void Draft::fillNodes(const IndexList& ranks, const std::string& from) {
  if (notes_.contains("world.nodes") || notes_.contains("world.ranks_per_node")) return;
  spec_.world.ranks_per_node = RanksPerNode(ranks);
  spec_.world.countListedNodes();
  note(Kind::Read, "world.nodes", saidBy(std::to_string(spec_.world.nodes), from));
  note(Kind::Read, "world.ranks_per_node", saidBy(valueText(ranks), from));
}

/// All ranks, where only one of the two is said.
void Draft::finishWorld() {
  const auto total = world_size_ ? wholeNumber(world_size_->text) : std::nullopt;
  if (world_size_ && !total)
    return leave("world.ranks_per_node", words::notReadable(world_size_->text, world_size_->from));
  if (!total || *total < 1) return;
  const bool has_nodes = hasRead("world.nodes");
  const bool has_ranks = hasRead("world.ranks_per_node");
  if (has_nodes && has_ranks) return;
  const std::int64_t by = has_ranks ? spec_.world.mostRanksOnNode() : has_nodes ? spec_.world.nodes : 1;
  const std::string field = has_ranks ? "world.nodes" : "world.ranks_per_node";
  if (*total % by != 0) return leave(field, doesNotDivide(world_size_->text, world_size_->from, by));
  const std::string from = dividedBy(world_size_->text, world_size_->from, by);
  if (has_nodes || has_ranks) return read(field, std::to_string(*total / by), from);
  assume("world.nodes", "1", worded("import", "no file says on how many nodes the ranks are"));
  assume("world.ranks_per_node", std::to_string(*total),
         filled(worded("import", "%1, all on one node"), world_size_->from));
}

/// Sizes that do not fit the ranks of the spec are left out, with the reason: first those of experts, which need the
/// others.
void Draft::finishGroups() {
  const auto leaveOut = [this](std::initializer_list<const char*> fields) {
    const Issues problems = problemsOf(spec_.world);
    if (problems.empty()) return;
    for (const char* field : fields) {
      if (!hasRead(field)) continue;
      const Field* known = findField(spec_, catalogue_, field);
      setValue(spec_, *known, known->fallback);
      const std::string said = notes_.at(field).text;
      note(Kind::Unknown, field,
           knowsWorld() ? filled(worded("import", "%1 is not used: %2"), said, problems.front().message)
                        : filled(worded("import", "%1 is not used: no file says how many ranks there are."), said));
    }
  };
  leaveOut({"world.groups.expert", "world.groups.expert_tensor"});
  leaveOut({"world.groups.tensor", "world.groups.context", "world.groups.pipeline"});
}

bool Draft::knowsWorld() const {
  return std::ranges::all_of(std::array{"world.nodes", "world.ranks_per_node"}, [this](const char* field) {
    const auto found = notes_.find(field);
    return found != notes_.end() && found->second.kind != Kind::Unknown;
  });
}

/// Whether the data-parallel size of the spec is that of the job.
bool Draft::knowsCopies() const {
  return knowsWorld() &&
         std::ranges::none_of(std::array{"world.groups.tensor", "world.groups.context", "world.groups.pipeline"},
                              [this](const char* field) {
                                const auto found = notes_.find(field);
                                return found != notes_.end() && found->second.kind == Kind::Unknown;
                              });
}

void Draft::finishBatch() {
  if (!global_batch_ || notes_.contains("loader.batch_size")) return;
  const auto& [text, from, why] = *global_batch_;
  const auto total = wholeNumber(text);
  if (!total) return leave("loader.batch_size", words::notReadable(text, from));
  if (!knowsWorld())
    return leave(
        "loader.batch_size",
        filled(worded("import", "%2 says %1 for all ranks, and no file says how many there are."), text, from));
  const std::int64_t ranks = spec_.worldSize();
  if (*total % ranks != 0) return leave("loader.batch_size", doesNotDivide(text, from, ranks));
  const std::string divided = dividedBy(text, from, ranks);
  if (why.empty()) return read("loader.batch_size", std::to_string(*total / ranks), divided);
  assume("loader.batch_size", std::to_string(*total / ranks), divided + ", " + why);
}

/// Of a step whose three parts are known: whether it is their product.
void Draft::checkStep() {
  const auto total = wholeNumber(step_batch_->text);
  if (!total || !knowsCopies()) return;
  const PipelineSpec::Loader& loader = spec_.loader;
  const std::int64_t of_rank = loader.batch_size * loader.gradient_accumulation_steps;
  if (*total % of_rank == 0 && *total / of_rank == spec_.world.dataParallelSize()) return;
  remark(Kind::Unknown, kAccumulation,
         filled(worded("import",
                       "%2 says %1 for an optimizer step of all ranks, which is not a batch of %3 times an "
                       "accumulation of %4 times the data-parallel size, %5."),
                step_batch_->text, step_batch_->from, std::to_string(loader.batch_size),
                std::to_string(loader.gradient_accumulation_steps), std::to_string(spec_.world.dataParallelSize())));
}

/// A step of all ranks is batch times accumulation times data-parallel ranks: the one of the first two that is not read
/// follows.
void Draft::finishStep() {
  if (!step_batch_) return;
  const bool has_batch = hasRead("loader.batch_size");
  if (has_batch && hasRead(kAccumulation)) return checkStep();
  const std::string field = has_batch ? kAccumulation : "loader.batch_size";
  const Said& said = *step_batch_;
  const auto total = wholeNumber(said.text);
  if (!total || *total < 1) return leave(field, words::notReadable(said.text, said.from));
  const bool has_neither = !has_batch && !hasRead(kAccumulation);
  if (has_neither) leave(kAccumulation, stepOfUnknownParts(said.text, said.from));
  if (has_neither || !knowsCopies()) return leave(field, stepOfUnknownParts(said.text, said.from));
  const std::int64_t other = has_batch ? spec_.loader.batch_size : spec_.loader.gradient_accumulation_steps;
  const std::int64_t by = other * spec_.world.dataParallelSize();
  if (*total % by != 0) return leave(field, doesNotDivide(said.text, said.from, by));
  const std::string number = std::to_string(*total / by);
  const std::string divided = dividedBy(said.text, said.from, by);
  if (hasRead("world.nodes") && hasRead("world.ranks_per_node")) return read(field, number, divided);
  assume(field, number, divided);
}

void Draft::finishSampler() {
  if (notes_.contains("sampler.type")) return;
  if (is_accelerated_) {
    assume("sampler.type", "accelerate.BatchSamplerShard", words::defaultOf("Accelerate"));
    assume("sampler.shuffle", "true", words::shuffles());
  } else {
    assume("sampler.type", "torch.DistributedSampler",
           worded("import", "no file says how the data is divided among the ranks"));
  }
}

/// A sampler that no file says is taken to give ranks of one copy of the model the same samples.
void Draft::finishShares() {
  const sampling::SamplerTraits& traits = sampling::traitsOf(spec_);
  if (spec_.world.groups.ranksOfModel() == 1 || hasRead("sampler.type") || traits.rank.empty()) return;
  const std::string why = worded("import", "ranks of one copy of the model must read the same samples");
  assume("sampler." + std::string(traits.num_replicas), "data_parallel_size", why);
  assume("sampler." + std::string(traits.rank), "data_parallel_rank", why);
}

/// A spec without seeds is one whose script never seeds; no file says that either.
void Draft::finishSeeds() {
  if (notes_.contains("seeds.rule") || notes_.contains("seeds.base")) return;
  set("seeds.rule", "unseeded", {});
  note(Kind::Unknown, "seeds.rule",
       worded("import", "No file says whether the script seeds; the spec says that it does not."));
}

/// A spec is of one version of PyTorch, which hardly any file of a job says.
void Draft::finishFramework() {
  if (!notes_.contains("framework.torch"))
    note(Kind::Assumed, "framework.torch",
         saidBy(spec_.framework.torch, worded("import", "no file says which PyTorch the job runs")));
}

Imported Draft::finish(const ImportOptions& options) {
  if (options.samples) read("dataset.size", std::to_string(*options.samples), worded("import", "as given"));
  finishWorld();
  finishBatch();
  finishGroups();
  finishStep();
  finishSampler();
  finishShares();
  finishSeeds();
  finishFramework();
  for (const char* field : kAlwaysNamed) {
    const Field* known = findField(spec_, catalogue_, field);
    if (!notes_.contains(field))
      note(Kind::Unknown, field,
           words::notSaid(valueText(getValue(spec_, *known)), field == std::string("dataset.size")));
  }
  leave(kAccumulation,
        filled(worded("import",
                      "No key or option that is read says it, and a script may accumulate by itself; %1 is the default "
                      "of a spec."),
               std::to_string(spec_.loader.gradient_accumulation_steps)));
  Imported out;
  out.spec = spec_;
  for (const Kind kind : {Kind::Read, Kind::Assumed, Kind::Unknown}) {
    for (const Field* field : fieldsOf(spec_, catalogue_)) {
      const auto found = notes_.find(field->path);
      if (found != notes_.end() && found->second.kind == kind) out.notes.push_back(found->second);
    }
    std::ranges::copy_if(remarks_, std::back_inserter(out.notes), [kind](const auto& one) { return one.kind == kind; });
  }
  out.problems = validate(spec_, catalogue_);
  return out;
}

}  // namespace shardlens::yaml::imports
