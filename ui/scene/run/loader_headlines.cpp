// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/run/loader_headlines.h"

#include "core/diagnose/proof.h"
#include "ui/scene/number_text.h"
#include "ui/state/phrase.h"

#include <iterator>
#include <utility>

namespace shardlens::ui {

std::vector<RunHeadline> withLoaders(RunHeadline first, std::vector<RunHeadline> further,
                                     const capture::Capture& loaders) {
  std::vector<RunHeadline> read;
  for (const capture::CapturedLoader& loader : loaders.loaders) {
    for (const capture::RunFinding& finding : loader.findings) {
      const QString title = phrase("run", "What the loader %1 read").arg(text(loader.job.name));
      read.push_back({Tone::Warning, title, text(finding.text), {}, {}, -1});
    }
  }
  std::vector<RunHeadline> lines;
  if (first.tone == Tone::Fine && !read.empty()) first.tone = Tone::Note;
  const bool is_worse = first.tone == Tone::Warning || first.tone == Tone::Error;
  if (is_worse) lines.push_back(first);
  lines.insert(lines.end(), read.begin(), read.end());
  if (!is_worse) lines.insert(read.empty() ? lines.begin() : lines.begin() + 1, first);
  lines.insert(lines.end(), std::make_move_iterator(further.begin()), std::make_move_iterator(further.end()));
  return lines;
}

RunHeadline mismatchHeadline(const JobProof& proof, bool is_of_open_design) {
  RunHeadline line;
  line.tone = Tone::Error;
  line.title = is_of_open_design ? phrase("run", "The job did not read what the open design plans")
                                 : text(words::proofTitle(proof.proof.result));
  QStringList said;
  for (const std::string& sentence :
       {proof.proof.explanation, differencesText(proof, proof.differing), proof.proof.what}) {
    if (!sentence.empty()) said += text(sentence);
  }
  line.message = said.join(' ');
  if (const auto& first = proof.proof.first_difference) line.rank = first->rank;
  return line;
}

}  // namespace shardlens::ui
