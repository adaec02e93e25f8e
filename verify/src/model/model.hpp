// SPDX-License-Identifier: Apache-2.0
#pragma once
// A memory model: which writes a read may read from, where in coherence order a write may go, and
// whether the graph stays consistent. One small class per model; the exploration knows no axiom.

#include "../graph/graph.hpp"

#include <ringproof/verify/verify.hpp>

#include <memory>
#include <string_view>

namespace ringproof::verify {

/// What a thread knows at its current end.
struct thread_clocks {
    vector_clock porf;
    vector_clock hb;
    vector_clock release_fence;   ///< hb at its last release fence: what its relaxed writes release
    vector_clock acquire_pending; ///< releases it has read relaxed: what an acquire fence acquires
};

class model {
  public:
    virtual ~model() = default;
    virtual std::string_view name() const = 0;

    /// Completes `e`, the next event of its thread (kind, mo, thread, index, rf, peer set), with its
    /// clocks, and advances the thread's.
    virtual void advance(const graph& g, thread_clocks& thread, event& e) const = 0;

    /// Whether `g` is consistent, given that it was before its last events were added, and that
    /// only adding `e` (in `g` already) other than reading from, or being, the co-latest write can
    /// have made it inconsistent. hb-coherence has been seen to by first_coherent().
    virtual bool consistent(const graph& g, event_id e) const = 0;

    /// The first place in co(l) from which a thread with clock `hb` may still read, and after which
    /// its write may be placed: the latest write that it knows of, itself or through a read.
    static std::uint32_t first_coherent(const graph& g, location_id l, const vector_clock& hb);

  protected:
    /// advance() where every reads-from synchronises, whatever the orders say.
    static void advance_synchronising(const graph& g, thread_clocks& thread, event& e);
};

std::unique_ptr<model> make_rc11();
std::unique_ptr<model> make_sc();
std::unique_ptr<model> make_tso();
std::unique_ptr<model> make_ra();

std::unique_ptr<model> make_model(memory_model which);

} // namespace ringproof::verify
