// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/film/film.h"

namespace shardlens {

/// What a film shows of an epoch.
struct FilmDetail {
  std::int64_t steps = 0;  ///< at most
  bool ids = false;        ///< the samples of each batch by their numbers; otherwise the strip, and hairs
  std::int64_t hairs = 0;  ///< per batch
};

/// The epoch's batches, counted from their content. Cancelled, or the error of Plan::rankEpoch().
Result<FilmEpoch> filmEpoch(const Plan& plan, Epoch epoch, const FilmDetail& detail, const Work& work);

}  // namespace shardlens
