// SPDX-License-Identifier: Apache-2.0
#include "stronger.hpp"

namespace ringproof::silicon::a64 {
namespace {

using how = added_order::kind;

bool has_ordered_form(const instruction& i) { return !i.vector && (i.count == 1 || i.exclusive); }

bool can_acquire(const instruction& i) {
    if (i.acquire) return false;
    if (i.what == kind::load) return has_ordered_form(i);
    // Whose old value no register takes, an atomic instruction acquires nothing.
    return i.what == kind::exchange && (i.does == operation::compare || i.expected != no_register);
}
bool can_acquire_pc(const instruction& i) {
    return can_acquire(i) && !i.acquire_pc && i.what == kind::load && !i.exclusive;
}
bool can_release(const instruction& i) {
    if (i.release) return false;
    return i.what == kind::exchange ||
           ((i.what == kind::store || i.what == kind::store_exclusive) && has_ordered_form(i));
}
/// No barrier stands between the halves of an exclusive access.
bool can_be_behind_barrier(const instruction& i) {
    return (i.what == kind::load || i.what == kind::store || i.what == kind::exchange) &&
           i.before == barrier{};
}

std::optional<weaker_instruction> behind(instruction i, const barrier& b, const char* name) {
    if (!can_be_behind_barrier(i)) return std::nullopt;
    i.before = b;
    return weaker_instruction{name, i};
}

} // namespace

std::optional<weaker_instruction> stronger_form(const instruction& i, how h) {
    instruction more = i;
    switch (h) {
    case how::acquire_pc:
        if (!can_acquire_pc(i)) return std::nullopt;
        more.acquire_pc = true;
        break;
    case how::acquire:
        if (!can_acquire(i)) return std::nullopt;
        more.acquire = true;
        more.acquire_pc = false;
        break;
    case how::release:
        if (!can_release(i)) return std::nullopt;
        more.release = true;
        break;
    case how::barrier_of_reads:
        return behind(i, {true, true, false, false, false}, "dmb ishld");
    case how::barrier_for_writes:
        return behind(i, {false, true, false, true, false}, "dmb ish");
    default:
        return behind(i, {true, true, true, true, false}, "dmb ish");
    }
    return weaker_instruction{name_of_any(more), more};
}

} // namespace ringproof::silicon::a64
