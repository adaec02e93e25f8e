// SPDX-License-Identifier: Apache-2.0
// main() of a scenario binary.
#include <ringproof/verify/check.hpp>
#include <ringproof/verify/verify.hpp>

// Before the static objects of the executable, whichever file they are in.
__attribute__((constructor(101))) static void begin() { ringproof::verify::begin_static_objects(); }
// Before those of any library.
__attribute__((section(".preinit_array"),
               used)) static void (*const begin_libraries)() = ringproof::verify::begin_library_objects;

int main(int argc, char** argv) { return ringproof::verify::run_scenarios(argc, argv); }
