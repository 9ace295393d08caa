// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>

/// What clang's -Wthread-safety checks: which mutex guards a member, and which function needs it held. Other compilers
/// see nothing of it.
#if defined(__clang__)
#define SHARDLENS_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define SHARDLENS_THREAD_ATTRIBUTE(x)
#endif
#define SHARDLENS_GUARDED_BY(mutex) SHARDLENS_THREAD_ATTRIBUTE(guarded_by(mutex))
#define SHARDLENS_REQUIRES(mutex) SHARDLENS_THREAD_ATTRIBUTE(requires_capability(mutex))
#define SHARDLENS_EXCLUDES(mutex) SHARDLENS_THREAD_ATTRIBUTE(locks_excluded(mutex))

namespace shardlens {

/// std::mutex that clang can follow. Wait with std::condition_variable_any on a MutexLock.
class SHARDLENS_THREAD_ATTRIBUTE(capability("mutex")) Mutex {
 public:
  void lock() SHARDLENS_THREAD_ATTRIBUTE(acquire_capability()) { mutex_.lock(); }
  void unlock() SHARDLENS_THREAD_ATTRIBUTE(release_capability()) { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

/// Holds a Mutex until the end of its scope; may release it in between.
class SHARDLENS_THREAD_ATTRIBUTE(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) SHARDLENS_THREAD_ATTRIBUTE(acquire_capability(mutex)) : mutex_(mutex) {
    mutex_.lock();
  }
  ~MutexLock() SHARDLENS_THREAD_ATTRIBUTE(release_capability()) {
    if (held_) mutex_.unlock();
  }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  void lock() SHARDLENS_THREAD_ATTRIBUTE(acquire_capability()) {
    mutex_.lock();
    held_ = true;
  }
  void unlock() SHARDLENS_THREAD_ATTRIBUTE(release_capability()) {
    held_ = false;
    mutex_.unlock();
  }

 private:
  Mutex& mutex_;
  bool held_ = true;
};

}  // namespace shardlens
