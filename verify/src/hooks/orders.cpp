// SPDX-License-Identifier: Apache-2.0
#include "orders.hpp"

namespace ringproof::verify {

std::string_view name_of(ordered what) {
    switch (what) {
    case ordered::load:
        return "load";
    case ordered::store:
        return "store";
    case ordered::modify:
        return "read-modify-write";
    case ordered::compare:
        return "compare-exchange";
    case ordered::failed_compare:
        return "compare-exchange, failed";
    case ordered::fence:
        return "fence";
    case ordered::signal_fence:
        break;
    }
    return "signal fence";
}

std::string_view name_of(order o, ordered what) {
    if (o > order::relaxed) return order_name(o);
    return what == ordered::fence || what == ordered::signal_fence ? "none" : "relaxed";
}

std::vector<order> orders_of(ordered what) {
    switch (what) {
    case ordered::load:
    case ordered::failed_compare:
        return {order::seq_cst, order::acquire, order::relaxed};
    case ordered::store:
        return {order::seq_cst, order::release, order::relaxed};
    case ordered::signal_fence: // nothing tells seq_cst from acq_rel within one thread
        return {order::acq_rel, order::acquire, order::release, order::relaxed};
    default:
        return {order::seq_cst, order::acq_rel, order::acquire, order::release, order::relaxed};
    }
}

bool no_stronger(order a, order b) {
    if (a == b || a == order::relaxed || b == order::seq_cst) return true;
    return b == order::acq_rel && (a == order::acquire || a == order::release);
}

std::vector<order> one_step_weaker(ordered what, order from) {
    if (what == ordered::signal_fence && from == order::seq_cst) from = order::acq_rel;
    std::vector<order> steps;
    for (const order o : orders_of(what)) {
        if (o == from || !no_stronger(o, from)) continue;
        bool between = false;
        for (const order s : steps) between = between || no_stronger(o, s);
        if (!between) steps.push_back(o);
    }
    return steps;
}

} // namespace ringproof::verify
