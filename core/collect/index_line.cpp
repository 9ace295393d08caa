// SPDX-License-Identifier: Apache-2.0
#include "core/collect/index_line.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <system_error>

namespace shardlens {
namespace {

using Kind = IndexToken::Kind;
using Tokens = std::vector<IndexToken>;

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

template <std::size_t N>
bool isOneOf(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::ranges::any_of(words, [word](std::string_view one) { return isWord(word, one); });
}

std::optional<IndexColumn> columnNamed(std::string_view word) {
  if (isWord(word, "rank") || isWord(word, "global_rank")) return IndexColumn::OfRank;
  if (isWord(word, "epoch")) return IndexColumn::OfEpoch;
  constexpr std::array<std::string_view, 5> kSteps = {"step", "iter", "iteration", "batch_idx", "batch"};
  return isOneOf(word, kSteps) ? std::optional(IndexColumn::OfStep) : std::nullopt;
}

bool namesSamples(std::string_view word) {
  constexpr std::array<std::string_view, 8> kEnds = {"ids",   "id",      "indices", "indexes",
                                                     "index", "samples", "sample",  "idx"};
  return !isWord(word, "batch_idx") &&
         std::ranges::any_of(kEnds, [word](std::string_view end) { return endsWithWord(word, end); });
}

std::optional<std::int64_t>& placeFor(IndexLine& line, IndexColumn column) {
  return column == IndexColumn::OfRank ? line.rank : column == IndexColumn::OfEpoch ? line.epoch : line.step;
}

std::size_t before(const Tokens& tokens, std::size_t at) {
  while (at > 0) {
    if (tokens[--at].kind != Kind::Space) return at;
  }
  return kNone;
}

std::size_t behind(const Tokens& tokens, std::size_t at) {
  while (++at < tokens.size()) {
    if (tokens[at].kind != Kind::Space) return at;
  }
  return kNone;
}

Kind kindAt(const Tokens& tokens, std::size_t at) {
  return at < tokens.size() ? tokens[at].kind : Kind::Other;
}

/// "local rank 3" and "next step 4" are of something else.
bool isOfSomethingElse(const Tokens& tokens, std::size_t name, IndexColumn column) {
  constexpr std::array<std::string_view, 12> kOther = {"local", "node", "tp",  "pp",    "dp",  "next",
                                                       "max",   "of",   "num", "total", "per", "global"};
  const std::size_t word = before(tokens, name);
  if (kindAt(tokens, word) != Kind::Word) return false;
  const bool is_global_rank = column == IndexColumn::OfRank && isWord(tokens[word].word, "global");
  return !is_global_rank && isOneOf(tokens[word].word, kOther);
}

/// The number of a name: "rank 0", "rank=0", "rank #0", "Epoch [1/3]". kNone: it has none.
std::size_t valueOf(const Tokens& tokens, std::size_t name) {
  std::size_t at = behind(tokens, name);
  if (kindAt(tokens, at) == Kind::Join) at = behind(tokens, at);
  const bool is_bracketed = kindAt(tokens, at) == Kind::Open;
  if (is_bracketed) at = behind(tokens, at);
  if (kindAt(tokens, at) != Kind::Number) return kNone;
  const Kind next = kindAt(tokens, at + 1);
  return !is_bracketed || next == Kind::Slash || next == Kind::Close ? at : kNone;
}

/// A list of numbers in brackets of their own.
struct List {
  std::vector<SampleIndex> samples;
  std::size_t open = 0;   ///< where its brackets open
  std::size_t close = 0;  ///< and where they close
  bool is_cut = false;
  bool is_open = false;  ///< they do not close
};

/// Lists that stand beside each other in one bracket are one: the rows of a tensor.
void addList(std::vector<List>& lists, List list, const Tokens& tokens) {
  if (!lists.empty() && !lists.back().is_open) {
    const auto from = tokens.begin() + static_cast<std::ptrdiff_t>(lists.back().close) + 1;
    const auto to = tokens.begin() + static_cast<std::ptrdiff_t>(list.open);
    if (std::all_of(from, to, [](const IndexToken& token) { return token.kind == Kind::Space; })) {
      List& last = lists.back();
      last.samples.insert(last.samples.end(), list.samples.begin(), list.samples.end());
      last.close = list.close;
      last.is_cut = last.is_cut || list.is_cut;
      last.is_open = list.is_open;
      return;
    }
  }
  lists.push_back(std::move(list));
}

/// Whether brackets that open before `at` do not close.
bool opensAround(const Tokens& tokens, std::size_t at) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind == Kind::Open) open.push_back(i);
    if (tokens[i].kind == Kind::Close && !open.empty()) open.pop_back();
  }
  return !open.empty() && open.front() < at;
}

