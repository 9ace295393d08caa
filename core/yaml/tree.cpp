// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/tree.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/yaml/syntax_words.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <exception>
#include <istream>
#include <optional>
#include <streambuf>

namespace shardlens::yaml {
namespace {

/// Reads a text in place; std::istringstream would copy it.
class TextBuffer : public std::streambuf {
 public:
  explicit TextBuffer(std::string_view text) {
    char* begin = const_cast<char*>(text.data());  // NOLINT: a get area is never written to
    setg(begin, begin, begin + text.size());
  }
};

bool startsQuoted(std::string_view text, std::size_t begin) {
  return begin < text.size() && (text[begin] == '"' || text[begin] == '\'');
}

std::size_t endOfScalar(std::string_view text, std::size_t begin, const std::string& value) {
  if (begin >= text.size()) return TreeNode::kUnknown;
  if (startsQuoted(text, begin)) return endOfQuoted(text, begin);
  return text.compare(begin, value.size(), value) == 0 ? begin + value.size() : TreeNode::kUnknown;
}

/// Past the bracket that closes a flow collection whose last item ends at `from`; kUnknown when something else is
/// there.
std::size_t endOfFlow(std::string_view text, std::size_t from, char bracket) {
  for (std::size_t i = from; i < text.size(); ++i) {
    if (text[i] == bracket) return i + 1;
    if (text[i] == '#') {
      i = text.find('\n', i);
      if (i == std::string_view::npos) break;
    } else if (std::string_view(" \t\r\n,").find(text[i]) == std::string_view::npos) {
      break;
    }
  }
  return TreeNode::kUnknown;
}

/// Builds the tree out of the parser's events; a document after the first only leaves its place.
class Builder : public YAML::EventHandler {
 public:
  Builder(std::string_view text, const Lines& lines, Tree& tree) : text_(text), lines_(lines), tree_(tree) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ == 1)
      complain(mark, worded("spec", "a second document starts here: a spec is one document."),
               worded("spec", "remove the line '---' and everything after it"));
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    checkProperties(mark, "", anchor);
    add(nodeAt(mark, TreeNode::Kind::Null));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    complain(mark, worded("spec", "aliases (*) are not allowed in a spec."), worded("spec", "write the value itself"));
    add(nodeAt(mark, TreeNode::Kind::Null));
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    checkProperties(mark, tag, anchor);
    // yaml-cpp turns \_ and \N into single bytes, which are no UTF-8.
    if (utf8Prefix(value) < value.size())
      complain(mark, worded("spec", "an escape in this text produces a byte that is not UTF-8."),
               worded("spec", "write \\u00A0 for \\_ and \\u0085 for \\N"));
    TreeNode node = nodeAt(mark, TreeNode::Kind::Scalar);
    node.quoted = tag == "!";
    node.end = endOfScalar(text_, node.begin, value);
    // yaml-cpp lets an open quote swallow the rest of the file.
    if (startsQuoted(text_, node.begin) && node.end == TreeNode::kUnknown)
      complain(mark, worded("spec", "this quote is never closed."), "");
    node.text = value;
    add(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    open(mark, TreeNode::Kind::Sequence, tag, anchor, style);
  }
  void OnSequenceEnd() override { close(']'); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    open(mark, TreeNode::Kind::Map, tag, anchor, style);
  }
  void OnMapEnd() override { close('}'); }

 private:
  [[nodiscard]] bool ignoring() const { return documents_ > 1 || full_; }

  void complain(const YAML::Mark& mark, std::string message, std::string hint) {
    if (tree_.issues.size() >= kMostIssues) return;
    tree_.issues.push_back(Error{ErrorCode::BadInput, std::move(message),
                                 lines_.at(static_cast<std::size_t>(std::max(mark.pos, 0))), std::move(hint)});
  }

  void checkProperties(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (anchor != 0)
      complain(mark, worded("spec", "anchors (&) are not allowed in a spec."), worded("spec", "remove it"));
    if (!tag.empty() && tag != "!" && tag != "?")
      complain(mark, filled(worded("spec", "a tag (%1): tags are not allowed in a spec."), tag),
               worded("spec", "remove it"));
  }

  static TreeNode nodeAt(const YAML::Mark& mark, TreeNode::Kind kind) {
    TreeNode node;
    node.kind = kind;
    node.begin = static_cast<std::size_t>(std::max(mark.pos, 0));
    return node;
  }

  void open(const YAML::Mark& mark, TreeNode::Kind kind, const std::string& tag, YAML::anchor_t anchor,
            YAML::EmitterStyle::value style) {
    checkProperties(mark, tag, anchor);
    if (open_.size() == kMostDepth && !ignoring()) {
      complain(mark, filled(worded("spec", "values are nested more than %1 deep."), std::to_string(kMostDepth)), "");
      full_ = true;
    }
    if (ignoring()) return;
    TreeNode node = nodeAt(mark, kind);
    node.flow = style == YAML::EmitterStyle::Flow;
    open_.push_back(std::move(node));
  }

  void close(char bracket) {
    if (ignoring() || open_.empty()) return;
    TreeNode node = std::move(open_.back());
    open_.pop_back();
    const std::size_t last = node.items.empty() ? node.begin + 1 : node.items.back().end;
    if (last != TreeNode::kUnknown) node.end = node.flow ? endOfFlow(text_, last, bracket) : last;
    add(std::move(node));
  }

