# Local states are byte strings that hold headers, registers and marks side by side.
target_compile_options(heddle-vm PRIVATE -fno-strict-aliasing)
