// SPDX-License-Identifier: Apache-2.0
#include "structure.hpp"

#include <unordered_map>

namespace ringproof::litmus {
namespace {

enum class base {
    m,
    r,
    w,
    iw,
    rmw_set,
    x_set,
    ex_set,
    po,
    same,
    other,
    loc,
    addr,
    data,
    ctrl,
    rmw,
    amo,
    lxsx,
    co0,
    instance,
    access,
    pick_addr,
    pick_data,
    pick_ctrl,
    pick_basic,
    within,
    within_picked,
    within_ordered
};

const std::unordered_map<std::string, base>& names() {
    static const std::unordered_map<std::string, base> map{{"M", base::m},
                                                           {"R", base::r},
                                                           {"W", base::w},
                                                           {"IW", base::iw},
                                                           {"RMW", base::rmw_set},
                                                           {"Exp", base::m},
                                                           {"X", base::x_set},
                                                           {"EX", base::ex_set},
                                                           {"po", base::po},
                                                           {"int", base::same},
                                                           {"ext", base::other},
                                                           {"loc", base::loc},
                                                           {"addr", base::addr},
                                                           {"data", base::data},
                                                           {"ctrl", base::ctrl},
                                                           {"rmw", base::rmw},
                                                           {"amo", base::amo},
                                                           {"lxsx", base::lxsx},
                                                           {"co0", base::co0},
                                                           {"pco", base::co0},
                                                           {"same-instance", base::instance},
                                                           {"si", base::access},
                                                           {"iico_data", base::within},
                                                           {"iico_ctrl", base::within_picked},
                                                           {"iico_order", base::within_ordered},
                                                           {"sm", base::access},
                                                           {"pick-addr", base::pick_addr},
                                                           {"pick-data", base::pick_data},
                                                           {"pick-ctrl", base::pick_ctrl},
                                                           {"pick-basic", base::pick_basic}};
    return map;
}

} // namespace

structure::structure(const program& p, const std::vector<const path*>& paths,
                     const std::vector<std::int32_t>& where) {
    for (std::size_t l = 0; l < p.locations.size(); ++l) {
        placed_event e;
        e.location = static_cast<std::int32_t>(l);
        e.is_write = true;
        writes_.push_back({events_.size()});
        events_.push_back(e);
    }
    std::size_t next = 0;
    for (std::size_t t = 0; t < paths.size(); ++t) {
        first_.push_back(events_.size());
        for (std::size_t i = 0; i < paths[t]->events.size(); ++i) {
            const event& what = paths[t]->events[i];
            placed_event e;
            e.what = &what;
            e.thread = static_cast<int>(t);
            e.local = static_cast<int>(i);
            e.is_read = what.is_read;
            e.is_write = what.is_write;
            if (what.address != no_expr) e.location = where[next++];
            if (e.is_read) reads_.push_back(events_.size());
            if (e.is_write) writes_[static_cast<std::size_t>(e.location)].push_back(events_.size());
            events_.push_back(e);
        }
    }
    extent_ = extent(events_.size());
}

void structure::fill(const std::string& name, bool is_set, word* to) const {
    if (is_set)
        fill_set(name, to);
    else
        fill_relation(name, to);
}

void structure::fill_set(const std::string& name, word* to) const {
    const auto known = names().find(name);
    const std::size_t tag = known == names().end() ? known_tag(name) : 0;
    if (tag == most_tags) return;
    for (std::size_t i = 0; i < events_.size(); ++i) {
        const placed_event& e = events_[i];
        bool in = false;
        if (known == names().end()) {
            in = e.what && e.what->labels.test(tag);
        } else {
            switch (known->second) {
            case base::m:
                in = e.is_read || e.is_write;
                break;
            case base::r:
                in = e.is_read;
                break;
            case base::w:
                in = e.is_write;
                break;
            case base::iw:
                in = e.thread < 0;
                break;
            case base::rmw_set: // both halves, or the one event that is both
            case base::x_set:
            case base::ex_set:
                if (e.what) {
                    const bool exclusive_label = e.what->labels.test(tag_index(name));
                    in = exclusive_label || (known->second == base::rmw_set && e.is_read && e.is_write);
                }
                break;
            default:
                break;
            }
        }
        if (in) set_bit(to, i);
    }
}

template <class F>
void structure::relate(word* to, F&& related) const {
    for (std::size_t i = 0; i < events_.size(); ++i)
        for (std::size_t j = 0; j < events_.size(); ++j)
            if (related(i, j)) set_bit(to + i * extent_.words, j);
}

void structure::dependencies(word* to, load_set event::*from, bool within_instruction) const {
    for (std::size_t j = 0; j < events_.size(); ++j) {
        const event* e = events_[j].what;
        if (!e) continue;
        const std::size_t begin = first_[static_cast<std::size_t>(events_[j].thread)];
        for (load_set left = e->*from; left; left &= left - 1) {
            const std::size_t i = begin + static_cast<std::size_t>(__builtin_ctzll(left));
            // Inside one instruction it is no dependency.
            if ((events_[i].what->instance == e->instance) == within_instruction)
                set_bit(to + i * extent_.words, j);
        }
    }
}

bool structure::one_access(std::size_t a, std::size_t b) const {
    const event* left = events_[a].what;
    const event* right = events_[b].what;
    return left && right && events_[a].thread == events_[b].thread && left->access != 0 &&
           left->access == right->access;
}

void structure::fill_relation(const std::string& name, word* to) const {
    const auto known = names().find(name);
    if (known == names().end()) return; // of features that no front end has
    const auto& e = events_;
    // In pieces, an atomic instruction relates those of the same bytes, a pair of exclusives all.
    const auto rmw = [&](bool amo, bool lxsx) {
        for (std::size_t j = 0; j < e.size(); ++j) {
            if (!e[j].what || e[j].what->rmw_read < 0 || !(e[j].what->exclusive ? lxsx : amo)) continue;
            const std::size_t read =
                index(static_cast<std::size_t>(e[j].thread), static_cast<std::size_t>(e[j].what->rmw_read));
            for (std::size_t i = 0; i < e.size(); ++i)
                if (i == read || (e[j].what->exclusive && !e[j].what->paired && one_access(i, read)))
                    set_bit(to + i * extent_.words, j);
        }
    };
    switch (known->second) {
    case base::po:
        return relate(to, [&](std::size_t i, std::size_t j) { return po(i, j); });
    case base::same:
        return relate(to, [&](std::size_t i, std::size_t j) { return e[i].thread == e[j].thread; });
    case base::other:
        return relate(to, [&](std::size_t i, std::size_t j) { return e[i].thread != e[j].thread; });
    case base::loc:
        return relate(to, [&](std::size_t i, std::size_t j) {
            return e[i].location >= 0 && e[i].location == e[j].location;
        });
    case base::addr:
        return dependencies(to, &event::address_from);
    case base::data:
        return dependencies(to, &event::data_from);
    case base::ctrl:
        return dependencies(to, &event::control_from);
    case base::pick_addr:
        return dependencies(to, &event::picked_address);
    case base::pick_data:
        return dependencies(to, &event::picked_data);
    case base::pick_ctrl:
        return dependencies(to, &event::picked_control);
    case base::pick_basic:
        return dependencies(to, &event::picked);
    case base::within:
        return dependencies(to, &event::data_from, true);
    case base::within_picked:
        return dependencies(to, &event::picked_data, true);
    case base::within_ordered:
        return dependencies(to, &event::ordered, true);
    case base::rmw:
        return rmw(true, true);
    case base::amo:
        return rmw(true, false);
    case base::lxsx:
        return rmw(false, true);
    case base::co0:
        return relate(to, [&](std::size_t i, std::size_t j) {
            return e[i].thread < 0 && e[j].thread >= 0 && e[j].is_write && e[i].location == e[j].location;
        });
    case base::instance:
        return relate(to, [&](std::size_t i, std::size_t j) {
            return i == j || (e[i].what && e[j].what && e[i].thread == e[j].thread &&
                              e[i].what->instance == e[j].what->instance);
        });
    case base::access: // the pieces of one
        return relate(to, [&](std::size_t i, std::size_t j) { return i == j || one_access(i, j); });
    default:
        return;
    }
}

} // namespace ringproof::litmus
