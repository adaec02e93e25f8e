// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include "mapped.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <sys/single_threaded.h>

namespace ringproof::verify {

bool program::running_ = false;
process* program::loaded_ = nullptr;

program::program() : storage_(memory_), images_(memory_) {
    const std::size_t room = memory_.stack(1).size() / 2;
    if (storage_.size(1) > room)
        throw std::invalid_argument(
            "the program's thread_local variables take " + std::to_string(storage_.size(1)) +
            " bytes of each thread's stack; the checker has room for " + std::to_string(room));
}

void program::start(void (*first)(boost::context::detail::transfer_t), void* with) {
    __libc_single_threaded = 0; // counts of shared_ptr, for one, are atomic only then
    first_ = first;
    with_ = with;
    thread_count_ = 1;
    thread_state& main = threads_[0];
    main = thread_state{};
    main.status = thread_status::ready;
    main.pending = true;
    main.alone = true;
    main.what.act = action::begin;
    main.floats = floating_point::now().without_flags();
    main.context = new_stack(0);
    live_ = ~std::uint32_t{0};
}

boost::context::detail::fcontext_t program::new_stack(thread_id t) {
    const std::uintptr_t top = storage_of(t);
    storage_.begin(t, top);
    return boost::context::detail::make_fcontext(reinterpret_cast<void*>(top),
                                                 memory_.stack(t).size() - storage_.size(t), first_);
}

thread_state& program::create(thread_id t, thread_state& parent, std::uint32_t create_event) {
    if (t >= thread_count_) {
        for (thread_id between = thread_count_; between < t; ++between) threads_[between] = thread_state{};
        thread_count_ = static_cast<std::uint16_t>(t + 1);
    }
    thread_state& child = threads_[t];
    child = thread_state{};
    child.id = t;
    child.parent = parent.id;
    child.status = thread_status::ready;
    child.created = create_event;
    child.start = reinterpret_cast<void* (*)(void*)>(parent.what.address);
    child.argument = reinterpret_cast<void*>(static_cast<std::uintptr_t>(parent.what.operand));
    child.pending = true;
    child.what.act = action::begin;
    child.what.site = parent.what.site;
    child.clock = child.began_at = parent.clock;
    child.floats = parent.floats;
    child.process = parent.process;
    if (parent.what.into != 0) {
        child.argument = reinterpret_cast<void*>(parent.what.into); // unlike that of any other
        make_process(child, parent, parent.what.into);
    } else {
        child.context = new_stack(t);
    }
    parent.alone = false;
    live_ |= std::uint32_t{1} << t;
    return child;
}

void program::begin_anew(const saved_state& initial) {
    live_ = ~std::uint32_t{0};
    const std::uint16_t count = images_.restore(initial, threads_);
    for (thread_id t = count; t < thread_count_; ++t) {
        images_.clear_stack(t, threads_[t]);
        threads_[t] = thread_state{};
    }
    thread_count_ = count;
}

value_t program::read(std::uintptr_t address, std::size_t size) const {
    if (program_memory::in_mapped(address) && !mapped::touched(address)) return 0;
    if (loaded_) address = loaded_->address_of(address);
    value_t v = 0;
    std::memcpy(&v, reinterpret_cast<const void*>(address), std::min(size, sizeof v));
    return v;
}

void program::write(std::uintptr_t address, std::size_t size, value_t value) {
    note_stack_write(address);
    if (loaded_) address = loaded_->address_of(address);
    std::memcpy(reinterpret_cast<void*>(address), &value, std::min(size, sizeof value));
}

} // namespace ringproof::verify
