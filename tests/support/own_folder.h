// A temporary folder of this process, removed at its end: tests of one file may run at the same time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

namespace heddle::tests {

inline const std::filesystem::path& own_folder() {
  struct Folder {
    std::filesystem::path path = std::filesystem::temp_directory_path() / ("heddle_test_" + std::to_string(::getpid()));
    Folder() { std::filesystem::create_directories(path); }
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  };
  static const Folder folder;
  return folder.path;
}

}  // namespace heddle::tests
