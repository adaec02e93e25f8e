// SPDX-License-Identifier: Apache-2.0
#pragma once
// Computes the nodes of a model's graph in one execution after another. A value stays until what it depends on changes:
// the paths, reads-from or the coherence order.

#include "../parse/budget.hpp"
#include "graph.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace ringproof::litmus::cat {

/// Whether two events read or write different values; asked only when reads-from is chosen.
struct event_values {
    virtual ~event_values() = default;
    virtual bool differ(std::size_t a, std::size_t b) const = 0;
};

/// A `let rec` whose values never settle, a model too deep for the stack, a test too large for the memory.
/// what() is the whole error.
struct cannot_evaluate : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The values of a graph's nodes in one execution after another. @throws cannot_evaluate
class evaluator {
  public:
    explicit evaluator(const graph& g) : graph_(g) {}

    /// Other paths: everything is to be computed anew. `bases` must outlive the use.
    void start(extent e, const base_values& bases);
    void set_values(const event_values* v) { values_ = v; }
    /// Whom work is counted for. @throws out_of_time, whatever computes, from here on
    void set_watch(watch* w) { watch_ = w; }
    /// The memory of reads-from, to be filled by the caller, who then says so.
    word* reads_from() { return reads_from_.data(); }
    void reads_changed() { ++epoch_[1], ++epoch_[2]; }
    word* chosen(std::size_t choice) { return chosen_[choice].data(); }
    word* final_writes() { return final_.data(); }
    void order_changed() { ++epoch_[2]; }

    const word* value(node_id n);
    bool holds(const check& c);
    extent size() const { return extent_; }

  private:
    void compute(node_id n);
    void sequence(const node& n, word* to);
    void differing(const word* pairs, word* to) const;
    void spend(const node& n);
    void solve(std::size_t group);
    bool apply(const fixed_point& f, std::size_t equation);
    void take_down(const fixed_point& f, std::vector<word>& to);
    word* memory(node_id n) { return storage_.data() + offset_[static_cast<std::size_t>(n)]; }
    std::size_t count(const node& n) const { return n.is_set ? extent_.words : extent_.relation(); }

    const graph& graph_;
    extent extent_;
    const base_values* bases_ = nullptr;
    const event_values* values_ = nullptr;
    watch* watch_ = nullptr;
    std::vector<std::size_t> offset_;
    std::vector<std::uint64_t> stamp_;
    std::vector<word> storage_, reads_from_, final_, scratch_;
    std::vector<std::vector<word>> chosen_;
    std::uint64_t epoch_[3] = {0, 0, 0};
};

} // namespace ringproof::litmus::cat
