# libLLVM is seen by this folder only. Its headers are not ours to warn about.
find_package(LLVM 19.1 REQUIRED CONFIG PATHS /usr/lib/llvm-19/lib/cmake/llvm NO_DEFAULT_PATH)
target_include_directories(heddle-lang-llvm SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
target_link_libraries(heddle-lang-llvm PRIVATE LLVM-19)
target_link_directories(heddle-lang-llvm PUBLIC ${LLVM_LIBRARY_DIRS})
target_compile_options(heddle-lang-llvm PRIVATE -fno-rtti -Wno-unused-parameter -Wno-mismatched-new-delete)

# The prelude of checked programs is C, compiled to IR that is part of this folder. Of the optimisations only those run
# that keep every use of an address as it is written. Words and addresses are those of every target that programs are
# compiled for; what names one target is taken out.
find_program(CLANG NAMES clang-19 PATHS /usr/lib/llvm-19/bin REQUIRED)
find_program(OPT NAMES opt-19 PATHS /usr/lib/llvm-19/bin REQUIRED)
set(prelude ${CMAKE_BINARY_DIR}/generated/prelude)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/generated)
add_custom_command(
  OUTPUT ${prelude}.cpp
  COMMAND ${CLANG} --target=x86_64-unknown-linux-musl -std=c11 -O1 -ffreestanding -fno-strict-aliasing
          -Xclang -disable-llvm-passes -Xclang -no-enable-noundef-analysis -c -emit-llvm
          -o ${prelude}.bc ${CMAKE_SOURCE_DIR}/runtime/prelude/prelude.c
  COMMAND ${OPT} -S -passes=always-inline,globaldce,sroa,simplifycfg -o ${prelude}.ll ${prelude}.bc
  COMMAND ${CMAKE_COMMAND} -DFROM=${prelude}.ll -DTO=${prelude}.cpp -P ${CMAKE_SOURCE_DIR}/cmake/embed_prelude.cmake
  DEPENDS ${CMAKE_SOURCE_DIR}/runtime/prelude/prelude.c ${CMAKE_SOURCE_DIR}/cmake/embed_prelude.cmake
  VERBATIM)
target_sources(heddle-lang-llvm PRIVATE ${prelude}.cpp)
