// SPDX-License-Identifier: Apache-2.0
// Objects that live before main() and after it. Each execution finds them as they were made, changes them, and ends
// those that it made itself, the last one first.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

std::vector<int> numbers{1, 2, 3};
std::map<std::string, std::string> names{
    {"a key that is too long for its string", "a value that is, likewise"}};
int* once = new int(7);
std::atomic<int> turn{0};
int ended = 0;
int watched = 0;

struct ends {
    int number;
    ~ends() { assert(++ended == number); }
};

struct writes {
    ~writes() { ++watched; }
};

int main() {
    assert(numbers.size() == 3 && names.size() == 1 && *once == 7);
    std::atexit([] { assert(++ended == 3); });
    static ends first{2};
    static ends second{1};
    numbers.push_back(4);
    names.clear();
    delete once;
#ifdef TWICE
    delete once;
#endif
    std::thread a([] { turn = 1; });
    std::thread b([] { turn = 2; });
    a.join();
    b.join();
#ifdef STILL_RUNNING
    static writes late;
    std::thread([] { ++watched; }).detach();
#endif
    return ended;
}
