// Nothing of the host's headers reaches a checked program: clang's own list of what it has read (-H) names files of the
// runtime library and of clang itself only, with and without the library, whatever the environment says.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "lang/llvm/load.h"
#include "support/places.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

class Headers : public testing::Test {
 protected:
  Headers() {
    char name[] = "/tmp/heddle-headers-XXXXXX";
    folder_ = ::mkdtemp(name);
    list_ = folder_ / "list";
    // Stands where clang does, and keeps what clang says of the headers it opens.
    const fs::path clang = folder_ / "clang";
    std::ofstream(clang) << "#!/bin/sh\nif [ \"$1\" = resources ]; then exec clang-19 -print-resource-dir; fi\n"
                            "clang-19 -H \"$@\" 2> '"
                         << list_.string() << "'\nstatus=$?\ngrep -v '^\\.' '" << list_.string()
                         << "' >&2\nexit $status\n";
    fs::permissions(clang, fs::perms::owner_all);
    options_.clang = clang.string();
    FILE* pipe = ::popen((clang.string() + " resources").c_str(), "r");
    char line[4096] = {};
    if (pipe != nullptr && std::fgets(line, sizeof line, pipe) != nullptr) own_ = line;
    if (pipe != nullptr) ::pclose(pipe);
    own_.erase(own_.find_last_not_of('\n') + 1);
    own_ = fs::weakly_canonical(own_).string();
  }
  ~Headers() override { fs::remove_all(folder_); }

  bool loads(const std::string& code) {
    const fs::path file = folder_ / "program.c";
    std::ofstream(file) << code;
    return static_cast<bool>(lang::llvm_ir::load({file.string()}, options_));
  }

  std::vector<std::string> read_headers() const {
    std::vector<std::string> files;
    std::ifstream in(list_);
    for (std::string line; std::getline(in, line);)
      if (line.starts_with('.')) files.push_back(fs::weakly_canonical(line.substr(line.find(' ') + 1)).string());
    return files;
  }

  // A folder of headers that must not be seen.
  fs::path poisoned() const {
    const fs::path folder = folder_ / "host";
    fs::create_directories(folder);
    for (const char* name : {"string.h", "stdio.h", "only_here.h"})
      std::ofstream(folder / name) << "#error the host's header was read\n";
    return folder;
  }

  fs::path folder_, list_;
  std::string own_;
  lang::llvm_ir::Options options_;
};

constexpr const char* everything =
    "#include <assert.h>\n#include <complex.h>\n#include <ctype.h>\n#include <errno.h>\n#include <fcntl.h>\n"
    "#include <float.h>\n#include <inttypes.h>\n#include <limits.h>\n#include <locale.h>\n#include <math.h>\n"
    "#include <pthread.h>\n#include <sched.h>\n#include <semaphore.h>\n#include <setjmp.h>\n#include <signal.h>\n"
    "#include <stdalign.h>\n#include <stdarg.h>\n#include <stdatomic.h>\n#include <stdbool.h>\n#include <stddef.h>\n"
    "#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <strings.h>\n"
    "#include <sys/types.h>\n#include <threads.h>\n#include <time.h>\n#include <unistd.h>\n#include <wchar.h>\n"
    "int main(void) { return (int)strlen(\"\"); }\n";

TEST_F(Headers, only_the_librarys_and_clangs_are_read) {
  options_.runtime = tests::binary_dir() + "/runtime";
  const fs::path ours = fs::weakly_canonical(options_.runtime) / "include";
  if (!fs::exists(ours)) GTEST_SKIP() << "the runtime library has not been built";
  const std::string host = poisoned().string();
  for (const char* name : {"CPATH", "C_INCLUDE_PATH"}) ::setenv(name, host.c_str(), 1);
  ASSERT_TRUE(loads(everything));
  const std::vector<std::string> files = read_headers();
  EXPECT_GT(files.size(), 30u);
  for (const std::string& file : files)
    EXPECT_TRUE(file.starts_with(ours.string() + "/") || file.starts_with(own_ + "/")) << file;
}

TEST_F(Headers, a_missing_library_is_named) {
  std::ofstream(folder_ / "missing.c") << "#include <string.h>\nint main(void) { return 0; }\n";
  const auto loaded = lang::llvm_ir::load({(folder_ / "missing.c").string()}, options_);
  ASSERT_FALSE(loaded);
  EXPECT_NE(loaded.error().hint.find("HEDDLE_RUNTIME"), std::string::npos) << loaded.error().hint;
}

TEST_F(Headers, without_the_library_there_are_none_but_clangs) {
  EXPECT_FALSE(loads("#include <string.h>\nint main(void) { return 0; }\n"));
  EXPECT_FALSE(loads("#include <sys/types.h>\nint main(void) { return 0; }\n"));
  ASSERT_TRUE(loads("#include <stdatomic.h>\n#include <stdarg.h>\nint main(void) { return 0; }\n"));
  for (const std::string& file : read_headers()) EXPECT_TRUE(file.starts_with(own_ + "/")) << file;
}

}  // namespace
}  // namespace heddle
