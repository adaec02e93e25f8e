# SPDX-License-Identifier: Apache-2.0
# The C programs are compiled into their adapter, so that it works wherever it is copied to: ${generated} is their source.
set(generated "${PROJECT_BINARY_DIR}/generated/genmc_programs.cpp")
file(GLOB programs CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/genmc/*.c" "${CMAKE_CURRENT_SOURCE_DIR}/genmc/*.h"
  "${CMAKE_CURRENT_SOURCE_DIR}/genmc/*.tsv")
set(text "#include \"genmc/programs.hpp\"\nnamespace ringproof::opinions {\nconst std::vector<embedded_file>& embedded_files() {\n  static const std::vector<embedded_file> files{\n")
foreach(program IN LISTS programs)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${program}")
  get_filename_component(name "${program}" NAME)
  file(READ "${program}" content)
  string(APPEND text "    {\"${name}\", R\"text(${content})text\"},\n")
endforeach()
string(APPEND text "  };\n  return files;\n}\n}\n")
file(GENERATE OUTPUT "${generated}" CONTENT "${text}")
