// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a model's checks forbid of single locations, read off its text. The enumerator drops a
// branch as soon as it is incoherent, which is only right if the model would reject it in the end.
//
// Incoherence always shows as one of five shapes: a word over {rf, rf^-1, co} from an event b to an
// event a of which a is po-before b at the same location. A check `irreflexive E` forbids a shape if
// E, taken as a regular expression over relations, accepts the word; `acyclic E` is
// `irreflexive E+`. Accepting is sound and simple, not complete: then less is pruned, nothing lost.

#include "graph.hpp"

namespace ringproof::litmus::cat {

struct forbidden_shapes {
    bool read_own_future = false; ///< rf ; po-loc
    bool atomicity =
        false;        ///< with `all`: rmw & (fre;coe), a store between the halves of a read-modify-write
    bool all = false; ///< that, and co, rf^-1;co, co;rf, rf^-1;co;rf with po-loc
};

forbidden_shapes coherence_of(const graph& g);

} // namespace ringproof::litmus::cat
