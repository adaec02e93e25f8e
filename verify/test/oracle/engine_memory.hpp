// SPDX-License-Identifier: Apache-2.0
#pragma once
// The memory of a program that runs under the checker, from wherever the program says. It is zero when an execution
// begins: on the stack since constructors see to it, elsewhere since nothing was there before. Where it comes from
// mmap or is thread_local nothing is written to make it so: what an earlier execution left would be seen.

#include "program.hpp"

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <sys/mman.h>

namespace ringproof::verify::oracle {

struct shared_memory {
    // Initialised by constructors, not by atomic stores: the initial value is no event.
    alignas(
        16) std::array<unsigned char, 16 * max_atomics> atomics{}; ///< next to each other, see offset_of()
    std::array<int, max_data> data{};
    alignas(8) window bytes{};
    std::array<std::mutex, max_mutexes> mutexes{};
};
// Where the executable has a thread_local variable, each switch of threads is two system calls on processors without FSGSBASE:
// most of a judge's time. So thread_variables.cpp is a part of those executables alone that run programs with some.
/// The main thread's, whose address the others get.
shared_memory* thread_variable_shared();
/// Each thread's own.
int* thread_variable_own();

inline constexpr std::size_t page = 4096; // at least the size of shared_memory
static_assert(sizeof(shared_memory) <= page);

inline void* map_page() {
    void* const got = mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (got == MAP_FAILED) std::abort();
    return got;
}

/// Memory for the whole program.
class obtained_memory {
  public:
    explicit obtained_memory(storage from, shared_memory& on_stack) : from_(from) {
        if (from == storage::heap)
            memory_ = new shared_memory();
        else if (from == storage::mapped)
            memory_ = static_cast<shared_memory*>(map_page());
        else
            memory_ = from == storage::thread_variable ? thread_variable_shared() : &on_stack;
    }
    ~obtained_memory() {
        if (from_ == storage::heap) delete memory_;
        if (from_ == storage::mapped) munmap(memory_, page);
    }
    obtained_memory(const obtained_memory&) = delete;
    obtained_memory& operator=(const obtained_memory&) = delete;
    shared_memory& operator*() { return *memory_; }

  private:
    storage from_;
    shared_memory* memory_;
};

/// A thread's own word.
class own_word {
  public:
    /// @param used without any use nothing is obtained
    own_word(storage from, bool used) : from_(used ? from : storage::stack) { obtain(); }
    ~own_word() { give_back(); }
    own_word(const own_word&) = delete;
    own_word& operator=(const own_word&) = delete;

    int load() const { return *word_; }
    void store(int value) { *word_ = value; }
    void renew() {
        give_back();
        on_stack_ = 0;
        if (from_ == storage::thread_variable) *thread_variable_own() = 0;
        obtain();
    }

  private:
    void obtain() {
        if (from_ == storage::heap)
            word_ = new int(0);
        else if (from_ == storage::mapped)
            word_ = static_cast<int*>(map_page());
        else
            word_ = from_ == storage::thread_variable ? thread_variable_own() : &on_stack_;
    }
    void give_back() {
        if (from_ == storage::heap) delete word_;
        if (from_ == storage::mapped) munmap(word_, page);
    }

