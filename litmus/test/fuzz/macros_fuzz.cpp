// SPDX-License-Identifier: Apache-2.0
// libFuzzer: whatever a macro file says, a test that uses its macros is read, or there is an error that names a place.
// Input: the macro file; what stands behind a line "%%" is the body of a thread that uses it.
#include "../../src/frontend/c_macros.hpp"
#include "../../src/frontend/front_ends.hpp"

using namespace ringproof::litmus;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string input(reinterpret_cast<const char*>(data), size);
    const std::size_t cut = input.find("%%");
    const std::string body =
        cut == std::string::npos ? " f(x); int a = g(x); h(x, a);" : input.substr(cut + 2);
    try {
        c::macros m;
        m.add({"m.def", input.substr(0, cut)});
        load_test({"t.litmus", "C T\n{}\nP0(int *x, int *y) {" + body + "}\nexists (x=1)\n"}, 1, &m);
    } catch (const std::runtime_error&) { // bad input, told
    }
    return 0;
}
