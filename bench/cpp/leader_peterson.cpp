// Election of a leader in a ring whose messages go one way, with O(n log n) messages (Peterson: "An O(n log n) unidirectional algorithm
// for the circular extrema problem", TOPLAS 1982): in each phase an active node stays active if the number that came to it is
// greater than its own and greater than that of the node before.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

#include "channel.h"

#ifndef NODES
#define NODES 4
#endif

struct Message {
  enum Kind { None, First, Second, Elected } kind = None;
  int number = 0;
};

std::array<Channel<Message, NODES>, NODES> links;  // links[i] leads to node i
std::atomic<int> leaders;

class Node {
 public:
  Node(int position, int number) : number_(number), in_(links[position]), out_(links[(position + 1) % NODES]) {}

  // Ends with the number of the leader.
  int run() {
    for (;;) {
      out_.send({Message::First, number_});
      const Message first = in_.receive();
      if (first.kind == Message::Elected) return pass_on(first);
      if (first.number == number_) return win();
      out_.send({Message::Second, first.number});
      const Message second = in_.receive();
      if (second.kind == Message::Elected) return pass_on(second);
      if (first.number < number_ || first.number < second.number) return relay();
      number_ = first.number;
    }
  }

 private:
  int win() {
    assert(leaders.fetch_add(1) == 0);
    out_.send({Message::Elected, number_});
    const Message own = in_.receive();
    assert(own.kind == Message::Elected);
    return own.number;
  }
  int pass_on(Message elected) {
    out_.send(elected);
    return elected.number;
  }
  int relay() {
    for (;;) {
      const Message message = in_.receive();
      out_.send(message);
      if (message.kind == Message::Elected) return message.number;
    }
  }

  int number_;
  Channel<Message, NODES>&in_, &out_;
};

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < NODES; ++i) threads.emplace_back([i] { assert(Node(i, NODES - i).run() == NODES); });
  for (auto& thread : threads) thread.join();
  assert(leaders.load() == 1);
}
