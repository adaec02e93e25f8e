// SPDX-License-Identifier: Apache-2.0
// Loops as users write them, with all that they share on main()'s stack.
#include <cassert>
#include <mutex>
#include <thread>

struct slot {
    std::mutex m;
    int value = 0;
    bool full = false;
    bool try_pop(int& out) {
        const std::lock_guard guard(m);
        if (!full) return false;
        out = value;
        full = false;
        return true;
    }
    void push(int what) {
        const std::lock_guard guard(m);
        value = what;
        full = true;
    }
};

int main() {
#ifdef IN_BOTH_ORDERS
    std::mutex a, b;
    int seen = 5;
    std::thread t([&] {
        const std::scoped_lock both(a, b);
        ++seen;
    });
    {
        const std::scoped_lock both(b, a);
        ++seen;
    }
#else
    slot s;
    int seen = 0;
    std::thread t([&] {
        while (!s.try_pop(seen))
            ;
    });
    s.push(7);
#endif
    t.join();
    assert(seen == 7);
}