/// Innermost brackets with numbers alone, from `from` on. Sizes and shapes are none.
std::vector<List> listsFrom(const Tokens& tokens, std::size_t from) {
  std::vector<List> lists;
  std::optional<List> now;
  for (std::size_t at = from; at < tokens.size(); ++at) {
    const Kind kind = tokens[at].kind;
    if (kind == Kind::Open) {
      std::size_t word = before(tokens, at);
      while (kindAt(tokens, word) == Kind::Open) word = before(tokens, word);  // Size([8])
      const bool is_size = kindAt(tokens, word) == Kind::Word &&
                           (isWord(tokens[word].word, "size") || isWord(tokens[word].word, "shape"));
      now.reset();
      if (!is_size) now = List{{}, at, at, false, false};
    } else if (kind == Kind::Close) {
      if (now && (!now->samples.empty() || now->is_cut)) {
        now->close = at;
        addList(lists, std::move(*now), tokens);
      }
      now.reset();
    } else if (now && kind == Kind::Number) {
      now->samples.push_back(tokens[at].number);
    } else if (now && kind == Kind::Dots) {
      now->is_cut = true;
    } else if (kind != Kind::Space) {
      now.reset();
    }
  }
  if (now) {
    now->is_open = true;
    now->close = tokens.size();
    addList(lists, std::move(*now), tokens);
  }
  // More rows of the last list may come while the brackets around it are open.
  if (!lists.empty()) lists.back().is_open = lists.back().is_open || opensAround(tokens, lists.back().open);
  return lists;
}

void take(IndexLine& line, List list) {
  line.samples = std::move(list.samples);
  line.is_cut = list.is_cut;
  line.is_open = list.is_open;
}

/// All that follows are numbers, behind one ":" at most; none otherwise.
std::vector<SampleIndex> numbersFrom(const Tokens& tokens, std::size_t from) {
  std::vector<SampleIndex> samples;
  bool is_joined = false;
  for (std::size_t at = from; at < tokens.size(); ++at) {
    if (tokens[at].kind == Kind::Space) continue;
    if (tokens[at].kind == Kind::Join && samples.empty() && !is_joined) {
      is_joined = true;
    } else if (tokens[at].kind == Kind::Number) {
      samples.push_back(tokens[at].number);
    } else {
      return {};
    }
  }
  return samples;
}

/// The list that a name of samples has, wherever it stands; else the only list behind the place; else the numbers
/// there.
void findSamples(IndexLine& line, const Tokens& tokens, std::size_t place) {
  constexpr std::size_t kMostBetween = 12;  // "ids = torch.tensor([["
  const auto name = std::ranges::find_if(
      tokens, [](const IndexToken& token) { return token.kind == Kind::Word && namesSamples(token.word); });
  if (name != tokens.end()) {
    const auto at = static_cast<std::size_t>(name - tokens.begin());
    std::vector<List> lists = listsFrom(tokens, at);
    if (!lists.empty() && lists.front().open - at <= kMostBetween) return take(line, std::move(lists.front()));
    const std::vector<SampleIndex> numbers = at > place ? numbersFrom(tokens, at + 1) : std::vector<SampleIndex>{};
    const bool is_count =
        numbers.size() == 1 && (endsWithWord(name->word, "samples") || endsWithWord(name->word, "sample"));
    if (!is_count) line.samples = numbers;
    return;
  }
  std::vector<List> lists = listsFrom(tokens, place + 1);
  if (lists.size() == 1) return take(line, std::move(lists.front()));
  if (lists.size() > 1) {
    line.is_unclear = true;
  } else {
    line.samples = numbersFrom(tokens, place + 1);
  }
}

