// SPDX-License-Identifier: Apache-2.0
#include "app/abi/border.h"

namespace shardlens::abi {
namespace {

std::string& lastError() {
  thread_local std::string text;
  return text;
}

std::string& lentText() {
  thread_local std::string text;
  return text;
}

/// The numbers of the ABI are promises to programs that were built before, those of ErrorCode are not.
std::int32_t statusOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::Usage:
      return SHARDLENS_USAGE;
    case ErrorCode::BadInput:
      return SHARDLENS_BAD_INPUT;
    case ErrorCode::Io:
      return SHARDLENS_IO;
    case ErrorCode::Unsupported:
      return SHARDLENS_UNSUPPORTED;
    case ErrorCode::Environment:
      return SHARDLENS_ENVIRONMENT;
    case ErrorCode::JobFailed:
      return SHARDLENS_JOB_FAILED;
    case ErrorCode::Conflict:
      return SHARDLENS_CONFLICT;
    case ErrorCode::Cancelled:
      return SHARDLENS_CANCELLED;
  }
  return SHARDLENS_ENVIRONMENT;
}

}  // namespace

std::int32_t failed(const Error& error) noexcept {
  try {
    lastError() = error.text();
  } catch (...) {
    lastError().clear();  // no memory for the sentence
  }
  return statusOf(error.code);
}

std::int32_t failed(const Issues& issues) noexcept {
  if (issues.empty()) return SHARDLENS_OK;
  try {
    std::string text;
    for (const Error& error : issues) text += (text.empty() ? "" : "\n") + error.text();
    lastError() = std::move(text);
  } catch (...) {
    lastError().clear();
  }
  return statusOf(issues.front().code);
}

const char* lent(std::string text) {
  std::string& kept = lentText();
  kept = std::move(text);
  return kept.c_str();
}

Error wrongArgument(std::string message, std::string hint) {
  return {ErrorCode::Usage, std::move(message), {}, std::move(hint)};
}

}  // namespace shardlens::abi

int32_t shardlens_abi_version(void) {
  return SHARDLENS_ABI_VERSION;
}

const char* shardlens_last_error(void) {
  return shardlens::abi::lastError().c_str();
}
