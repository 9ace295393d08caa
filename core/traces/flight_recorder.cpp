// SPDX-License-Identifier: Apache-2.0
#include "core/record/frame.h"
#include "core/traces/readers.h"
#include "core/traces/trace_tree.h"
#include "core/traces/trace_words.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace shardlens::traces {
namespace {

/// The places in the user's program from which operations were called: of each stack of frames the innermost frame that
/// is not of PyTorch.
class CodePlaces {
 public:
  explicit CodePlaces(const TraceTree& tree) : tree_(tree) {}

  /// The number of the text for this list of frames; 0 when there is none.
  std::uint32_t of(NodeId frames);
  /// "step (/home/me/train.py:31)", ...; the first is empty.
  std::vector<std::string> takeTexts() { return std::move(texts_); }

 private:
  [[nodiscard]] std::string textOf(NodeId frame) const;
  [[nodiscard]] bool isOfLibrary(NodeId frame);
  std::uint32_t numberOf(NodeId frame);

  const TraceTree& tree_;
  std::vector<std::string> texts_{std::string()};
  std::unordered_map<std::string, std::uint32_t> number_of_text_;
  std::unordered_map<NodeId, std::uint32_t> number_of_;
  std::unordered_map<NodeId, bool> is_of_library_;
};

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

// The keys of an entry that are used.
enum class Key : std::uint8_t {
  Unasked,  ///< not looked at yet
  Other,
  RecordId,
  PgId,
  ProcessGroup,
  Seq,
  OldSeq,
  P2pSeq,
  Name,
  InputSizes,
  OutputSizes,
  InputTypes,
  OutputTypes,
  State,
  Created,
  Completed,
  Timeout,
  Retired,
  Frames,
};

Key keyNamed(std::string_view text) {
  static constexpr std::pair<std::string_view, Key> kKeys[] = {{"record_id", Key::RecordId},
                                                               {"pg_id", Key::PgId},
                                                               {"process_group", Key::ProcessGroup},
                                                               {"collective_seq_id", Key::Seq},
                                                               {"seq_id", Key::OldSeq},
                                                               {"p2p_seq_id", Key::P2pSeq},
                                                               {"profiling_name", Key::Name},
                                                               {"input_sizes", Key::InputSizes},
                                                               {"output_sizes", Key::OutputSizes},
                                                               {"input_dtypes", Key::InputTypes},
                                                               {"output_dtypes", Key::OutputTypes},
                                                               {"state", Key::State},
                                                               {"time_created_ns", Key::Created},
                                                               {"time_discovered_completed_ns", Key::Completed},
                                                               {"timeout_ms", Key::Timeout},
                                                               {"retired", Key::Retired},
                                                               {"frames", Key::Frames}};
  for (const auto& [name, key] : kKeys) {
    if (name == text) return key;
  }
  return Key::Other;
}

using Fields = std::array<NodeId, static_cast<std::size_t>(Key::Frames) + 1>;

/// Ranks in "[0, 1, 2]"; nothing when it holds something else.
std::optional<std::vector<std::int64_t>> ranksIn(std::string_view text) {
  std::vector<std::int64_t> ranks;
  std::int64_t number = -1;
  for (const char letter : text) {
    if (letter >= '0' && letter <= '9') {
      number = std::max<std::int64_t>(number, 0) * 10 + (letter - '0');
      if (number > frame::kMostRanks) return std::nullopt;
    } else if (letter == ' ' || letter == ',' || letter == '[' || letter == ']') {
      if (number >= 0) ranks.push_back(number);
      number = -1;
    } else {
      return std::nullopt;
    }
    if (ranks.size() > static_cast<std::size_t>(frame::kMostRanks)) return std::nullopt;
  }
  if (number >= 0) ranks.push_back(number);
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return ranks.empty() ? std::nullopt : std::optional(std::move(ranks));
}

class DumpReader {
 public:
  explicit DumpReader(const TraceTree& tree) : tree_(tree), keys_(tree.size(), Key::Unasked), places_(tree) {}

  RankTrace read() {
    out_.version = tree_.text(tree_.find(tree_.root, "version"));
    readGroups();
    const NodeId entries = tree_.kind(tree_.root) == NodeKind::List ? tree_.root : tree_.find(tree_.root, "entries");
    for (const NodeId entry : tree_.items(entries)) {
      if (tree_.kind(entry) == NodeKind::Dict) readEntry(fieldsOf(entry));
    }
    out_.codes = places_.takeTexts();
    return std::move(out_);
  }

