// SPDX-License-Identifier: Apache-2.0
#include "racing.hpp"

#include <cstring>
#include <pthread.h>

namespace programs {

copied_record racing_record, racing_copy;
int racing_seen[2];

namespace {

void* write_record(void*) {
    racing_record.first = 1;
    racing_record.second = 1;
    return nullptr;
}

/// A local variable that another thread reads, and whose last write is the function's last access.
[[gnu::noinline]] void write_and_return(int* where) { *where = 7; }

void* read_word(void* where) {
    racing_seen[0] = *static_cast<int*>(where);
    return nullptr;
}

struct second_thread {
    pthread_t id{};
    explicit second_thread(void* (*routine)(void*), void* argument = nullptr) {
        pthread_create(&id, nullptr, routine, argument);
    }
    ~second_thread() { pthread_join(id, nullptr); }
};

} // namespace

void copies_a_racing_record() {
    {
        const second_thread other(write_record);
        racing_copy = racing_record;
    }
    racing_seen[0] = racing_copy.first;
    racing_seen[1] = racing_copy.second;
}

void races_for_a_local() {
    int local = 0;
    {
        const second_thread other(read_word, &local);
        write_and_return(&local);
    }
    racing_seen[1] = local;
}

void reads_an_atomic_plainly() {
    static int word;
    const second_thread other(read_word, &word);
    __atomic_store_n(&word, 1, __ATOMIC_RELAXED); // first, as the search goes
    racing_seen[1] = 0;
}

void frees_what_races() {
    int* const word = new int(0);
    const second_thread other(read_word, word);
    delete word;
}

} // namespace programs
