// SPDX-License-Identifier: Apache-2.0
// libFuzzer: whatever a model file says, reading and interpreting it ends with a graph or with an error that names a
// place. What looks into sets is interpreted for one small execution.
#include "../../src/cat/coherence.hpp"
#include "../../src/cat/interpreter.hpp"

using namespace ringproof::litmus;

namespace {

/// Three events, of which `po` relates each with the next.
struct small_execution : cat::base_values {
    void fill(const std::string& name, bool is_set, word* to) const override {
        if (is_set)
            to[0] = name.size() % 2 ? 0b111 : 0b011;
        else
            to[0] = 0b110, to[1] = 0b100;
    }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const auto m = cat::parse_model({"m.cat", std::string(reinterpret_cast<const char*>(data), size)});
        cat::setting s;
        try {
            cat::coherence_of(cat::interpret(*m, s));
        } catch (const cat::needs_execution&) {
            const small_execution x;
            s.size = extent(3);
            s.execution = &x;
            cat::interpret(*m, s);
        }
    } catch (const std::runtime_error&) { // bad input, told
    }
    return 0;
}