 private:
  /// A pickle's memo and our JSON reader give a text the same node every time.
  Key keyOf(NodeId node) {
    Key& key = keys_[node];
    if (key == Key::Unasked) key = keyNamed(tree_.text(node));
    return key;
  }
  Fields fieldsOf(NodeId entry) {
    Fields fields;
    fields.fill(TraceTree::kNone);
    const auto items = tree_.items(entry);
    for (std::size_t i = 0; i + 1 < items.size(); i += 2)
      fields[static_cast<std::size_t>(keyOf(items[i]))] = items[i + 1];
    return fields;
  }
  static NodeId at(const Fields& fields, Key key) { return fields[static_cast<std::size_t>(key)]; }

  void readGroups() {
    const auto items = tree_.items(tree_.find(tree_.root, "pg_config"));
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
      const NodeId info = items[i + 1];
      const NodeId ranks = tree_.find(info, "ranks");
      GroupFacts group{std::string(tree_.text(items[i])), std::string(tree_.text(tree_.find(info, "desc"))), {}};
      group.members = ranks == TraceTree::kNone ? std::nullopt : membersIn(ranks);
      (void)groupOf(std::move(group));
    }
  }
  /// A text, or a list of numbers.
  std::optional<std::vector<std::int64_t>> membersIn(NodeId ranks) const {
    if (tree_.kind(ranks) == NodeKind::Text) return ranksIn(tree_.text(ranks));
    std::string text;
    for (const NodeId rank : tree_.items(ranks)) text += std::to_string(tree_.whole(rank).value_or(-1)) + " ";
    return ranksIn(text);
  }
  /// The group of this name, which pg_config has described before.
  std::uint32_t groupOf(GroupFacts group) {
    const auto [place, is_new] = group_of_.try_emplace(group.name, static_cast<std::uint32_t>(out_.groups.size()));
    if (is_new) out_.groups.push_back(std::move(group));
    return place->second;
  }
  std::uint32_t groupOf(const Fields& fields) {
    const auto names = tree_.items(at(fields, Key::ProcessGroup));
    if (!names.empty())
      return groupOf(
          {std::string(tree_.text(names[0])), std::string(names.size() > 1 ? tree_.text(names[1]) : ""), {}});
    // Before version 2.2 an entry has the number alone, and 0 is the default group.
    return groupOf({std::to_string(tree_.whole(at(fields, Key::PgId)).value_or(0)), {}, {}});
  }

