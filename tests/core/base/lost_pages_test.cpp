// SPDX-License-Identifier: Apache-2.0
#include "core/base/file.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace shardlens;
using namespace shardlens::test;

namespace {

constexpr std::size_t kBytes = 1 << 16;

/// A mapped file whose second half is gone.
struct HalfFile {
  TempFolder folder;
  char* memory = nullptr;
  HalfFile() {
    const auto path = folder / "file";
    spill(path, std::string(kBytes, 'x'));
    const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
    void* const mapped = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    REQUIRE(mapped != MAP_FAILED);
    REQUIRE(ftruncate(fd, kBytes / 2) == 0);
    close(fd);
    memory = static_cast<char*>(mapped);
  }
  HalfFile(const HalfFile&) = delete;
  HalfFile& operator=(const HalfFile&) = delete;
  ~HalfFile() { munmap(memory, kBytes); }

  [[nodiscard]] char at(std::size_t byte) const { return static_cast<volatile char*>(memory)[byte]; }
};

}  // namespace

TEST_CASE("pages that a file does not have any more read as zeroes, and that is told") {
  const HalfFile file;
  const LostPages all;
  {
    const LostPages first;
    CHECK(file.at(0) == 'x');
    CHECK_FALSE(first.any());
    CHECK(file.at(kBytes - 1) == 0);
    CHECK(first.any());
  }
  const LostPages later;
  CHECK(file.at(0) == 'x');
  CHECK_FALSE(later.any());
  file.memory[kBytes / 2] = 'y';
  CHECK(file.at(kBytes / 2) == 'y');
  CHECK(later.any());
  CHECK(all.any());
}

TEST_CASE("where nothing is watched, the process ends as it would") {
  const HalfFile file;
  { const LostPages none; }
  const pid_t child = fork();
  if (child == 0) {
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    (void)file.at(kBytes - 1);
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status != 0);
}
