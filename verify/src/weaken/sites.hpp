// SPDX-License-Identifier: Apache-2.0
#pragma once
// The places in the source that ask for a memory order: copies that the compiler made of one are one.

#include "../hooks/orders.hpp"
#include "../trace/symbols.hpp"

#include <string>
#include <vector>

namespace ringproof::verify {

struct order_site {
    source_position at;
    ordered what = ordered::load;
    order asked = order::relaxed;
    char letter = 0;                 ///< that the source names it by, see letters_of()
    bool excused = false;            ///< the source says why it is stronger than it need be
    std::vector<std::uint64_t> keys; ///< of its calls, in order

    /// "barriers.hpp:163 load_tail"
    std::string place() const;
    std::string function() const; ///< its bare name
    /// "A, barriers.hpp:163 load_tail: load acquire"
    std::string text() const;
};

/// The sites that `keys` are the calls of, by letter, file and line.
std::vector<order_site> sites_of(const std::vector<std::uint64_t>& keys, const symbols& names);

} // namespace ringproof::verify
