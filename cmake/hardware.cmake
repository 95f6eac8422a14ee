target_link_libraries(heddle-hardware PRIVATE nlohmann_json::nlohmann_json)
