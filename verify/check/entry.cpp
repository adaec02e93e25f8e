// SPDX-License-Identifier: Apache-2.0
// Linked into a checked program with --wrap=main: what starts is this, and the program's own main() is
// what is explored.

#include <ringproof/verify/check.hpp>

#include <cstdlib>

extern "C" {
int __real_main(int argc, char** argv);
int __wrap_main(int argc, char** argv);
/// main() of the program that was given by --with, if one was.
int ringproof_second_main(int argc, char** argv) __attribute__((weak));
}

static int both(int argc, char** argv) {
    return ringproof::verify::run_together(&__real_main, &ringproof_second_main, argc, argv);
}

// Before the program's static objects, whichever file they are in.
__attribute__((constructor(101))) static void begin() { ringproof::verify::begin_static_objects(); }
// Before those of any library.
__attribute__((section(".preinit_array"),
               used)) static void (*const begin_libraries)() = ringproof::verify::begin_library_objects;

int __wrap_main(int argc, char** argv) {
    const char* name = std::getenv("RINGPROOF_CHECK_NAME");
    return ringproof::verify::run_program(argc, argv, name ? name : argv[0],
                                          ringproof_second_main ? &both : &__real_main);
}
