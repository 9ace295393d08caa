// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"

#include <doctest/doctest.h>

#include <string>

using namespace shardlens;

TEST_CASE("what a terminal would obey is shown as an escape, all else as it is") {
  CHECK(isPrintable("plain\ttext\nof lines"));
  CHECK(printable("1\u202F281\u202F167 Größe 训练 🚀") == "1\u202F281\u202F167 Größe 训练 🚀");
  CHECK(isPrintable("1\u202F281\u202F167 Größe 训练 🚀"));
  CHECK(printable("a\x1b[2Jb\a") == "a\\u001b[2Jb\\u0007");
  CHECK(printable(std::string("\0\r\b\x7f", 4)) == "\\u0000\\u000d\\u0008\\u007f");
  CHECK(printable("\u009b31m") == "\\u009b31m");                  // a control sequence in one character
  CHECK(printable("safe\u202Eexe.txt") == "safe\\u202eexe.txt");  // turns the direction of what follows
  for (const std::string text : {"\x1b", "\u0085", "\u2066", "\x80", "\xff", "\xe2\x80"}) {
    CAPTURE(text);
    CHECK_FALSE(isPrintable(text));
    CHECK(isPrintable(printable(text)));
  }
  CHECK(printable("\xffx\xe2\x80") == "\uFFFDx\uFFFD\uFFFD");
}

TEST_CASE("a heading stays one line") {
  CHECK(oneLine("a\nb\tc \u202F") == "a\\nb\\tc \u202F");
}

TEST_CASE("colours and movements of the cursor are taken out, and nothing else is") {
  CHECK(withoutStyles("\x1b[1;31mred\x1b[0m and \x1b[Kplain") == "red and plain");
  CHECK(withoutStyles("no end \x1b[31") == "no end \x1b[31");
  CHECK(withoutStyles("[31m is text") == "[31m is text");
  CHECK(withoutStyles("\x1b]0;title\a") == "\x1b]0;title\a");
}
