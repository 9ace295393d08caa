// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/field_table.h"

#include <numeric>
#include <random>

namespace shardlens::test {

/// Draws valid specs: every field of the table is left alone or set to a random value that the table allows.
class RandomSpec {
 public:
  RandomSpec(SamplerCatalogue catalogue, std::uint64_t seed) : catalogue_(catalogue), random_(seed) {}

  /// The spec on nodes with different numbers of ranks.
  PipelineSpec onUnequalNodes(PipelineSpec spec) {
    std::vector<std::int64_t> ranks(static_cast<std::size_t>(spec.world.nodes));
    for (std::int64_t& of_node : ranks) of_node = 50 + below(50);  // what names a rank keeps one
    spec.world.ranks_per_node = RanksPerNode(ranks);
    return spec;
  }

  PipelineSpec next() {
    PipelineSpec spec;
    spec.sampler.type = catalogue_[below(static_cast<std::int64_t>(catalogue_.size()))].type;
    for (const Field* field : fieldsOf(spec, catalogue_)) {
      if (field->path != "sampler.type" && below(2) == 0) setValue(spec, *field, value(*field));
    }
    spec.world.nodes = 1 + below(50);
    spec.world.ranks_per_node = 1 + below(50);
    spec.world.groups = {};  // most of what is tested with random specs knows none
    for (PipelineSpec::Phase& phase : spec.schedule) {
      phase.condition = "rank in [0, 7] and group_rank != last";
      phase.peer = std::string("previous");
      if (!phase.ranks.empty()) phase.ranks = spec.worldSize() > 1 ? "[[0], [1]]" : "[[0]]";
      if (!phase.ranks.empty()) phase.group = "world";
      phase.values.clear();  // they fit one world only
      if (phase.isPreset()) phase = {.what = phase.what};
    }
    for (PipelineSpec::Run::Delay& delay : spec.run.delays) {
      delay.rank = below(spec.worldSize());
      if (delay.until_step <= delay.from_step) delay.until_step = 0;
    }
    const IndexList& shards = spec.dataset.shards;
    if (!shards.empty()) spec.dataset.size = std::accumulate(shards.begin(), shards.end(), std::int64_t{0});
    return spec;
  }

  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(n)); }

 private:
  std::int64_t integer(const Field& field) {
    const auto width = static_cast<std::uint64_t>(field.max) - static_cast<std::uint64_t>(field.min);
    switch (below(4)) {
      case 0:
        return field.min;
      case 1:
        return field.max;
      default:
        break;
    }
    const std::uint64_t offset = width == UINT64_MAX ? random_() : random_() % (width + 1);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(field.min) +
                                     (below(2) == 0 ? offset : offset % 1000 % (width | 1)));
  }

  double real(const Field& field) {
    const double part = std::uniform_real_distribution<double>(0, 1)(random_);
    const auto low = static_cast<double>(field.min);
    const double span = static_cast<double>(field.max) - low;
    return low + (below(3) == 0 ? part * 1e-7 : part * span);
  }

  std::string text() {
    static const std::vector<std::string> kPieces = {
        "a",   "Run 7", "#",          ": ",     "- ",     "'",          "\"",   "\\",   "\n", "\t",   "{",
        "}",   "[",     "]",          ",",      "&",      "*",          "!",    "null", "~",  "true", "no",
        "1e3", "0x1F",  "2026-01-01", " ",      "\u00e4", "\U0001F600", "\x01", "\x7f", "%",  "@",    "`",
        "|",   ">",     "?",          "\u0085", "\u2028", "\ufeff",     "=",    "<<"};
    std::string out;
    for (std::int64_t i = below(6); i > 0; --i)
      out += kPieces[static_cast<std::size_t>(below(static_cast<std::int64_t>(kPieces.size())))];
    return out;
  }

  IndexList indices(const Field& field) {
    std::vector<std::int64_t> list(static_cast<std::size_t>(below(100)));
    const std::int64_t first = below(1000);
    const bool run = below(2) == 0;
    for (std::size_t i = 0; i < list.size(); ++i)
      list[i] = field.min + (run ? first + static_cast<std::int64_t>(i) : below(1'000'000));
    return list;
  }

  NumberList numbers(const Field& field) {
    std::vector<double> list(static_cast<std::size_t>(below(100)));
    for (double& item : list) item = real(field);
    return list;
  }

  RecordList records(const Field& field) {
    std::vector<Record> list(static_cast<std::size_t>(below(5)));
    for (Record& record : list) {
      for (const Field& item : field.items) record.set(item.path, below(3) == 0 ? item.fallback : value(item));
    }
    return list;
  }

  Value value(const Field& field) {
    switch (field.kind) {
      case FieldKind::Bool:
        return Value(below(2) == 0);
      case FieldKind::Int:
      case FieldKind::IntOrList:
        return Value(integer(field));
      case FieldKind::Float:
        return Value(real(field));
      case FieldKind::Text:
        return Value(text());
      case FieldKind::Indices:
        return Value(indices(field));
      case FieldKind::Lists:
        return Value(std::string("[[0, 1], [2]]"));
      case FieldKind::Records:
        return Value(records(field));
      case FieldKind::Numbers:
        if (field.choices.empty() || below(2) == 0) return Value(numbers(field));
        break;
      case FieldKind::IntOrName:
        if (below(2) == 0) return Value(integer(field));
        [[fallthrough]];
      case FieldKind::Choice:
        break;
    }
    return Value(field.choices[static_cast<std::size_t>(below(static_cast<std::int64_t>(field.choices.size())))]);
  }

  SamplerCatalogue catalogue_;
  std::mt19937_64 random_;
};

}  // namespace shardlens::test
