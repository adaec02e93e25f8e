// SPDX-License-Identifier: Apache-2.0
// That the comparison can fail: threads that do not do what the program says, as an engine would make them
// seem that leaves out too much or too little. Instrumented, with a main of its own.
#include "comparison.hpp"
#include "interpreter.hpp"

#include <cstdio>

namespace ringproof::verify::loops {
namespace {

constexpr std::memory_order relaxed = std::memory_order_relaxed;

program one_gives_up() {
    program made;
    made.size = 2;
    made.threads[0] = writer().store(0, 1, relaxed).done();
    made.threads[1] = writer()
                          .loop()
                          .load(0, 0, relaxed)
                          .break_if(reg(0), comparison::equal, 1)
                          .set(1, reg(1, 1))
                          .break_if(reg(1), comparison::equal, 2)
                          .end()
                          .report(0)
                          .done();
    return made;
}

/// As if the rounds that count were left out.
void never_gives_up(const program&, std::size_t thread, shared_memory& shared, int*) {
    if (thread == 0) return shared.locations[0].store(1, relaxed);
    while (shared.locations[0].load(relaxed) != 1) {
    }
    shared.reported[1][0] = 1;
}

void gives_up(const program&, std::size_t thread, shared_memory& shared, int*) {
    if (thread == 0) return shared.locations[0].store(1, relaxed);
    int seen = 0, rounds = 0;
    while ((seen = shared.locations[0].load(relaxed)) != 1)
        if (++rounds == 2) break;
    shared.reported[1][0] = seen;
}

void does_more(const program&, std::size_t thread, shared_memory& shared, int* own) {
    shared.locations[1].store(1, relaxed);
    gives_up({}, thread, shared, own);
}

void fails(const program&, std::size_t thread, shared_memory& shared, int* own) {
    if (thread == 1 && shared.locations[0].load(relaxed) == 1) fail();
    gives_up({}, thread, shared, own);
}

void waits(const program&, std::size_t thread, shared_memory& shared, int* own) {
    gives_up({}, thread, shared, own);
    while (thread == 1 && shared.locations[0].load(relaxed) != 2) {
    }
}

int wrong = 0;

void expect(const char* what, thread_body code, const char* expected) {
    static const program subject = one_gives_up();
    const comparison_result found = compare(subject, memory_model::rc11, code);
    const bool same = expected[0] == 0 ? found.wrong.empty() && found.judged
                                       : found.wrong.find(expected) != std::string::npos;
    std::printf("%s  %s\n", same ? "ok    " : "FAILED", what);
    if (!same) std::printf("    instead of '%s': %s\n", expected, found.wrong.c_str());
    wrong += !same;
}

void run() {
    expect("the program as it is agrees", interpret, "");
    expect("and so does the same in C++", gives_up, "");
    expect("a final state that is not reached is missed", never_gives_up, "missing: T1:r0=0");
    expect("another final state is unexpected", does_more, "unexpected: T1:r0=1 x0=1 x1=1");
    expect("a failure that cannot be is noticed", fails, "the checker reports a failure that cannot be");
    expect("a wait that cannot be is noticed", waits, "waits for ever");
}

} // namespace
} // namespace ringproof::verify::loops

int main() {
    ringproof::verify::loops::run();
    return ringproof::verify::loops::wrong == 0 ? 0 : 1;
}
