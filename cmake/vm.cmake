# Local states are byte strings that hold headers, registers and marks side by side.
target_compile_options(heddle-vm PRIVATE -fno-strict-aliasing)
# libLLVM knows the names of C++ of its time.
find_package(LLVM 19.1 REQUIRED CONFIG PATHS /usr/lib/llvm-19/lib/cmake/llvm NO_DEFAULT_PATH)
target_include_directories(heddle-vm SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
target_link_libraries(heddle-vm PRIVATE LLVM-19)
target_link_directories(heddle-vm PUBLIC ${LLVM_LIBRARY_DIRS})
