// SPDX-License-Identifier: Apache-2.0
// Races on objects of every kind, for the names that counterexamples give them.
#include <ringproof/verify/verify.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>

#pragma GCC diagnostic ignored "-Wpedantic" // a structure with an open end, as in C

namespace {

struct ring {
    unsigned long head;
    unsigned nest;
    unsigned long words[];
};
struct slot {
    long sequence;
    int data[2];
};
struct node {
    node* next = nullptr;
    int value = 0;
};
struct owner { // whose elements have destructors: their number is in front of them
    int* held = nullptr;
    int other = 0;
    ~owner() { delete held; }
};

/// Two threads, each of which does it.
template <class Function>
void both(Function f) {
    std::thread other(f);
    f();
    other.join();
}

class queue {
  public:
    queue() : buf_(new slot[3]) {}
    ~queue() { delete[] buf_; }
    queue(const queue&) = delete;
    queue& operator=(const queue&) = delete;
    void push() { buf_[2].data[1] = 1; }

  private:
    slot* buf_;
};

node* made() { return new node; }

struct table {
    std::array<slot, 3> slots;
    int count;
} global;
struct two {
    std::uint32_t low, high;
};
std::atomic<two> halves;
std::uint64_t state;
struct record {
    long words[40];
    long last;
} shared;
std::atomic<int> value, ready;

constexpr auto relaxed = std::memory_order_relaxed;
std::uint32_t half(void* at) { return __atomic_load_n(static_cast<std::uint32_t*>(at), __ATOMIC_RELAXED); }

} // namespace

VERIFY("C: a structure with an open end", .expect = refuted) {
    ring* rb = static_cast<ring*>(std::malloc(sizeof(ring) + 2 * sizeof(unsigned long)));
    both([rb] { rb->nest = 1; });
    std::free(rb);
}
VERIFY("C: the open end", .expect = refuted) {
    ring* rb = static_cast<ring*>(std::malloc(sizeof(ring) + 2 * sizeof(unsigned long)));
    both([rb] { rb->words[1] = 1; });
    std::free(rb);
}
VERIFY("C: memory without a type", .expect = refuted) {
    void* raw = std::malloc(24);
    both([raw] { static_cast<long*>(raw)[1] = 1; });
    std::free(raw);
}
VERIFY("a member's array", .expect = refuted) {
    queue q;
    both([&q] { q.push(); });
}
VERIFY("an array of unique_ptr", .expect = refuted) {
    auto nodes = std::make_unique<node[]>(4);
    both([&nodes] { nodes[3].value = 1; });
}
VERIFY("an array with its number in front", .expect = refuted) {
    owner* owners = new owner[3];
    both([owners] { owners[2].other = 1; });
    delete[] owners;
}
VERIFY("an object whose name is not known", .expect = refuted) {
    node* n = made();
    both([n] { n->value = 1; });
    delete n;
}
VERIFY("two objects of one name", .expect = refuted) {
    node* all[2];
    for (node*& n : all) n = new node;
    both([&all] { all[1]->value = 1; });
    for (node* n : all) delete n;
}
VERIFY("a std::array in a global", .expect = refuted) {
    both([] { global.slots[2].data[1] = 1; });
}
VERIFY("half of an atomic structure", .expect = refuted) {
    std::thread other([] { halves.store({1, 2}, relaxed); });
    const std::uint32_t high = half(reinterpret_cast<char*>(&halves) + 4);
    other.join();
    VERIFY_THAT(high == 2);
}
VERIFY("half of a word", .expect = refuted) {
    std::thread other([] { __atomic_store_n(&state, 0x1'0000'0002u, __ATOMIC_RELAXED); });
    const std::uint32_t high = half(reinterpret_cast<char*>(&state) + 4);
    other.join();
    VERIFY_THAT(high == 1);
}
VERIFY("a byte of what is copied", .expect = refuted) {
    std::thread other([] { shared.last = 1; });
    record copy;
    std::memcpy(&copy, &shared, sizeof copy);
    other.join();
}
VERIFY("a stale read", .models = {rc11}, .expect = refuted) {
    std::thread other([] {
        value.store(6, relaxed);
        value.store(7, relaxed);
        ready.store(1, relaxed);
    });
    if (ready.load(relaxed) == 1) VERIFY_THAT(value.load(relaxed) == 7);
    other.join();
}
VERIFY("a stale half", .models = {rc11}, .expect = refuted) {
    static std::uint64_t whole;
    auto* const halves = reinterpret_cast<std::uint32_t*>(&whole);
    __atomic_store_n(&whole, 0, __ATOMIC_RELAXED);
    std::thread other([halves] {
        __atomic_store_n(halves, 1u, __ATOMIC_RELAXED);
        __atomic_store_n(halves + 1, 2u, __ATOMIC_RELAXED);
        ready.store(1, relaxed);
    });
    if (ready.load(relaxed) == 1) VERIFY_THAT(__atomic_load_n(&whole, __ATOMIC_RELAXED) == 0x2'0000'0001u);
    other.join();
}
VERIFY("a read that comes first", .models = {rc11, sc}, .expect = refuted) {
    std::thread other([] { value.store(7, relaxed); });
    const int seen = value.load(relaxed);
    other.join();
    VERIFY_THAT(seen == 7);
}
