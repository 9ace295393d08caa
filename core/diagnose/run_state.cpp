// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/run_state.h"

namespace shardlens {

const char* verdictName(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::Straggler:
      return "straggler";
    case VerdictKind::Wandering:
      return "wandering";
    case VerdictKind::Paused:
      return "paused";
    case VerdictKind::Stalled:
      return "stalled";
    case VerdictKind::Mismatch:
      return "mismatch";
    case VerdictKind::Dead:
      return "dead";
    case VerdictKind::LaunchFailed:
      return "launch_failed";
    case VerdictKind::Lost:
      return "lost";
  }
  return "unknown";
}

std::string operationText(const RankState& rank) {
  if (!rank.operation) return {};
  return operationText(*rank.operation) + (rank.group.empty() ? "" : " of " + rank.group);
}

std::string statusText(const RankState& rank) {
  switch (rank.status) {
    case RankStatus::Unheard:
      return "no report yet";
    case RankStatus::Loading:
      return "loading";
    case RankStatus::Computing:
      return "computing";
    case RankStatus::InCollective:
      return "in " + operationText(rank);
    case RankStatus::Between:
      return "between phases";
    case RankStatus::Stopped:
      return "stopped";
    case RankStatus::Done:
      return "done";
    case RankStatus::Ended:
      return "ended";
    case RankStatus::Dead:
      return "dead";
  }
  return "unknown";
}

}  // namespace shardlens
