// SPDX-License-Identifier: Apache-2.0
// Programs that fork. A child that fails an assertion refutes the program, as a thread does.

#include "processes.hpp"

#include "programs.hpp"
#include "shared_between.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <fcntl.h>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace programs {
namespace {

int global = 0;
std::atomic<int> counter;
thread_local int of_thread = 0;

int end_of(pid_t child) {
    int status = -1;
    VERIFY_THAT(waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

struct message {
    int content = 0;
    std::atomic<int> ready{0};
};
void send(message& to, const message& from, std::memory_order order) {
    const pid_t child = start([&] {
        to.content = 5;
        to.ready.store(1, order);
    });
    if (from.ready.load(std::memory_order_acquire) == 1) VERIFY_THAT(from.content == 5);
    end_of(child);
    VERIFY_THAT(from.content == 5);
}

} // namespace

// None of these is a race.
void process_has_globals_of_its_own() {
    global = 1;
    const pid_t child = start([] {
        VERIFY_THAT(global == 1);
        global = 2;
        VERIFY_THAT(global == 2);
    });
    VERIFY_THAT(global == 1);
    global = 3;
    end_of(child);
    VERIFY_THAT(global == 3);
}
void process_has_locals_of_its_own() {
    int local = 1;
    int* const known = &local;
    auto& go = shared<std::atomic<int>>();
    const pid_t child = start([&] {
        VERIFY_THAT(*known == 1);
        *known = 2;
        go.store(1);
        VERIFY_THAT(local == 2);
    });
    static_cast<void>(go.load());
    VERIFY_THAT(local == 1);
    *known = 3;
    end_of(child);
    VERIFY_THAT(local == 3);
}
void process_has_a_heap_of_its_own() {
    int* const known = new int(1);
    const pid_t child = start([&] {
        int* const fresh = new int(*known);
        *known = 2;
        VERIFY_THAT(*fresh == 1 && *known == 2);
        delete fresh;
    });
    VERIFY_THAT(*known == 1);
    *known = 3;
    end_of(child);
    VERIFY_THAT(*known == 3);
    delete known;
}
void process_has_atomics_of_its_own() {
    counter = 0;
    const pid_t child = start([] {
        VERIFY_THAT(counter.fetch_add(1) == 0);
        VERIFY_THAT(counter.load() == 1);
    });
    VERIFY_THAT(counter.fetch_add(1) == 0);
    end_of(child);
    VERIFY_THAT(counter.load() == 1);
}
void process_keeps_thread_locals() {
    of_thread = 4;
    const pid_t child = start([] {
        VERIFY_THAT(of_thread == 4);
        of_thread = 5;
    });
    VERIFY_THAT(of_thread == 4);
    end_of(child);
    VERIFY_THAT(of_thread == 4);
}
void process_keeps_pthread_keys() {
    static int values[2];
    pthread_key_t key;
    pthread_key_create(&key, nullptr);
    pthread_setspecific(key, &values[0]);
    const pid_t child = start([&] {
        VERIFY_THAT(pthread_getspecific(key) == &values[0]);
        pthread_setspecific(key, &values[1]);
        VERIFY_THAT(pthread_getspecific(key) == &values[1]);
    });
    VERIFY_THAT(pthread_getspecific(key) == &values[0]);
    end_of(child);
    VERIFY_THAT(pthread_getspecific(key) == &values[0]);
}

void processes_share_a_mapping() {
    auto& n = shared<std::atomic<int>>();
    const pid_t child = start([&] { n.fetch_add(1); });
    n.fetch_add(1);
    end_of(child);
    VERIFY_THAT(n.load() == 2);
}
void message_between_processes() {
    auto& m = shared<message>();
    send(m, m, std::memory_order_release);
}
void message_between_processes_relaxed() {
    auto& m = shared<message>();
    send(m, m, std::memory_order_relaxed);
}
void message_over_a_file_in_memory() {
    const int file = memfd_create("test", MFD_CLOEXEC);
    VERIFY_THAT(file >= 0 && ftruncate(file, page) == 0);
    const auto show = [&] { return mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0); };
    auto& to = *new (show()) message;
    send(to, *static_cast<message*>(show()), std::memory_order_release);
}
void race_between_processes() {
    auto& n = shared<int>();
    const pid_t child = start([&] { n = 1; });
    n = 2;
    end_of(child);
}
void processes_take_a_lock() {
    struct counted {
        pthread_mutex_t lock;
        int count = 0;
        void add() {
            pthread_mutex_lock(&lock);
            ++count;
            pthread_mutex_unlock(&lock);
        }
    };
    auto& c = shared<counted>();
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&c.lock, &kind);
    const pid_t child = start([&] { c.add(); });
    c.add();
    end_of(child);
    VERIFY_THAT(c.count == 2);
}

