// SPDX-License-Identifier: Apache-2.0
#pragma once
// What ranks tell each other. Rank 0 gives work; the others, and rank 0 itself, tell what became of it.

#include <cstdint>
#include <string>

namespace ringproof::verify::ranks {

struct message {
    enum class kind : std::uint8_t {
        // to rank 0
        here,     ///< text: the host's name. Also every second, as a sign of life
        done,     ///< result: as JSON
        left,     ///< text: the checkpoint of what is left
        learnt,   ///< text: the checkpoint of the whole search, with what the part has learnt
        died,     ///< text: how the searcher ended, and what it said
        unusable, ///< text: why nothing can be searched here at all
        // from rank 0
        work,   ///< text: a checkpoint; divide
        stop,   ///< and tell what is left
        cancel, ///< nobody wants it any more
        end,    ///< all is done
        bye,    ///< the answer to that
        part,   ///< all have answered: they end together, as MPI wants it
    };
    kind what = kind::here;
    std::uint64_t assignment = 0;
    unsigned divide = 0;
    std::string text = {}, result = {};
    double seconds = 0; ///< that the searcher was there, with all that it does beside searching
};

std::string packed(const message& m);
/// @throws std::invalid_argument for what no rank has sent
message unpacked(const std::string& bytes);

} // namespace ringproof::verify::ranks
