// what    try_lock of every kind of mutex, by its method and by a lock that holds it
// why     an implementation may let it fail though the mutex is free, and the verdict did not say that this is left out
// because One thread, one execution.
// assumes try_lock takes a lock that is free (C11 and C++ let it fail)
// with    -D CASE=1
// expect  sc,rc11 holds
// with    -D CASE=2
// expect  sc,rc11 holds
// with    -D CASE=3
// expect  sc,rc11 holds
// with    -D CASE=4
// expect  sc,rc11 holds
// with    -D CASE=5
// expect  sc,rc11 holds
// with    -D CASE=6
// expect  sc,rc11 holds
// assumes nothing
// with    -D CASE=7
// expect  sc,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <mutex>
#include <shared_mutex>

#if CASE == 4
std::shared_mutex one, two;
#elif CASE == 5
std::shared_timed_mutex one, two;
#elif CASE == 6
std::recursive_timed_mutex one, two;
#else
std::mutex one, two;
#endif

int main() {
#if CASE == 2
  std::unique_lock lock(one, std::try_to_lock);
  assert(lock.owns_lock());
#elif CASE == 3
  assert(std::try_lock(one, two) == -1);
  one.unlock();
  two.unlock();
#elif CASE == 5
  assert(one.try_lock_shared());
  one.unlock_shared();
#elif CASE == 7
  std::scoped_lock lock(one, two);
#else
  assert(one.try_lock());
  one.unlock();
#endif
}