void process_waits_for_another() {
    auto& go = shared<std::atomic<int>>();
    const pid_t child = start([&] {
        while (go.load(std::memory_order_acquire) == 0)
            ;
    });
    go.store(1, std::memory_order_release);
    end_of(child);
}
void process_waits_in_vain() {
    auto& go = shared<std::atomic<int>>();
    const pid_t child = start([&] {
        while (go.load(std::memory_order_acquire) == 0)
            ;
    });
    end_of(child);
}

void process_fails() {
    auto& n = shared<std::atomic<int>>();
    const pid_t child = start([&] { VERIFY_THAT(n.load() == 0); });
    n.store(1);
    end_of(child);
}
void process_reads_the_null_pointer() {
    int* volatile none = nullptr;
    end_of(start([&] { global = *none; }));
}
void process_ends_with_a_code() {
    VERIFY_THAT(end_of(start([] { _exit(7); })) == 7);
    VERIFY_THAT(waitpid(-1, nullptr, 0) == -1 && errno == ECHILD);
}
void two_processes_beside_the_first() {
    auto& n = shared<std::atomic<int>>();
    global = 1;
    const auto add = [&] {
        VERIFY_THAT(getpid() != getppid());
        global = n.fetch_add(1);
        VERIFY_THAT(global < 2);
    };
    const pid_t one = start(add), other = start(add);
    VERIFY_THAT(one != other);
    end_of(other);
    end_of(one);
    VERIFY_THAT(n.load() == 2 && global == 1);
}
void process_starts_a_thread() {
    global = 1;
    counter = 0;
    const pid_t child = start([] {
        int local = 0;
        std::thread other([&] {
            local = global;
            global = 2;
            counter.store(1, std::memory_order_release);
        });
        if (counter.load(std::memory_order_acquire) == 1) VERIFY_THAT(global == 2);
        other.join();
        VERIFY_THAT(local == 1 && global == 2);
    });
    VERIFY_THAT(global == 1 && counter.load() == 0);
    end_of(child);
}

void process_forks() {
    end_of(start([] { end_of(start([] {})); }));
}
namespace {
std::atomic<int>* ends = nullptr;
void note_end() { ends->fetch_add(1); }
} // namespace
void process_exits_in_order() {
    ends = &shared<std::atomic<int>>();
    std::atexit(note_end);
    VERIFY_THAT(end_of(start([] {
                    std::atexit(note_end);
                    std::exit(3);
                })) == 3);
    VERIFY_THAT(ends->load() == 2); // what it registered, and what it has from its parent
}
void process_returns_from_main() {
    auto& n = shared<std::atomic<int>>();
    struct at_return {
        std::atomic<int>& n;
        ~at_return() { n.fetch_add(1); }
    } const local{n};
    if (const pid_t child = fork(); child != 0) {
        VERIFY_THAT(end_of(child) == 0);
        VERIFY_THAT(n.load() == 1);
    }
}
void threads_before_a_fork() {
    auto& n = shared<std::atomic<int>>();
    std::thread other([&] { n.store(1); });
    end_of(start([] {}));
    other.join();
}
void private_mapping_before_a_fork() {
    mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    end_of(start([] {}));
}
void pipe_before_a_fork() {
    int both[2];
    VERIFY_THAT(pipe(both) == 0);
    end_of(start([] {}));
}
void process_unmaps() {
    auto& n = shared<std::atomic<int>>();
    end_of(start([&] { munmap(static_cast<void*>(&n), page); }));
}
void process_is_waited_for_in_another_way() {
    const pid_t child = start([] {});
    waitpid(child, nullptr, __WALL);
}
void process_maps_for_itself() {
    const int file = shm_open("/test", O_RDWR | O_CREAT | O_EXCL, 0600);
    VERIFY_THAT(file >= 0 && ftruncate(file, page) == 0);
    const auto map = [](int of) {
        void* const reserved = mmap(nullptr, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        void* const at = mmap(reserved, page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, of, 0);
        VERIFY_THAT(at == reserved && close(of) == 0);
        return static_cast<message*>(at);
    };
    const pid_t child = start([&] {
        message* const to = map(shm_open("/test", O_RDWR, 0));
        to->content = 5;
        to->ready.store(1, std::memory_order_release);
        munmap(to, page);
    });
    message* const from = map(file); // neither had mapped the file before fork()
    if (from->ready.load(std::memory_order_acquire) == 1) VERIFY_THAT(from->content == 5);
    end_of(child);
    VERIFY_THAT(from->content == 5);
    munmap(from, page);
}

} // namespace programs
