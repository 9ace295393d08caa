// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/imports/tree_values.h"

#include <algorithm>

namespace shardlens::yaml::imports {
namespace {

constexpr int kMostReferences = 8;  ///< one value may name another, which names another

std::optional<std::string> resolved(const TreeNode& root, std::string_view path, int references) {
  const TreeNode* node = nodeAt(root, path);
  if (node == nullptr || node->kind != TreeNode::Kind::Scalar) return std::nullopt;
  const std::string& text = node->text;
  if (!text.starts_with("${") || !text.ends_with('}') || text.find('$', 1) != std::string::npos) return text;
  if (references == kMostReferences) return std::nullopt;
  const std::string_view name = std::string_view(text).substr(2, text.size() - 3);
  if (auto there = resolved(root, name, references + 1)) return there;
  return resolved(root, "variables." + std::string(name), references + 1);  // where llm-foundry keeps them
}

}  // namespace

const TreeNode* nodeAt(const TreeNode& root, std::string_view path) {
  const TreeNode* node = &root;
  while (node != nullptr && !path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    node = node->kind == TreeNode::Kind::Map ? node->find(path.substr(0, dot)) : nullptr;
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return node;
}

std::optional<std::string> scalarAt(const TreeNode& root, std::string_view path) {
  return resolved(root, path, 0);
}

Values valuesOf(const TreeNode& root, const std::string& file, const std::string& prefix) {
  return {[&root, prefix](const std::string& name) { return scalarAt(root, prefix + name); },
          [file, prefix](const std::string& name) { return file + ": " + prefix + name; }};
}

}  // namespace shardlens::yaml::imports
