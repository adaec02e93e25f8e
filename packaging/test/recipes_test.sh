#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The recipes of package managers that are not to be had here: as much of them as runs without. packaging/README.md says
# which of them were tried for real.
set -u
# shellcheck source=tools/test/lib.sh
. "$(dirname -- "$0")/../../tools/test/lib.sh"
needs() { command -v "$1" >/dev/null || { echo "skipped: no $1; apt-get install $2" && exit 77; }; }
version=$(sed -n 's/^project(ringproof VERSION \([0-9.]*\).*/\1/p' "$top/CMakeLists.txt")

case_versions() { # every recipe has the version of the project
    [ -n "$version" ] || fail "the project has no version"
    grep -qF "\"version\": \"$version\"" "$top/packaging/vcpkg/ringproof/vcpkg.json" || fail "vcpkg has another version"
    sed 1q "$top/packaging/debian/changelog" | grep -qF "ringproof ($version)" || fail "debian/changelog has another version"
}
case_vcpkg() { # the vcpkg port installs the core where its own steps look for it
    needs python3 python3
    runs 0 python3 -m json.tool "$top/packaging/vcpkg/ringproof/vcpkg.json"
    # Stand-ins for vcpkg's functions, which do the same with CMake.
    cat >"$here/port.cmake" <<END
set(CURRENT_PACKAGES_DIR "$here/packages")
set(PORT ringproof)
function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
  execute_process(COMMAND "\${CMAKE_COMMAND}" -S "\${arg_SOURCE_PATH}" -B "$here/build" \${arg_OPTIONS}
    "-DCMAKE_INSTALL_PREFIX=$here/packages" "-DCMAKE_CXX_COMPILER=$CXX" COMMAND_ERROR_IS_FATAL ANY)
endfunction()
function(vcpkg_cmake_install)
  execute_process(COMMAND "\${CMAKE_COMMAND}" --install "$here/build" COMMAND_ERROR_IS_FATAL ANY)
endfunction()
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "CONFIG_PATH" "")
  if(NOT EXISTS "$here/packages/\${arg_CONFIG_PATH}/ringproof-config.cmake")
    message(FATAL_ERROR "no configuration in \${arg_CONFIG_PATH}")
  endif()
endfunction()
function(vcpkg_fixup_pkgconfig)
  if(NOT EXISTS "$here/packages/share/pkgconfig/ringproof-core.pc")
    message(FATAL_ERROR "no pkg-config file")
  endif()
endfunction()
function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
  file(COPY \${arg_FILE_LIST} DESTINATION "$here/packages/share/ringproof")
endfunction()
include("$top/packaging/vcpkg/ringproof/portfile.cmake")
END
    runs 0 cmake -P "$here/port.cmake"
    for file in include/ringproof/record_ring.hpp share/ringproof/LICENSE share/ringproof/usage; do
        [ -f "$here/packages/$file" ] || fail "no $file"
    done
    [ ! -e "$here/packages/bin" ] || fail "more than the core"
}
case_conan() { # the Conan recipe finds the version and the files that it exports
    needs python3 python3
    cat >"$here/run.py" <<'END'
import importlib.util, os, sys, types
for name in ("conan", "conan.tools", "conan.tools.build", "conan.tools.cmake", "conan.tools.files"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["conan"].ConanFile = type("ConanFile", (), {})
sys.modules["conan.tools.build"].check_min_cppstd = lambda recipe, version: None
sys.modules["conan.tools.cmake"].CMake = sys.modules["conan.tools.cmake"].CMakeToolchain = object
files, exported = sys.modules["conan.tools.files"], []
files.load = lambda recipe, path: open(path).read()
files.copy = lambda recipe, pattern, src, dst: exported.append(os.path.join(src, pattern.rstrip("*")))
spec = importlib.util.spec_from_file_location("conanfile", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
recipe = module.Ringproof()
recipe.set_version()
recipe.export_sources_folder = "there"
recipe.export_sources()
for path in exported:
    if not path.endswith(".md") and not os.path.exists(path):
        sys.exit("exported, and not there: " + path)
print("version", recipe.version)
END
    runs 0 python3 "$here/run.py" "$top/packaging/conan/conanfile.py"
    ends "version $version"
}
case_container() { # the Containerfile has known instructions, and its commands are shell and options of this tree
    # An instruction a line: what ends in "\" goes on in the next.
    sed -e ':a' -e '/\\$/N; s/\\\n//; ta' "$top/packaging/container/Containerfile" | grep -v '^#' | grep . >"$here/stdout"
    ! grep -vE '^(ARG|FROM|COPY|WORKDIR|RUN|ENTRYPOINT|CMD) ' "$here/stdout" || fail "not an instruction"
    sed -n 's/^RUN //p' "$here/stdout" >"$here/commands"
    [ -s "$here/commands" ] || fail "no commands"
    runs 0 sh -n "$here/commands"
    runs 0 "$top/suite" help
    says stdout "--packages"
    runs 0 "$top/tools/release" --help
    says stdout "--no-check"
}

"$1"
