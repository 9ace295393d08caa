// SPDX-License-Identifier: Apache-2.0
// Stands in for libFuzzer where it is not linked: feeds each file of the folder named on the command line to the target
// once.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  int inputs = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(argc > 1 ? argv[1] : "", error)) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    ++inputs;
  }
  std::printf("%d inputs\n", inputs);
  if (inputs == 0) std::fprintf(stderr, "no corpus was found: nothing was tested\n");
  return inputs == 0 ? 1 : 0;
}
