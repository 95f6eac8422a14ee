// An exception that leaks: what was allocated before it is never freed.
//
//   heddle check examples/exception_leak.cpp              the leak, with the line that allocates
//   heddle check examples/exception_leak.cpp -D MENDED    std::unique_ptr frees it
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <stdexcept>

struct Message {
  int length;
};

static void send(const Message& message) {
  if (message.length > 10) throw std::length_error("message too long");
}

int main() {
  try {
#ifdef MENDED
    const auto message = std::make_unique<Message>(Message{20});
    send(*message);
#else
    auto* message = new Message{20};
    send(*message);
    delete message;
#endif
  } catch (const std::length_error&) {
  }
}
