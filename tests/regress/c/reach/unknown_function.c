// what    --reach with a name that no function has
// why     a goal that does not exist would never be reached: that must not pass for safe
// options --reach function:recieve
// error   0 receive
// SPDX-License-Identifier: Apache-2.0
static int received;
static void receive(void) { received = 1; }
int main(void) {
  receive();
  return 0;
}
