target_link_libraries(heddle-report PRIVATE nlohmann_json::nlohmann_json)
