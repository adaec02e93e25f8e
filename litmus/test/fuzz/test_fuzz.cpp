// SPDX-License-Identifier: Apache-2.0
// libFuzzer: whatever a test file says, of any dialect, reading it ends with a test or with an error that names a
// place, and a small test can also be simulated.
//
//     litmus_fuzz_test [-max_total_time=20] FOUND litmus/tests/x86 litmus/test/fuzz/corpus/test
#include "../../src/enumerate/search.hpp"
#include "../../src/frontend/front_ends.hpp"

using namespace ringproof::litmus;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const loaded_test t =
            load_test({"t.litmus", std::string(reinterpret_cast<const char*>(data), size)}, 1);
        std::size_t events = 0;
        for (const auto& paths : t.what.threads)
            for (const path& one : paths) events += one.events.size();
        if (events > 12 || t.what.locations.size() > 4) return 0;
        static const model sc = model::load("sc", {});
        limits l;
        l.seconds = 0.2;
        l.keep = 1;
        simulate(t.text, t.what, sc, l);
    } catch (const std::runtime_error&) { // bad input, told
    }
    return 0;
}
