// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QRegularExpression>
#include <QSyntaxHighlighter>

#include <vector>

namespace shardlens::ui {

/// Colours comments, strings and keys or keywords of one line at a time; nothing spans lines in what is exported.
class CodeHighlighter : public QSyntaxHighlighter {
 public:
  enum class Language { Plain, Yaml, Shell, Python };

  using QSyntaxHighlighter::QSyntaxHighlighter;

  void setLanguage(Language language);
  /// Takes the theme's colours again.
  void recolour();

 protected:
  void highlightBlock(const QString& text) override;

 private:
  struct Rule {
    QRegularExpression pattern;
    QColor colour;
  };
  void buildRules();

  Language language_ = Language::Plain;
  std::vector<Rule> rules_;  ///< later ones win: strings over keywords, comments over all
};

}  // namespace shardlens::ui
