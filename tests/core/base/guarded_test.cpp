// SPDX-License-Identifier: Apache-2.0
#include "core/base/result.h"

#include <doctest/doctest.h>

#include <new>
#include <stdexcept>

using namespace shardlens;

TEST_CASE("what a call gives passes through the border") {
  const Result<int> seven = guarded([] { return Result<int>(7); });
  REQUIRE(seven);
  CHECK(*seven == 7);
  const Result<int> refused = guarded([] { return Result<int>(Error{ErrorCode::BadInput, "no", {}, {}}); });
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ErrorCode::BadInput);
  CHECK(guarded([] {}));
}

TEST_CASE("no memory is said in the words of the command line") {
  const Result<void> failed = guarded([] { throw std::bad_alloc(); });
  REQUIRE_FALSE(failed);
  CHECK(failed.error().code == ErrorCode::Environment);
  CHECK(failed.error().message == "there is not enough memory.");
}

TEST_CASE("other exceptions keep their text, and one without a text is named") {
  CHECK(guarded([] { throw std::runtime_error("the disk is upside down"); }).error().message ==
        "the disk is upside down");
  CHECK_FALSE(guarded([] { throw 7; }).error().message.empty());
}
