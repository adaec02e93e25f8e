// SPDX-License-Identifier: Apache-2.0
// Atomic accesses of memory that is accessed in mixed sizes: each becomes one request for each of its pieces. All that is
// kept over a request is on the program's stack, as the search goes back to it.
//
// A read-modify-write reads all of its pieces, computes, and writes all of them. What makes one access of the pieces is
// the engine's: execution/bundles.cpp.

#include "../program/rmw.hpp"
#include "runtime.hpp"

namespace ringproof::verify {
namespace {

value_t taken_from(value_t whole, std::uintptr_t first, const mixed_memory::piece& p) {
    return truncated(whole >> 8 * (p.address - first), p.size);
}

request piece_of(const request& what, const mixed_memory::piece& p, unsigned part, unsigned parts) {
    request piece = what;
    piece.part = static_cast<std::uint8_t>(part);
    piece.parts = static_cast<std::uint8_t>(parts);
    piece.address = p.address;
    piece.size = p.size;
    piece.operand = taken_from(what.operand, what.address, p);
    piece.commutes = piece.arrives = piece.weak = false;
    piece.arrives_in = 0;
    if (part == 0) return piece;
    piece.frame = piece.into = 0; // the thread's state is more than the program's: what it has read so far
    return piece;
}

} // namespace

bool runtime::is_mixed(const request& what) const {
    if (what.object || what.parts != 0) return false;
    switch (what.act) {
    case action::load:
    case action::store:
    case action::modify:
    case action::compare:
        return accesses_.mixed().touches(what.address, what.size);
    case action::sleep: // which says no size
        return accesses_.mixed().touches(what.address, 1);
    default:
        return false;
    }
}

value_t runtime::visible_mixed(const request& what) {
    mixed_memory::piece pieces[mixed_memory::granule];
    const char* refused = accesses_.mixed().forbidden();
    if (what.rule) refused = "together with what the library keeps in an atomic";
    if (self().stops != stopping::off) refused = "where threads may stop";
    if (!mixed_memory::can_divide(what.address, what.size)) refused = "where one is not aligned to its size";
    if (what.act == action::sleep) refused = "together with a futex";
    if (refused)
        fail_here(failure_kind::unsupported,
                  std::string("memory that atomic accesses of different sizes share is not supported ") +
                      refused,
                  what.site, what.address);
    const unsigned count = accesses_.mixed().pieces(what.address, what.size, pieces);
    if (count == 0) {
        {
            const inside engine;
            accesses_.mixed().learn(what.address, what.size);
        }
        begin_anew_from_here();
    }
    facts_.take_for_granted(assumption::mixed_size, what.site);
    if (count == 1) {
        request whole = what;
        whole.parts = 1;
        return ask(whole);
    }
    value_t seen = 0;
    if (what.act != action::store) {
        seen = read_pieces(what, pieces, count);
        if (what.act == action::modify || (what.act == action::compare && seen == what.expected)) {
            request write = what;
            write.act = action::write_part;
            write.may_fail = what.act == action::compare;
            if (what.act == action::modify) write.operand = apply(what.op, seen, what.operand, what.size);
            write_pieces(write, pieces, count);
        }
        if (what.weak && seen == what.expected)
            facts_.take_for_granted(assumption::spurious_failure, what.site);
    } else {
        write_pieces(what, pieces, count);
    }
    self().result = seen;
    accesses_.note_address(static_cast<std::uintptr_t>(seen));
    return seen;
}

value_t runtime::read_pieces(const request& what, const mixed_memory::piece* pieces, unsigned count) {
    value_t seen = 0;
    for (unsigned i = 0; i < count; ++i) {
        request read = piece_of(what, pieces[i], i, count);
        read.act = action::load;
        read.of_rmw = what.act != action::load;
        // Whether it succeeds is known once all of it is read: execution::may_succeed() does what success does.
        if (what.act == action::compare) read.mo = what.mo_fail;
        read.operand = read.expected = 0;
        seen |= ask(read) << 8 * (pieces[i].address - what.address);
    }
    return seen;
}

void runtime::write_pieces(const request& what, const mixed_memory::piece* pieces, unsigned count) {
    for (unsigned i = 0; i < count; ++i) ask(piece_of(what, pieces[i], i, count));
}

} // namespace ringproof::verify
