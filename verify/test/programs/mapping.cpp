// SPDX-License-Identifier: Apache-2.0
// Memory that programs map for themselves.

#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace programs {
namespace {

constexpr std::size_t page = 4096;
std::atomic<int> x, y;

template <class T = char>
T* map(std::size_t size = page, int protection = PROT_READ | PROT_WRITE,
       int flags = MAP_PRIVATE | MAP_ANONYMOUS) {
    void* const at = mmap(nullptr, size, protection, flags, -1, 0);
    VERIFY_THAT(at != MAP_FAILED);
    return static_cast<T*>(at);
}

} // namespace

// Each execution begins with zeros: with what an earlier one left there, this fails in all but the first.
void mapped_memory_is_zero() {
    x = 0;
    int* const p = map<int>();
    together([] { x = 1; }, [] { static_cast<void>(x.load()); });
    VERIFY_THAT(*p == 0);
    *p = 1;
    munmap(p, page);
}

// What fails here looks at memory that an earlier execution has written to.
void mapped_memory_is_not_a_memory() {
    x = 0;
    int* const p = map<int>();
    bool one = false;
    together([] { x = 1; }, [&] { one = x.load() == 1; });
    if (*p == 0 && one) { // the first execution comes here, the other has to fail
        *p = 1;
        return;
    }
    VERIFY_THAT(*p != 0);
}

void unmapped_by_each_execution() {
    x = 0;
    int* const p = map<int>();
    together([] { x = 1; }, [&] { *p = x.load(); });
    VERIFY_THAT(*p < 2);
    VERIFY_THAT(munmap(p, page) == 0);
}

void use_after_munmap() {
    char* volatile p = map();
    *p = 1;
    munmap(p, page);
    *static_cast<volatile char*>(p) = 2;
}

void atomic_use_after_munmap() {
    auto* p = new (map()) std::atomic<int>(1);
    together([=] { p->store(2); });
    munmap(p, page);
    together([=] { p->fetch_add(1); });
}

void unmapped_while_in_use() {
    char* volatile p = map();
    std::thread other([q = p] { *q = 2; });
    munmap(p, page);
    other.join();
}

void unmapped_when_done() {
    auto* const done = new (map(page)) std::atomic<int>(0);
    char* const p = map(page);
    std::thread other([=] {
        *p = 2;
        done->store(1, std::memory_order_release);
    });
    if (done->load(std::memory_order_acquire) == 1) munmap(p, page);
    other.join();
    munmap(done, page);
}

void unmapped_too_early() {
    auto* const done = new (map(page)) std::atomic<int>(0);
    char* const p = map(page);
    std::thread other([=] {
        *p = 2;
        done->store(1, std::memory_order_relaxed);
    });
    if (done->load(std::memory_order_acquire) == 1) munmap(p, page);
    other.join();
}

void unmapped_twice() {
    char* volatile p = map();
    munmap(p, page);
    munmap(p, page);
}

void unmapped_in_part() {
    char* const p = map(3 * page);
    p[0] = 1;
    p[2 * page] = 3;
    VERIFY_THAT(munmap(p + page, page) == 0);
    VERIFY_THAT(p[0] == 1 && p[2 * page] == 3);
    VERIFY_THAT(mprotect(p, 3 * page, PROT_READ) == -1 && errno == ENOMEM);
    munmap(p, 3 * page);
}
void use_of_the_unmapped_part() {
    char* volatile p = map(3 * page);
    munmap(p + page, page);
    p[page + 7] = 1;
}
void use_beyond_a_mapping() {
    char* volatile p = map(page);
    map(page);
    p[page] = 1;
}

