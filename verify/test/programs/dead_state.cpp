// SPDX-License-Identifier: Apache-2.0
// Loops that leave something in a register or on the stack: what is read again, and what is not.

#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace programs {
namespace {

using enum std::memory_order;

std::atomic<int> data, ready;
int* kept;
int told;

void forget(const int*) {}
void tell(const int* seen) { told = *seen; }
void (*how)(const int*) = forget;

/// Not seen by the checker, as a plain access in an iteration would keep it from being left out.
[[gnu::noinline, gnu::no_sanitize_thread]] int read_kept() { return *kept; }

[[gnu::noinline]] int either(int earlier, int now) { return earlier == -1 ? now : earlier; }

template <class Function>
void beside_a_writer(Function f) {
    std::thread waiting(f);
    data.store(1, relaxed);
    ready.store(1, release);
    waiting.join();
}

/// The same; the writer begins with a load, so that the loop comes round before it writes.
template <class Function>
void before_a_writer(Function f) {
    std::thread waiting(f);
    std::thread writing([] {
        data.store(data.load(relaxed) + 1, relaxed);
        ready.store(1, release);
    });
    waiting.join();
    writing.join();
}

} // namespace

void dead_state_last_value_is_told() {
    beside_a_writer([] {
        int last = -1;
        while (ready.load(acquire) == 0) last = data.load(relaxed);
        VERIFY_THAT(last != 1);
    });
}

void dead_state_first_value_is_told() {
    beside_a_writer([] {
        int first = -1;
        while (ready.load(acquire) == 0) {
            const int now = data.load(relaxed);
            if (first == -1) first = now;
        }
        VERIFY_THAT(first != 0);
    });
}

void dead_state_value_is_given_to_a_function() {
    beside_a_writer([] {
        int first = -1;
        while (ready.load(acquire) == 0) first = either(first, data.load(relaxed));
        told = first;
    });
    VERIFY_THAT(told != 0);
}

/// The function that the loop is followed by is another one by the time it is called. The one who replaces it begins with
/// a load, so that the loop comes round before.
void dead_state_function_is_replaced() {
    told = 0, how = forget;
    std::thread waiting([] {
        int last = -1;
        asm volatile("" ::"r"(&last) : "memory"); // so that it stays on the stack
        while (ready.load(acquire) == 0) last = data.load(relaxed);
        how(&last);
    });
    std::thread replacing([] {
        data.store(data.load(relaxed) + 1, relaxed);
        how = tell;
        ready.store(1, release);
    });
    waiting.join();
    replacing.join();
    VERIFY_THAT(told != 1);
}

/// The stack word of `now` is written in each iteration, and read before that through a pointer that lies in memory.
void dead_state_read_through_a_pointer() {
    before_a_writer([] {
        int now = 0, before = 0;
        kept = &now;
        while (ready.load(acquire) == 0) {
            before = read_kept();
            now = data.load(relaxed);
        }
        told = before;
    });
    VERIFY_THAT(told == 0);
}

/// `seen` is what a compare-exchange writes when it fails, and is set anew before each.
void dead_state_expected_value_is_set_anew() {
    const auto lock = [] {
        while (true) {
            while (data.load(relaxed) != 0)
                ;
            int seen = 0;
            if (data.compare_exchange_strong(seen, 1, acquire, relaxed)) break;
        }
        data.store(0, release);
    };
    std::thread one(lock), two(lock), three(lock);
    one.join();
    two.join();
    three.join();
}

/// The next iteration copies the value that this one read. `tell_of` gets the copy, and a flag made of it.
namespace {

template <class Function>
void copies_what_it_saw(Function tell_of) {
    before_a_writer([=] {
        int last = -1, copy = -1;
        bool flag = false;
        asm volatile("" ::"r"(&last), "r"(&copy), "r"(&flag) : "memory"); // so that they stay on the stack
        while (ready.load(acquire) == 0) {
            flag = copy == 1;
            copy = last;
            last = data.load(relaxed);
        }
        tell_of(copy, flag);
    });
}

} // namespace

void dead_state_copy_is_told() {
    copies_what_it_saw([](int copy, bool) { VERIFY_THAT(copy != 1); });
}
void dead_state_flag_of_a_copy_is_told() {
    copies_what_it_saw([](int, bool flag) { VERIFY_THAT(!flag); });
}
void dead_state_nobody_tells_of_a_copy() {
    copies_what_it_saw([](int, bool) {});
}

/// A library function is called behind the loop. An assertion reads the loop's last value behind that, or none does.
void dead_state_value_is_told_behind_a_library() {
    before_a_writer([] {
        int last = -1;
        while (ready.load(acquire) == 0) last = data.load(relaxed);
        VERIFY_THAT(last != std::atoi("1"));
    });
}
void dead_state_library_follows() {
    before_a_writer([] {
        int last = -1;
        while (ready.load(acquire) == 0) {
            if (last == 2) told = 1;
            last = data.load(relaxed);
        }
        told = std::atoi("1");
    });
}

