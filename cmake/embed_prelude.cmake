# cmake -DFROM=prelude.ll -DTO=prelude.cpp -P embed_prelude.cmake: the IR as the string of lang/llvm/prelude.h, without
# the lines that name a target.
file(STRINGS ${FROM} lines)
set(text "")
foreach(line IN LISTS lines)
  if(NOT line MATCHES "^(target |source_filename|; ModuleID)")
    string(APPEND text "${line}\n")
  endif()
endforeach()
file(WRITE ${TO} "#include \"lang/llvm/prelude.h\"\n\nnamespace heddle::lang::llvm_ir {\nconst char* const prelude = R\"IR(${text})IR\";\n}\n")
