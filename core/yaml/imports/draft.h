// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/yaml/imports/importer.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::yaml::imports {

/// A spec in the making: fields with where they come from. Texts are read as the form of the window reads them.
class Draft {
 public:
  explicit Draft(SamplerCatalogue catalogue) : catalogue_(catalogue) {}

  /// Calls the spec as this file is called, without its folder and its extension.
  void name(const std::string& file);
  /// `from` says it: "job.sbatch: --nodes". What was read before stays, and the difference is noted.
  void read(const std::string& field, const std::string& text, const std::string& from);
  /// What its reader takes where nothing says it.
  void readDefault(const std::string& field, const std::string& text, const std::string& reader);
  /// Reads it where nothing did before.
  void fill(const std::string& field, const std::string& text, const std::string& from);
  /// Reads how many ranks each node has, where nothing said nodes or ranks before.
  void fillNodes(const IndexList& ranks, const std::string& from);
  /// The same of numbers of which the spec has only a part: all ranks, and the samples of a step of all ranks.
  void readWorldSize(const std::string& text, const std::string& from);
  [[nodiscard]] bool hasWorldSize() const { return world_size_.has_value(); }
  /// `why`: that it is meant so is only usual.
  void readGlobalBatch(const std::string& text, const std::string& from, const std::string& why = {});
  /// Accelerate starts the script, which usually has it divide the data.
  void expectAccelerate() { is_accelerated_ = true; }
  /// It is usual, or may be meant. What was read stays. `from`: what says it, if anything does.
  void assume(const std::string& field, const std::string& text, const std::string& why, const std::string& from = {});
  /// It is said in a way that cannot be read, or left open. What was read stays.
  void leave(const std::string& field, const std::string& why);
  /// The same, and takes back what was assumed of it.
  void doubt(const std::string& field, const std::string& why);
  /// Something beside the fields' own notes.
  void remark(ImportNote::Kind kind, const std::string& field, std::string text);
  /// The ranks of `parts` are one data-parallel rank: tensor, pipeline and context parallelism.
  void divideWorld(std::int64_t parts, const std::string& from);

  /// What a command gives its script, word by word, and the name of what holds the command.
  void give(std::vector<std::string> words, const std::string& from) { given_ = {std::move(words), from}; }
  [[nodiscard]] const std::vector<std::string>& given() const { return given_.first; }
  [[nodiscard]] const std::string& givenBy() const { return given_.second; }

  [[nodiscard]] bool hasRead(const std::string& field) const;
  /// Something says, in whatever way, what the dataset, the ranks, the loader or the sampler are.
  [[nodiscard]] bool saysOfPipeline() const;
  [[nodiscard]] const PipelineSpec& spec() const { return spec_; }
  [[nodiscard]] SamplerCatalogue catalogue() const { return catalogue_; }

  /// Works out what depends on several sources, and notes what is missing.
  [[nodiscard]] Imported finish(const ImportOptions& options);

 private:
  using Kind = ImportNote::Kind;
  struct Said {
    std::string text;
    std::string from;
    std::string why = {};
  };
  [[nodiscard]] bool isBareFlag(const std::string& field, const std::string& text) const;  ///< "--drop_last"
  bool set(const std::string& field, const std::string& text, const std::string& from);
  void note(Kind kind, const std::string& field, std::string text);
  void finishWorld();
  void finishGroups();
  void finishBatch();
  void finishSeeds();
  void finishSampler();
  void finishFramework();

  SamplerCatalogue catalogue_;
  PipelineSpec spec_;
  std::map<std::string, ImportNote> notes_;  ///< of each field the last word
  std::vector<ImportNote> remarks_;          ///< further ones
  std::pair<std::vector<std::string>, std::string> given_;
  std::optional<Said> world_size_;
  std::optional<Said> global_batch_;
  std::int64_t parts_ = 1;
  bool is_accelerated_ = false;
  std::string parts_from_;
};

}  // namespace shardlens::yaml::imports
