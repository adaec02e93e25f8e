// SPDX-License-Identifier: Apache-2.0
#pragma once
// A state of the judge's machines: of the threads, and of memory in each model's own form.

#include "machine.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace ringproof::verify::loops {

/// For each location the message below which one cannot read; for each cell whether one knows of its last
/// write, and of each thread's last read since.
class view {
  public:
    static constexpr std::size_t wrote(int cell) { return max_locations + static_cast<std::size_t>(cell); }
    static constexpr std::size_t read(int cell, int by) {
        return max_locations + max_threads + static_cast<std::size_t>(cell * max_threads + by);
    }
    static constexpr std::size_t size = max_locations + max_threads + max_threads * max_threads;

    std::uint8_t& operator[](std::size_t i) { return known_[i]; }
    std::uint8_t operator[](std::size_t i) const { return known_[i]; }
    void join(const view& other) {
        for (std::size_t i = 0; i < size; ++i) known_[i] = std::max(known_[i], other.known_[i]);
    }
    void append_to(std::string& key) const { key.append(known_.begin(), known_.end()); }

  private:
    std::array<std::uint8_t, size> known_{};
};

struct message {
    int value = 0;
    bool follows = false; ///< a read-modify-write's, which read the message before
    view known{};         ///< what who acquires it gets to know
};

struct thread_state {
    int at = 0;
    bool done = false;
    registers values{};
    std::array<int, private_cells> own{};
    int rounding = 0, halves = 0; ///< the mode, and the number times 2
    bool inexact = false, has_page = false;
    std::array<int, private_cells> page{};
    std::vector<std::pair<int, int>> buffer{}; ///< tso: location and value
    view now{}, acquired_later{}, released{};  ///< rc11; the second waits for an acquire fence

    void set(int which, int value) {
        if (which != no_register) values[static_cast<std::size_t>(which)] = value;
    }
};

class state {
  public:
    explicit state(int threads) : threads_(static_cast<std::size_t>(threads)) {
        // All threads begin behind the initial messages and the cells' first values.
        view first;
        for (std::size_t i = max_locations; i < view::size; ++i) first[i] = 1;
        for (std::vector<message>& each : messages_) each.push_back({0, false, first});
        for (thread_state& each : threads_) each.now = each.acquired_later = each.released = first;
    }

    thread_state& operator[](int t) { return threads_[static_cast<std::size_t>(t)]; }
    const thread_state& operator[](int t) const { return threads_[static_cast<std::size_t>(t)]; }
    int& value_of(int location) { return values_[static_cast<std::size_t>(location)]; }
    int& cell(int owner) { return cells_[static_cast<std::size_t>(owner)]; }
    const std::vector<message>& messages_of(int location) const {
        return messages_[static_cast<std::size_t>(location)];
    }

    /// Nobody will ask what a finished thread knew.
    void finish(int t, unsigned reported) {
        thread_state& me = (*this)[t];
        me.done = true;
        for (std::size_t r = 0; r < me.values.size(); ++r)
            if ((reported >> r & 1u) == 0) me.values[r] = 0;
        me.own = me.page = {};
        me.rounding = me.halves = 0;
        me.inexact = me.has_page = false;
        me.now = me.acquired_later = me.released = view{};
    }

    unsigned unfinished() const {
        unsigned bits = 0;
        for (std::size_t t = 0; t < threads_.size(); ++t) bits |= (threads_[t].done ? 0u : 1u) << t;
        return bits;
    }
    bool buffers_are_empty() const {
        return std::all_of(threads_.begin(), threads_.end(),
                           [](const thread_state& t) { return t.buffer.empty(); });
    }

    outcome result(const program& of, bool from_messages) const {
        outcome all;
        for (int t = 0; t < of.size; ++t) all.reported[static_cast<std::size_t>(t)] = (*this)[t].values;
        for (std::size_t x = 0; x < all.locations.size(); ++x)
            all.locations[x] = from_messages ? messages_[x].back().value : values_[x];
        return all;
    }

    // --- rc11 ----------------------------------------------------------------------------------------

    void see(int t, int location, std::size_t place, bool acquire) {
        thread_state& me = (*this)[t];
        const auto x = static_cast<std::size_t>(location);
        me.now[x] = std::max(me.now[x], static_cast<std::uint8_t>(place));
        me.acquired_later.join(messages_[x][place].known);
        if (acquire) me.now.join(messages_[x][place].known);
        me.acquired_later.join(me.now);
    }

