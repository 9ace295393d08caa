// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"

#include <doctest/doctest.h>

using namespace shardlens;

namespace {

std::string backwards(const char* context, const char* text) {
  if (std::string(context) == "count") return std::string(text) == "%1 sample" ? "%1 Proben" : text;
  return std::string(text) == "%1 of %2" ? "%2: %1" : text;
}

}  // namespace

TEST_CASE("a phrase puts its arguments in their places") {
  CHECK(worded("test", "nothing to put in, 5 %") == "nothing to put in, 5 %");
  CHECK(filled(worded("test", "%1 of %2"), "3", "8") == "3 of 8");
  CHECK(filled(worded("test", "%2, %1, %2 %"), "a", "b") == "b, a, b %");
  CHECK(filled(worded("test", "%1 and %2"), "%2", "x") == "%2 and x");
  CHECK(filled(worded("test", "%1 %9"), "a") == "a %9");
}

TEST_CASE("a translation may change the order, and English is back without one") {
  setTranslation(backwards);
  CHECK(filled(worded("test", "%1 of %2"), "3", "8") == "8: 3");
  CHECK(!speaksEnglish());
  {
    const InEnglish english;
    CHECK(speaksEnglish());
    CHECK(filled(worded("test", "%1 of %2"), "3", "8") == "3 of 8");
    CHECK(wordedCount(1, "sample") == "1 sample");
  }
  CHECK(wordedCount(1, "sample") == "1 Proben");
  CHECK(wordedCount(2, "rank") == "2 ranks");
  setTranslation(nullptr);
  CHECK(filled(worded("test", "%1 of %2"), "3", "8") == "3 of 8");
  CHECK(wordedCount(2, "sample") == "2 samples");
}
