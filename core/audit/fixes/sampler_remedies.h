// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/findings/facts.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace shardlens::fixes {

/// A setting of a sampler and the choice that is meant; without a choice, a flag that is switched on.
struct Setting {
  std::string_view key;
  std::string_view choice = {};
};

/// What a sampler has of its own against the usual faults. An empty part says that it has nothing.
struct SamplerRemedies {
  std::string_view type;
  Setting splits_ranks = {};         ///< divides a stream among the ranks
  Setting splits_workers = {};       ///< divides a rank's part among its workers
  Setting fills = {};                ///< repeats samples until every rank has as many
  Setting cuts = {};                 ///< leaves samples out until every rank has as many
  Setting renews = {};               ///< draws another order in each epoch
  std::string_view order_seed = {};  ///< the parameter that gives all ranks one order, whatever they seed torch with
  std::string_view for_ranks = {};   ///< the class that deals the same samples to ranks
};

/// One row for each sampler that has something.
std::span<const SamplerRemedies> samplerRemedies();

/// The row of the spec's sampler; an empty one where there is none.
const SamplerRemedies& remediesOf(const Facts& facts);

/// The edit that makes the setting; nothing when the sampler has none, or it is made already.
std::optional<Edit> made(const Facts& facts, const Setting& setting);

/// A fix that begins with another sampler type. Parameters that both types take stay; where the new type would refuse
/// the present value, its default is written; where it does not take the field, that is removed.
Fix changeTo(const Facts& facts, const std::string& type, std::string label);

}  // namespace shardlens::fixes
