// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/spec_reader.h"
#include "core/yaml/spec_writer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

namespace shardlens::yaml {
namespace {

/// Turns a tree of one version of the format into one of the next.
using Migration = void (*)(TreeNode& root);

TreeNode scalarAt(std::size_t begin, std::string_view text) {
  TreeNode node;
  node.kind = TreeNode::Kind::Scalar;
  node.begin = begin;
  node.text = text;
  return node;
}

/// The first value behind `key` of a map, or null.
TreeNode* valueOf(TreeNode& map, std::string_view key) {
  for (std::size_t i = 0; map.kind == TreeNode::Kind::Map && i + 1 < map.items.size(); i += 2) {
    if (map.items[i].kind == TreeNode::Kind::Scalar && map.items[i].text == key) return &map.items[i + 1];
  }
  return nullptr;
}

/// Whether a delay of the first format slows its rank: one of 0 ms, as by default, never did.
bool slows(const TreeNode& delay) {
  const TreeNode* ms = delay.find("ms");
  if (ms == nullptr) return delay.kind != TreeNode::Kind::Map;
  double number = 0;
  const auto [end, status] = std::from_chars(ms->text.data(), ms->text.data() + ms->text.size(), number);
  return status != std::errc{} || number != 0;
}

/// The first format knew one slow rank: run.delay, whose rank was 0 unless it said so.
void listDelays(TreeNode& root) {
  TreeNode* run = valueOf(root, "run");
  if (run == nullptr || run->kind != TreeNode::Kind::Map) return;
  for (std::size_t i = 0; i + 1 < run->items.size(); i += 2) {
    TreeNode& key = run->items[i];
    TreeNode& value = run->items[i + 1];
    if (key.kind != TreeNode::Kind::Scalar || key.text != "delay") continue;
    key.text = "delays";
    key.migrated = true;
    TreeNode list;
    list.kind = TreeNode::Kind::Sequence;
    list.begin = value.begin;
    list.end = value.end;
    if (value.kind == TreeNode::Kind::Map && value.find("rank") == nullptr)
      value.items.insert(value.items.begin(), {scalarAt(value.begin, "rank"), scalarAt(value.begin, "0")});
    if (slows(value)) list.items.push_back(std::move(value));
    run->items[i + 1] = std::move(list);
  }
}

/// Entry v - 1 leads from version v to v + 1: a version is only ever left forwards.
constexpr std::array<Migration, kVersion - 1> kMigrations = {listDelays};

}  // namespace

void migrate(TreeNode& root, int version) {
  for (auto done = static_cast<std::size_t>(std::max(version, 1) - 1); done < kMigrations.size(); ++done)
    kMigrations[done](root);
}

}  // namespace shardlens::yaml
