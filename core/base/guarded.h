// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <type_traits>

namespace shardlens {

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
