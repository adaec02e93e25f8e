# SPDX-License-Identifier: Apache-2.0
# Our models are data, compiled in, so that the simulator works wherever it is copied to: ${generated} is their source.
set(generated "${PROJECT_BINARY_DIR}/generated/litmus_models.cpp")
file(GLOB models CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/models/*.cat")
set(text "#include \"cat/embedded.hpp\"\nnamespace ringproof::litmus::cat {\nconst std::vector<embedded_file>& embedded_files() {\n  static const std::vector<embedded_file> files{\n")
foreach(model IN LISTS models)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${model}")
  get_filename_component(name "${model}" NAME)
  file(READ "${model}" content)
  string(APPEND text "    {\"${name}\", R\"cat(${content})cat\"},\n")
endforeach()
string(APPEND text "  };\n  return files;\n}\n}\n")
file(GENERATE OUTPUT "${generated}" CONTENT "${text}")
