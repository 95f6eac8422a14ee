# libLLVM is seen by this folder only. Its headers are not ours to warn about.
find_package(LLVM 19.1 REQUIRED CONFIG PATHS /usr/lib/llvm-19/lib/cmake/llvm NO_DEFAULT_PATH)
target_include_directories(heddle-lang-llvm SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
target_link_libraries(heddle-lang-llvm PRIVATE LLVM-19)
target_link_directories(heddle-lang-llvm PUBLIC ${LLVM_LIBRARY_DIRS})
target_compile_options(heddle-lang-llvm PRIVATE -fno-rtti -Wno-unused-parameter)
