// SPDX-License-Identifier: Apache-2.0
#include "core/base/html.h"

#include "core/base/text.h"

#include <algorithm>

namespace shardlens {
namespace {

/// What stands for the character, where that is another text.
std::string_view entityOf(char c) {
  const bool is_control = static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t';
  if (is_control) return " ";
  switch (c) {
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '&':
      return "&amp;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

}  // namespace

std::string htmlText(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t valid = utf8Prefix(text);
    for (const char c : text.substr(0, valid)) {
      const std::string_view entity = entityOf(c);
      out += entity.empty() ? std::string_view(&c, 1) : entity;
    }
    text.remove_prefix(valid);
    if (text.empty()) break;
    out += "\xEF\xBF\xBD";
    text.remove_prefix(1);
  }
  return out;
}

std::string pageHead(const PageHead& head) {
  const auto meta = [](const std::string& name, const std::string& content) {
    return "<meta " + name + " content=\"" + content + "\">\n";
  };
  const std::string title = htmlText(head.title);
  const std::string description = htmlText(head.description);
  const std::string scripts = head.has_scripts ? "script-src 'unsafe-inline'; " : "";
  std::string out = "<meta charset=\"utf-8\">\n" +
                    meta("http-equiv=\"Content-Security-Policy\"",
                         "default-src 'none'; style-src 'unsafe-inline'; " + scripts + "img-src data:") +
                    meta("name=\"viewport\"", "width=device-width, initial-scale=1") +
                    meta("name=\"generator\"", "ShardLens") + meta("name=\"description\"", description);
  if (head.is_shared) out += meta("property=\"og:title\"", title) + meta("property=\"og:description\"", description);
  return out + "<link rel=\"icon\" href=\"data:,\">\n<title>" + title + "</title>";
}

std::string filledPage(std::string_view page, std::span<const Filling> fillings) {
  std::string out;
  while (!page.empty()) {
    const std::size_t mark = std::min(page.find('@'), page.size());
    out += page.substr(0, mark);
    page.remove_prefix(mark);
    const auto filling =
        std::ranges::find_if(fillings, [page](const Filling& one) { return page.starts_with(one.first); });
    if (filling != fillings.end()) {
      out += filling->second;
      page.remove_prefix(filling->first.size());
    } else if (!page.empty()) {
      out += page.front();
      page.remove_prefix(1);
    }
  }
  return out;
}

}  // namespace shardlens
