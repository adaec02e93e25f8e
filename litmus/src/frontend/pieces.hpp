// SPDX-License-Identifier: Apache-2.0
#pragma once
// Accesses of several sizes to the same bytes.
//
// A location whose bytes are accessed in several sizes is divided into pieces: the longest stretches of bytes that
// every access has whole or not at all. A piece is a location, and an access is one event for each of its pieces.
// These events carry the same number in event::access, from which models get the relation `sm`: what makes them
// one access (single-copy atomicity) is the model's business. What a load returns is put together from its pieces,
// little endian.
//
// Other locations stay whole. Under a model that forbids torn accesses, dividing them would change nothing: the
// pieces of two accesses that have the same pieces come in the same order.

#include "program.hpp"

#include <stdexcept>

namespace ringproof::litmus {

/// what() is the reason, for the user.
struct cannot_divide : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The program with the accesses to these bytes in pieces. Paths that are no execution (a store-exclusive of
/// another size than its load) are gone. @throws cannot_divide
program in_pieces(const program& whole);

} // namespace ringproof::litmus
