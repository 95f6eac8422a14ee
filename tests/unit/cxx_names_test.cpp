// Names of C++ as a report shows them. The symbols were written by clang and g++ for the functions that stand beside them.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "lang/llvm/demangle.h"
#include "vm/names.h"

namespace heddle {
namespace {

TEST(CxxNames, functions_are_shown_as_they_are_declared) {
  EXPECT_EQ(lang::llvm_ir::demangled("_ZN5Queue4pushEi"), "Queue::push(int)");
  EXPECT_EQ(lang::llvm_ir::demangled("_ZNSt3__16vectorIiNS_9allocatorIiEEEixB8se190107Em"),
            "std::vector<int, std::allocator<int>>::operator[](unsigned long)");
  EXPECT_EQ(lang::llvm_ir::demangled("free"), "free");
  EXPECT_EQ(lang::llvm_ir::demangled("_Zwhat"), "_Zwhat");
}

// template <std::integral T> T twice(T), instantiated for int.
TEST(CxxNames, of_templates_with_constraints_as_well) {
  EXPECT_EQ(lang::llvm_ir::demangled("_Z5twiceITkSt8integraliET_S0_"), "int twice<int>(int)");
}

TEST(CxxNames, types_are_known_by_what_type_info_calls_them) {
  EXPECT_EQ(vm::type_name_of("i"), "int");
  EXPECT_EQ(vm::type_name_of("St13runtime_error"), "std::runtime_error");
  EXPECT_EQ(vm::type_name_of("NSt3__112system_errorE"), "std::system_error");
  EXPECT_EQ(vm::type_name_of("PKc"), "char const*");
  EXPECT_EQ(vm::type_name_of(""), "unknown");
}

}  // namespace
}  // namespace heddle
