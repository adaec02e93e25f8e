// SPDX-License-Identifier: Apache-2.0
// Orders that are needed, that are too strong, that are so on purpose, and one of which nobody knows.

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <memory>
#include <thread>

namespace verify = ringproof::verify;

namespace {

/// B. Hands the data over; seq_cst is more than that takes.
void publish(std::atomic<bool>& ready) { ready.store(true, std::memory_order_seq_cst); }

/// C. Takes it.
bool taken(const std::atomic<bool>& ready) { return ready.load(std::memory_order_acquire); }

void hand_over() {
    int data = 0;
    std::atomic<bool> ready{false};
    std::thread writer([&] {
        data = 42;
        publish(ready);
    });
    while (!taken(ready)) verify::pause();
    VERIFY_THAT(data == 42);
    writer.join();
}

} // namespace

VERIFY("needed: a flag hands data over") { hand_over(); }
VERIFY("needed: the same again, in a copy of the code") { hand_over(); }

VERIFY("strong: a counter that orders nothing", .models = {rc11, sc}) {
    std::atomic<int> counter{0};
    std::thread other([&] { counter.fetch_add(1, std::memory_order_acq_rel); });
    // Over-strong: who counts has nothing to hand over. Left so for this test.
    counter.fetch_add(1, std::memory_order_release);
    other.join();
    VERIFY_THAT(counter.load(std::memory_order_relaxed) == 2);
}

VERIFY("open: more executions than may be looked at, and nothing wrong in them") {
    std::atomic<int> x{0}, y{0};
    const auto side = [](std::atomic<int>& mine, const std::atomic<int>& theirs) {
        mine.store(1, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_seq_cst);
        static_cast<void>(theirs.load(std::memory_order_relaxed));
    };
    std::thread other([&] { side(x, y); });
    side(y, x);
    other.join();
}

VERIFY("store buffering: only seq_cst is enough") {
    std::atomic<int> x{0}, y{0};
    int a = 0, b = 0;
    std::thread other([&] {
        x.store(1);
        a = y.load();
    });
    y.store(1);
    b = x.load();
    other.join();
    VERIFY_THAT(a + b > 0);
}

VERIFY("library: the counts of a shared pointer have orders of the library's") {
    auto shared = std::make_shared<int>(1);
    std::thread other([copy = shared] { VERIFY_THAT(*copy == 1); });
    shared.reset();
    other.join();
}

VERIFY("long and short: who reads 0 fails at once, who reads 6 after six reads more") {
    std::atomic<int> x{0};
    std::thread other([&] { x.store(6, std::memory_order_relaxed); });
    for (int left = x.load(std::memory_order_relaxed); left != 0; --left) x.load(std::memory_order_relaxed);
    const bool done = false;
    VERIFY_THAT(done);
    other.join();
}

VERIFY("mutant: not asked", .expect = refuted) { VERIFY_THAT(false); }

VERIFY("fails as it stands") {
    int data = 0;
    std::thread other([&] { data = 1; });
    data = 2;
    other.join();
}

VERIFY("too weak: seq_cst is what it takes") {
    int data = 0;
    std::atomic<bool> ready{false};
    std::thread writer([&] {
        data = 42;
        ready.store(true, std::memory_order_relaxed);
    });
    if (ready.load(std::memory_order_relaxed)) VERIFY_THAT(data == 42);
    writer.join();
}