    /// @param continued what the message that a read-modify-write read makes known, and its own will
    void insert(int t, int location, std::size_t place, int value, bool release, const view* continued) {
        const auto x = static_cast<std::size_t>(location);
        message made{value, continued != nullptr, {}};
        const view earlier = continued ? *continued : view{};
        std::vector<message>& list = messages_[x];
        list.insert(list.begin() + static_cast<std::ptrdiff_t>(place), made);
        const auto move = [&](view& v) { v[x] = static_cast<std::uint8_t>(v[x] + (v[x] >= place)); };
        for_each_view(move);
        thread_state& me = (*this)[t];
        me.now[x] = static_cast<std::uint8_t>(place);
        me.acquired_later.join(me.now);
        view known = release ? me.now : me.released;
        view before = earlier;
        move(before);
        known.join(before);
        known[x] = std::max(known[x], static_cast<std::uint8_t>(place));
        list[place].known = known;
    }

    bool may_touch(int t, int owner, bool store) const {
        const view& known = (*this)[t].now;
        if (known[view::wrote(owner)] == 0) return false;
        for (int u = 0; store && u < static_cast<int>(threads_.size()); ++u)
            if (u != t && read_since(owner, u) && known[view::read(owner, u)] == 0) return false;
        return true;
    }

    void touch(int t, int owner, bool store) {
        const std::size_t fact = store ? view::wrote(owner) : view::read(owner, t);
        for_each_view([&](view& v) { v[fact] = 0; });
        (*this)[t].now[fact] = (*this)[t].acquired_later[fact] = 1;
        for (int u = 0; u < max_threads; ++u) {
            if (store) read_since_[static_cast<std::size_t>(owner * max_threads + u)] = false;
            if (!store && u == t) read_since_[static_cast<std::size_t>(owner * max_threads + u)] = true;
        }
    }

    /// Drops the messages that no thread can read, or write before, any more.
    void forget_old_messages() {
        for (std::size_t x = 0; x < messages_.size(); ++x) {
            std::size_t first = messages_[x].size() - 1;
            for (const thread_state& t : threads_)
                if (!t.done) first = std::min<std::size_t>(first, t.now[x]);
            if (first == 0) continue;
            messages_[x].erase(messages_[x].begin(),
                               messages_[x].begin() + static_cast<std::ptrdiff_t>(first));
            messages_[x].front().follows = false;
            for_each_view(
                [&](view& v) { v[x] = static_cast<std::uint8_t>(v[x] < first ? 0 : v[x] - first); });
        }
    }

    std::size_t most_messages() const {
        std::size_t most = 0;
        for (const std::vector<message>& each : messages_) most = std::max(most, each.size());
        return most;
    }

    std::string key() const {
        std::string all;
        const auto put = [&](int value) { all.push_back(static_cast<char>(value)); };
        for (const thread_state& t : threads_) {
            put(t.at);
            for (const int v : t.values) put(v);
            for (const int v : t.own) put(v);
            for (const int v : t.page) put(v);
            for (const int v : {t.rounding, t.halves, int{t.inexact}, int{t.has_page}}) put(v);
            put(static_cast<int>(t.buffer.size()));
            for (const auto& [location, value] : t.buffer) put(location), put(value);
            t.now.append_to(all);
            t.acquired_later.append_to(all);
            t.released.append_to(all);
        }
        for (const int v : values_) put(v);
        for (const int v : cells_) put(v);
        for (const bool r : read_since_) put(r);
        for (const std::vector<message>& list : messages_) {
            put(static_cast<int>(list.size()));
            for (const message& m : list) {
                put(m.value);
                put(m.follows);
                m.known.append_to(all);
            }
        }
        return all;
    }

  private:
    bool read_since(int owner, int by) const {
        return read_since_[static_cast<std::size_t>(owner * max_threads + by)];
    }
    template <class Function>
    void for_each_view(Function change) {
        for (thread_state& t : threads_) change(t.now), change(t.acquired_later), change(t.released);
        for (std::vector<message>& list : messages_)
            for (message& m : list) change(m.known);
    }

    std::vector<thread_state> threads_;
    std::array<int, max_locations> values_{};
    std::array<int, max_threads> cells_{};
    std::array<bool, static_cast<std::size_t>(max_threads) * max_threads> read_since_{};
    std::array<std::vector<message>, max_locations> messages_{};
};

} // namespace ringproof::verify::loops
