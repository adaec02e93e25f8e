// SPDX-License-Identifier: Apache-2.0
#pragma once
// What structures promise, for LINEARIZABLE's like<…>(). A rule says whether a call may return what it did when it comes
// next, and changes the state accordingly.
//
//     object<my_queue<int>>(2).like<spec::fifo<2>>()
//         .op("push", &my_queue<int>::try_push, &spec::fifo<2>::push, fresh())
//         .op("pop", &my_queue<int>::try_pop, &spec::fifo<2>::pop);

#include "linear.hpp"

#include <algorithm>
#include <deque>
#include <set>
#include <utility>

namespace ringproof::verify::linear::spec {

inline constexpr answer no = {0, 0};
inline constexpr std::size_t unbounded = ~std::size_t{0};

/// What is pushed stays in a row, and is popped from one end of it.
template <std::size_t Capacity, bool OldestFirst>
class in_a_row {
  public:
    bool push(const made_call& c) {
        if (items_.size() == Capacity) return c.given == no;
        items_.push_back(c.argument);
        return c.given == answer{};
    }
    bool pop(const made_call& c) {
        if (items_.empty()) return c.given == no;
        const answer next{1, OldestFirst ? items_.front() : items_.back()};
        OldestFirst ? items_.pop_front() : items_.pop_back();
        return c.given == next;
    }

  private:
    std::deque<std::int64_t> items_;
};

/// First in, first out.
template <std::size_t Capacity = unbounded>
using fifo = in_a_row<Capacity, true>;
/// Last in, first out.
template <std::size_t Capacity = unbounded>
using lifo = in_a_row<Capacity, false>;

/// A pop takes any of the `K` + 1 oldest items, and finds the queue empty only when it is.
template <std::size_t K>
class relaxed_fifo {
  public:
    bool push(const made_call& c) { return items_.push_back(c.argument), c.given == answer{}; }
    bool pop(const made_call& c) {
        if (items_.empty()) return c.given == no;
        const auto end = items_.begin() + static_cast<std::ptrdiff_t>(std::min(K + 1, items_.size()));
        const auto at = std::find(items_.begin(), end, c.given.second);
        if (at == end || c.given.first != 1) return false;
        items_.erase(at);
        return true;
    }

  private:
    std::deque<std::int64_t> items_;
};

/// The items of one thread come out in the order in which it pushed them; those of several in any. Items have to be
/// different ones: `fresh()`.
class fifo_of_each_producer {
  public:
    bool push(const made_call& c) { return items_.push_back(c), c.given == answer{}; }
    bool pop(const made_call& c) {
        if (items_.empty()) return c.given == no;
        for (auto at = items_.begin(); at != items_.end(); ++at) {
            if (at->argument != c.given.second) continue;
            const bool first = std::none_of(
                items_.begin(), at, [&](const made_call& before) { return before.thread == at->thread; });
            items_.erase(at);
            return first && c.given.first == 1;
        }
        return false;
    }

  private:
    std::vector<made_call> items_;
};

/// A set: each operation says whether it changed it, or whether the value is there.
class set {
  public:
    bool insert(const made_call& c) { return c.given == answer{items_.insert(c.argument).second, 0}; }
    bool erase(const made_call& c) { return c.given == answer{items_.erase(c.argument) == 1, 0}; }
    bool contains(const made_call& c) { return c.given == answer{items_.count(c.argument) == 1, 0}; }

  private:
    std::set<std::int64_t> items_;
};

/// A number that begins with 0.
class counter {
  public:
    bool add(const made_call& c) { return value_ += c.argument, c.given == answer{}; }
    bool increment(const made_call& c) { return ++value_, c.given == answer{}; }
    bool fetch_increment(const made_call& c) { return c.given == answer{value_++, 0}; }
    bool get(const made_call& c) { return c.given == answer{value_, 0}; }

  private:
    std::int64_t value_ = 0;
};

/// A variable that begins with 0.
class register_ { // NOLINT(readability-identifier-naming): the word alone is the language's
  public:
    bool write(const made_call& c) { return value_ = c.argument, c.given == answer{}; }
    bool read(const made_call& c) { return c.given == answer{value_, 0}; }
    bool exchange(const made_call& c) { return c.given == answer{std::exchange(value_, c.argument), 0}; }

  private:
    std::int64_t value_ = 0;
};

} // namespace ringproof::verify::linear::spec