void guard_page() {
    char* volatile p = map(3 * page);
    mprotect(p + page, page, PROT_NONE);
    p[page - 1] = 1;
    p[2 * page] = 1;
    p[page] = 1;
}
void write_to_a_read_only_page() {
    char* volatile p = map();
    p[0] = 1;
    mprotect(p, page, PROT_READ);
    VERIFY_THAT(p[0] == 1);
    p[0] = 2;
}
void protection_is_given_back() {
    char* const p = map(2 * page, PROT_NONE);
    VERIFY_THAT(mprotect(p, page, PROT_READ | PROT_WRITE) == 0);
    together([=] { ++*p; }, [] { x = 1; });
    mprotect(p, page, PROT_NONE);
    mprotect(p, page, PROT_READ);
    VERIFY_THAT(*p == 1);
}
void protected_while_in_use() {
    char* volatile p = map();
    std::thread other([q = p] { *q = 2; });
    mprotect(p, page, PROT_READ);
    other.join();
}
void read_while_protected_against_writes() {
    char* const p = map();
    *p = 1;
    std::thread other([=] { VERIFY_THAT(*p == 1); });
    mprotect(p, page, PROT_READ);
    other.join();
}
void used_before_it_is_allowed() {
    x = 0;
    char* const p = map(page, PROT_NONE);
    std::thread other([=] {
        if (x.load(std::memory_order_relaxed) == 1) *p = 1;
    });
    mprotect(p, page, PROT_READ | PROT_WRITE);
    x.store(1, std::memory_order_relaxed);
    other.join();
}

void mapped_elsewhere() {
    static std::atomic<int*> box;
    box = nullptr;
    together([] { box.store(map<int>(), std::memory_order_relaxed); },
             [] {
                 if (int* p = box.load(std::memory_order_relaxed)) *p = 1;
             });
}
void mapped_and_handed_over() {
    static std::atomic<int*> box;
    box = nullptr;
    together([] { box.store(map<int>(), std::memory_order_release); },
             [] {
                 if (int* p = box.load(std::memory_order_acquire)) *p = 1;
             });
}
void mappings_stay_in_place() {
    std::atomic<int*> box{nullptr};
    std::atomic<int> full{0};
    together(
        [&] {
            int* volatile p = map<int>();
            *p = full.load();
        },
        [&] {
            int* const p = map<int>();
            *p = 5;
            box.store(p);
            full.store(1);
        });
    VERIFY_THAT(*box.load() == 5);
}

void grows_and_moves() {
    char* const p = map();
    auto* const a = new (p + 64) std::atomic<int>(0);
    together([=] { a->fetch_add(1); }, [=] { a->fetch_add(2); });
    p[page - 1] = 7;
    char* const q = static_cast<char*>(mremap(p, page, 4 * page, MREMAP_MAYMOVE));
    VERIFY_THAT(q != MAP_FAILED && q[page - 1] == 7 && q[3 * page] == 0);
    auto* const b = reinterpret_cast<std::atomic<int>*>(q + 64);
    together([=] { b->fetch_add(4); });
    VERIFY_THAT(b->load() == 7);
    VERIFY_THAT(mremap(q, 4 * page, page, 0) == q);
    VERIFY_THAT(q[page - 1] == 7);
}
void use_of_the_old_place() {
    char* volatile p = map();
    static_cast<void>(mremap(p, page, 4 * page, MREMAP_MAYMOVE));
    *p = 1;
}

