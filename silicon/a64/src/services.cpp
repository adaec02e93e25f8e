// SPDX-License-Identifier: Apache-2.0
// What the program asks the runtime for: threads, locks, memory, and its end.
#include "thread_run.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

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
        cpu_.set(0, memory_.heap(self_) + allocated_);
        allocated_ += bytes;
        break;
    }
    case service::lock:
        return lock(true);
    case service::try_lock:
        return lock(false);
    case service::unlock: {
        if (alone_) {
            *reinterpret_cast<std::uint32_t*>(cpu_.value(0)) = 0;
            break;
        }
        if (const auto s = sharing_.access(self_, cpu_.value(0), 4, true, true); s == sharing::answer::learnt)
            throw learnt("a lock is shared");
        event e;
        e.is_write = e.release = true;
        e.address = cpu_.value(0);
        e.bytes = 4;
        add(e, word{});
        break;
    }
    case service::yield:
        break;
    default:
        throw std::invalid_argument(fmt::format("a system call at {:#x}: none are known here", pc_));
    }
    origins_.set(0, nullptr);
    cpu_.skip();
    return next::on;
}

thread_run::next thread_run::create() {
    if (alone_) return next::over; // from here on it is not
    if (self_ != 0) throw std::invalid_argument("only main() may create threads here");
    const std::size_t number = ++created_;
    if (number >= memory::most_threads)
        throw std::invalid_argument(fmt::format("more than {} threads", memory::most_threads));
    event e;
    e.is_write = e.release = true;
    e.address = start_of(number);
    e.bytes = 16;
    if (const shared_origin given = both(origins_.of(0), origins_.of(1))) {
        e.data_from = given->from;
        e.picked_data = given->picked;
    }
    add(e, word{cpu_.value(1), cpu_.value(0)});
    cpu_.set(0, number);
    origins_.set(0, nullptr);
    cpu_.skip();
    return next::on;
}

thread_run::next thread_run::join() {
    event e;
    e.is_read = e.acquire = true;
    e.address = end_of(cpu_.value(0));
    e.bytes = 16;
    const std::size_t read = add(e);
    const std::optional<word> ended = loaded(read);
    if (!ended) return wait_for(from_read(read)->needs);
    if (ended->low == 0) return stop(run::end::impossible); // it waits until there is an end
    control_ = both(control_, from_read(read));
    cpu_.set(0, 0);
    origins_.set(0, nullptr);
    cpu_.skip();
    return next::on;
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

/// A thread takes a lock that it finds free. A thread that finds it taken waits: executions with such a look are left out.
thread_run::next thread_run::lock(bool waits) {
    if (alone_) {
        std::uint32_t& word = *reinterpret_cast<std::uint32_t*>(cpu_.value(0));
        const std::uint32_t held = std::exchange(word, 1);
        if (held != 0 && waits) return fail("main() waits for a lock that it has");
        cpu_.set(0, held);
        cpu_.skip();
        return next::on;
    }
    if (const auto s = sharing_.access(self_, cpu_.value(0), 4, true, true); s == sharing::answer::learnt)
        throw learnt("a lock is shared");
    event e;
    e.is_read = e.acquire = e.atomic = true;
    e.address = cpu_.value(0);
    e.bytes = 4;
    const std::size_t read = add(e);
    const std::optional<word> held = loaded(read);
    if (!held) return wait_for(from_read(read)->needs);
    control_ = both(control_, from_read(read));
    if (held->low != 0 && waits) return stop(run::end::impossible);
    if (held->low == 0) {
        e.is_read = e.acquire = false;
        e.is_write = true;
        e.rmw_read = static_cast<int>(read);
        add(e, word{1, 0});
    }
    cpu_.set(0, held->low);
    origins_.set(0, nullptr);
    cpu_.skip();
    return next::on;
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
