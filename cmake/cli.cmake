# The command line is read by CLI11, which no other folder sees.
find_package(CLI11 REQUIRED)
target_link_libraries(heddle-cli PRIVATE CLI11::CLI11)
