// SPDX-License-Identifier: Apache-2.0
// Structures that functions return and take by value, shared by two threads. With LOCKED a mutex orders the two.
#include <array>
#include <chrono>
#include <mutex>
#include <optional>
#include <thread>

namespace {

struct small {
    int x, y;
};
struct fractions {
    double x, y;
};
struct large {
    long all[12];
};
struct huge {
    long all[80];
};

template <class T>
[[gnu::noinline]] T made() {
    return T{};
}
template <class T>
[[gnu::noinline]] void takes(T) {}

THING shared{};
THING* const known = &shared;
std::mutex mutex;

void change() { CHANGE; }
void look() { LOOK; }

template <class Function>
void locked(Function f) {
#ifdef LOCKED
    const std::lock_guard guard(mutex);
#endif
    f();
}

} // namespace

int main() {
    std::thread other([] { locked(change); });
    locked(look);
    other.join();
}
