// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/spec/pipeline_spec.h"
#include "core/spec/sampler_info.h"

#include <memory>
#include <optional>
#include <utility>

namespace shardlens {

/// Everything that is wrong with the spec, in the order of the file; empty when it can be planned. Places carry field
/// paths; the reader of a spec file adds line and column.
Issues validate(const PipelineSpec& spec, SamplerCatalogue catalogue);

/// What is wrong with the world alone, as validate() would say about a spec.
Issues problemsOf(const PipelineSpec::World& world);

/// A spec in which validate() finds nothing wrong, so that it need not be checked again. Only validated() makes one;
/// copies share the spec.
class ValidSpec {
 public:
  [[nodiscard]] const PipelineSpec& operator*() const { return *spec_; }
  [[nodiscard]] const PipelineSpec* operator->() const { return spec_.get(); }

 private:
  friend struct ValidatedSpec validated(PipelineSpec spec, SamplerCatalogue catalogue);
  explicit ValidSpec(PipelineSpec spec) : spec_(std::make_shared<const PipelineSpec>(std::move(spec))) {}

  std::shared_ptr<const PipelineSpec> spec_;
};

/// The valid spec, or everything that is wrong with it.
struct ValidatedSpec {
  std::optional<ValidSpec> spec;
  Issues issues;
};
ValidatedSpec validated(PipelineSpec spec, SamplerCatalogue catalogue);

}  // namespace shardlens
