// Election of a leader in a ring whose messages go one way: everybody sends its number and passes on greater ones (Chang, Roberts:
// "An improved algorithm for decentralized extrema-finding in circular configurations of processes", CACM 1979).
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
  enum Kind { None, Candidate, Elected } kind = None;
  int number = 0;
};

std::array<Channel<Message, NODES>, NODES> links;  // links[i] leads to node i
std::atomic<int> leaders;

class Node {
 public:
  Node(int position, int number) : number_(number), in_(links[position]), out_(links[(position + 1) % NODES]) {}

  // Ends with the number of the leader.
  int run() {
    out_.send({Message::Candidate, number_});
    for (;;) {
      const Message message = in_.receive();
      if (message.kind == Message::Elected) {
        if (message.number != number_) out_.send(message);
        return message.number;
      }
      if (message.number > number_) {
        out_.send(message);
      } else if (message.number == number_) {
        assert(leaders.fetch_add(1) == 0);
        out_.send({Message::Elected, number_});
      }
    }
  }

 private:
  const int number_;
  Channel<Message, NODES>&in_, &out_;
};

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < NODES; ++i)
    threads.emplace_back([i] {
      // Numbers that fall along the ring: the greatest number of messages.
      assert(Node(i, NODES - i).run() == NODES);
    });
  for (auto& thread : threads) thread.join();
  assert(leaders.load() == 1);
}
