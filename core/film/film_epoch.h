// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/film/film.h"

namespace shardlens {

/// What is told of an epoch.
struct FilmDetail {
  std::int64_t steps = 0;  ///< at most
  bool ids = false;        ///< the samples of each batch by their numbers; otherwise the strip, and hairs
  std::int64_t hairs = 0;  ///< a batch
};

/// The epoch's batches, counted from their content. Cancelled, or what Plan::rankEpoch() says.
Result<FilmEpoch> filmEpoch(const Plan& plan, Epoch epoch, const FilmDetail& detail, const Work& work);

}  // namespace shardlens
