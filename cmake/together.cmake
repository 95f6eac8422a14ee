# together(LIST FOLDER): replaces the sources of src/FOLDER in the list LIST by files that include a dozen of them each,
# by paths that are the same in every checkout (those of CMAKE_UNITY_BUILD are absolute, which a compiler cache cannot share).
function(together list folder)
  if(NOT HEDDLE_TOGETHER)
    return()
  endif()
  set(result)
  set(batch)
  foreach(source ${${list}})
    file(RELATIVE_PATH source ${CMAKE_SOURCE_DIR}/src ${source})
    if(source IN_LIST HEDDLE_ALONE)
      list(APPEND result ${CMAKE_SOURCE_DIR}/src/${source})
    else()
      list(APPEND batch ${source})
    endif()
  endforeach()
  set(number 0)
  while(batch)
    list(SUBLIST batch 0 ${HEDDLE_TOGETHER_SIZE} some)
    list(TRANSFORM some PREPEND "#include \"")
    list(TRANSFORM some APPEND "\"\n")
    string(CONCAT text ${some})
    set(file ${CMAKE_BINARY_DIR}/together/${folder}/${number}.cpp)
    file(CONFIGURE OUTPUT ${file} CONTENT "${text}")
    list(APPEND result ${file})
    list(LENGTH batch left)
    if(left GREATER ${HEDDLE_TOGETHER_SIZE})
      list(SUBLIST batch ${HEDDLE_TOGETHER_SIZE} -1 batch)
    else()
      set(batch)
    endif()
    math(EXPR number "${number} + 1")
  endwhile()
  set(${list} ${result} PARENT_SCOPE)
endfunction()

# Sources that are compiled alone although their folder is compiled together: each has a name of its own file that a
# neighbour has too. (A name that a local one hides is no mistake where the two come from different files.)
if(HEDDLE_TOGETHER)
  add_compile_options(-Wno-shadow)
  # Of strings that it can look into from many places g++ 12 believes that they overlap.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-restrict)
  endif()
endif()
set(HEDDLE_TOGETHER_SIZE 12)
set(HEDDLE_ALONE
    core/input
    ltl/syntax
    ir/system ir/unfold_text
    vm/arithmetic_math vm/conditions vm/order_places
    lang/dve/properties
    lang/litmus/aarch64 lang/litmus/generate_family lang/litmus/ppc lang/litmus/riscv
    lang/llvm/reach
    check/cubicle_certificate check/cubicle_explore check/cubicle_machine check/cubicle_replay check/ir_replay
    check/missing_order check/naive_races check/naive_replay check/naive_threads check/sc_order check/thread_lasso
    check/thread_replay
    buffers/linden_wolper buffers/saturate
    report/picture report/repairs report/state_graph report/svg
    drive/buffers_threads drive/languages drive/litmus_engines drive/repair_steps drive/saved
    cli/command_line cli/options)
list(TRANSFORM HEDDLE_ALONE APPEND ".cpp")
