// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/code_highlighter.h"

#include "ui/scene/theme.h"

namespace shardlens::ui {
namespace {

constexpr const char* kYamlKey = R"(^\s*(?:- )?[\w.\-/]+(?=:(?:\s|$)))";
constexpr const char* kShellWords =
    R"(\b(?:set|exec|export|if|then|else|fi|for|do|done|case|esac|cd|echo)\b|\$\{?\w+|(?<=\s)--?[\w-]+)";
constexpr const char* kPythonWords =
    R"(\b(?:import|from|as|def|class|return|for|in|if|else|elif|not|and|or|while|with|lambda|None|True|False|yield|raise|assert)\b)";
constexpr const char* kStrings = R"('[^']*'|"(?:[^"\\]|\\.)*")";
constexpr const char* kComment = R"((?:^|\s)#.*$)";

}  // namespace

void CodeHighlighter::setLanguage(Language language) {
  if (language == language_) return;
  language_ = language;
  recolour();
}

void CodeHighlighter::recolour() {
  buildRules();
  rehighlight();
}

void CodeHighlighter::buildRules() {
  rules_.clear();
  if (language_ == Language::Plain) return;
  const char* words = language_ == Language::Yaml    ? kYamlKey
                      : language_ == Language::Shell ? kShellWords
                                                     : kPythonWords;
  rules_.push_back({QRegularExpression(words), theme().accent});
  rules_.push_back({QRegularExpression(kStrings), mix(theme().fine, theme().text, 0.7)});
  rules_.push_back({QRegularExpression(kComment), theme().muted});
}

void CodeHighlighter::highlightBlock(const QString& text) {
  for (const Rule& rule : rules_) {
    auto matches = rule.pattern.globalMatch(text);
    while (matches.hasNext()) {
      const auto match = matches.next();
      setFormat(static_cast<int>(match.capturedStart()), static_cast<int>(match.capturedLength()), rule.colour);
    }
  }
}

}  // namespace shardlens::ui
