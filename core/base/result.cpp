// SPDX-License-Identifier: Apache-2.0
#include "core/base/result.h"

#include <exception>
#include <new>

namespace shardlens {

std::string Place::text() const {
  std::string out = file;
  if (line > 0) {
    out += (out.empty() ? "line " : ":") + std::to_string(line);
    if (column > 0) out += ":" + std::to_string(column);
  }
  if (!field.empty()) out += (out.empty() ? "" : ": ") + field;
  return out;
}

std::string Error::text() const {
  const std::string where = place.text();
  std::string out = where.empty() ? "" : where + ": ";
  out += raised;
  if (!message.empty()) out += (raised.empty() ? "" : ": ") + message;
  if (!hint.empty()) out += " (" + hint + ")";
  return out;
}

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
