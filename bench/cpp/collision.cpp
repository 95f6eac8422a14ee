// Avoiding collisions on a shared medium (Jensen, Larsen, Skou: "Modelling and analysis of a collision avoidance protocol using SPIN
// and UPPAAL", 1996): a master asks the stations in turn, and only who is asked may put something on the medium. With
// -D POLITE=0 a station that has something to send does not wait to be asked.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

#ifndef STATIONS
#define STATIONS 3
#endif
#ifndef FRAMES
#define FRAMES 2
#endif
#ifndef POLITE
#define POLITE 1
#endif

constexpr int nobody = -1, master = STATIONS;

struct Frame {
  int to = nobody;
  enum Kind { Silence, Enquiry, Nothing, Data } kind = Silence;
  int from = nobody;
};

// One frame at a time; a second one beside it is a collision.
class Medium {
 public:
  void put(const Frame& frame) {
    assert(!busy_.exchange(true) && "collision");
    frame_ = frame;
    for_.store(frame.to, std::memory_order_release);
  }
  Frame take(int station) {
    while (for_.load(std::memory_order_acquire) != station) {}
    const Frame frame = frame_;
    frame_ = Frame();
    for_.store(nobody, std::memory_order_relaxed);
    busy_.store(false, std::memory_order_release);
    return frame;
  }

 private:
  Frame frame_;
  std::atomic<int> for_{nobody};
  std::atomic<bool> busy_{false};
};

class User {
 public:
  std::atomic<int> wants{0};  // frames that wait to be sent
};

Medium medium;
std::array<User, STATIONS> users;
std::atomic<int> delivered;

void serve(int station) {
  for (int answered = 0; answered < FRAMES;) {
    if (POLITE || users[station].wants.load() == 0) {
      const Frame frame = medium.take(station);
      assert(frame.kind == Frame::Enquiry && frame.from == master);
    }
    if (users[station].wants.load() > 0) {
      users[station].wants.fetch_sub(1);
      ++answered;
      medium.put({master, Frame::Data, station});
    } else {
      medium.put({master, Frame::Nothing, station});
    }
  }
}

void ask() {
  std::array<int, STATIONS> got{};
  for (int left = STATIONS * FRAMES; left > 0;)
    for (int station = 0; station < STATIONS; ++station) {
      if (got[station] == FRAMES) continue;
      medium.put({station, Frame::Enquiry, master});
      const Frame answer = medium.take(master);
      assert(answer.from == station);
      if (answer.kind != Frame::Data) continue;
      ++got[station];
      --left;
      delivered.fetch_add(1);
    }
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < STATIONS; ++i) {
    threads.emplace_back(serve, i);
    threads.emplace_back([i] {
      for (int n = 0; n < FRAMES; ++n) users[i].wants.fetch_add(1);
    });
  }
  ask();
  for (auto& thread : threads) thread.join();
  assert(delivered.load() == STATIONS * FRAMES);
}
