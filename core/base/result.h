// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace shardlens {

/// What kind of thing went wrong; the command line turns it into an exit code.
enum class ErrorCode {
  Usage,        ///< the caller asked for something that makes no sense
  BadInput,     ///< a file or a value is wrong
  Io,           ///< the file system refused
  Unsupported,  ///< known, and not predictable or not built in
  Environment,  ///< this machine cannot do it: no mpirun, no GPU, not enough memory
  JobFailed,    ///< the launched job ended badly
  Conflict,     ///< the file changed on disk since it was read; writing it needs a decision
  Cancelled,    ///< the user or a newer job stopped it
};

/// Where an error is: a file position, a field path, or both. Empty parts are unknown.
struct Place {
  std::string file;
  int line = 0;    ///< from 1; 0 = unknown
  int column = 0;  ///< from 1; 0 = unknown
  std::string field;

  /// "file:line:column: field", leaving out what is unknown.
  [[nodiscard]] std::string text() const;
  bool operator==(const Place&) const = default;
};

/// What happened, where, and what to do about it. One plain sentence each.
struct Error {
  ErrorCode code = ErrorCode::BadInput;
  std::string message;
  Place place;
  std::string hint;
  /// The type of a framework's own exception ("ValueError") when `message` is its text, word for word.
  std::string raised = {};

  /// Without a place, and with a file or folder, or a field, as its place.
  static Error of(ErrorCode code, std::string message, std::string hint = {}) {
    return {code, std::move(message), {}, std::move(hint)};
  }
  static Error inFile(ErrorCode code, std::string file, std::string message, std::string hint = {}) {
    return {code, std::move(message), {std::move(file), 0, 0, {}}, std::move(hint)};
  }
  static Error inField(ErrorCode code, std::string field, std::string message, std::string hint = {}) {
    return {code, std::move(message), {{}, 0, 0, std::move(field)}, std::move(hint)};
  }

  /// One line: place, raised, message, hint.
  [[nodiscard]] std::string text() const;
};

/// Every problem of one input, in the order of the input.
using Issues = std::vector<Error>;

/// A value or an error; the API is a subset of std::expected.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool has_value() const { return content_.index() == 0; }
  explicit operator bool() const { return has_value(); }
  T& value() & { return (assert(has_value()), std::get<0>(content_)); }
  const T& value() const& { return (assert(has_value()), std::get<0>(content_)); }
  T&& value() && { return (assert(has_value()), std::move(std::get<0>(content_))); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Error& error() const& { return (assert(!has_value()), std::get<1>(content_)); }
  Error&& error() && { return (assert(!has_value()), std::move(std::get<1>(content_))); }

 private:
  std::variant<T, Error> content_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : content_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool has_value() const { return content_.index() == 0; }
  explicit operator bool() const { return has_value(); }
  const Error& error() const& { return (assert(!has_value()), std::get<1>(content_)); }

 private:
  std::variant<std::monostate, Error> content_;
};

/// What `shardlens` and the rank programs return; the contract of the command line.
enum ExitCode : int {
  kFine = 0,
  kFindings = 1,     ///< error-level findings, a mismatch, a difference
  kUsage = 2,        ///< usage or bad input
  kEnvironment = 3,  ///< this machine cannot do it
  kJobFailed = 4,
};

/// The exit code that an error means.
constexpr ExitCode exitCode(ErrorCode code) {
  if (code == ErrorCode::Environment) return kEnvironment;
  return code == ErrorCode::JobFailed ? kJobFailed : kUsage;
}

/// The error for the current exception; only inside a catch block. Environment, because exceptions come from the
/// machine (no memory, no threads) or a library, never from our own judgement of an input. Does not throw itself.
Error caughtError() noexcept;

/// The one border for exceptions: every thread runs its work in it. Returns what `call` returns, a Result or nothing;
/// an exception becomes its Error.
template <class Call>
auto guarded(Call&& call) noexcept {
  using Given = std::invoke_result_t<Call&>;
  if constexpr (std::is_void_v<Given>) {
    try {
      call();
      return Result<void>();
    } catch (...) {
      return Result<void>(caughtError());
    }
  } else {
    try {
      return call();
    } catch (...) {
      return Given(caughtError());
    }
  }
}

}  // namespace shardlens
