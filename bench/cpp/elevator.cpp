// An elevator and its controller (after the model "elevator2" of BEEM, Pelánek 2007): persons call it to any floor at any time; the
// controller goes on in its direction while there are calls there, else turns back. It never moves with open doors and never opens
// them between floors.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

#ifndef FLOORS
#define FLOORS 4
#endif
#ifndef PERSONS
#define PERSONS 2
#endif

extern "C" int __VERIFIER_nondet_int(void);

class Cabin {
 public:
  void move(int direction) {
    assert(!open_.load());
    const int floor = floor_.load() + direction;
    assert(floor >= 0 && floor < FLOORS);
    floor_.store(floor);
  }
  void open() { open_.store(true); }
  void close() { open_.store(false); }
  int floor() const { return floor_.load(); }

 private:
  std::atomic<int> floor_{0};
  std::atomic<bool> open_{false};
};

Cabin cabin;
std::array<std::atomic<bool>, FLOORS> called;

void control() {
  int direction = 1;
  for (;;) {
    const int floor = cabin.floor();
    if (called[floor].load()) {
      cabin.open();
      called[floor].store(false);
      cabin.close();
    }
    bool ahead = false, any = false;
    for (int f = 0; f < FLOORS; ++f)
      if (called[f].load()) {
        any = true;
        ahead = ahead || (direction > 0 ? f > floor : f < floor);
      }
    if (!any) continue;
    if (!ahead) direction = -direction;
    const int next = floor + direction;
    if (next >= 0 && next < FLOORS) cabin.move(direction);
  }
}

int main() {
  std::vector<std::thread> threads;
  threads.emplace_back(control);
  for (int i = 0; i < PERSONS; ++i)
    threads.emplace_back([] {
      int at = 0;
      for (;;) {
        const int choice = __VERIFIER_nondet_int();
        const int wanted = choice < 0 ? 0 : choice >= FLOORS ? FLOORS - 1 : choice;
        if (wanted == at) continue;
        called[at].store(true);
        while (called[at].load()) {}
        called[wanted].store(true);
        while (called[wanted].load()) {}
        at = wanted;
      }
    });
  for (auto& thread : threads) thread.join();
}
