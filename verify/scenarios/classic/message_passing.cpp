// SPDX-License-Identifier: Apache-2.0
// Message passing: a flag publishes data. The smallest case of what a ring does for each record.

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <thread>

namespace {

namespace verify = ringproof::verify;

struct mailbox {
    int data = 0;
    std::atomic<bool> ready{false};
};

void pass_a_message(std::memory_order publish, std::memory_order receive) {
    mailbox box;
    std::thread writer([&] {
        box.data = 42;
        box.ready.store(true, publish);
    });
    while (!box.ready.load(receive)) verify::pause();
    VERIFY_THAT(box.data == 42);
    writer.join();
}

VERIFY("message passing: the flag publishes the data", .models = {rc11, sc}) {
    pass_a_message(std::memory_order_release, std::memory_order_acquire);
}

VERIFY("message passing, mutant: the flag is published relaxed", .expect = refuted) {
    pass_a_message(std::memory_order_relaxed, std::memory_order_acquire);
}

VERIFY("message passing, mutant: the flag is received relaxed", .expect = refuted) {
    pass_a_message(std::memory_order_release, std::memory_order_relaxed);
}

VERIFY("message passing: a look that comes too early sees no data, and one that does not sees all of it",
       .models = {rc11, sc}, .covers = {"early", "late"}) {
    mailbox box;
    std::thread writer([&] {
        box.data = 42;
        box.ready.store(true, std::memory_order_release);
    });
    if (box.ready.load(std::memory_order_acquire)) {
        verify::cover("late");
        VERIFY_THAT(box.data == 42);
    } else {
        verify::cover("early");
    }
    writer.join();
}

} // namespace
