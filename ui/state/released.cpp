// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/released.h"

#include "core/base/result.h"
#include "core/base/thread_annotations.h"

#include <QCoreApplication>
#include <QThread>

#include <condition_variable>
#include <thread>
#include <utility>
#include <vector>

namespace shardlens::ui {
namespace {

struct Dropped {
  const void* object;
  void (*destroy)(const void*);
};

/// One thread that lives as long as the program.
class Releaser {
 public:
  Releaser() {
    std::thread([this] { loop(); }).detach();
  }

  void take(Dropped dropped) {
    const MutexLock lock(mutex_);
    waiting_.push_back(dropped);
    wake_.notify_one();
  }

 private:
  [[noreturn]] void loop() {
    while (true) {
      for (const Dropped& dropped : next()) dropped.destroy(dropped.object);
    }
  }
  std::vector<Dropped> next() {
    MutexLock lock(mutex_);
    while (waiting_.empty()) wake_.wait(lock);
    return std::exchange(waiting_, {});
  }

  Mutex mutex_;
  std::condition_variable_any wake_;
  std::vector<Dropped> waiting_ SHARDLENS_GUARDED_BY(mutex_);
};

/// Never destroyed: objects are dropped until the very end.
Releaser& releaser() {
  static auto& one = *new Releaser;
  return one;
}

bool isGuiThread() {
  const QCoreApplication* app = QCoreApplication::instance();
  return app != nullptr && QThread::currentThread() == app->thread();
}

}  // namespace

void releaseElsewhere(const void* object, void (*destroy)(const void*)) noexcept {
  if (isGuiThread() && guarded([&] { releaser().take({object, destroy}); })) return;
  destroy(object);
}

}  // namespace shardlens::ui
