// SPDX-License-Identifier: Apache-2.0
#pragma once
// The states that a machine passes through and the steps between them, to find out whether it can run for ever.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ringproof::verify::loops {

enum class step_kind : std::uint8_t {
    changes_nothing, ///< beside the thread itself
    changes,
    sees_old ///< reads something that is not the newest, which nobody does for ever
};

/// What a step is to a thread that runs alone, and does not yield.
enum class alone : std::uint8_t {
    ends_round,      ///< it changes something, or the thread yields
    writes_the_same, ///< a read-modify-write that leaves the value
    only_reads
};

class state_graph {
  public:
    /// @param unfinished bits of the threads that have not ended
    void add_state(unsigned unfinished, bool settled);
    void add_step(std::size_t from, std::size_t to, int thread, step_kind kind, alone how);

    /// Whether there is a cycle in which each unfinished thread takes steps; `quiet`: and changes nothing.
    /// A step that sees old values is part of none.
    bool has_fair_cycle(int threads, bool quiet) const;
    /// Whether there is a cycle of one thread's steps, each of which is `least` or less.
    bool has_lone_cycle(int threads, alone least) const;

  private:
    struct step {
        std::size_t to;
        int thread;
        step_kind kind;
        alone how;
    };
    struct node {
        unsigned unfinished;
        bool settled;
        std::vector<step> steps;
    };
    bool counts(const node& from, const step& way, bool quiet) const;
    template <class Counts>
    std::vector<std::size_t> components(Counts counts) const;

    std::vector<node> nodes_;
};

} // namespace ringproof::verify::loops