void thrown_away() {
    x = 0;
    char* const p = map(4 * page);
    auto* const a = new (p + page) std::atomic<int>(3);
    p[0] = 1;
    together([] { x = 1; }, [] { static_cast<void>(x.load()); });
    madvise(p, 2 * page, MADV_DONTNEED);
    VERIFY_THAT(p[0] == 0 && a->load() == 0);
    together([=] { a->store(5); }, [=] { VERIFY_THAT(a->load() != 3); });
}
void thrown_away_while_in_use() {
    char* volatile p = map(4 * page);
    std::thread other([q = p] { *q = 1; });
    madvise(p, page, MADV_DONTNEED);
    other.join();
}
void mapped_over() {
    char* const p = map(4 * page);
    p[page] = 1;
    VERIFY_THAT(mmap(p + page, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
                     0) == p + page);
    VERIFY_THAT(p[page] == 0);
    munmap(p + page, page);
    VERIFY_THAT(mmap(p + page, page, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == p + page);
    p[page] = 2;
}
void mapped_where_nothing_is() {
    mmap(reinterpret_cast<void*>(0x10'0000'0000), page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
         -1, 0);
}
void executable_memory() { mmap(nullptr, page, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }

void shared_and_anonymous() {
    auto* const p = new (map(page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS)) std::atomic<int>(0);
    together([=] { p->fetch_add(1); }, [=] { p->fetch_add(1); });
    VERIFY_THAT(p->load() == 2);
}

// 16 GiB, of which two pages are used.
void a_large_reserve() {
    constexpr std::size_t size = std::size_t{16} << 30;
    char* const p = map(size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE);
    mprotect(p, size, PROT_READ | PROT_WRITE);
    auto* const a = new (p + size / 2) std::atomic<int>(0);
    together(
        [=] {
            p[size - 1] = 1;
            a->store(1, std::memory_order_release);
        },
        [=] {
            if (a->load(std::memory_order_acquire) == 1) VERIFY_THAT(p[size - 1] == 1);
        });
    munmap(p, size);
}
void too_large_a_reserve() {
    map(std::size_t{1} << 40, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE);
}

// By code that does not announce its accesses.
void touched_by_the_library() {
    x = 0;
    char* const p = map(64 * page);
    together([] { x = 1; }, [=] { std::snprintf(p + 10 * page, 100, "x is %d", x.load()); });
    VERIFY_THAT(std::strlen(p + 10 * page) == 6);
    VERIFY_THAT(p[10 * page + 5] - '0' < 2 && p[20 * page] == 0);
}
void library_runs_into_a_guard_page() {
    char* const p = map(2 * page);
    mprotect(p + page, page, PROT_NONE);
    std::snprintf(p + page - 4, 100, "%d", 1'000'000);
}

void the_break_moves() {
    x = 0;
    char* const p = static_cast<char*>(sbrk(3 * page));
    VERIFY_THAT(sbrk(0) == p + 3 * page);
    p[0] = p[2 * page] = 1;
    together([] { x = 1; }, [=] { p[1] = static_cast<char>(x.load()); });
    VERIFY_THAT(sbrk(-static_cast<std::intptr_t>(2 * page)) == p + 3 * page);
    VERIFY_THAT(sbrk(page) == p + page && p[page] == 0 && p[0] == 1);
    VERIFY_THAT(brk(p) == 0 && sbrk(0) == p);
}
void the_break_races() {
    together([] { sbrk(64); }, [] { sbrk(64); });
}
void use_above_the_break() {
    auto* volatile p = static_cast<char*>(sbrk(page));
    sbrk(-static_cast<std::intptr_t>(page));
    *p = 1;
}

void mapped_by_number() {
    x = 0;
    const long at =
        syscall(SYS_mmap, nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    auto* volatile p = reinterpret_cast<int*>(at);
    together([] { x = 1; }, [] { static_cast<void>(x.load()); });
    VERIFY_THAT(++*p == 1);
    syscall(SYS_munmap, at, page);
}

namespace {
/// Hands out parts of one mapping, in order.
struct bump_allocator {
    char* const begin = map<char>(64 * page);
    std::atomic<std::size_t> used{0};
    void* allocate(std::size_t size, bool atomically) {
        size = (size + 15) & ~std::size_t{15};
        if (atomically) return begin + used.fetch_add(size, std::memory_order_relaxed);
        const std::size_t now = used.load(std::memory_order_relaxed);
        used.store(now + size, std::memory_order_relaxed);
        return begin + now;
    }
    ~bump_allocator() { munmap(begin, 64 * page); }
};
void allocate_in_two(bool atomically) {
    bump_allocator all;
    int *a = nullptr, *b = nullptr;
    together([&] { a = new (all.allocate(sizeof(int), atomically)) int(1); },
             [&] { b = new (all.allocate(sizeof(int), atomically)) int(2); });
    VERIFY_THAT(*a == 1 && *b == 2);
}
} // namespace

void allocates_by_fetch_add() { allocate_in_two(true); }
void allocates_by_load_and_store() { allocate_in_two(false); }

namespace {
struct list_in_a_mapping {
    int* const numbers = map<int>();
    int count = 0;
    void add(int n) { numbers[count++] = n; }
    ~list_in_a_mapping() { munmap(numbers, page); }
};
} // namespace
void objects_over_mappings() {
    x = 0;
    const auto work = [] {
        thread_local list_in_a_mapping mine;
        static list_in_a_mapping all;
        static std::atomic<bool> busy;
        mine.add(1);
        mine.add(x.fetch_add(1));
        VERIFY_THAT(mine.count == 2 && mine.numbers[0] == 1);
        while (busy.exchange(true, std::memory_order_acquire)) std::this_thread::yield();
        all.add(mine.numbers[1]);
        VERIFY_THAT(all.count <= 2);
        busy.store(false, std::memory_order_release);
    };
    together(work, work);
}

void keys_run_out() {
    for (int i = 0; i < 100; ++i) {
        pthread_key_t key;
        if (pthread_key_create(&key, nullptr) != 0) return;
    }
}

// Files in memory.
namespace {
int file_of(std::size_t size) {
    const int file = memfd_create("test", MFD_CLOEXEC);
    VERIFY_THAT(file >= 0 && ftruncate(file, static_cast<off_t>(size)) == 0);
    return file;
}
template <class T>
T* map_file(int file, int flags = MAP_SHARED, int protection = PROT_READ | PROT_WRITE) {
    void* const at = mmap(nullptr, page, protection, flags, file, 0);
    VERIFY_THAT(at != MAP_FAILED);
    return static_cast<T*>(at);
}
} // namespace
void file_in_memory() {
    const int file = file_of(page);
    auto* const p = map_file<std::atomic<int>>(file);
    VERIFY_THAT(close(file) == 0);
    together([=] { p->fetch_add(1); }, [=] { p->fetch_add(2); });
    VERIFY_THAT(p->load() == 3);
    munmap(p, page);
}
void file_in_memory_mapped_twice() {
    const int file = file_of(page);
    int *const p = map_file<int>(file), *const q = map_file<int>(file);
    *p = 7;
    VERIFY_THAT(p != q && *q == 7);
}
void file_in_memory_mapped_again() {
    const int file = file_of(page);
    int* const p = map_file<int>(file);
    *p = 7;
    munmap(p, page);
    int* const q = map_file<int>(file);
    VERIFY_THAT(*q == 7);
    VERIFY_THAT(*map_file<int>(file, MAP_PRIVATE) == 7);
    close(file);
}
void use_behind_the_end_of_a_file() {
    const int file = memfd_create("test", 0);
    *map_file<volatile int>(file) = 1;
}
void file_of_the_system() {
    x = 0;
    const int file = open("/proc/self/exe", O_RDONLY);
    VERIFY_THAT(file >= 0);
    const char* const p = map_file<const char>(file, MAP_PRIVATE, PROT_READ);
    close(file);
    together([] { x = 1; }, [] { static_cast<void>(x.load()); });
    VERIFY_THAT(std::memcmp(p, "\177ELF", 4) == 0);
}
void file_of_the_system_shared() {
    const int file = open("/dev/zero", O_RDWR);
    map_file<int>(file);
}
void many_executions_with_files() {
    x = y = 0;
    const int file = file_of(page);
    VERIFY_THAT(file < 100);
    const auto work = [] {
        x.fetch_add(1);
        y.fetch_add(1);
    };
    together(work, work, work);
    close(file);
}

} // namespace programs
