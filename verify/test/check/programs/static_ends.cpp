// SPDX-License-Identifier: Apache-2.0
// What is done after main() for what was made before it: in each execution, the last one first.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>

#ifndef ENDS_BEFORE
#define ENDS_BEFORE 5
#endif

int ended = 0, watched = 0;
std::atomic<int> turn{0};

struct ends {
    int number;
    ~ends() { assert(++ended == number); }
};
struct writes {
    ~writes() { ++watched; }
};

ends fifth{5};
std::string name = "a name that is too long to be held in its string";
writes late;
const int registered = std::atexit([] { assert(++ended == 4); });
ends third{3};
__attribute__((destructor)) void at_last() { assert(ended == ENDS_BEFORE && name.empty() == false); }

int main() {
    static ends second{2};
    std::atexit([] { assert(++ended == 1); });
    std::thread a([] {
        turn = 1;
#ifdef BY_ANOTHER
        std::exit(0);
#endif
    });
    turn = 2;
#ifdef STILL_RUNNING
    a.detach();
    std::thread([] { ++watched; }).detach();
#else
    a.join();
#endif
    std::cout << registered << '\n';
#ifdef BY_ANOTHER
    assert(!"its thread has ended the program");
#endif
}