    storage from_;
    int on_stack_ = 0;
    int* word_ = nullptr;
};

/// Where atomic number `which` begins: as closely packed as alignment allows, so that small ones share 8 bytes.
[[gnu::noinline, gnu::no_sanitize_thread]] inline std::size_t offset_of(const surroundings& within,
                                                                        int which) {
    std::size_t at = 0;
    for (int x = 0;; ++x) {
        const std::size_t set = within.width[static_cast<std::size_t>(x)];
        const std::size_t width = set == 0 ? sizeof(int) : set;
        at = (at + width - 1) / width * width;
        if (x == which) return at;
        at += width;
    }
}
[[gnu::noinline, gnu::no_sanitize_thread]] inline int width_of(const surroundings& within, int which) {
    return within.width[static_cast<std::size_t>(which)];
}

/// What an atomic operation does and sees, whatever the width.
struct atomic_access {
    operation_kind kind;
    int value, expected;
    std::memory_order order, failure;
};

/// A value as a `Word` has it: each byte the same, so that one that gets lost or comes from elsewhere is noticed.
template <class Word>
constexpr Word widened(int value) {
    Word all = 0;
    for (std::size_t i = 0; i < sizeof(Word); ++i)
        all = static_cast<Word>(all | static_cast<Word>(static_cast<Word>(value & 0xff) << (8 * i)));
    return all;
}
inline constexpr int torn = -1000; ///< no value of a program: the bytes differ
template <class Word>
constexpr int narrowed(Word all) {
    const int value = static_cast<int>(all & 0xff);
    return widened<Word>(value) == all ? value : torn;
}

template <class Word>
int access_atomic(Word* at, const atomic_access& what) {
    const auto order = static_cast<int>(what.order), failure = static_cast<int>(what.failure);
    const Word value = widened<Word>(what.value);
    Word seen = 0;
    switch (what.kind) {
    case operation_kind::store:
        __atomic_store_n(at, value, order);
        return 0;
    case operation_kind::fetch_add:
        return narrowed<Word>(__atomic_fetch_add(at, value, order));
    case operation_kind::exchange:
        return narrowed<Word>(__atomic_exchange_n(at, value, order));
    case operation_kind::compare_exchange:
        seen = widened<Word>(what.expected);
        __atomic_compare_exchange_n(at, &seen, value, false, order, failure);
        return narrowed<Word>(seen);
    default:
        return narrowed<Word>(__atomic_load_n(at, order));
    }
}

__extension__ using word_of_16 = unsigned __int128;

/// @return what was there
inline int access_wide(shared_memory& memory, const surroundings& within, int which,
                       const atomic_access& what) {
    unsigned char* const at = memory.atomics.data() + offset_of(within, which);
    switch (width_of(within, which)) {
    case 1:
        return access_atomic(reinterpret_cast<std::uint8_t*>(at), what);
    case 2:
        return access_atomic(reinterpret_cast<std::uint16_t*>(at), what);
    case 8:
        return access_atomic(reinterpret_cast<std::uint64_t*>(at), what);
    case 16:
        return access_atomic(reinterpret_cast<word_of_16*>(at), what);
    default:
        return access_atomic(reinterpret_cast<std::uint32_t*>(at), what);
    }
}

template <class Word>
struct [[gnu::may_alias]] in_place {
    Word word;
};
template <class Word>
struct [[gnu::packed, gnu::may_alias]] anywhere {
    Word word;
};

/// One access of the program's, known to be aligned where it is.
template <class Word>
Word load_bytes(const std::uint8_t* from) {
    if (reinterpret_cast<std::uintptr_t>(from) % sizeof(Word) == 0)
        return reinterpret_cast<const in_place<Word>*>(from)->word;
    return reinterpret_cast<const anywhere<Word>*>(from)->word;
}
template <class Word>
void store_bytes(std::uint8_t* to, int value) {
    const Word all = widened<Word>(value);
    if (reinterpret_cast<std::uintptr_t>(to) % sizeof(Word) == 0)
        reinterpret_cast<in_place<Word>*>(to)->word = all;
    else
        reinterpret_cast<anywhere<Word>*>(to)->word = all;
}

/// Not seen by the checker: no access of the program's.
template <class Word>
[[gnu::noinline, gnu::no_sanitize_thread]] int digest_of(Word all, int size) {
    std::uint8_t bytes[sizeof(Word)];
    for (std::size_t i = 0; i < sizeof(Word); ++i) bytes[i] = static_cast<std::uint8_t>(all >> (8 * i));
    return digest(bytes, size);
}

/// Sizes that no integer has are copied.
inline int digest_at(const std::uint8_t* from, int size) {
    switch (size) {
    case 1:
        return digest_of(*from, size);
    case 2:
        return digest_of(load_bytes<std::uint16_t>(from), size);
    case 4:
        return digest_of(load_bytes<std::uint32_t>(from), size);
    case 8:
        return digest_of(load_bytes<std::uint64_t>(from), size);
    default:
        word_of_16 copy = 0;
        std::memcpy(&copy, from, static_cast<std::size_t>(size));
        return digest_of(copy, size);
    }
}
inline void fill_at(std::uint8_t* to, int size, int value) {
    switch (size) {
    case 1:
        *to = static_cast<std::uint8_t>(value);
        break;
    case 2:
        store_bytes<std::uint16_t>(to, value);
        break;
    case 4:
        store_bytes<std::uint32_t>(to, value);
        break;
    case 8:
        store_bytes<std::uint64_t>(to, value);
        break;
    default:
        std::memset(to, value, static_cast<std::size_t>(size));
    }
}

} // namespace ringproof::verify::oracle