/// What an iteration saw is read where an exception is caught. The first execution goes round before anything is thrown.
void dead_state_caught_value_is_told() {
    before_a_writer([] {
        int last = -1;
        try {
            while (true) {
                if (ready.load(acquire) != 0) throw 1;
                last = data.load(relaxed);
            }
        } catch (int) {
            VERIFY_THAT(last != 1);
        }
    });
}

/// The same of a function of the library that throws.
void dead_state_value_caught_from_the_library_is_told() {
    before_a_writer([] {
        int last = -1;
        const std::vector<int> none;
        try {
            while (true) {
                if (ready.load(acquire) != 0) (void)none.at(0);
                last = data.load(relaxed);
            }
        } catch (const std::out_of_range&) {
            VERIFY_THAT(last != 1);
        }
    });
}

/// The same of an exception that has not been thrown before.
void dead_state_value_caught_again_is_told() {
    before_a_writer([] {
        int last = -1;
        const std::exception_ptr made = std::make_exception_ptr(1);
        try {
            while (true) {
                if (ready.load(acquire) != 0) std::rethrow_exception(made);
                last = data.load(relaxed);
            }
        } catch (int) {
            VERIFY_THAT(last != 1);
        }
    });
}

/// What an iteration saw is left in a stack word, and no execution comes to the throw.
void dead_state_nothing_is_thrown() {
    before_a_writer([] {
        int last = -1;
        asm volatile("" ::"r"(&last) : "memory"); // so that it stays on the stack
        while (true) {
            const int now = ready.load(acquire);
            if (now == 1) break;
            if (now == 2) throw 1;
            last = data.load(relaxed);
        }
    });
}

/// A list of what waits: its entries lie on stacks. The one who looks reads an entry's first word beside the listed second
/// one; or while the list is empty again, by a pointer that it had before.
namespace {

struct entry {
    long seen = 0;
    long link = 0;
};
std::atomic<long*> listed;
std::mutex guard;

void list_of_what_waits(long entry::*part, bool emptied) {
    listed = nullptr;
    std::thread waiting([=] {
        entry own;
        listed.store(&(own.*part), release);
        while (ready.load(acquire) == 0) {
            const std::lock_guard locked(guard);
            own.seen = data.load(relaxed);
        }
        const std::lock_guard locked(guard); // nobody looks at it any more
    });
    std::thread looking([=] {
        const std::lock_guard locked(guard);
        if (long* const known = listed.load(acquire); known && ready.load(relaxed) == 0)
            VERIFY_THAT(*(known - (part == &entry::link)) != 1);
    });
    if (emptied && listed.load(relaxed)) listed.store(nullptr, relaxed);
    data.store(1, relaxed);
    ready.store(1, release);
    waiting.join();
    looking.join();
}

} // namespace

void dead_state_read_beside_a_pointer() { list_of_what_waits(&entry::link, false); }
void dead_state_read_through_an_old_pointer() { list_of_what_waits(&entry::seen, true); }

namespace {

struct pointers {
    const int *first, *second;
};
[[gnu::noinline, gnu::no_sanitize_thread]] void keep(int* p) { kept = p; }
[[gnu::noinline, gnu::no_sanitize_thread]] int read_by_copy(const pointers& of) {
    pointers copy;
    __builtin_memcpy(&copy, &of, sizeof copy); // at once, by a vector register
    asm volatile("" : "+m"(copy));
    return *copy.second;
}

} // namespace

/// The pointer lies in memory only while the iteration reads through it.
void dead_state_read_through_a_pointer_of_the_iteration() {
    before_a_writer([] {
        int now = 0, before = 0;
        while (ready.load(acquire) == 0) {
            keep(&now);
            before = read_kept();
            keep(nullptr);
            now = data.load(relaxed);
        }
        told = before;
    });
    VERIFY_THAT(told == 0);
}

void dead_state_read_through_a_copied_pointer() {
    before_a_writer([] {
        int other = 0, now = 0, before = 0;
        const pointers to{&other, &now};
        asm volatile("" ::"r"(&to) : "memory"); // so that it stays on the stack
        while (ready.load(acquire) == 0) {
            before = read_by_copy(to);
            now = data.load(relaxed);
        }
        told = before;
    });
    VERIFY_THAT(told == 0);
}

namespace {

/// As a waiter of the kernel is: a list has the address of its last member, and the thread that wakes it counts down from there.
struct waiter {
    int rounds = 0;
    int between[8] = {};
    int node = 0;
};
std::mutex queue_lock;
int* queue;
bool released;

void wait_in_queue() {
    waiter w;
    {
        const std::lock_guard lock(queue_lock);
        queue = &w.node;
    }
    for (;;) {
        const std::lock_guard lock(queue_lock);
        if (released) {
            queue = nullptr;
            return;
        }
        w.rounds = 1;
    }
}

} // namespace

void dead_state_read_by_counting_down() {
    queue = nullptr;
    released = false;
    std::thread waits(wait_in_queue);
    int seen = 0;
    {
        const std::lock_guard lock(queue_lock);
        released = true;
        if (queue)
            seen = reinterpret_cast<waiter*>(reinterpret_cast<char*>(queue) - offsetof(waiter, node))->rounds;
    }
    waits.join();
    VERIFY_THAT(seen == 0);
}

} // namespace programs
