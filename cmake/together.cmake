# together(LIST FOLDER): replaces the sources of src/FOLDER in the list LIST by one file that includes them all, by paths
# that are the same in every checkout (those of CMAKE_UNITY_BUILD are absolute, which a compiler cache cannot share).
# No two sources of a folder have a name of their own in common, and what a template is asked for twice is made once.
function(together list folder)
  if(NOT HEDDLE_TOGETHER)
    return()
  endif()
  set(text)
  foreach(source ${${list}})
    file(RELATIVE_PATH source ${CMAKE_SOURCE_DIR}/src ${source})
    string(APPEND text "#include \"${source}\"\n")
  endforeach()
  set(file ${CMAKE_BINARY_DIR}/together/${folder}.cpp)
  file(CONFIGURE OUTPUT ${file} CONTENT "${text}")
  set(${list} ${file} PARENT_SCOPE)
endfunction()

# A name that a local one hides is no mistake where the two come from different files.
if(HEDDLE_TOGETHER)
  add_compile_options(-Wno-shadow)
  # Of strings that it can look into from many places g++ 12 believes that they overlap.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-restrict)
  endif()
endif()
