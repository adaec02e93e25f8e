// SPDX-License-Identifier: Apache-2.0
#pragma once
// The functions and macros a C test can call, as what they do to memory.

#include "program.hpp"

namespace ringproof::litmus::c {

/// What kind of thing a call is. The first argument of all but fences is the object.
enum class action {
    load,              ///< (object)
    store,             ///< (object, value)
    store_then_fence,  ///< (object, value)
    exchange,          ///< (object, value)
    compare_exchange,  ///< C11: (object, expected object, desired)
    compare_and_swap,  ///< Linux: (object, old, new), returns what was there
    fetch,             ///< (object, value), returns what was there
    update_and_return, ///< returns what is there now
    update_and_test,   ///< returns whether what is there now is 0
    add_negative,
    add_unless, ///< (object, value, unless), returns whether it was done
    fence,
    fence_at, ///< Linux: synchronize_srcu(object)
    lock,
    unlock,
    is_locked,
    try_lock,
    nothing
};

enum class arithmetic { none, add, subtract, bit_and, bit_or, bit_xor };

struct call_meaning {
    action what = action::nothing;
    arithmetic how = arithmetic::none;
    std::string read_label; ///< memory order of the load, or of the fence
    std::string write_label;
    std::string failure_label;     ///< of a compare-exchange that fails
    bool object_is_lvalue = false; ///< READ_ONCE(*x), not smp_load_acquire(x)
    bool value_first = false;      ///< Linux: atomic_add(value, object)
    bool unit = false;             ///< increment: the value is 1
    bool weak = false;             ///< compare-exchange may fail for no reason
    bool linux_kernel = false;
    bool takes_orders = false; ///< C11 *_explicit: the last arguments are memory orders
};

/// What herd7's macro files are made of: `__load{once}(x)`, `__fence{mb}`, `__atomic_op(x,+,1)`. `sign` is the
/// operator given as second argument, if any. False if there is none of that name.
bool find_primitive(const std::string& name, const std::string& tag, const std::string& sign,
                    call_meaning& m);
/// nullptr: no such function. The two flavours share names such as atomic_fetch_add.
const call_meaning* find_call(const std::string& name, bool linux_kernel);
/// "memory_order_acquire" → "ACQ"; empty if it is none.
std::string order_label(const std::string& name);

} // namespace ringproof::litmus::c
