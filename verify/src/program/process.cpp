// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"

#include "mapped.hpp"
#include "program.hpp"

#include <cstring>

namespace ringproof::verify {
namespace {

char* at(std::uintptr_t address) { return reinterpret_cast<char*>(address); }

template <class Function>
void each_private(const program_memory& memory, Function f) {
    for (const memory_range& range : memory.data()) f(range);
    memory.heaps().each([&](thread_id t, std::uintptr_t top) { f(memory_range{memory.heap_begin(t), top}); });
}

} // namespace

std::size_t process::size_for(const program_memory& memory) {
    std::size_t size = sizeof(process), ranges = 1;
    each_private(memory, [&](const memory_range& range) {
        size += (range.size() + 15) & ~std::size_t{15};
        ++ranges;
    });
    return ranges > most_ranges ? 0 : size;
}

/// `child` becomes the first thread of a process: a copy of its parent, which stands in its call of fork().
void program::make_process(thread_state& child, const thread_state& parent, std::uintptr_t home) {
    mapped::touch(home, process::size_for(memory_));
    process& p = process::at(home);
    p.first = child.id;
    p.creator = parent.id;
    p.count = 0;
    const memory_range stack = memory_.stack(parent.id);
    p.ranges[p.count++] = {stack.begin, stack.end, memory_.stack(child.id).begin};
    std::uintptr_t to = home + sizeof(process);
    each_private(memory_, [&](const memory_range& range) {
        p.ranges[p.count++] = {range.begin, range.end, to};
        std::memcpy(at(to), at(range.begin), range.size());
        to += (range.size() + 15) & ~std::size_t{15};
    });
    const auto sp = reinterpret_cast<std::uintptr_t>(parent.context);
    std::memcpy(at(sp + p.stack_shift()), at(sp), stack.end - sp);
    child.context = at(sp + p.stack_shift());
    child.process = home;
    child.changed_shared = true; // it may die before its first access
    child.at_exit = parent.at_exit;
    child.at_program_exit = parent.at_program_exit;
    child.keys = parent.keys;
}

/// Lets a thread of such a process run, with its copies where the program expects them. What stands there is the first
/// process's, and is put back behind that.
void program::run_in_process(thread_state& th) {
    process& p = process::at(th.process);
    thread_state& first = threads_[p.first];
    const bool is_first = th.id == p.first;
    const std::uintptr_t shift = p.stack_shift(), top = p.ranges[0].end;
    const auto pointer_of = [](const thread_state& t) { return reinterpret_cast<std::uintptr_t>(t.context); };
    const auto has_stack = [](const thread_state& t) {
        return t.context && t.status != thread_status::finished;
    };
    const thread_state& creator = threads_[p.creator];
    const std::uintptr_t kept_from = has_stack(creator) ? pointer_of(creator) : top;
    displaced_.clear();
    const auto displace = [&](std::uintptr_t begin, std::uintptr_t end) {
        displaced_.insert(displaced_.end(), at(begin), at(end));
    };
    displace(kept_from, top);
    for (std::size_t i = 1; i < p.count; ++i) {
        displace(p.ranges[i].begin, p.ranges[i].end);
        std::memcpy(at(p.ranges[i].begin), at(p.ranges[i].home), p.ranges[i].end - p.ranges[i].begin);
    }
    std::uintptr_t sp = has_stack(first) ? pointer_of(first) - shift : top;
    std::memcpy(at(sp), at(sp + shift), top - sp);

    loaded_ = &p;
    switch_to(th, is_first ? at(pointer_of(th) - shift) : th.context);
    loaded_ = nullptr;
    if (is_first) {
        sp = pointer_of(th);
        th.context = at(sp + shift);
        th.frame += shift;
    }
    std::memcpy(at(sp + shift), at(sp), top - sp);
    first.dirty = true;
    const char* from = displaced_.data();
    std::memcpy(at(kept_from), from, top - kept_from);
    from += top - kept_from;
    for (std::size_t i = 1; i < p.count; ++i) {
        const std::size_t size = p.ranges[i].end - p.ranges[i].begin;
        std::memcpy(at(p.ranges[i].home), at(p.ranges[i].begin), size);
        std::memcpy(at(p.ranges[i].begin), from, size);
        from += size;
    }
}

std::uintptr_t program::end_of_part(std::uintptr_t address, std::uintptr_t end) const {
    if (loaded_) end = loaded_->end_of_part(address, end);
    return program_memory::in_mapped(address) ? mapped::end_of_part(address, end) : end;
}

} // namespace ringproof::verify