  [[nodiscard]] std::uint64_t bytesOf(NodeId sizes, NodeId types) const {
    constexpr std::size_t kMostRead = 1000;
    std::uint64_t total = 0;
    std::size_t read = 0;
    const auto tensors = tree_.items(sizes);
    const auto dtypes = tree_.items(types);
    if (tensors.size() > dtypes.size() || tensors.size() > kMostRead) return 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      std::uint64_t bytes = bytesOfType(tree_.text(dtypes[i]));
      if (bytes == 0) return 0;
      for (const NodeId dim : tree_.items(tensors[i])) {
        const auto length = static_cast<std::uint64_t>(std::max<std::int64_t>(tree_.whole(dim).value_or(0), 0));
        if (++read > kMostRead || __builtin_mul_overflow(bytes, length, &bytes)) return 0;
      }
      if (__builtin_add_overflow(total, bytes, &total)) return 0;
    }
    return total;
  }

  void readEntry(const Fields& fields) {
    const std::string_view name = tree_.text(at(fields, Key::Name));
    const NamedOperation named = operationNamed(name);
    const auto record_id = tree_.whole(at(fields, Key::RecordId));
    if (out_.calls.empty() && record_id.value_or(0) > 0) out_.is_wrapped = true;
    Call call;
    call.op = named.op;
    call.group = groupOf(fields);
    const auto seq = tree_.whole(at(fields, Key::Seq));
    call.seq = static_cast<std::uint64_t>(
        std::max<std::int64_t>(0, seq ? *seq : tree_.whole(at(fields, Key::OldSeq)).value_or(0)));
    call.state = stateOf(tree_.text(at(fields, Key::State)));
    call.created_ns = timeOf(at(fields, Key::Created));
    call.completed_ns = call.isOver() ? timeOf(at(fields, Key::Completed)) : -1;
    if (tree_.whole(at(fields, Key::Retired)).value_or(0) != 0 && !call.isOver())
      call.timeout_ms = static_cast<std::uint32_t>(
          std::clamp<std::int64_t>(tree_.whole(at(fields, Key::Timeout)).value_or(0), 0, UINT32_MAX));
    if (named.peer) call.peer = peerIn(call.group, *named.peer);
    call.bytes = bytesOf(at(fields, Key::InputSizes), at(fields, Key::InputTypes));
    if (call.bytes == 0) call.bytes = bytesOf(at(fields, Key::OutputSizes), at(fields, Key::OutputTypes));
    call.code = places_.of(at(fields, Key::Frames));
    const std::int64_t p2p_seq = tree_.whole(at(fields, Key::P2pSeq)).value_or(0);
    if (named.is_coalesced && closeCoalesced(call, p2p_seq)) return;
    if (call.op == kShownOnly) addUnknown(name);
    out_.calls.push_back(call);
    p2p_seqs_.push_back(p2p_seq);
  }

  static CallState stateOf(std::string_view text) {
    if (text == "completed") return CallState::Completed;
    if (text == "started") return CallState::Started;
    return text == "scheduled" ? CallState::Scheduled : CallState::Unknown;
  }
  /// JSON has 0 for what is not known.
  [[nodiscard]] std::int64_t timeOf(NodeId node) const {
    constexpr std::int64_t kMost = std::int64_t{1} << 62;
    const std::int64_t time = tree_.whole(node).value_or(0);
    return time > 0 && time < kMost ? time : -1;
  }
  /// The member's rank in the world. SL_NO_PEER when the members are not known and the group is not the default one.
  [[nodiscard]] std::uint32_t peerIn(std::uint32_t group, std::int64_t member) const {
    const GroupFacts& facts = out_.groups[group];
    if (member < 0 || member >= frame::kMostRanks) return SL_NO_PEER;
    if (!facts.members) return facts.name == "0" ? static_cast<std::uint32_t>(member) : SL_NO_PEER;
    if (member >= static_cast<std::int64_t>(facts.members->size())) return SL_NO_PEER;
    return static_cast<std::uint32_t>((*facts.members)[static_cast<std::size_t>(member)]);
  }
  /// Operations that were launched together have no state of their own: that of the launch, which follows them, is
  /// theirs. False when there are none.
  bool closeCoalesced(const Call& launch, std::int64_t p2p_seq) {
    constexpr std::size_t kMostLookedAt = 10'000;
    const std::size_t first = out_.calls.size() > kMostLookedAt ? out_.calls.size() - kMostLookedAt : 0;
    bool any = false;
    for (std::size_t i = out_.calls.size(); i-- > first;) {
      Call& call = out_.calls[i];
      if (call.group != launch.group) continue;
      if (call.seq != launch.seq || p2p_seqs_[i] != p2p_seq) break;
      call.state = launch.state;
      call.completed_ns = launch.completed_ns;
      call.timeout_ms = launch.timeout_ms;
      any = true;
    }
    return any;
  }
  void addUnknown(std::string_view name) {
    constexpr std::size_t kMost = 8;
    auto& names = out_.unknown_operations;
    if (names.size() < kMost && std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
  }

  const TraceTree& tree_;
  RankTrace out_;
  std::vector<Key> keys_;
  std::map<std::string, std::uint32_t> group_of_;
  std::vector<std::int64_t> p2p_seqs_;  ///< of out_.calls
  CodePlaces places_;
};

}  // namespace

bool isFlightRecorder(const TraceTree& tree) {
  if (tree.root == TraceTree::kNone) return false;
  if (tree.kind(tree.root) == NodeKind::List) {  // the oldest form: the entries alone
    const auto items = tree.items(tree.root);
    return !items.empty() && tree.find(items.front(), "profiling_name") != TraceTree::kNone;
  }
  return tree.find(tree.root, "entries") != TraceTree::kNone || tree.find(tree.root, "pg_config") != TraceTree::kNone;
}

RankTrace readFlightRecorder(const TraceTree& tree) {
  return DumpReader(tree).read();
}

}  // namespace shardlens::traces
