// what    a leak in a program that has strings and streams
// why     the library asks whether two strings overlap by comparing addresses of different objects: that counted as a use of
//         addresses as numbers, after which no leak is looked for
// assumes nothing
// with    -D LEAK
// expect  sc violated kind memory-leak
// with
// expect  sc holds
// with    -D OVERLAP
// expect  sc holds
// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

int main() {
  std::string text = "some words that need memory of their own";
  text += ", and more";
  std::ostringstream out;
  out << text << 1;
  assert(out.str().size() == text.size() + 1);
  std::unordered_map<std::string, int> numbers{{"one", 1}, {text, 2}};
  assert(numbers[text] == 2);
#ifdef LEAK
  new int(numbers["one"]);
#endif
#ifdef OVERLAP  // the library has to notice that what it inserts is part of the string or the vector
  std::string doubled = "abcdefghijklmnopqrstuvwxyz";
  doubled.insert(2, doubled.data() + 1, 4);
  doubled.append(doubled.data(), 3);
  doubled.replace(0, 1, doubled.data() + 25, 3);
  assert(doubled == "vwxbbcdecdefghijklmnopqrstuvwxyzabb");
  std::vector<int> values{1, 2, 3};
  values.reserve(8);
  values.insert(values.begin() + 1, values[2]);
  values.insert(values.begin(), values[3]);
  assert((values == std::vector<int>{3, 1, 3, 2, 3}));
#endif
}
