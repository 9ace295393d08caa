// SPDX-License-Identifier: Apache-2.0
#include "core/base/lost_pages.h"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

namespace shardlens {
namespace {

thread_local volatile int watchers = 0;  ///< LostPages of this thread
thread_local volatile int losses = 0;    ///< pages that this thread found gone

struct sigaction handler_before {};
std::uintptr_t page_bytes = 0;

/// The access is repeated when this returns. The signal comes from our own access to the mapping, never from within
/// the C library, so that calling the system is safe here.
void onBusError(int /*signal*/, siginfo_t* info, void* /*context*/) {
  const int error = errno;
  void* const page = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(info->si_addr) & ~(page_bytes - 1));
  constexpr int kZeroes = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
  if (watchers > 0 && info->si_code == BUS_ADRERR &&
      mmap(page, page_bytes, PROT_READ | PROT_WRITE, kZeroes, -1, 0) == page) {
    losses = losses + 1;
  } else {
    sigaction(SIGBUS, &handler_before, nullptr);
  }
  errno = error;
}

bool installHandler() {
  page_bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  struct sigaction action {};
  action.sa_sigaction = onBusError;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  return sigaction(SIGBUS, &action, &handler_before) == 0;
}

}  // namespace

LostPages::LostPages() : before_(losses) {
  static const bool kInstalled = installHandler();
  (void)kInstalled;
  watchers = watchers + 1;
}

LostPages::~LostPages() {
  watchers = watchers - 1;
}

bool LostPages::any() const {
  return losses != before_;
}

}  // namespace shardlens
