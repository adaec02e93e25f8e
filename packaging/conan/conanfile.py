# SPDX-License-Identifier: Apache-2.0
"""The core of ringproof for Conan 2: `conan create packaging/conan`. The checker's libraries are Debian's."""

import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain
from conan.tools.files import copy, load

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


class Ringproof(ConanFile):
    name = "ringproof"
    license = "Apache-2.0"
    description = "Verified ring buffers between threads or processes, header-only (C++20)"
    topics = ("ring-buffer", "lock-free", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    no_copy_source = True

    def set_version(self):
        text = load(self, os.path.join(ROOT, "CMakeLists.txt"))
        self.version = re.search(r"project\(ringproof VERSION ([0-9.]+)", text).group(1)

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "*.md", "cmake/*", "core/*", "docs/*", "examples/*",
                        "packaging/debian/*"):
            copy(self, pattern, src=ROOT, dst=self.export_sources_folder)

    def validate(self):
        check_min_cppstd(self, 20)

    def package_id(self):
        self.info.clear()

    def generate(self):
        toolchain = CMakeToolchain(self)
        for option in ("TOOLS", "BENCH", "TESTING"):
            toolchain.cache_variables["RINGPROOF_BUILD_" + option] = False
        toolchain.generate()

    def build(self):
        CMake(self).configure()

    def package(self):
        CMake(self).install(component="core")
        copy(self, "LICENSE", src=self.source_folder, dst=os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
        self.cpp_info.set_property("cmake_file_name", "ringproof")
        self.cpp_info.set_property("cmake_target_name", "ringproof::core")
        self.cpp_info.set_property("pkg_config_name", "ringproof-core")
