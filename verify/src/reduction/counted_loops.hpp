// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "reduction.hpp"

#include <vector>

namespace ringproof::verify {

/// Loops that wait and count: counted_loops.cpp.
class counted_loops : public reduction {
  public:
    using reduction::reduction;
    thread_status counted(thread_state& t);
    /// Runs the iterations after which `id` gives up as one event.
    void skip_iterations(thread_id id, std::uint32_t stamp, std::uint32_t iterations);

  private:
    enum class loop_end : std::uint8_t { repeats, gives_up, unknown };
    struct end_of_loop {
        loop_end how;
        unsigned iterations;
    };
    unsigned iterations_done(const thread_state& t) const;
    end_of_loop try_loop(thread_state& t, unsigned first, unsigned end);
    bool find_counters(const thread_state& t, unsigned first);
    bool only_counted(const memory_range& own) const;

    std::vector<std::uintptr_t> counters_; ///< words of the stack in which the loop that is tried out counts
};

} // namespace ringproof::verify
