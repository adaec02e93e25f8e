// SPDX-License-Identifier: Apache-2.0
// What the program asks the runtime for: threads, locks, memory, and its end.
#include "thread_run.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace ringproof::silicon::a64 {

thread_run::next thread_run::call(const instruction& i) {
    for (register_number r = 0; r < 3; ++r)
        if (const shared_origin& o = origins_.of(r); !known(o)) return wait_for(o->needs);
    switch (static_cast<service>(i.call)) {
    case service::create:
        return create();
    case service::join:
        return join();
    case service::end:
        return end();
    case service::fail:
        return fail(fmt::format("{}:{}: assertion '{}' failed", text_at(cpu_.value(1)), cpu_.value(2),
                                text_at(cpu_.value(0))));
    case service::allocate: {
        const std::uint64_t bytes = (std::max<std::uint64_t>(cpu_.value(0), 1) + 15) / 16 * 16;
        if (bytes > memory::heap_size - allocated_) return fail("it has no more memory to allocate");
        ++effects_;
        allocated_ += bytes;
        return done(memory_.heap(self_) + allocated_ - bytes);
    }
    case service::lock:
        return lock(true);
    case service::try_lock:
        return lock(false);
    case service::unlock:
        return unlock();
    case service::yield:
        break;
    case service::wait_begin:
        return wait_begin();
    case service::wait_end:
        return wait_end();
    case service::notify:
        return notify();
    case service::clock:
        ++effects_; // a round that looks at a clock is not the same as the one before
        return done(look_at_clock());
    case service::sleep:
        time_ += cpu_.value(0);
        break;
    case service::take_shared:
        return take_shared();
    case service::drop_shared:
        return drop_shared();
    case service::refuse:
        refuse(text_at(cpu_.value(0)));
    default:
        refuse("a system call: none are known here");
    }
    return done(cpu_.value(0));
}

thread_run::next thread_run::done(std::uint64_t result) {
    cpu_.set(0, result);
    origins_.set(0, nullptr);
    cpu_.skip();
    return next::on;
}

thread_run::next thread_run::create() {
    if (alone_) return next::over; // from here on it is not
    if (self_ != 0) refuse("only main() may create threads here");
    const std::size_t number = ++created_;
    if (number >= memory::most_threads) refuse(fmt::format("more than {} threads", memory::most_threads));
    event e;
    e.is_write = e.release = true;
    e.address = start_of(number);
    e.bytes = 16;
    if (const shared_origin given = both(origins_.of(0), origins_.of(1))) {
        e.data_from = given->from;
        e.picked_data = given->picked;
    }
    ++effects_;
    add(e, word{cpu_.value(1), cpu_.value(0)});
    return done(number);
}

thread_run::next thread_run::join() {
    event e;
    e.is_read = e.acquire = true;
    e.address = end_of(cpu_.value(0));
    e.bytes = 16;
    const std::size_t read = add(e);
    const std::optional<word> ended = loaded(read);
    if (!ended) return wait_for(from_read(read)->needs);
    if (ended->low == 0) return stuck_at(waiting::thread_end);
    control_ = both(control_, from_read(read));
    return done(0);
}

thread_run::next thread_run::end() {
    if (self_ != 0) {
        event e;
        e.is_write = e.release = true;
        e.address = end_of(self_);
        e.bytes = 16;
        add(e, word{1, 0});
    }
    return stop(run::end::finished);
}

/// A thread takes a lock that it finds free, and is stuck where it finds it taken.
thread_run::next thread_run::lock(bool waits) {
    const std::uint64_t address = cpu_.value(0);
    const std::optional<std::uint64_t> held = read_word_of_call(address, true);
    if (!held) return next::over;
    if (*held != 0 && waits) {
        if (alone_) return fail("deadlock: main() waits for a mutex that it holds");
        return stuck_at(waiting::mutex);
    }
    if (*held == 0) write_word_of_call(address, 1);
    return done(*held);
}

thread_run::next thread_run::unlock() {
    const std::uint64_t address = cpu_.value(0);
    if (alone_) return write_word_of_call(address, 0), done(0);
    learn_of_call(address);
    event e;
    e.is_write = e.release = true;
    e.address = address;
    e.bytes = word_of_call;
    ++effects_;
    add(e, word{});
    return done(0);
}

namespace {
/// Of a read-write lock's word, which otherwise counts its readers.
constexpr std::uint64_t writer = 0x8000'0000;
} // namespace

/// Readers come in beside readers, as the C library prefers them; a writer comes in alone.
thread_run::next thread_run::take_shared() {
    constexpr std::uint64_t busy = 16; // EBUSY
    const std::uint64_t address = cpu_.value(0);
    const bool writes = cpu_.value(1) != 0, waits = cpu_.value(2) != 0;
    const std::optional<std::uint64_t> held = read_word_of_call(address, true);
    if (!held) return next::over;
    if (writes ? *held == 0 : *held < writer) {
        write_word_of_call(address, *held + (writes ? writer : 1));
        return done(0);
    }
    if (!waits) return done(busy);
    if (alone_) return fail("deadlock: main() waits for a read-write lock that it holds");
    return stuck_at(waiting::read_write_lock);
}

thread_run::next thread_run::drop_shared() {
    const std::uint64_t address = cpu_.value(0);
    const std::optional<std::uint64_t> held = read_word_of_call(address, false);
    if (!held) return next::over;
    if (*held == 0) return fail("it unlocks a read-write lock that is not locked");
    write_word_of_call(address, *held >= writer ? 0 : *held - 1, true);
    return done(0);
}

std::string thread_run::text_at(std::uint64_t address) const {
    constexpr std::size_t enough = 4096;
    std::string text;
    for (; text.size() < enough && memory_.at(address, 1).whose != memory::owner::none; ++address) {
        const char c = *reinterpret_cast<const char*>(address);
        if (c == 0) break;
        text += c;
    }
    return text;
}

} // namespace ringproof::silicon::a64
