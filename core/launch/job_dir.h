// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace shardlens {

/// The folder of one job, in memory where the host has /dev/shm: rings, the spec that the ranks read, and the
/// launcher's temporary files. Only its owner can read it. It is removed with this object.
class JobDir {
 public:
  /// A new folder with a random id. First removes folders of this user whose process is gone.
  static Result<JobDir> make();
  ~JobDir();
  /// A path with a random id at which make() could make a folder: for a folder that another process makes, on any host.
  static std::filesystem::path freePath();
  /// Removes folders of this user whose process is gone.
  static void removeAbandoned();
  JobDir(JobDir&& other) noexcept;
  JobDir& operator=(JobDir&& other) noexcept;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Eight hexadecimal digits.
  [[nodiscard]] const std::string& id() const { return id_; }

 private:
  JobDir() = default;
  std::filesystem::path path_;
  std::string id_;
};

}  // namespace shardlens
