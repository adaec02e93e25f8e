// SPDX-License-Identifier: Apache-2.0
#include "places.hpp"

#include <algorithm>
#include <set>

namespace ringproof::litmus {
namespace {

using op = expressions::op;

class placing {
  public:
    placing(program& p, const std::vector<room>& rooms) : program_(p), rooms_(rooms) {}

    std::vector<path> of_path(const path& one) {
        made_.clear();
        chosen_.clear();
        path copy = one;
        place(copy, 0);
        return std::move(made_);
    }

  private:
    expressions& values() { return *program_.values; }

    bool is_computed(const event& e) { return e.address != no_expr && !values().is_constant(e.address); }

    /// All events from this one on.
    void place(path& one, std::size_t from) {
        while (from < one.events.size() && !is_computed(one.events[from])) ++from;
        if (from == one.events.size()) {
            if (made_.size() == most_paths) throw too_many_paths{};
            made_.push_back(one);
            return;
        }
        const event before = one.events[from];
        const std::vector<value> places = places_for(before);
        // An address that was computed before is the same; an access of another size may not fit there.
        if (const auto known = chosen_.find(before.address); known != chosen_.end()) {
            const bool fits = std::find(places.begin(), places.end(), known->second) != places.end();
            go(one, from, fits ? known->second : elsewhere());
        } else {
            for (const value& at : places) assume(one, from, values().constant(at), true, at);
            assume_elsewhere(one, from, places);
        }
        one.events[from] = before;
    }

    void go(path& one, std::size_t from, const value& at) {
        event& e = one.events[from];
        e.address = values().constant(at);
        e.misplaced = at.location == elsewhere_;
        if (e.misplaced) e.bytes = 0;
        place(one, from + 1);
    }

    void assume(path& one, std::size_t from, expr address, bool holds, const value& at) {
        const expr computed = one.events[from].address;
        one.assumed.push_back({values().apply(op::equal, computed, address), holds});
        chosen_[computed] = at;
        const event before = one.events[from];
        go(one, from, at);
        one.events[from] = before;
        chosen_.erase(computed);
        one.assumed.pop_back();
    }

    void assume_elsewhere(path& one, std::size_t from, const std::vector<value>& places) {
        const std::size_t assumed = one.assumed.size();
        const expr computed = one.events[from].address;
        one.assumed.push_back({values().apply(op::is_address, computed), true});
        for (const value& at : places)
            one.assumed.push_back({values().apply(op::equal, computed, values().constant(at)), false});
        chosen_[computed] = elsewhere();
        const event before = one.events[from];
        go(one, from, elsewhere());
        one.events[from] = before;
        chosen_.erase(computed);
        one.assumed.resize(assumed);
    }

    value elsewhere() {
        if (elsewhere_ < 0) elsewhere_ = nowhere_in(program_);
        return program_.address(elsewhere_);
    }

    std::vector<value> places_for(const event& e) {
        std::set<std::int32_t> named;
        values().collect_locations(e.address, named);
        std::vector<value> places;
        for (const room& r : rooms_)
            if (named.empty() || named.count(r.base) != 0) add_places(e, r, places);
        return places;
    }

    void add_places(const event& e, const room& r, std::vector<value>& places) const {
        if (!r.whole && e.bytes != 0) {
            for (std::int64_t at = 0; at + e.bytes <= r.size; at += e.bytes) places.push_back({at, r.base});
            return;
        }
        for (std::size_t l = 0; l < program_.placed.size(); ++l) {
            const program::placement& at = program_.placed[l];
            const std::int64_t bytes = at.bytes != 0 ? at.bytes : r.size;
            if (at.array == r.base && !at.code && (e.bytes == 0 || e.bytes == bytes))
                places.push_back({at.offset, r.base});
        }
    }

    program& program_;
    const std::vector<room>& rooms_;
    std::int32_t elsewhere_ = -1; ///< the location that misplaced accesses are given
    std::vector<path> made_;
    std::map<expr, value> chosen_; ///< of computed addresses
};

} // namespace

std::int32_t nowhere_in(program& p) { return p.location_index(nowhere_name); }

void try_places(program& p, const std::vector<room>& rooms) {
    placing all(p, rooms);
    for (std::vector<path>& paths : p.threads) {
        std::vector<path> made;
        for (const path& one : paths)
            for (path& placed : all.of_path(one)) {
                if (made.size() == most_paths) throw too_many_paths{};
                made.push_back(std::move(placed));
            }
        paths = std::move(made);
    }
}

} // namespace ringproof::litmus