/// "0 3 12 7 9" or "[0] 3: 12, 7, 9": rank, step and samples.
IndexLine nameless(const Tokens& tokens) {
  IndexLine line;
  std::vector<SampleIndex> numbers;
  int joins = 0;
  for (const IndexToken& token : tokens) {
    if (token.kind == Kind::Number) numbers.push_back(token.number);
    if (token.kind == Kind::Join) ++joins;
    const bool is_known = token.kind == Kind::Number || token.kind == Kind::Space || token.kind == Kind::Join ||
                          token.kind == Kind::Open || token.kind == Kind::Close;
    if (!is_known || joins > 1) return {};
  }
  if (numbers.size() < 3) return {};
  line.is_nameless = true;
  line.rank = numbers[0];
  line.step = numbers[1];
  line.samples.assign(numbers.begin() + 2, numbers.end());
  return line;
}

/// A field of a table without what stands around it.
std::string_view trimmed(std::string_view field) {
  constexpr std::string_view kAround = " \t\r\"'";
  const std::size_t from = field.find_first_not_of(kAround);
  return from == std::string_view::npos ? std::string_view{}
                                        : field.substr(from, field.find_last_not_of(kAround) + 1 - from);
}

bool isName(std::string_view field) {
  return !field.empty() && std::ranges::all_of(field, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ' ';
  });
}

bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

char small(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

Kind kindOf(char c) {
  constexpr std::string_view kSpaces = " \t\r\n,;|'\"";
  if (c == '[' || c == '(' || c == '{') return Kind::Open;
  if (c == ']' || c == ')' || c == '}') return Kind::Close;
  if (c == '=' || c == ':' || c == '#') return Kind::Join;
  if (c == '/') return Kind::Slash;
  return kSpaces.find(c) != std::string_view::npos ? Kind::Space : Kind::Other;
}

IndexToken numberAt(std::string_view line, std::size_t& at) {
  const std::size_t from = at;
  IndexToken token;
  const auto read = std::from_chars(line.data() + from, line.data() + line.size(), token.number);
  at = static_cast<std::size_t>(read.ptr - line.data());
  const bool is_part = from > 0 && (line[from - 1] == '-' || line[from - 1] == '.');
  const bool has_fraction = at + 1 < line.size() && line[at] == '.' && isDigit(line[at + 1]);
  const bool goes_on = at < line.size() && (isLetter(line[at]) || has_fraction);
  if (read.ec == std::errc{} && !is_part && !goes_on) {
    token.kind = Kind::Number;
    return token;
  }
  while (at < line.size() && (isLetter(line[at]) || isDigit(line[at]) || line[at] == '.')) ++at;
  return token;
}

IndexToken wordAt(std::string_view line, std::size_t& at) {
  std::size_t end = at;
  while (end < line.size() && isLetter(line[end])) ++end;
  IndexToken token;
  token.kind = Kind::Word;
  token.word = line.substr(at, end - at);
  while (!token.word.empty() && token.word.front() == '_') token.word.remove_prefix(1);
  while (!token.word.empty() && token.word.back() == '_') token.word.remove_suffix(1);
  at = end;
  return token;
}

/// How long the colour of a terminal is that begins here: ESC [ ... m. 0: none does.
std::size_t colourAt(std::string_view line, std::size_t at) {
  if (line[at] != '\x1b' || at + 1 >= line.size() || line[at + 1] != '[') return 0;
  std::size_t end = at + 2;
  while (end < line.size() && (isDigit(line[end]) || line[end] == ';')) ++end;
  return end < line.size() ? end + 1 - at : 0;
}

std::size_t dotsAt(std::string_view line, std::size_t at) {
  if (line.substr(at, 3) == "...") return 3;
  constexpr std::string_view kEllipsis = "\xe2\x80\xa6";
  return line.substr(at, kEllipsis.size()) == kEllipsis ? kEllipsis.size() : 0;
}

}  // namespace

