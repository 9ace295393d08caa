// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>

namespace shardlens {

/// A long text that never changes; a copy shares it.
class SharedText {
 public:
  SharedText() = default;
  SharedText(std::string text) : text_(std::make_shared<const std::string>(std::move(text))) {}  // NOLINT
  SharedText(const char* text) : SharedText(std::string(text)) {}                                // NOLINT

  [[nodiscard]] const std::string& text() const {
    static const std::string kNone;
    return text_ == nullptr ? kNone : *text_;
  }
  bool operator==(const SharedText& other) const { return text_ == other.text_ || text() == other.text(); }

 private:
  std::shared_ptr<const std::string> text_;
};

}  // namespace shardlens
