// SPDX-License-Identifier: Apache-2.0
// Volatile accesses: relaxed atomic ones whose value the program moves itself.

#include "accesses.hpp"
#include "runtime.hpp"

#include <cstring>

namespace ringproof::verify {

/// Where the memory of a volatile access lies: the program moves its value by another address, if this is a view's.
std::uintptr_t memory_accesses::volatile_home(std::uintptr_t address, std::size_t size, bool write,
                                              std::uintptr_t site) {
    if (!address_checks::may_be_view(address)) return address;
    if (program_.home_of(address + size - 1) - program_.home_of(address) != size - 1)
        runtime_.fail_here(failure_kind::unsupported,
                           "a volatile access over the end of a mapping is not supported", site, address);
    const program::engine_runs engine;
    return runtime_.addresses().at_home(address, size, write, site);
}

void memory_accesses::volatile_read(std::uintptr_t address, std::size_t size, std::uintptr_t site,
                                    std::uintptr_t hook_frame) {
    if (address < 65'536 || program_.storage().is_shared(address)) return plain(address, size, false, site);
    address = volatile_home(address, size, false, site);
    request what;
    what.act = action::load;
    what.size = static_cast<std::uint8_t>(size);
    what.address = address;
    what.site = site;
    what.frame = hook_frame;
    const value_t chosen = runtime_.visible_at_home(what);
    const value_t before = program_.read(address, size);
    if (chosen == before) return;
    volatile_[unfinished_++] = {address, site, 0, what.size, false, before};
    program_.write(address, size, chosen);
}

void memory_accesses::volatile_write(std::uintptr_t address, std::size_t size, std::uintptr_t site,
                                     std::uintptr_t function_frame) {
    if (address < 65'536 || program_.storage().is_shared(address)) return plain(address, size, true, site);
    end_volatile();
    address = volatile_home(address, size, true, site);
    if (!program_.memory().stack(program_.current()).contains(address) || address >= function_frame)
        function_frame = 0;
    volatile_[unfinished_++] = {
        address, site, function_frame, static_cast<std::uint8_t>(size), true, program_.read(address, size)};
}

/// Puts memory back in order after a volatile access; a write is performed only now that its value is known.
void memory_accesses::settle_unfinished() {
    if (unfinished_ == 1) return settle_one(); // with a smaller stack, which the search copies
    settle_pieces();
}

void memory_accesses::settle_one() {
    const volatile_access a = volatile_[0];
    unfinished_ = of_last_ = 0;
    if (is_gone(a)) return;
    const value_t found = program_.read(a.address, a.size);
    if (found != a.before) program_.write(a.address, a.size, a.before);
    if (!a.write) return;
    request what;
    what.act = action::store;
    what.size = a.size;
    what.address = a.address;
    what.operand = found;
    what.site = a.site;
    runtime_.visible_at_home(what);
}

/// A local variable's last write: its function may have returned, and its place be another's.
bool memory_accesses::is_gone(const volatile_access& a) const {
    const bool in_stack = program_.memory().stack(program_.current()).contains(a.address);
    if (a.function_frame == 0)
        return in_stack && runtime_.addresses().has_returned(a.address); // of a caller's
    auto frame_at = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    const memory_range own = program_.memory().stack(program_.current());
    while (own.contains(frame_at) && frame_at < a.function_frame)
        frame_at = *reinterpret_cast<const std::uintptr_t*>(frame_at);
    return frame_at != a.function_frame;
}

} // namespace ringproof::verify
