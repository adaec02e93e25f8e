// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <unistd.h>

namespace programs {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

void clocks_go_forward() {
    const auto begin = clock::now();
    const auto wall = std::chrono::system_clock::now();
    std::this_thread::sleep_for(5s);
    VERIFY_THAT(clock::now() - begin >= 5s);
    VERIFY_THAT(std::chrono::system_clock::now() - wall >= 5s);
    VERIFY_THAT(std::time(nullptr) > 0);
    std::this_thread::sleep_until(begin + 1h);
    VERIFY_THAT(clock::now() >= begin + 1h);
    std::thread child([begin] { VERIFY_THAT(clock::now() > begin + 1h); });
    child.join();
}

void a_deadline_passes() {
    std::atomic<bool> set{false};
    bool seen = false;
    together([&] { set.store(true); },
             [&] {
                 for (const auto end = clock::now() + 10ms; clock::now() < end; std::this_thread::yield())
                     if (set.load()) {
                         seen = true;
                         break;
                     }
             });
    ringproof::verify::cover(seen ? "seen" : "too late");
}

void random_numbers_repeat() {
    std::srand(3);
    const int first = std::rand();
    std::atomic<int> x{0};
    together([&] { x.store(std::rand() % 2); }, [&] { x.store(2); });
    std::srand(3);
    VERIFY_THAT(std::rand() == first && x.load() >= 0);
}

void sleeping_loop_waits() {
    std::atomic<bool> set{false};
    together([&] { set.store(true); },
             [&] {
                 while (!set.load()) usleep(100);
             });
}

} // namespace programs
