// Many tests on this machine, one after the other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/print.h"

namespace heddle::hardware {

class Session {
 public:
  // `table`: one at the end in place of histograms.
  Session(Options options, bool table) : options_(std::move(options)), table_(table) {}

  // What is printed goes to `put`, each test as soon as it has run. A mistake: there is no compiler, or this machine is
  // none that is known.
  support::Result<std::vector<Answer>> run(const std::vector<std::string>& files, core::Budget&,
                                           const std::function<void(std::string_view)>& put);
  std::string json(const std::vector<Answer>&) const;

  // The answers that run() has by now. May be called by any thread.
  std::vector<Answer> known() const;

 private:
  Options options_;
  bool table_;
  const Machine* machine_ = this_machine();
  std::string compiler_;
  mutable std::mutex mutex_;
  std::vector<Answer> known_;
};

bool forbidden(const std::vector<Answer>&);  // has some test shown an outcome that its model forbids?
bool complete(const std::vector<Answer>&);   // was every test read and run at some setting, within all limits?

}  // namespace heddle::hardware
