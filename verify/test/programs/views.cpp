// SPDX-License-Identifier: Apache-2.0
// Memory with two addresses, and plain writes over many atomics.

#include "views.hpp"

#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace programs {
namespace {

constexpr std::size_t page = 4096;
std::atomic<int> x;

int file_of(std::size_t size) {
    const int file = memfd_create("test", MFD_CLOEXEC);
    VERIFY_THAT(file >= 0 && ftruncate(file, static_cast<off_t>(size)) == 0);
    return file;
}
template <class T = char>
T* show(int file, std::size_t size = page, off_t offset = 0, void* at = nullptr) {
    void* const to = mmap(at, size, PROT_READ | PROT_WRITE, MAP_SHARED | (at ? MAP_FIXED : 0), file, offset);
    VERIFY_THAT(to != MAP_FAILED && (at == nullptr || to == at));
    return static_cast<T*>(to);
}
/// Two views of one new file.
template <class T>
struct two_views {
    T *first, *second;
    two_views() {
        const int file = file_of(page);
        first = new (show(file)) T;
        second = show<T>(file);
        close(file);
        VERIFY_THAT(first != second);
    }
    ~two_views() {
        munmap(first, page);
        munmap(second, page);
    }
};

struct message {
    int content = 0;
    std::atomic<int> ready{0};
};
void send(std::memory_order order) {
    const two_views<message> m;
    together(
        [&] {
            m.first->content = 5;
            m.first->ready.store(1, order);
        },
        [&] {
            if (m.second->ready.load(std::memory_order_acquire) == 1) VERIFY_THAT(m.second->content == 5);
        });
}

/// A ring of one page that is mapped twice in a row, so that no record is in two pieces.
class ring {
  public:
    ring() {
        const int file = file_of(page);
        data_ = static_cast<char*>(mmap(nullptr, 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        VERIFY_THAT(data_ != MAP_FAILED);
        show(file, page, 0, data_);
        show(file, page, 0, data_ + page);
        close(file);
    }
    ~ring() { munmap(data_, 2 * page); }
    void push(const void* from, std::size_t size, std::memory_order order) {
        const std::size_t head = head_.load(std::memory_order_relaxed);
        std::memcpy(data_ + head % page, from, size);
        head_.store(head + size, order);
    }
    bool pop(void* to, std::size_t size) {
        if (head_.load(std::memory_order_acquire) - tail_ < size) return false;
        std::memcpy(to, data_ + tail_ % page, size);
        tail_ += size;
        return true;
    }
    const char* data() const { return data_; }

  private:
    char* data_;
    std::atomic<std::size_t> head_{page - 6};
    std::size_t tail_ = page - 6;
};
void push_and_pop(std::memory_order order) {
    ring r;
    together([&] { r.push("12345678", 8, order); },
             [&] {
                 char got[8];
                 if (r.pop(got, sizeof got)) VERIFY_THAT(std::memcmp(got, "12345678", 8) == 0);
             });
}

} // namespace

void one_atomic_at_two_addresses() {
    const two_views<std::atomic<int>> a;
    a.first->store(0);
    together([&] { a.first->store(1); }, [&] { VERIFY_THAT(a.second->load() < 2); });
    VERIFY_THAT(a.second->load() == 1);
}
void exchanges_at_two_addresses() {
    const two_views<std::atomic<int>> a;
    a.second->store(0);
    together([&] { a.first->fetch_add(1); }, [&] { a.second->fetch_add(1); });
    VERIFY_THAT(a.first->load() == 2);
}
// What two workers would spoil for each other if they wrote to the same pages.
void many_executions_over_two_views() {
    struct counted {
        std::atomic<int> all{0};
        int own[3] = {};
    };
    const two_views<counted> c;
    const auto count = [&](int i) {
        for (int n = 0; n < 3; ++n) {
            VERIFY_THAT(c.second->own[i] == n);
            ++c.first->own[i];
            VERIFY_THAT(c.first->all.fetch_add(1) >= n);
        }
    };
    together([&] { count(0); }, [&] { count(1); }, [&] { count(2); });
    VERIFY_THAT(c.second->all.load() == 9);
}
void message_over_two_views() { send(std::memory_order_release); }
void message_over_two_views_relaxed() { send(std::memory_order_relaxed); }
void races_over_two_views() {
    const two_views<int> a;
    together([&] { *a.first = 1; }, [&] { *a.second = 2; });
}
void locks_over_two_views() {
    struct counter {
        pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
        int count = 0;
    };
    const two_views<counter> c;
    const auto add = [](counter* to) {
        pthread_mutex_lock(&to->lock);
        ++to->count;
        pthread_mutex_unlock(&to->lock);
    };
    together([&] { add(c.first); }, [&] { add(c.second); });
    VERIFY_THAT(c.first->count == 2);
}

void ring_mapped_twice() { push_and_pop(std::memory_order_release); }
void ring_mapped_twice_without_barrier() { push_and_pop(std::memory_order_relaxed); }
void half_of_a_record_behind_the_wrap() {
    ring r;
    r.push("12345678", 8, std::memory_order_release);
    VERIFY_THAT(std::memcmp(r.data(), "78", 2) == 0 && std::memcmp(r.data() + page - 6, "123456", 6) == 0);
}

void parts_of_a_file() {
    const int file = file_of(3 * page);
    auto* const all = show<std::atomic<char>>(file, 3 * page);
    auto* const last = show<std::atomic<char>>(file, page, 2 * page);
    together([=] { all[2 * page + 7].store(1); }, [=] { VERIFY_THAT(last[7].load() < 2); });
    VERIFY_THAT(last[7].load() == 1 && all[7].load() == 0);
    VERIFY_THAT(mmap(nullptr, page, PROT_READ, MAP_SHARED, file, 7) == MAP_FAILED);
}

void views_grow_with_their_file() {
    const int file = file_of(page);
    char *const p = show(file, 2 * page), *const q = show(file, page, page);
    VERIFY_THAT(ftruncate(file, 2 * page) == 0);
    p[page] = 3;
    VERIFY_THAT(*q == 3);
    struct stat about {};
    VERIFY_THAT(fstat(file, &about) == 0 && about.st_size == 2 * page);
}
void use_of_a_view_before_its_file_grows() {
    const int file = file_of(page);
    char* volatile p = show(file, 2 * page);
    p[page] = 3;
}
void shrinks_while_mapped() {
    const int file = file_of(2 * page);
    show(file, 2 * page);
    VERIFY_THAT(ftruncate(file, page) == 0);
}
void shrinks_and_grows() {
    const int file = file_of(2 * page);
    char* p = show(file, 2 * page);
    p[0] = p[page] = 1;
    munmap(p, 2 * page);
    VERIFY_THAT(ftruncate(file, page) == 0 && ftruncate(file, 2 * page) == 0);
    p = show(file, 2 * page);
    VERIFY_THAT(p[0] == 1 && p[page] == 0);
}

void one_view_is_unmapped() {
    const int file = file_of(page);
    char *const p = show(file), *const q = show(file);
    *p = 4;
    munmap(p, page);
    VERIFY_THAT(*q == 4);
    VERIFY_THAT(*show(file) == 4);
}
void use_of_the_unmapped_view() {
    const int file = file_of(page);
    char* volatile p = show(file);
    show(file);
    munmap(p, page);
    *p = 1;
}
void view_is_unmapped_while_in_use() {
    const int file = file_of(page);
    auto* const p = show<std::atomic<int>>(file);
    std::thread other([=] { p->store(1); });
    munmap(p, page);
    other.join();
}
namespace {
// The store is before the munmap, and known to be so by the order alone that it is told with.
void unmap_behind(std::memory_order order) {
    const int file = file_of(page);
    auto *const p = show<std::atomic<int>>(file), *const q = show<std::atomic<int>>(file);
    x = 0;
    std::thread other([=] {
        p->store(1, std::memory_order_relaxed);
        x.store(1, order);
    });
    if (x.load(std::memory_order_acquire) == 1) munmap(p, page);
    other.join();
    VERIFY_THAT(q->load() == 1);
}
} // namespace
void view_is_unmapped_when_done() { unmap_behind(std::memory_order_release); }
void view_is_unmapped_too_early() { unmap_behind(std::memory_order_relaxed); }
void other_view_is_unmapped_while_in_use() {
    const int file = file_of(page);
    auto *const p = show<std::atomic<int>>(file), *const q = show<std::atomic<int>>(file);
    std::thread other([=] { p->store(1); });
    munmap(q, page);
    other.join();
    VERIFY_THAT(p->load() == 1);
}
void view_becomes_memory_of_its_own() {
    const int file = file_of(page);
    char *const p = show(file), *const q = show(file);
    *p = 1;
    VERIFY_THAT(mmap(q, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == q);
    VERIFY_THAT(*q == 0);
    *q = 2;
    VERIFY_THAT(*p == 1);
    show(file, page, 0, q);
    VERIFY_THAT(*q == 1);
}
// The same addresses are a view in one execution, and memory of their own in the other; before and behind a point at
// which the search goes back to a state.
void view_or_memory_by_chance() {
    x = 0;
    const int file = file_of(page);
    char* const p = show(file);
    char* const q =
        static_cast<char*>(mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    VERIFY_THAT(*p == 0 && *q == 0);
    *p = 1;
    std::thread other([] { x = 1; });
    const bool is_view = x == 1;
    if (is_view) show(file, page, 0, q);
    VERIFY_THAT(*q == (is_view ? 1 : 0));
    *q = 2;
    VERIFY_THAT(*p == (is_view ? 2 : 1));
    VERIFY_THAT(x.load() < 2);
    char* const r = is_view ? show(file)
                            : static_cast<char*>(mmap(nullptr, page, PROT_READ | PROT_WRITE,
                                                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    VERIFY_THAT(*r == (is_view ? 2 : 0));
    *r = 3;
    VERIFY_THAT(*p == (is_view ? 3 : 1));
    other.join();
}
void library_writes_to_a_view() {
    const int file = file_of(page);
    char *const p = show(file), *const q = show(file);
    std::snprintf(p + 10, 20, "%d", 1234);
    VERIFY_THAT(std::strcmp(q + 10, "1234") == 0);
}
void volatile_over_two_views() {
    const int file = file_of(page);
    auto *const p = show<volatile int>(file), *const q = show<volatile int>(file);
    together([=] { *p = 1; }, [=] { VERIFY_THAT(*q < 2); });
    VERIFY_THAT(*q == 1);
}
void mixed_sizes_over_two_views() {
    const int file = file_of(page);
    auto* const whole = show<std::atomic<unsigned>>(file);
    auto* const half = show<std::atomic<unsigned short>>(file);
    together([=] { whole->store(0x10001, std::memory_order_relaxed); },
             [=] { VERIFY_THAT(half->load(std::memory_order_relaxed) < 2); });
}
void object_is_opened_twice() {
    const int first = shm_open("/ringproof-test", O_RDWR | O_CREAT | O_EXCL, 0600);
    VERIFY_THAT(first >= 0 && ftruncate(first, page) == 0);
    const int third = dup(first), fourth = fcntl(first, F_DUPFD_CLOEXEC, 0);
    VERIFY_THAT(third >= 0 && fourth >= 0 && third != fourth && close(first) == 0);
    const int second = shm_open("/ringproof-test", O_RDWR, 0600);
    struct stat about {};
    VERIFY_THAT(second >= 0 && second != first && fstat(second, &about) == 0 && about.st_size == page);
    auto *const p = show<std::atomic<int>>(third), *const q = show<std::atomic<int>>(second);
    VERIFY_THAT(show<std::atomic<int>>(fourth)->load() == 0);
    VERIFY_THAT(shm_unlink("/ringproof-test") == 0 && shm_open("/ringproof-test", O_RDWR, 0600) == -1);
    together([=] { p->fetch_add(1); }, [=] { q->fetch_add(1); });
    VERIFY_THAT(p->load() == 2);
}
// The program is not given this address; it lies two pages in front of the first view.
void use_of_a_home() {
    const int file = file_of(page);
    char* volatile p = show(file);
    *p = 1;
    p[-2 * static_cast<std::ptrdiff_t>(page)] = 1;
}
void private_copy_of_a_view() {
    const int file = file_of(page);
    char* const p = show(file);
    *p = 1;
    void* const at = mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    VERIFY_THAT(at != MAP_FAILED);
    char* const q = static_cast<char*>(at);
    VERIFY_THAT(*q == 1);
    *q = 2;
    VERIFY_THAT(*p == 1);
}

namespace {
constexpr std::size_t many = 200;
std::atomic<char> words[many];
} // namespace
void clears_many_atomics() {
    for (std::atomic<char>& w : words) w.store(1, std::memory_order_relaxed);
    std::memset(static_cast<void*>(words), 0, sizeof words);
    together([] { words[70].store(2, std::memory_order_relaxed); },
             [] { VERIFY_THAT(words[70].load(std::memory_order_relaxed) != 1); });
    VERIFY_THAT(words[0] == 0 && words[many - 1] == 0);
}
void clears_many_atomics_in_use() {
    for (std::atomic<char>& w : words) w.store(1, std::memory_order_relaxed);
    std::thread other([] { words[150].store(2, std::memory_order_relaxed); });
    std::memset(static_cast<void*>(words), 0, sizeof words);
    other.join();
}

} // namespace programs
