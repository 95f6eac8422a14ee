// std::random_device, in place of libc++'s src/random.cpp, which reads a file of the system. Every device gives the same
// numbers; a verdict about a program that asks for them says so.
// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <random>
#include <string>
#include <system_error>

_LIBCPP_BEGIN_NAMESPACE_STD

// __f_ holds the last number, of 31 bits, or -1: /dev/null has none.
random_device::random_device(const string& token) : __f_(token == "/dev/null" ? -1 : 0) {
  if (token != "/dev/urandom" && token != "/dev/random" && token != "/dev/null")
    throw system_error(ENOENT, system_category(), "random_device failed to open " + token);
}

random_device::~random_device() {}

unsigned random_device::operator()() {
  if (__f_ < 0) throw system_error(ENOMSG, system_category(), "random_device got EOF");
  const unsigned next = static_cast<unsigned>(__f_) * 1664525U + 1013904223U;
  __f_ = static_cast<int>(next & 0x7fffffff);
  return next ^ next >> 16;
}

double random_device::entropy() const noexcept { return 0; }

_LIBCPP_END_NAMESPACE_STD
