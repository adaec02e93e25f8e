// SPDX-License-Identifier: Apache-2.0
// What ringproof/verify/verify.hpp declares, for scenarios that run on another checker.

#include "hooks.hpp"

#include <ringproof/verify/interrupt.hpp>
#include <ringproof/verify/verify.hpp>

#include <algorithm>

namespace shim = ringproof::opinions;

namespace {

std::vector<shim::named_scenario>& registry() {
    static std::vector<shim::named_scenario> all;
    return all;
}

} // namespace

std::vector<shim::named_scenario> shim::scenarios() {
    std::vector<named_scenario> all = registry();
    std::stable_sort(all.begin(), all.end(), [](const named_scenario& a, const named_scenario& b) {
        return std::string_view(a.file) < b.file;
    });
    return all;
}

namespace ringproof::verify {

registrar::registrar(std::string_view name, void (*body)(), scenario_options, const char* file, int line) {
    registry().push_back({std::string(name), body, file, line});
}

void pause() {
    const shim::hook with;
    if (with) with->yield(RINGPROOF_PLACE);
}

void assume(bool condition) {
    const shim::hook with;
    if (with && !condition) shim::cannot_express("it takes executions out of account (verify::assume)");
}

void cover(const char*) {}
void evaluated() noexcept {}

void fail(const char* expression, const char*, int) {
    const shim::hook with;
    if (with) with->fail(expression, RINGPROOF_PLACE);
}

void attached_handler::attach() { shim::cannot_express("it interrupts threads (verify::interrupt)"); }
void attached_handler::detach() {}
no_interrupts::no_interrupts(unsigned) { shim::cannot_express("it masks interrupts"); }
no_interrupts::~no_interrupts() = default;

} // namespace ringproof::verify
