// SPDX-License-Identifier: Apache-2.0
#include "graph.hpp"

#include <algorithm> // std::fill_n
#include <stdexcept>

namespace ringproof::verify::oracle {
namespace {

constexpr int unlocked = 0;
constexpr int locked = 1;

int location_of(const operation& what) {
    switch (what.kind) {
    case operation_kind::plain_load:
    case operation_kind::plain_store:
        return max_atomics + what.location;
    case operation_kind::lock:
    case operation_kind::unlock:
        return max_atomics + max_data + what.location;
    case operation_kind::fence:
    case operation_kind::skip_if:
    case operation_kind::bytes_load:
    case operation_kind::bytes_store:
    case operation_kind::own_load:
    case operation_kind::own_store:
    case operation_kind::renew:
        return no_location;
    default:
        return what.location;
    }
}

bool reads(operation_kind kind) {
    switch (kind) {
    case operation_kind::load:
    case operation_kind::fetch_add:
    case operation_kind::exchange:
    case operation_kind::compare_exchange:
    case operation_kind::await:
    case operation_kind::counted_wait:
    case operation_kind::plain_load:
    case operation_kind::lock:
        return true;
    default:
        return false;
    }
}

event_mode read_mode(std::memory_order order) {
    switch (order) {
    case std::memory_order_seq_cst:
        return event_mode::seq_cst;
    case std::memory_order_consume:
    case std::memory_order_acquire:
    case std::memory_order_acq_rel:
        return event_mode::acquire;
    default:
        return event_mode::relaxed;
    }
}

event_mode write_mode(std::memory_order order) {
    switch (order) {
    case std::memory_order_seq_cst:
        return event_mode::seq_cst;
    case std::memory_order_release:
    case std::memory_order_acq_rel:
        return event_mode::release;
    default:
        return event_mode::relaxed;
    }
}

event_mode fence_mode(std::memory_order order) {
    switch (order) {
    case std::memory_order_relaxed:
        return event_mode::relaxed;
    case std::memory_order_consume:
    case std::memory_order_acquire:
        return event_mode::acquire;
    case std::memory_order_release:
        return event_mode::release;
    case std::memory_order_acq_rel:
        return event_mode::acquire_release;
    case std::memory_order_seq_cst:
        return event_mode::seq_cst;
    }
    return event_mode::seq_cst;
}

} // namespace

graph::graph(const program& what) : program_(&what) {
    for (int thread = 0; thread < what.size; ++thread) {
        for (int step = 0; step < what[thread].size; ++step) {
            const int location = location_of(what[thread][step]);
            if (location == no_location || !coherence(location).empty()) continue;
            event initial;
            initial.index = location;
            initial.location = location;
            coherence(location).push_back(add(initial));
        }
        pass_over_what_is_no_event(thread);
    }
}

bool graph::finished(int thread) const { return state(thread).position >= (*program_)[thread].size; }

bool graph::finished() const {
    for (int thread = 0; thread < program_->size; ++thread)
        if (!finished(thread)) return false;
    return true;
}

bool graph::stuck() const {
    for (int thread = 0; thread < program_->size; ++thread) {
        const std::vector<choice> ways = choices(thread);
        if (ways.empty()) continue; // has finished, or waits for a value that nobody wrote
        const int location = location_of(*ways.back().what);
        const int from = ways.back().reads_from;
        if (from == no_event || from == coherence(location).back()) return false;
    }
    return !finished();
}

bool graph::accesses_bytes(int thread) const {
    if (finished(thread)) return false;
    const operation_kind next = (*program_)[thread][state(thread).position].kind;
    return next == operation_kind::bytes_load || next == operation_kind::bytes_store;
}

std::vector<choice> graph::choices(int thread) const {
    if (finished(thread)) return {};
    const operation& next = (*program_)[thread][state(thread).position];
    if (!reads(next.kind)) return {{&next, no_event}};
    std::vector<choice> result;
    for (const int write : coherence(location_of(next))) {
        const int value = at(write).value;
        if (next.kind == operation_kind::await &&
            !holds(value, next.how, evaluate(next.value, state(thread).registers)))
            continue;
        if (next.kind == operation_kind::lock && value != unlocked) continue;
        result.push_back({&next, write});
    }
    return result;
}

int graph::extend(int thread, const choice& how) {
    const operation& step = *how.what;
    const register_file& registers = state(thread).registers;
    const int value = evaluate(step.value, registers);
    const int old = how.reads_from == no_event ? 0 : at(how.reads_from).value;

    bool writes = false;
    event read, write;
    read.thread = write.thread = thread;
    read.location = write.location = location_of(step);
    read.kind = event_kind::read;
    read.reads_from = how.reads_from;
    read.value = old;
    read.mode = read_mode(step.order);
    write.kind = event_kind::write;
    write.value = value;
    write.mode = write_mode(step.order);

    switch (step.kind) {
    case operation_kind::load:
    case operation_kind::await:
    case operation_kind::counted_wait:
        break;
    case operation_kind::bytes_load:
    case operation_kind::bytes_store:
        access_bytes(thread, step);
        ++state(thread).position;
        pass_over_what_is_no_event(thread);
        return no_event;
    case operation_kind::plain_load:
        read.mode = event_mode::plain;
        break;
    case operation_kind::store:
        writes = true;
        break;
    case operation_kind::plain_store:
        writes = true;
        write.mode = event_mode::plain;
        break;
    case operation_kind::fetch_add:
        writes = true;
        write.value = old + value;
        break;
    case operation_kind::exchange:
        writes = true;
        break;
    case operation_kind::compare_exchange:
        writes = old == evaluate(step.expected, registers);
        if (!writes) read.mode = read_mode(step.failure); // a failed one is only a load
        break;
    case operation_kind::lock: // a read-modify-write with acquire that has to find the mutex unlocked
        writes = true;
        write.value = locked;
        break;
    case operation_kind::unlock:
        writes = true;
        write.value = unlocked;
        break;
    case operation_kind::fence: {
        event fence;
        fence.thread = thread;
        fence.kind = event_kind::fence;
        fence.mode = fence_mode(step.order);
        add(fence);
        break;
    }
    case operation_kind::skip_if:
    case operation_kind::own_load:
    case operation_kind::own_store:
    case operation_kind::renew:
        throw std::logic_error("oracle: a skip or an access of the own word is not an event");
    }

    int written = no_event;
    if (reads(step.kind)) {
        read.exclusive = write.exclusive = writes;
        read.locked = write.locked = writes || step.kind == operation_kind::compare_exchange;
        add(read);
    }
    if (writes) {
        written = add(write);
        coherence(write.location).push_back(written);
    }
    if (step.target != no_register) state(thread).registers[static_cast<std::size_t>(step.target)] = old;
    if (step.kind == operation_kind::counted_wait && !holds(old, step.how, value) &&
        ++state(thread).rounds < step.size)
        return written; // one more round
    state(thread).rounds = 0;
    ++state(thread).position;
    pass_over_what_is_no_event(thread);
    return written;
}

outcome graph::result() const {
    outcome made;
    for (int thread = 0; thread < program_->size; ++thread)
        made.registers[static_cast<std::size_t>(thread)] = state(thread).registers;
    const auto last = [&](int location) {
        return coherence(location).empty() ? 0 : at(coherence(location).back()).value;
    };
    for (int x = 0; x < max_atomics; ++x) made.atomics[static_cast<std::size_t>(x)] = last(x);
    for (int d = 0; d < max_data; ++d) made.data[static_cast<std::size_t>(d)] = last(max_atomics + d);
    made.bytes = window_;
    return made;
}

std::string graph::key(bool with_coherence) const {
    const auto name = [&](int id) { return static_cast<char>((at(id).thread + 1) * 32 + at(id).index); };
    const auto count = [](std::size_t number) { return static_cast<char>(number); };
    constexpr char nothing = '\xff';
    std::string text; // every list is preceded by its length, so that two keys cannot be confused
    for (int thread = 0; thread < program_->size; ++thread) {
        text += count(static_cast<std::size_t>(state(thread).events));
        for (int id = 0; id < size_; ++id) // events of one thread are in program order
            if (at(id).thread == thread)
                text += at(id).reads_from == no_event ? nothing : name(at(id).reads_from);
    }
    if (!with_coherence) return text;
    for (int location = 0; location < max_locations; ++location) {
        text += count(coherence(location).size());
        for (const int write : coherence(location)) text += name(write);
    }
    return text;
}

int graph::add(const event& next) {
    if (size_ == max_events) throw std::length_error("oracle: a program has too many events");
    event& added = events_[static_cast<std::size_t>(size_)];
    added = next;
    if (next.thread != initial_thread) added.index = state(next.thread).events++;
    return size_++;
}

/// Events are added in an order that extends happens-before. Where nothing races, what conflicts with this
/// access is therefore ordered by happens-before as it was added: the bytes hold what was stored last. Where
/// something races, the value does not matter.
void graph::access_bytes(int thread, const operation& step) {
    thread_state& now = state(thread);
    event made;
    made.thread = thread;
    made.bytes = ((std::uint32_t{1} << step.size) - 1) << step.location;
    std::uint8_t* const first = window_.data() + step.location;
    if (step.kind == operation_kind::bytes_load) {
        made.kind = event_kind::read;
        made.value = digest(first, step.size);
        if (step.target != no_register) now.registers[static_cast<std::size_t>(step.target)] = made.value;
    } else {
        made.value = evaluate(step.value, now.registers);
        std::fill_n(first, step.size, static_cast<std::uint8_t>(made.value));
    }
    add(made);
}

void graph::pass_over_what_is_no_event(int thread) {
    thread_state& now = state(thread);
    while (!finished(thread)) {
        const operation& next = (*program_)[thread][now.position];
        if (next.kind == operation_kind::skip_if) {
            const int left = now.registers[static_cast<std::size_t>(next.subject)];
            if (holds(left, next.how, evaluate(next.value, now.registers))) now.position += next.skip;
        } else if (next.kind == operation_kind::own_load) {
            now.registers[static_cast<std::size_t>(next.target)] = now.own;
        } else if (next.kind == operation_kind::own_store) {
            now.own = evaluate(next.value, now.registers);
        } else if (next.kind == operation_kind::renew) {
            now.own = 0;
        } else {
            return;
        }
        ++now.position;
    }
}

} // namespace ringproof::verify::oracle
