// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/pipeline_spec.h"
#include "core/spec/value.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace shardlens {

/// Long lists by their identity, with the memory of each: a list that many refer to is here once.
using HeldLists = std::map<const void*, std::size_t>;

/// The long lists of the spec.
HeldLists listsOf(const PipelineSpec& spec);

/// What differs between two specs, value by value: what undo keeps instead of whole specs. Lists are shared with the
/// specs, so a change is small whatever they hold.
class SpecChange {
 public:
  /// The value at one path; a sampler parameter that the spec does not carry is absent.
  struct Part {
    std::string path;
    std::optional<Value> before;
    std::optional<Value> after;
  };

  /// What turns `before` into `after`.
  static SpecChange between(const PipelineSpec& before, const PipelineSpec& after);

  [[nodiscard]] bool empty() const { return parts_.empty(); }
  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
  /// Turns the spec `before` into `after`, and back. A spec that is neither gets the differing values nevertheless.
  void apply(PipelineSpec& spec) const;
  void revert(PipelineSpec& spec) const;
  /// Makes this the change from its own `before` to the `after` of `next`, which begins where this one ends.
  void append(const SpecChange& next);
  /// The long lists that the change keeps, those of both sides.
  [[nodiscard]] HeldLists lists() const;

 private:
  std::vector<Part> parts_;
};

}  // namespace shardlens
