// SPDX-License-Identifier: Apache-2.0
#include "clients.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace ringproof::verify::linear {
namespace {

using sequence = std::vector<std::uint32_t>;

/// All sequences of 1 to `longest` kinds, short ones first.
std::vector<sequence> sequences(unsigned kinds, unsigned longest) {
    std::vector<sequence> all;
    std::size_t from = 0;
    for (unsigned length = 1; length <= longest; ++length) {
        const std::size_t to = all.size();
        for (std::uint32_t k = 0; k < kinds; ++k) {
            if (length == 1) all.push_back({k});
            for (std::size_t i = from; length > 1 && i < to; ++i) {
                all.push_back(all[i]);
                all.back().push_back(k);
            }
        }
        from = to;
    }
    return all;
}

/// Which calls come before which, as a matrix over all calls of a client.
class call_order {
  public:
    explicit call_order(const std::vector<sequence>& threads) {
        for (const sequence& s : threads) {
            first_.push_back(calls_);
            calls_ += s.size();
        }
        before_.assign(calls_ * calls_, false);
        for (std::size_t t = 0; t < threads.size(); ++t)
            for (std::size_t j = 0; j < threads[t].size(); ++j)
                for (std::size_t i = 0; i < j; ++i) at(first_[t] + i, first_[t] + j) = true;
    }
    bool has(const wait& w) { return at(from(w), to(w)); }
    bool is_against(const wait& w) { return from(w) == to(w) || at(to(w), from(w)); }
    void add(const wait& w) {
        for (std::size_t a = 0; a < calls_; ++a)
            for (std::size_t b = 0; b < calls_; ++b)
                if ((a == from(w) || at(a, from(w))) && (b == to(w) || at(to(w), b))) at(a, b) = true;
    }

  private:
    std::vector<bool>::reference at(std::size_t a, std::size_t b) { return before_[a * calls_ + b]; }
    std::size_t from(const wait& w) const { return first_[w.from] + w.from_call; }
    std::size_t to(const wait& w) const { return first_[w.to] + w.to_call; }

    std::vector<std::size_t> first_;
    std::size_t calls_ = 0;
    std::vector<bool> before_;
};

/// Whether the waits can all be met, and each of them orders what the others do not.
bool is_least(const std::vector<sequence>& threads, const std::vector<wait>& waits) {
    call_order all(threads);
    for (const wait& w : waits) {
        if (all.is_against(w)) return false;
        all.add(w);
    }
    for (std::size_t left_out = 0; left_out < waits.size(); ++left_out) {
        call_order others(threads);
        for (std::size_t i = 0; i < waits.size(); ++i)
            if (i != left_out) others.add(waits[i]);
        if (others.has(waits[left_out])) return false;
    }
    return true;
}

/// Whether no order of the threads that leaves the calls as they are makes the waits come earlier.
bool is_first_of_its_orders(const std::vector<sequence>& threads, const std::vector<wait>& waits) {
    std::vector<std::uint8_t> order(threads.size());
    std::iota(order.begin(), order.end(), std::uint8_t{0});
    do {
        bool same = true;
        for (std::size_t t = 0; t < threads.size(); ++t) same = same && threads[t] == threads[order[t]];
        if (!same) continue;
        std::vector<wait> others = waits;
        for (wait& w : others) w.from = order[w.from], w.to = order[w.to];
        std::sort(others.begin(), others.end());
        if (others < waits) return false;
    } while (std::next_permutation(order.begin(), order.end()));
    return true;
}

/// Adds the clients with these calls and each set of waits.
void add_waits(const std::vector<sequence>& threads, unsigned most, std::vector<client>& all) {
    std::vector<wait> possible;
    const auto size = [](const auto& of) { return static_cast<std::uint8_t>(of.size()); };
    for (std::uint8_t a = 0; a < size(threads); ++a)
        for (std::uint8_t i = 0; i < size(threads[a]); ++i)
            for (std::uint8_t b = 0; b < size(threads); ++b)
                for (std::uint8_t j = 0; a != b && j < size(threads[b]); ++j)
                    possible.push_back({a, i, b, j});
    std::vector<wait> chosen;
    const auto choose = [&](const auto& self, std::size_t from) -> void {
        if (is_least(threads, chosen) && is_first_of_its_orders(threads, chosen))
            all.push_back({threads, chosen});
        if (chosen.size() == most) return;
        for (std::size_t i = from; i < possible.size(); ++i) {
            chosen.push_back(possible[i]);
            self(self, i + 1);
            chosen.pop_back();
        }
    };
    choose(choose, 0);
}

auto size_of(const client& c) {
    std::size_t calls = 0, longest = 0;
    for (const sequence& s : c.threads) calls += s.size(), longest = std::max(longest, s.size());
    return std::tuple(c.threads.size(), calls, c.waits.size(), longest);
}

} // namespace

std::vector<client> clients_within(const client_bounds& b) {
    const std::vector<sequence> of_thread = sequences(b.kinds, b.calls);
    std::vector<client> all;
    std::vector<sequence> threads;
    const auto choose = [&](const auto& self, std::size_t from) -> void {
        if (!threads.empty()) add_waits(threads, b.waits, all);
        if (threads.size() == b.threads) return;
        for (std::size_t i = from; i < of_thread.size(); ++i) {
            threads.push_back(of_thread[i]);
            self(self, i);
            threads.pop_back();
        }
    };
    choose(choose, 0);
    std::stable_sort(all.begin(), all.end(),
                     [](const client& x, const client& y) { return size_of(x) < size_of(y); });
    return all;
}

std::vector<client> clients_of_calls(const std::vector<unsigned>& owner, unsigned most) {
    std::vector<sequence> threads_of_one;  // calls that a thread may make alone, those of each owner together
    std::vector<unsigned> owner_of_thread; // 0: there may be several
    const unsigned last = *std::max_element(owner.begin(), owner.end());
    for (unsigned of = 0; of <= last; ++of) {
        sequence kinds;
        for (std::uint32_t k = 0; k < owner.size(); ++k)
            if (owner[k] == of) kinds.push_back(k);
        for (sequence& s : sequences(static_cast<unsigned>(kinds.size()), of == 0 ? 1 : most)) {
            for (std::uint32_t& k : s) k = kinds[k];
            threads_of_one.push_back(std::move(s));
            owner_of_thread.push_back(of);
        }
    }
    std::vector<client> all;
    std::vector<sequence> threads;
    std::uint32_t owners = 0;
    const auto choose = [&](const auto& self, std::size_t from, std::size_t left) -> void {
        if (!threads.empty()) all.push_back({threads, {}});
        for (std::size_t i = from; i < threads_of_one.size(); ++i) {
            const unsigned of = owner_of_thread[i];
            if (threads_of_one[i].size() > left || (of != 0 && (owners >> of & 1) != 0)) continue;
            const std::uint32_t before = owners;
            if (of != 0) owners |= std::uint32_t{1} << of;
            threads.push_back(threads_of_one[i]);
            self(self, i, left - threads_of_one[i].size());
            threads.pop_back();
            owners = before;
        }
    };
    choose(choose, 0, most);
    const auto calls = [](const client& c) { return std::get<1>(size_of(c)); };
    std::stable_sort(all.begin(), all.end(),
                     [&](const client& x, const client& y) { return calls(x) < calls(y); });
    return all;
}

} // namespace ringproof::verify::linear
