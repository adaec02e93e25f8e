// SPDX-License-Identifier: Apache-2.0
#pragma once
// File descriptors that threads sleep on: eventfd, pipe, timerfd, signalfd, epoll. Each object is one word of 128 bits in the graph
// (`virtual_word`), which a system call changes by a read-modify-write that acquires and releases, as the kernel's lock
// of that object does. Two objects order nothing for each other. The number that the program holds belongs to a real
// descriptor that can do nothing (O_PATH), so that a call that is not modelled fails with EBADF.

#include "hook.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <sys/types.h>

namespace ringproof::verify::descriptors {

enum class kind : std::uint8_t {
    event,
    reader,
    writer,
    timer,
    signals, ///< a signalfd
    epoll,
    poller,
    process_signals, ///< no file: the signals that are sent to the process
    mask             ///< no file: the signals that a thread blocks
};

/// A file that an epoll instance, or a poll(), watches. Guarded by the instance's lock.
struct watched {
    const struct end* file;
    std::uint64_t data;
    bool early; ///< it was reported for what is not ordered before, see epoll.cpp
};
inline constexpr unsigned most_watched = 16;  ///< files of one instance
inline constexpr unsigned instances_each = 8; ///< of a thread: seven of epoll, and its poller

/// One end of an object, which a number stands for. It lies in the program's heap and does not change, but for whether
/// calls wait, which is memory of the program: a change of it that is not ordered with a call is a data race.
struct end {
    kind what;
    bool non_blocking;
    std::uint8_t
        instance; ///< epoll, poller: its number, by which a watched file knows it; signals: first or second
    std::uint32_t set;   ///< signals, mask: which signals, see signals_sent.hpp
    std::uintptr_t word; ///< address of the object's word
    char* bytes;         ///< pipe: its contents
    watched* items;      ///< epoll, poller
};

// ---- the word of a file: its state in the lower half, and these bits above it ----------------------------------

constexpr value_t bit(unsigned n) { return value_t{1} << n; }
/// Of the first side (eventfd, read end), and of the second (write end).
constexpr value_t closed(unsigned side) { return bit(64 + side); }
inline constexpr value_t semaphore = bit(66);
inline constexpr value_t state_mask = ~std::uint64_t{0};
/// Who is told when the file becomes ready: instance, item and side, four of them.
inline constexpr unsigned most_watchers = 4, first_watcher = 72, watcher_bits = 14;
constexpr value_t watcher(unsigned instance, unsigned item, unsigned side) {
    return bit(13) | value_t{side} << 12 | value_t{instance} << 4 | item;
}
inline value_t watcher_at(value_t word, unsigned n) {
    return word >> (first_watcher + n * watcher_bits) & (bit(watcher_bits) - 1);
}

inline unsigned side_of(const end& e) {
    return e.what == kind::writer ? 1u : e.what == kind::signals ? e.instance : 0u;
}

inline hook::operation on(const end& e, order mo, std::uintptr_t site, const char* word) {
    return {e.word, site, mo, true, 16, word};
}
/// A look without a lock, which orders nothing. A loop that looks again is a waiting loop.
inline value_t look(const end& e, std::uintptr_t site, const char* word, order mo = order::relaxed) {
    request r = hook::request_for(action::load, on(e, mo, site, word), nullptr, 0);
    // The second signalfd has the word of the first, which is looked at in the same call: that is no loop.
    if (e.what != kind::signals || e.instance == 0) r.frame = hook::self().hook_frame;
    return hook::engine().visible(r);
}

/// Said of a wait for a lock within one system call, in which nothing comes in between.
inline constexpr const char* shortly = "internal error: a descriptor stays locked";
/// What a pipe holds: the least that pipe(7) lets the kernel give, which is PIPE_BUF. What relies on more is an error.
inline constexpr unsigned pipe_capacity = 4096;

/// What a call is that waits, and that does not: a read-modify-write that may leave what it finds.
struct call {
    transition waits, does_not;
    const char* word;   ///< for people
    const char* awaits; ///< said of a thread that waits for ever
};
/// @return what it saw
value_t ask(const end& e, const call& what, value_t operand, std::uintptr_t site);

inline int fails(int error) {
    errno = error;
    return -1;
}
/// Refutes an execution that uses a number after close(): another file may have it by then.
void must_be_open(const end& e, value_t word, std::uintptr_t site);

// ---- numbers (files.cpp) ----------------------------------------------------------------------------------------

/// @return the end that `number` stands for, or null: then it is no concern of this model
const end* find(int number);
/// The instance with this number. It exists.
const end& instance(unsigned number);
/// Gives the running thread's next number to an end, whose room this makes.
struct made {
    int number;
    end* at;
};
made make(kind what, std::uintptr_t word, std::uintptr_t site);
/// How many ends of that kind the running thread has made, and its poller, or null.
unsigned count(kind what);
const end* own_poller();
/// What a thread keeps that is no file. Its word is null.
end& keep(kind what);
/// What thread `t` keeps of that kind: the latest, or null.
end* kept(thread_id t, kind what);
/// An epoll instance, or what a thread polls with. @param number of all instances
made make_instance(kind what, unsigned number, std::uintptr_t site);
/// Room for an object's word.
std::uintptr_t new_word();

// ---- what each kind does ----------------------------------------------------------------------------------------

ssize_t read_event(const end& e, void* to, std::size_t size, std::uintptr_t site);
ssize_t write_event(const end& e, const void* from, std::size_t size, std::uintptr_t site);
ssize_t read_timer(const end& e, void* to, std::size_t size, std::uintptr_t site);
ssize_t read_signals(const end& e, void* to, std::size_t size, std::uintptr_t site);
ssize_t read_pipe(const end& e, void* to, std::size_t size, std::uintptr_t site);
ssize_t write_pipe(const end& e, const void* from, std::size_t size, std::uintptr_t site);
int close_epoll(const end& e, std::uintptr_t site);
/// Takes a file off an epoll instance.
void drop_item(const end& instance, unsigned item, std::uintptr_t site);
/// As read(), write(), close() and fcntl() do.
ssize_t read(const end& e, void* to, std::size_t size, std::uintptr_t site);
ssize_t write(const end& e, const void* from, std::size_t size, std::uintptr_t site);
int close(const end& e, std::uintptr_t site);
int control(const end& e, int command, long argument, std::uintptr_t site);

// ---- readiness (readiness.cpp) ----------------------------------------------------------------------------------

/// What poll() says of a file whose word is `word`: POLLIN, POLLOUT, POLLERR, POLLHUP.
unsigned readiness(const end& e, value_t word);
unsigned readiness(kind what, std::uint32_t set, value_t word);
/// Tells those who watch that side of a file that it became ready in these ways. @param word as the change found it
/// @param but a watcher who knows it
void tell(value_t word, unsigned side, unsigned ways, std::uintptr_t site, unsigned but = 0);
/// Adds, or removes, a watcher of a file. @return the file's word before
value_t watch(const end& file, unsigned by, unsigned item, std::uintptr_t site);
void unwatch(const end& file, unsigned by, unsigned item, std::uintptr_t site);
/// Takes a closed file off the instances that watched it. @param word as close() found it
void forget(value_t word, unsigned side, std::uintptr_t site);
/// Refuses a system call that would come to a modelled file, or make one, past these functions.
void must_not_be_raw(long call, long first, std::uintptr_t site);
/// Whether a blocking call ends with EINTR; one that signal(7) names does so without a handler, too.
bool is_interrupted(const end& e, bool without_handler, std::uintptr_t site);

// ---- timers (timer.cpp): the number of expirations in the lowest 8 bits of the word, these, and the first time above -

inline constexpr value_t expirations = 0xff, armed = bit(8), periodic = bit(9);
/// Whether that is the word of a timer that is set and has not expired.
inline bool will_expire(const end& e, value_t word) {
    return e.what == kind::timer && (word & armed) && !(word & expirations);
}
/// How a thread comes to a timer that will expire: it looks once; it looks while it also waits for other files; or it
/// waits for nothing else.
enum class coming { looks, waits_for_others_too, waits };
/// Whether such a timer expires now: both is explored, but where the thread waits for it alone. @return its word
value_t let_expire(const end& e, value_t word, coming how, std::uintptr_t site, unsigned but = 0);

// ---- the word of an instance: seven bits for each item, and its lock --------------------------------------------

inline constexpr unsigned item_bits = 7;
enum : unsigned { used = 1, ready = 2, enabled = 4, in = 8, out = 16, edge = 32, once = 64 };
inline constexpr value_t scanning = bit(112); ///< by who holds the lock
constexpr value_t at_item(unsigned item, unsigned bits) { return value_t{bits} << (item * item_bits); }
inline unsigned item_of(value_t word, unsigned item) {
    return static_cast<unsigned>(word >> (item * item_bits)) & 127u;
}
constexpr value_t at_each_item(unsigned bits) {
    value_t all = 0;
    for (unsigned i = 0; i < most_watched; ++i) all |= at_item(i, bits);
    return all;
}
/// What an item asks for, in the words of poll(); errors and hang-ups always.
unsigned asked(unsigned item);

} // namespace ringproof::verify::descriptors