  void add(TreeNode node) {
    if (ignoring()) return;
    if (++nodes_ > kMostNodes) {
      full_ = true;
      tree_.issues.push_back(
          Error{ErrorCode::BadInput, filled(worded("spec", "the file holds more than %1 values."), grouped(kMostNodes)),
                lines_.at(node.begin), worded("spec", "write consecutive indices as {range: [first, end]}")});
      return;
    }
    (open_.empty() ? tree_.root : open_.back().items.emplace_back()) = std::move(node);
  }

  std::string_view text_;
  const Lines& lines_;
  Tree& tree_;
  std::vector<TreeNode> open_;
  std::size_t nodes_ = 0;
  int documents_ = 0;
  bool full_ = false;
};

bool isText(unsigned char byte) {
  return byte >= 0x20 || byte == '\t' || byte == '\n' || byte == '\r';
}

/// What cannot be text at all, before any parser sees it.
std::optional<Error> checkBytes(std::string_view text, const Lines& lines) {
  const auto bad = [&](std::size_t offset, std::string message, std::string hint) {
    return Error{ErrorCode::BadInput, std::move(message), lines.at(offset), std::move(hint)};
  };
  if (text.size() > kMostBytes)
    return bad(0, worded("spec", "the file is longer than 64 MB."),
               worded("spec", "write consecutive indices as {range: [first, end]}"));
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    return bad(0, worded("spec", "the file is UTF-16."), worded("spec", "save it as UTF-8"));
  const auto control = std::ranges::find_if_not(text, [](char c) { return isText(static_cast<unsigned char>(c)); });
  if (control != text.end())
    return bad(static_cast<std::size_t>(control - text.begin()),
               worded("spec", "this byte is a control character, which YAML does not allow."), "");
  const std::size_t valid = utf8Prefix(text);
  if (valid < text.size())
    return bad(valid, worded("spec", "this byte is not UTF-8."), worded("spec", "save the file as UTF-8"));
  return std::nullopt;
}

/// The first line that is indented with a tab, from 1; 0 when there is none.
int lineWithTab(std::string_view text) {
  int line = 1;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::size_t first = text.find_first_not_of(' ', begin);
    if (first < end && text[first] == '\t') return line;
    begin = end + 1;
  }
  return 0;
}

Error syntaxError(const YAML::Exception& exception, std::string_view text, const Lines& lines) {
  SyntaxProblem problem = syntaxProblem(text, exception.msg, static_cast<std::size_t>(std::max(exception.mark.pos, 0)));
  const int tab = lineWithTab(text);
  if (tab > 0 && tab == lines.at(problem.offset).line) {
    problem.message = filled(worded("spec", "line %1 is indented with a tab."), std::to_string(tab));
    problem.hint = worded("spec", "use spaces");
  } else if (tab > 0) {
    problem.hint = filled(worded("spec", "line %1 is indented with a tab; use spaces"), std::to_string(tab));
  }
  return Error{ErrorCode::BadInput, std::move(problem.message), lines.at(problem.offset), std::move(problem.hint)};
}

}  // namespace

const TreeNode* TreeNode::find(std::string_view key) const {
  for (std::size_t i = 0; kind == Kind::Map && i + 1 < items.size(); i += 2) {
    if (items[i].kind == Kind::Scalar && items[i].text == key) return &items[i + 1];
  }
  return nullptr;
}

Lines::Lines(std::string_view text, std::string file) : text_(text), file_(std::move(file)), starts_{0} {
  for (std::size_t i = text.find('\n'); i != std::string_view::npos; i = text.find('\n', i + 1))
    starts_.push_back(i + 1);
}

Place Lines::at(std::size_t offset, std::string field) const {
  offset = std::min(offset, text_.size());
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const std::size_t start = *(next - 1);
  const auto column = std::count_if(text_.begin() + static_cast<std::ptrdiff_t>(start),
                                    text_.begin() + static_cast<std::ptrdiff_t>(offset),
                                    [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
  return Place{file_, static_cast<int>(next - starts_.begin()), static_cast<int>(column) + 1, std::move(field)};
}

Tree parseTree(std::string_view text, const Lines& lines) {
  Tree tree;
  if (auto error = checkBytes(text, lines)) {
    tree.issues.push_back(std::move(*error));
    return tree;
  }
  try {
    TextBuffer buffer(text);
    std::istream stream(&buffer);
    YAML::Parser parser(stream);
    Builder builder(text, lines, tree);
    if (parser.HandleNextDocument(builder)) (void)parser.HandleNextDocument(builder);
  } catch (const YAML::Exception& exception) {
    // The parser gives up on deep nesting later than the builder, which has then said so.
    const bool is_said = exception.msg == YAML::ErrorMsg::BAD_FILE && !tree.issues.empty();
    if (!is_said) tree.issues.push_back(syntaxError(exception, text, lines));
  } catch (const std::bad_alloc&) {
    throw;  // the machine's fault, not the file's
  } catch (const std::exception& exception) {
    tree.issues.push_back(Error{ErrorCode::BadInput,
                                filled(worded("spec", "the file cannot be read: %1."), exception.what()), lines.at(0),
                                ""});
  }
  return tree;
}

}  // namespace shardlens::yaml
