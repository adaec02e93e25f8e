// SPDX-License-Identifier: Apache-2.0
// Java's variables: an object that nothing refers to is collected.
#include <relacy/relacy_java.hpp>

struct forgets_a_number : rl::test_suite<forgets_a_number, 2> {
    rl::jvolatile<rl::jvar<int>*> number;
    void before() { number($) = new rl::jvar<int>(1); }
    void thread(unsigned) {
        rl::jvar<int>* const own = new rl::jvar<int>(2);
        rl::jvar<int>* const seen = number($);
        number($) = own;
        RL_ASSERT((*seen)($) >= 1);
    }
};

int main() { rl::simulate<forgets_a_number>(); }
