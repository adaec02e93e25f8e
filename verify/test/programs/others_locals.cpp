// SPDX-License-Identifier: Apache-2.0
#include "others_locals.hpp"

#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <pthread.h>
#include <thread>

namespace programs {
namespace {

std::atomic<int> x, y, printed;
std::atomic<char*> where;

/// Prints the x that it reads. What it reads of y is chosen behind that, so that the search comes back in between.
[[gnu::noinline]] void print_into(char* text) {
    const int seen = x.load();
    std::snprintf(text, 2, "%d", seen);
    printed.store(seen);
    static_cast<void>(y.load());
}

void write_both() {
    y.store(0);
    x.store(1);
    y.store(1);
}

/// Hands `text`, a local variable, to the thread that `start` makes.
template <class Start>
void told_by(Start start) {
    char text[8] = "-";
    x.store(0);
    y.store(0);
    std::thread writer(write_both);
    start(text);
    writer.join();
    VERIFY_THAT(text[0] == '0' + printed.load());
}

} // namespace

void told_by_a_closure() {
    told_by([](char* text) {
        std::thread printer([text] { print_into(text); });
        printer.join();
    });
}

void told_by_an_argument() {
    told_by([](char* text) {
        pthread_t printer;
        const auto print = [](void* argument) {
            print_into(static_cast<char*>(argument));
            return static_cast<void*>(nullptr);
        };
        pthread_create(&printer, nullptr, print, text);
        pthread_join(printer, nullptr);
    });
}

void told_by_an_atomic() {
    told_by([](char* text) {
        where.store(text, std::memory_order_relaxed);
        std::thread printer([] { print_into(where.load(std::memory_order_relaxed)); });
        printer.join();
    });
}

void told_by_a_copy() {
    struct large {
        char* text;
        long rest[40];
    };
    static large shared;
    told_by([](char* text) {
        shared.text = text;
        std::thread printer([] {
            large own;
            volatile std::size_t size = sizeof own;
            std::memcpy(&own, &shared, size);
            print_into(own.text);
        });
        printer.join();
    });
}

void told_before_the_end() {
    char text[8] = "-";
    x.store(0);
    std::thread writer([] { x.store(1); });
    std::thread printer([&text] {
        if (x.load() == 0) return;
        std::snprintf(text, sizeof text, "%d", 1);
        ringproof::verify::assume(false);
    });
    writer.join();
    printer.join();
    VERIFY_THAT(text[0] == '-');
}

void prints_into_others_while_waiting() {
    char text[8] = "";
    x.store(0);
    std::thread writer([] { x.store(1); });
    std::thread waiting([&text] {
        while (x.load() == 0) std::snprintf(text, sizeof text, "%d", 7);
    });
    waiting.join();
    writer.join();
    VERIFY_THAT(text[0] == '\0');
}

} // namespace programs
