// SPDX-License-Identifier: Apache-2.0
// Scenarios with every kind of ending, for the tests of the command line. The set as a whole must fail.

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

/// As gcc compiles a load of 8 bytes. Clang calls a library where it sees that the address is not aligned.
extern "C" std::int64_t __tsan_atomic64_load(const volatile std::int64_t*, int);

namespace {

namespace verify = ringproof::verify;
constexpr auto relaxed = std::memory_order_relaxed;

std::atomic<int> x{0}, y{0};
struct pair {
    int first = 0;
    int second = 0;
};
pair plain;
std::mutex lock_a, lock_b;

void store_buffering(std::memory_order order) {
    int seen = 0;
    std::thread other([&] {
        x.store(1, order);
        seen = y.load(order);
    });
    y.store(1, order);
    const int mine = x.load(order);
    other.join();
    VERIFY_THAT(seen + mine > 0);
}

VERIFY("holds: store buffering with seq_cst", .models = {rc11, sc}) {
    store_buffering(std::memory_order_seq_cst);
}

VERIFY("mutant: store buffering relaxed", .models = {rc11}, .expect = refuted, .mutant = 'C') {
    store_buffering(relaxed);
}

VERIFY("fails: store buffering relaxed is thought to hold") { store_buffering(relaxed); }

VERIFY("fails: a mutant that holds", .expect = refuted) { store_buffering(std::memory_order_seq_cst); }

VERIFY("fails: a race on a member of a global") {
    std::thread other([] { plain.second = 1; });
    plain.second = 2; // the main thread's side
    other.join();
    VERIFY_THAT(plain.second != 0);
}

VERIFY("fails: what it has to cover never happens", .covers = {"sun", "rain"}) { verify::cover("sun"); }

VERIFY("inconclusive: no execution is ever complete") { verify::assume(false); }

VERIFY("inconclusive: far more executions than anyone has time for") {
    std::thread threads[12];
    for (int i = 0; i < 12; ++i)
        threads[i] = std::thread([](int) { x.exchange(1, relaxed); }, i); // none alike
    for (std::thread& t : threads) t.join();
}

VERIFY("fails: a wild write") {
    int* volatile nowhere = reinterpret_cast<int*>(0x123'4567'0000);
    *nowhere = 1;
}

VERIFY("fails: a division by zero") {
    volatile int zero = 0;
    x.store(7 / zero, relaxed);
}

int deep(int n) {
    volatile char frame[4096];
    frame[n % 4096] = 1;
    return deep(n + 1) + frame[0];
}
VERIFY("fails: an endless recursion") { x.store(deep(0), relaxed); }

VERIFY("fails: an exception no one catches") { throw std::runtime_error("no one's"); }

VERIFY("fails: two locks in two orders") {
    std::thread other([] {
        const std::lock_guard first(lock_b);
        const std::lock_guard second(lock_a);
    });
    {
        const std::lock_guard first(lock_a);
        const std::lock_guard second(lock_b);
    }
    other.join();
}

VERIFY("error: one location in two sizes") {
    alignas(16) static unsigned char bytes[16]; // two words of 8 bytes that overlap: one is not aligned
    const auto load = [](unsigned at) {
        return __tsan_atomic64_load(reinterpret_cast<const volatile std::int64_t*>(bytes + at),
                                    __ATOMIC_RELAXED);
    };
    std::thread other([&] { load(0); });
    load(4);
    other.join();
}

VERIFY("mutant: message passing through a pointer to the heap", .expect = refuted) {
    pair* shared = new pair;
    std::thread other([=] {
        shared->second = 42;
        x.store(1, relaxed);
    });
    if (x.load(std::memory_order_acquire) == 1) VERIFY_THAT(shared->second == 42);
    other.join();
    delete shared;
}

void touch(pair* p) { p->first = 1; }
VERIFY("objects: two made at one place", .expect = refuted) {
    pair* made[2];
    for (pair*& p : made) p = new pair(); // one after the other
    std::thread other([=] { touch(made[1]); });
    touch(made[1]); // by main
    other.join();
    for (pair* p : made) delete p;
}

VERIFY("counting: a loop with a limit of its own") {
    std::thread other([] { x.store(1, relaxed); });
    int rounds = 100;
    while (rounds > 0 && x.load(relaxed) == 0) --rounds; // what has to be bounded
    other.join();
}

VERIFY("forgets: memory that no one frees") {
    int* volatile forgotten = new int(1);
    x.store(*forgotten, relaxed);
}

VERIFY("waits: a loop that does not yield") {
    std::thread other([] { x.store(1, relaxed); });
    while (x.load(relaxed) == 0) {
    }
    other.join();
    VERIFY_THAT(x.load(relaxed) == 1);
}

VERIFY("waits: a mutant that needs fair scheduling", .expect = refuted, .errors = {"livelock"},
       .unfair = true) {
    std::thread other([] { x.store(1, relaxed); });
    while (x.load(relaxed) == 0) {
    }
    other.join();
}

VERIFY("by chance: a number of the system's own") {
    int drawn = 0; // a read of the system's, which the checker does not see
    VERIFY_THAT(syscall(SYS_getrandom, &drawn, sizeof drawn, 0) == sizeof drawn);
    x.store(drawn, relaxed);
}

VERIFY("long: an error at the end of a long way") {
    std::thread other([] {
        for (int i = 0; i < 300; ++i) x.store(i, relaxed);
    });
    other.join();
    VERIFY_THAT(x.load(relaxed) != 299);
}

} // namespace
