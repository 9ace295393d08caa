// SPDX-License-Identifier: Apache-2.0
#include "core/base/guarded.h"

#include <exception>
#include <new>

namespace shardlens {
namespace {

Error saying(const char* text) {
  return Error{ErrorCode::Environment, text, {}, {}};
}

Error sentenceOfCaught() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return saying("there is not enough memory.");
  } catch (const std::exception& error) {
    return saying(error.what());
  } catch (...) {
    return saying("an unknown error occurred.");
  }
}

}  // namespace

Error caughtError() noexcept {
  try {
    return sentenceOfCaught();
  } catch (...) {
    return saying("no more memory");  // short enough to need none
  }
}

}  // namespace shardlens
