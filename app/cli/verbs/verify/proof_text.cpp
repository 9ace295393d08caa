// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verbs/verify/proof_text.h"

namespace shardlens::cli {
namespace {

std::string ranksText(const Proof& proof) {
  std::string text;
  for (const RankProof& rank : proof.ranks) {
    if (rank.different + rank.missing + rank.extra + rank.out_of_order == 0) continue;
    text += "  rank " + std::to_string(rank.rank) + ": " + std::to_string(rank.matched) + " as planned, " +
            std::to_string(rank.different) + " different, " + std::to_string(rank.missing) + " missing, " +
            std::to_string(rank.extra) + " extra, " + std::to_string(rank.out_of_order) + " out of order\n";
  }
  return text;
}

}  // namespace

const char* resultName(ProofResult result) {
  switch (result) {
    case ProofResult::Match:
      return "match";
    case ProofResult::Mismatch:
      return "mismatch";
    case ProofResult::Incomplete:
      return "incomplete";
  }
  return "incomplete";
}

std::string proofText(const JobProof& proved, const std::vector<std::string>& differing) {
  const Proof& proof = proved.proof;
  std::string text = resultName(proof.result) + std::string(": ");
  if (proof.result == ProofResult::Match) {
    text += proved.text() + "\n";
  } else {
    text += proof.what + "\n";
    if (!proof.explanation.empty()) text += proof.explanation + "\n";
    text += ranksText(proof);
  }
  if (!differing.empty()) text += differencesText(proved, differing) + "\n";
  for (const std::string& note : proof.notes) text += note + "\n";
  return text;
}

}  // namespace shardlens::cli
