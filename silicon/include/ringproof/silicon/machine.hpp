// SPDX-License-Identifier: Apache-2.0
#pragma once
// The threads of a program, as the search runs them. A machine is deterministic: what a thread does depends only
// on the values that its reads returned and on the choices that were made for it.
//
// A thread runs *ahead* of reads whose values are not known yet. Registers that depend on such a value are unknown,
// and so is what they are stored as. The thread stops ("waits") where an unknown value decides a branch or an
// address. On the architectures here all later writes of the thread are ordered behind the reads that such a value
// comes from, so that nothing is lost by waiting (search/explore.hpp says why that is enough).

#include <ringproof/silicon/event.hpp>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ringproof::silicon {

/// What a thread is told when it is run from its start.
struct history {
    std::vector<std::optional<word>> loaded; ///< by index of the read's event; missing at the end: unknown
    /// Choices that the thread asked for, each with the number of its place (see run::asks_at), in order.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> chosen;
    friend auto operator<=>(const history&, const history&) = default;
};

/// How far a thread comes. Told more, it repeats these events, and goes on from there.
struct run {
    enum class end {
        finished,
        waits, ///< for the values of some reads: `waits_for`
        asks,  ///< for a choice: any of the numbers below `alternatives`
        stuck, ///< goes on only if other threads write: to a location that one of the reads `waits_for` has, or to
               ///< memory that is not known to be shared. The others may go on
        impossible, ///< no execution goes this way: a choice contradicts a value
        cut         ///< more rounds of a loop than are allowed
    };

    virtual ~run() = default;
    run() = default;
    run(const run&) = default;
    run& operator=(const run&) = default;

    end how = end::finished;
    std::vector<event> events;               ///< in program order
    std::vector<std::optional<word>> stored; ///< by index of the write's event; none: not known yet
    index_set
        waits_for;  ///< all reads that the value depends on, known or not; of a stuck thread: see `stuck`
    index_set idle; ///< of a stuck thread: its writes that put back what was there, which end no wait
    std::uint32_t asks_at = 0, alternatives = 0;
};

class machine {
  public:
    virtual ~machine() = default;
    virtual std::size_t threads() const = 0;
    virtual std::shared_ptr<const run> run_thread(std::size_t thread, const history& so_far) = 0;
    virtual word initial(std::uint64_t address) const = 0;
};

} // namespace ringproof::silicon
