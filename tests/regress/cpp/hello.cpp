// what    iostream, string streams, strings, containers, std::format, regular expressions
// why     the library as it is: long executions, locales, static constructors
// expect  sc holds
// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <format>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

int main() {
  std::cout << "hello, " << 42 << std::endl;
  std::ostringstream out;
  out << 1.5 << ' ' << std::hex << 255;
  assert(out.str() == "1.5 ff");
  std::map<std::string, std::vector<int>> map;
  map["a"].push_back(1);
  map["b"] = {1, 2, 3};
  assert(map.at("b").size() == 3);
  assert(std::format("{:>4}|{}", 7, "x") == "   7|x");
}
