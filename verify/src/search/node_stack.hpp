// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where the search can go another way: the nodes on the way from the root to where it is, the last one on top.

#include "../graph/graph.hpp"

#include <algorithm>
#include <vector>

namespace ringproof::verify {

enum class node_kind : std::uint8_t { read, write, place, choice, interrupt };
/// Of an option or a revisit: the read is of a weak compare-exchange that fails although it sees what it expects.
inline constexpr event_id fails_spuriously = 0x8000'0000;

/// A point of the search with more than one way on. Its state is the saved_point of the same number.
struct search_node {
    node_kind kind = node_kind::read;
    thread_id thread = 0;
    std::uint32_t options_begin = 0, options_end = 0, option = 0;
    std::uint32_t revisits_begin = 0, revisits_end = 0, revisit = 0;
    std::uint32_t frame = none; ///< what branch_states has set aside for the revisit that is being explored
    std::uint32_t given = 0;    ///< ways, the last ones, that another process has
    // place: the read that is to read from the write.
    thread_id reader = 0;
    bool reader_fails = false; ///< it is a weak compare-exchange that fails spuriously
    std::uint32_t reader_stamp = 0, reader_node = none;

    std::uint32_t all_options() const { return options_end - options_begin; }
    std::uint32_t ways() const { return all_options() + (revisits_end - revisits_begin); }
    std::uint32_t taken() const { return (option - options_begin) + (revisit - revisits_begin); }
};

class node_stack {
  public:
    std::vector<event_id> options;  ///< of all nodes: those of a node lie together
    std::vector<event_id> revisits; ///< likewise

    std::size_t size() const { return nodes_.size(); }
    search_node& operator[](std::size_t n) { return nodes_[n]; }
    const search_node& operator[](std::size_t n) const { return nodes_[n]; }
    search_node& back() { return nodes_.back(); }
    auto begin() const { return nodes_.begin(); }
    auto end() const { return nodes_.end(); }
    search_node& push(node_kind kind, thread_id t) {
        search_node n;
        n.kind = kind;
        n.thread = t;
        n.options_begin = n.options_end = n.option = static_cast<std::uint32_t>(options.size());
        n.revisits_begin = n.revisits_end = n.revisit = static_cast<std::uint32_t>(revisits.size());
        nodes_.push_back(n);
        return nodes_.back();
    }
    /// The options added last are those of `n`, the top; the first of them is taken.
    void take_first(std::uint32_t n) {
        nodes_[n].options_end = static_cast<std::uint32_t>(options.size());
        ++nodes_[n].option;
    }
    /// Drops those options of `n`, the top, that are not taken yet and for which f(option).
    template <class Function>
    void drop_options(std::uint32_t n, Function f) {
        const auto left = options.begin() + nodes_[n].option;
        options.erase(std::remove_if(left, options.end(), f), options.end());
        nodes_[n].options_end = static_cast<std::uint32_t>(options.size());
    }
    /// Drops those of the options from the `first` on for which f(option).
    template <class Function>
    void drop_options_from(std::size_t first, Function f) {
        options.erase(std::remove_if(options.begin() + static_cast<std::ptrdiff_t>(first), options.end(), f),
                      options.end());
    }
    void pop() {
        options.resize(nodes_.back().options_begin);
        revisits.resize(nodes_.back().revisits_begin);
        nodes_.pop_back();
    }

  private:
    std::vector<search_node> nodes_;
};

} // namespace ringproof::verify
