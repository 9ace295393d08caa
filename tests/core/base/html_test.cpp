// SPDX-License-Identifier: Apache-2.0
#include "core/base/html.h"

#include <doctest/doctest.h>

#include <string>

using namespace shardlens;

TEST_CASE("text becomes no tag, no entity and no end of an attribute") {
  CHECK(htmlText("a < b && \"c\" > 'd'") == "a &lt; b &amp;&amp; &quot;c&quot; &gt; &#39;d&#39;");
  CHECK(htmlText("&lt;") == "&amp;lt;");
  CHECK(htmlText("Größe 1\u202f000") == "Größe 1\u202f000");
  CHECK(htmlText("").empty());
  CHECK(htmlText("a\xFF") == "a\uFFFD");
}

TEST_CASE("characters that XML cannot carry become blanks") {
  CHECK(htmlText(std::string("a\0b\x1b[1m\n\tc", 10)) == "a b [1m\n\tc");
}
