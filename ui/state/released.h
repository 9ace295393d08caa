// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <utility>

namespace shardlens::ui {

/// Calls destroy(object): on a thread of its own where the GUI thread asks, at once elsewhere. Giving the memory of a
/// large order back to the system takes longer than a frame.
void releaseElsewhere(const void* object, void (*destroy)(const void*)) noexcept;

/// `value`, shared; whoever drops it last, the GUI thread does not wait for its end.
template <class T>
std::shared_ptr<T> releasedElsewhere(T value) {
  return {new T(std::move(value)), [](T* object) {
            releaseElsewhere(object, [](const void* dropped) { delete static_cast<const T*>(dropped); });
          }};
}

}  // namespace shardlens::ui
