// SPDX-License-Identifier: Apache-2.0
// Plain accesses of memory that races, with --races=continue: relaxed atomic ones, in pieces, whose values the program
// moves itself. As with volatile accesses the hook comes before the access. A read puts the values that it is to find
// into memory, a write is performed when the thread does anything else.
//
// An assignment of a structure, memcpy() and memcmp() have two hooks before they touch memory. So what a read has put
// there stays over the next access of the thread that is no request of another kind.

#include "accesses.hpp"
#include "runtime.hpp"

#include <algorithm>

namespace ringproof::verify {

bool memory_accesses::writes_unfinished() const {
    return std::any_of(volatile_.begin(), volatile_.begin() + unfinished_,
                       [](const volatile_access& a) { return a.write; });
}

void memory_accesses::raced(std::uintptr_t address, std::size_t size, bool write, std::uintptr_t site) {
    if (!races_.raced().fits(address, size)) {
        races_.raced().refine(address, size);
        end_volatile();
        runtime_.begin_anew_from_here();
    }
    raced_memory::piece pieces[raced_memory::most_pieces];
    const unsigned count = races_.raced().pieces(address, size, pieces);
    if (count == 0)
        runtime_.fail_here(failure_kind::unsupported,
                           "an access of " + std::to_string(size) + " bytes that race, in more than " +
                               std::to_string(raced_memory::most_pieces) +
                               " pieces, is not supported with --races=continue",
                           site, address);
    facts_.take_for_granted(assumption::race, site);
    if (writes_unfinished()) end_volatile();
    for (unsigned i = 0; i < count; ++i)
        if (!pieces[i].raced) plain_known(pieces[i].address, pieces[i].size, write, site);
    if (write)
        write_raced(pieces, count, site);
    else
        read_raced(pieces, count, site);
}

void memory_accesses::read_raced(const raced_memory::piece* pieces, unsigned count, std::uintptr_t site) {
    // All that is kept over a request is on the program's stack, as the search goes back to it.
    value_t chosen[raced_memory::most_pieces];
    struct {
        std::uintptr_t address;
        value_t value;
        std::uint8_t size;
    } kept[raced_memory::most_pieces];
    const unsigned keeps = of_last_;
    for (unsigned i = 0; i < keeps; ++i) {
        const volatile_access& a = volatile_[unfinished_ - keeps + i];
        kept[i] = {a.address, program_.read(a.address, a.size), a.size};
    }
    for (unsigned i = 0; i < count; ++i) {
        if (!pieces[i].raced) continue;
        request what;
        what.act = action::load;
        what.size = static_cast<std::uint8_t>(pieces[i].size);
        what.address = pieces[i].address;
        what.site = site;
        chosen[i] = runtime_.visible_at_home(what);
    }
    const auto put = [&](std::uintptr_t address, std::uint8_t size, value_t value) {
        volatile_[unfinished_++] = {address, site, 0, size, false, program_.read(address, size)};
        program_.write(address, size, value);
    };
    for (unsigned i = 0; i < keeps; ++i) put(kept[i].address, kept[i].size, kept[i].value);
    of_last_ = 0;
    for (unsigned i = 0; i < count; ++i)
        if (pieces[i].raced) {
            put(pieces[i].address, static_cast<std::uint8_t>(pieces[i].size), chosen[i]);
            ++of_last_;
        }
}

void memory_accesses::write_raced(const raced_memory::piece* pieces, unsigned count, std::uintptr_t site) {
    if (unfinished_ > raced_memory::most_pieces) end_volatile();
    // Where a read has put its values, the write finds these; settle_pieces() goes back over both.
    const std::uintptr_t frame = frame_that_calls(site);
    const memory_range own = program_.memory().stack(program_.current());
    for (unsigned i = 0; i < count; ++i) {
        const raced_memory::piece& p = pieces[i];
        if (!p.raced) continue;
        const bool local = own.contains(p.address) && p.address < frame;
        volatile_[unfinished_++] = {p.address,
                                    site,
                                    local ? frame : 0,
                                    static_cast<std::uint8_t>(p.size),
                                    true,
                                    program_.read(p.address, p.size)};
    }
    of_last_ = 0;
}

/// The frame of the program's function that `site` is in, or 0: from here the frames of the engine lead to it.
std::uintptr_t memory_accesses::frame_that_calls(std::uintptr_t site) const {
    auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    const memory_range own = program_.memory().stack(program_.current());
    while (own.contains(frame)) {
        const auto* const words = reinterpret_cast<const std::uintptr_t*>(frame);
        if (words[1] == site) return words[0];
        if (words[0] <= frame) return 0;
        frame = words[0];
    }
    return 0;
}

/// What was written is known by now. All of memory is put back before anything is asked for, since another thread may go
/// on there.
void memory_accesses::settle_pieces() {
    volatile_access writes[raced_memory::most_pieces];
    value_t found[raced_memory::most_pieces];
    unsigned count = 0;
    for (unsigned i = 0; i < unfinished_; ++i) {
        const volatile_access& a = volatile_[i];
        if (!a.write || is_gone(a)) continue;
        found[count] = program_.read(a.address, a.size);
        writes[count++] = a;
    }
    for (unsigned i = unfinished_; i-- > 0;) { // of two reads of one place the first has found what was there
        const volatile_access& a = volatile_[i];
        if (a.write && is_gone(a)) continue;
        if (program_.read(a.address, a.size) != a.before) program_.write(a.address, a.size, a.before);
    }
    unfinished_ = of_last_ = 0;
    for (unsigned i = 0; i < count; ++i) {
        request what;
        what.act = action::store;
        what.size = writes[i].size;
        what.address = writes[i].address;
        what.operand = found[i];
        what.site = writes[i].site;
        runtime_.visible_at_home(what);
    }
}

} // namespace ringproof::verify
