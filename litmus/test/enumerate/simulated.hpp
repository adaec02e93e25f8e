// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the tests of the search share: a test's text under a model, and texts that several use.

#include "../../src/enumerate/search.hpp"
#include "../../src/frontend/front_ends.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace ringproof::litmus {

inline simulation run(const std::string& text, const std::string& model_name, limits l = {}) {
    const loaded_test t = load_test({"t.litmus", text}, 2);
    return simulate(t.text, t.what, model::load(model_name, {}), l);
}

inline const std::string store_buffering =
    "X86 SB\n{ }\n P0          | P1          ;\n MOV [x],$1  | MOV [y],$1  ;\n"
    " MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)";

inline std::string load_buffering(const std::string& between) {
    return "C LB\n{ }\nP0(atomic_int *x, atomic_int *y) {\n int r = atomic_load_explicit(x, "
           "memory_order_relaxed);\n" +
           between +
           "}\nP1(atomic_int *x, atomic_int *y) {\n int r = atomic_load_explicit(y, memory_order_relaxed);\n"
           " atomic_store_explicit(x, r, memory_order_relaxed);\n}\nexists (0:r=1 /\\ 1:r=1)";
}
/// A model file for as long as a test needs it.
struct model_file {
    explicit model_file(const std::string& text) { std::ofstream(path) << "\"m\"\n" << text; }
    ~model_file() { std::filesystem::remove(path); }
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("model-" + std::to_string(getpid()) + ".cat");
};

inline const std::string four_accesses =
    "X86 T\n{ }\n P0         | P1          ;\n MOV [x],$1 | MOV EAX,[x] ;\n"
    " MOV [x],$2 | MOV EBX,[x] ;\nexists (1:EAX=2 /\\ 1:EBX=1)";

} // namespace ringproof::litmus
