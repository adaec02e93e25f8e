// SPDX-License-Identifier: Apache-2.0
#include "requests.hpp"

namespace ringproof::verify {

const char* name_of(rmw_op op) {
    switch (op) {
    case rmw_op::exchange:
        return "exchange";
    case rmw_op::add:
        return "fetch_add";
    case rmw_op::sub:
        return "fetch_sub";
    case rmw_op::bit_and:
        return "fetch_and";
    case rmw_op::bit_or:
        return "fetch_or";
    case rmw_op::bit_xor:
        return "fetch_xor";
    case rmw_op::bit_nand:
        return "fetch_nand";
    }
    return "";
}

bool exclusive(const request& what, value_t seen) {
    switch (what.act) {
    case action::modify:
        return true;
    case action::compare:
        return seen == what.expected;
    case action::lock:
    case action::try_lock: {
        value_t next = seen;
        return what.rule ? what.rule(seen, what.operand, next) == going::change : seen == 0;
    }
    default:
        return false;
    }
}

bool is_taken(const request& what, value_t seen) {
    value_t next = seen;
    return what.rule ? what.rule(seen, what.operand, next) == going::wait : seen != 0;
}

bool must_wait(const request& what, value_t seen) { return what.act == action::lock && is_taken(what, seen); }

} // namespace ringproof::verify
