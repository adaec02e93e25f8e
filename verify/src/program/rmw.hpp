// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "thread.hpp"

#include <cstddef>

namespace ringproof::verify {

/// The lowest `size` bytes of `v`.
inline value_t truncated(value_t v, std::size_t size) {
    return size >= sizeof(value_t) ? v : v & ((value_t{1} << (8 * size)) - 1);
}

/// What a read-modify-write of a location that holds `old` leaves there.
inline value_t apply(rmw_op op, value_t old, value_t operand, std::size_t size) {
    switch (op) {
    case rmw_op::exchange:
        return operand;
    case rmw_op::add:
        return truncated(old + operand, size);
    case rmw_op::sub:
        return truncated(old - operand, size);
    case rmw_op::bit_and:
        return old & operand;
    case rmw_op::bit_or:
        return old | operand;
    case rmw_op::bit_xor:
        return old ^ operand;
    case rmw_op::bit_nand:
        return truncated(~(old & operand), size);
    }
    return operand;
}

} // namespace ringproof::verify
