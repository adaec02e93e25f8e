// SPDX-License-Identifier: Apache-2.0
// All orders are gone through by pairs: one is added, and then left out. What is explained with all pairs that may still
// be added, possible together or not, is explained with each order that is left; this ends most searches at once.

#include "added_order.hpp"

#include <cstddef>
#include <utility>

namespace ringproof::verify::linear {
namespace {

constexpr std::uint32_t bit(std::size_t call) { return std::uint32_t{1} << call; }

class search {
  public:
    search(const call_relations& r, const std::function<bool(const call_order&)>& explained,
           const std::function<bool(const call_order&)>& consistent)
        : relations_(r), explained_(explained), consistent_(consistent) {}

    added_order run() {
        call_order order = relations_.before, left_out(order.size(), 0);
        close(order, relations_.meets);
        go_on(order, left_out);
        return std::move(result_);
    }

  private:
    static constexpr unsigned most_orders = 2'000'000;

    void go_on(const call_order& order, const call_order& left_out) {
        if (result_.found || result_.gave_up) return;
        if (++orders_ > most_orders) {
            result_.gave_up = true;
            return;
        }
        const call_order addable = what_can_be_added(order, left_out);
        call_order all = order;
        for (std::size_t b = 0; b < all.size(); ++b) all[b] |= addable[b];
        if (explained_(all)) return;
        if (!explained_(order)) {
            // Whatever is added makes it no more consistent.
            if (consistent_(order)) result_ = {true, false, order};
            return;
        }
        const auto [a, b] = next_of(addable);
        if (b == all.size()) return;
        call_order more = order, fewer = left_out;
        more[b] |= bit(a);
        close(more, relations_.meets);
        go_on(more, left_out);
        fewer[b] |= bit(a);
        go_on(order, fewer);
    }

    call_order what_can_be_added(const call_order& order, const call_order& left_out) const {
        call_order can(order.size(), 0);
        for (std::size_t b = 0; b < order.size(); ++b)
            for (std::size_t a = 0; a < order.size(); ++a) {
                if (((order[b] | left_out[b] | relations_.never[b]) & bit(a)) != 0) continue;
                call_order with = order;
                with[b] |= bit(a);
                close(with, relations_.meets);
                bool left = false; // one that follows has been left out
                for (std::size_t i = 0; i < with.size(); ++i) left = left || (with[i] & left_out[i]) != 0;
                if (!left && is_possible(relations_, with)) can[b] |= bit(a);
            }
        return can;
    }

    /// A pair to add: one that can be added in both directions, if there is any, as such pairs leave results unexplained.
    static std::pair<std::size_t, std::size_t> next_of(const call_order& addable) {
        std::pair<std::size_t, std::size_t> next{0, addable.size()};
        for (std::size_t b = 0; b < addable.size(); ++b)
            for (std::size_t a = 0; a < addable.size(); ++a) {
                if ((addable[b] & bit(a)) == 0) continue;
                next = {a, b};
                if ((addable[a] & bit(b)) != 0) return next;
            }
        return next;
    }

    const call_relations& relations_;
    const std::function<bool(const call_order&)>& explained_;
    const std::function<bool(const call_order&)>& consistent_;
    added_order result_;
    unsigned orders_ = 0;
};

} // namespace

void close(call_order& order, const call_order& meets) {
    for (bool more = true; more;) {
        more = false;
        for (std::uint32_t& of : order) {
            const std::uint32_t was = of;
            for (std::size_t c = 0; c < order.size(); ++c)
                for (std::size_t b = 0; (of & bit(c)) != 0 && b < order.size(); ++b)
                    if ((meets[c] & bit(b)) != 0) of |= order[b];
            more = more || of != was;
        }
    }
}

bool is_possible(const call_relations& r, const call_order& order) {
    for (std::size_t b = 0; b < order.size(); ++b)
        if ((order[b] & r.never[b]) != 0) return false;
    if (r.reaches.empty()) return true;
    call_order causes = order;
    close(causes, r.reaches);
    for (std::size_t a = 0; a < order.size(); ++a)
        for (std::size_t b = 0; b < order.size(); ++b)
            if ((causes[b] & bit(a)) != 0 && (r.reaches[a] & bit(b)) != 0) return false;
    return true;
}

added_order find_unexplained(const call_relations& r, const std::function<bool(const call_order&)>& explained,
                             const std::function<bool(const call_order&)>& consistent) {
    return search(r, explained, consistent).run();
}

} // namespace ringproof::verify::linear
