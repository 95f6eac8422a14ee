# Sources that are compiled alone although their folder is compiled together: each has a name of its own file that a
# neighbour has too. (A name that a local one hides is no mistake where the two come from different files.)
if(HEDDLE_TOGETHER)
  # Of strings that it can look into from many places g++ 12 believes that they overlap.
  add_compile_options(-Wno-shadow -Wno-restrict)
endif()
foreach(source
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
  set_source_files_properties(src/${source}.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endforeach()
