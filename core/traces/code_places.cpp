// SPDX-License-Identifier: Apache-2.0
#include "core/traces/code_places.h"

#include <algorithm>
#include <string_view>

namespace shardlens::traces {

std::string CodePlaces::textOf(NodeId frame) const {
  const std::string name(tree_.text(tree_.find(frame, "name")));
  const std::string file(tree_.text(tree_.find(frame, "filename")));
  if (name.empty() && file.empty()) return {};
  const auto line = tree_.whole(tree_.find(frame, "line"));
  std::string text = name + " (" + file + (line ? ":" + std::to_string(*line) : std::string()) + ")";
  std::replace_if(
      text.begin(), text.end(), [](unsigned char one) { return one < 0x20 || one == 0x7F; }, ' ');
  return text;
}

bool CodePlaces::isOfLibrary(NodeId frame) {
  const auto [place, is_new] = is_of_library_.try_emplace(frame, false);
  if (!is_new) return place->second;
  static constexpr std::string_view kParts[] = {"torch/distributed/", "torch/nn/",    "torch/utils/", "torch/autograd/",
                                                "torch/optim/",       "torch/_",      "torch/csrc/",  "torch/cuda/",
                                                "torch/fx/",          "torch/library"};
  const std::string_view file = tree_.text(tree_.find(frame, "filename"));
  const bool is_python = file.ends_with(".py");
  place->second = !is_python || std::any_of(std::begin(kParts), std::end(kParts), [&](std::string_view part) {
    return file.find(part) != std::string_view::npos;
  });
  return place->second;
}

std::uint32_t CodePlaces::numberOf(NodeId frame) {
  const auto [place, is_new] = number_of_.try_emplace(frame, 0);
  if (!is_new) return place->second;
  std::string text = textOf(frame);
  if (text.empty()) return 0;
  const auto [known, is_first] = number_of_text_.try_emplace(text, static_cast<std::uint32_t>(texts_.size()));
  if (is_first) texts_.push_back(std::move(text));
  place->second = known->second;
  return place->second;
}

std::uint32_t CodePlaces::of(NodeId frames) {
  constexpr std::size_t kMostFrames = 200;
  const auto all = tree_.items(frames);
  if (all.empty()) return 0;
  const auto some = all.first(std::min(all.size(), kMostFrames));
  const auto own = std::find_if(some.begin(), some.end(), [this](NodeId frame) { return !isOfLibrary(frame); });
  return numberOf(own == some.end() ? some.front() : *own);
}

}  // namespace shardlens::traces
