// SPDX-License-Identifier: Apache-2.0
// What cannot be had, one at a time: each is refused in a sentence.
#include <relacy/relacy.hpp>

struct suite : rl::test_suite<suite, 1> {
#ifdef INVARIANT
    void invariant() {}
#endif
    void thread(unsigned) {
#ifdef SYSTEMWIDE_FENCE
        FlushProcessWriteBuffers();
#endif
#ifdef SUSPENDED
        SuspendThread(nullptr);
#endif
#ifdef LARGE
        struct large {
            char bytes[24];
        };
        static rl::atomic<large> x;
#endif
    }
};

#ifdef OTHERWISE
struct expects_a_race : rl::test_suite<expects_a_race, 1, rl::test_result_data_race> {
    void thread(unsigned) { RL_ASSERT(!"an assertion"); }
};
#endif

int main() {
#ifdef OTHERWISE
    rl::simulate<expects_a_race>();
#elif !defined NOTHING
    rl::simulate<suite>();
#endif
}