IndexLine parseIndexLine(std::string_view text) {
  const Tokens tokens = indexTokens(text);
  IndexLine line;
  std::size_t place = kNone;
  bool has_step = false;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const auto column = tokens[at].kind == Kind::Word ? columnNamed(tokens[at].word) : std::nullopt;
    if (!column || isOfSomethingElse(tokens, at, *column)) continue;
    const std::size_t value = valueOf(tokens, at);
    if (value == kNone) continue;
    const bool is_batch = isWord(tokens[at].word, "batch");  // the step, where no other name says it
    if (is_batch && has_step) continue;
    auto& found = placeFor(line, *column);
    const bool takes_over = *column == IndexColumn::OfStep && !is_batch && !has_step;
    if (found && !takes_over && *found != tokens[value].number) line.is_unclear = true;
    if (!found || takes_over) found = tokens[value].number;
    has_step = has_step || (*column == IndexColumn::OfStep && !is_batch);
    place = value;
    at = value;
  }
  if (place == kNone) return nameless(tokens);
  findSamples(line, tokens, place);
  return line;
}

IndexTable parseIndexHead(std::string_view line) {
  IndexTable table;
  constexpr std::string_view kSeparators = ",\t;";
  const auto separator =
      std::ranges::find_if(kSeparators, [line](char c) { return line.find(c) != std::string_view::npos; });
  table.separator = separator == kSeparators.end() ? ' ' : *separator;
  bool has_rank = false;
  bool has_step = false;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find(table.separator, at), line.size());
    const std::string_view field = trimmed(line.substr(at, end - at));
    if (!field.empty() && !isName(field)) return {};
    if (namesSamples(field)) return end == line.size() && has_rank && has_step ? table : IndexTable{};
    const auto column = columnNamed(field);
    has_rank = has_rank || column == IndexColumn::OfRank;
    has_step = has_step || column == IndexColumn::OfStep;
    if (!field.empty() || table.separator != ' ') table.columns.push_back(column.value_or(IndexColumn::Other));
    at = end + 1;
  }
  return {};
}

IndexLine parseIndexRow(std::string_view text, const IndexTable& table) {
  IndexLine line;
  for (const IndexColumn column : table.columns) {
    if (table.separator == ' ') text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    const std::size_t end = text.find(table.separator);
    if (end == std::string_view::npos) return {};
    const Tokens field = indexTokens(trimmed(text.substr(0, end)));
    text.remove_prefix(end + 1);
    if (column == IndexColumn::Other) continue;
    if (field.size() != 1 || field.front().kind != Kind::Number) return {};
    placeFor(line, column) = field.front().number;
  }
  const Tokens rest = indexTokens(text);
  std::vector<List> lists = listsFrom(rest, 0);
  if (lists.empty()) {
    line.samples = numbersFrom(rest, 0);
  } else if (lists.size() == 1) {
    take(line, std::move(lists.front()));
  }
  return line;
}

std::int64_t openBrackets(std::string_view line, std::int64_t before) {
  std::int64_t open = before;
  for (const IndexToken& token : indexTokens(line)) {
    if (token.kind == Kind::Open) ++open;
    if (token.kind == Kind::Close && open > 0) --open;
  }
  return open;
}

bool continuesList(std::string_view line) {
  const Tokens tokens = indexTokens(line);
  for (const IndexToken& token : tokens) {
    if (token.kind == Kind::Close) return true;
    if (token.kind != Kind::Number && token.kind != Kind::Space && token.kind != Kind::Open && token.kind != Kind::Dots)
      return false;
  }
  return true;
}

std::vector<IndexToken> indexTokens(std::string_view line) {
  std::vector<IndexToken> tokens;
  for (std::size_t at = 0; at < line.size();) {
    if (isDigit(line[at])) {
      tokens.push_back(numberAt(line, at));
    } else if (isLetter(line[at])) {
      tokens.push_back(wordAt(line, at));
    } else if (const std::size_t colour = colourAt(line, at); colour > 0) {
      at += colour;
    } else if (const std::size_t dots = dotsAt(line, at); dots > 0) {
      tokens.push_back({Kind::Dots, {}, 0});
      at += dots;
    } else {
      tokens.push_back({kindOf(line[at++]), {}, 0});
    }
  }
  return tokens;
}

bool isWord(std::string_view word, std::string_view expected) {
  return std::equal(word.begin(), word.end(), expected.begin(), expected.end(),
                    [](char a, char b) { return small(a) == b; });
}

bool endsWithWord(std::string_view word, std::string_view end) {
  if (word.size() < end.size()) return false;
  const std::string_view last = word.substr(word.size() - end.size());
  return isWord(last, end) && (last.size() == word.size() || word[word.size() - end.size() - 1] == '_');
}

}  // namespace shardlens
