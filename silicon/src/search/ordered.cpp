// SPDX-License-Identifier: Apache-2.0
#include <ringproof/silicon/ordered.hpp>

#include <algorithm>

namespace ringproof::silicon {
namespace {

using how = added_order::kind;

bool is_barrier(how h) {
    return h == how::barrier_of_reads || h == how::barrier_for_writes || h == how::barrier;
}

void strengthen(event& e, how h) {
    if (h == how::acquire_pc && e.is_read) e.acquire_pc = true;
    if (h == how::acquire && e.is_read) e.acquire = true;
    if (h == how::release && e.is_write) e.release = true;
}

/// The pairs that a barrier before the event orders. They are all: an order that goes through the place of the barrier
/// begins before it and ends behind it.
void add_barrier(relation& order, const thread_events& events, const added_order& b) {
    const auto place = static_cast<std::size_t>(b.at.index);
    for (std::size_t before = 0; before < place; ++before)
        for (std::size_t behind = place; behind < events.size(); ++behind) {
            const bool reads = events[before].is_read, writes = events[behind].is_write;
            const bool orders = b.how == how::barrier || (b.how == how::barrier_of_reads && reads) ||
                                (b.how == how::barrier_for_writes && writes);
            if (orders && in_program_order(events, before, behind)) order.add(before, behind);
        }
}

std::shared_ptr<const thread_part> ordered_more(const model& m, const part_of_execution& part,
                                                std::size_t thread, const std::vector<added_order>& more) {
    auto stronger = std::make_shared<run>(*part.threads[thread].part->ran);
    const auto each = [&](const auto& tell) {
        for (const added_order& a : more)
            if (a.at.thread == static_cast<std::int32_t>(thread)) tell(a);
    };
    each([&](const added_order& a) {
        strengthen(stronger->events[static_cast<std::size_t>(a.at.index)], a.how);
    });
    auto result = std::make_shared<thread_part>();
    result->order = m.local_order(stronger->events);
    each([&](const added_order& a) {
        if (is_barrier(a.how)) add_barrier(result->order, stronger->events, a);
    });
    result->ran = std::move(stronger);
    return result;
}

bool allows_events_of(const model& m, const part_of_execution& part, std::size_t thread) {
    consistency c(m);
    for (std::size_t i = 0; i < part.events(thread).size(); ++i)
        if (!c.allows(part, {static_cast<std::int32_t>(thread), static_cast<std::int32_t>(i)})) return false;
    return true;
}

} // namespace

bool allows_with(const model& m, const part_of_execution& part, const std::vector<added_order>& more) {
    part_of_execution ordered = part;
    std::vector<std::size_t> changed;
    for (std::size_t t = 0; t < part.threads.size(); ++t) {
        const bool changes = std::any_of(more.begin(), more.end(), [&](const added_order& a) {
            return a.at.thread == static_cast<std::int32_t>(t);
        });
        if (!changes) continue;
        ordered.threads[t].part = ordered_more(m, part, t, more);
        changed.push_back(t);
    }
    // A cycle that was not there before has a pair that was not ordered before, and so an event of a changed thread.
    return std::all_of(changed.begin(), changed.end(),
                       [&](std::size_t t) { return allows_events_of(m, ordered, t); });
}

bool is_interleaving(const model& m, const part_of_execution& part) {
    part_of_execution ordered = part;
    for (auto& thread : ordered.threads) {
        const std::size_t size = thread.part->ran->events.size();
        auto in_turn = std::make_shared<thread_part>(*thread.part);
        for (std::size_t a = 0; a < size; ++a)
            for (std::size_t b = a + 1; b < size; ++b)
                if (in_program_order(thread.part->ran->events, a, b)) in_turn->order.add(a, b);
        thread.part = std::move(in_turn);
    }
    return allows(m, ordered);
}

} // namespace ringproof::silicon
