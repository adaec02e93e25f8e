// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the structure itself returns when one thread makes calls in some order.

#include "search.hpp"

#include <map>
#include <set>
#include <stdexcept>

namespace ringproof::verify::linear {

/// The calls of the threads of a client.
using client_calls = std::vector<std::vector<made_call>>;

class alone {
  public:
    /// Runs each order of the calls of each client on an object of its own, in a process of its own: what the structure
    /// keeps in static memory stays as the program's start left it. @throws std::runtime_error when that fails
    alone(const test& t, const std::vector<client_calls>& clients);

    /// Whether the last call returned what it returns alone. @throws std::logic_error for calls of no client
    bool allows(const made_call* calls, std::size_t n) const;

  private:
    using kind = std::pair<std::uint16_t, std::int64_t>; ///< operation and argument
    using sequence = std::vector<kind>;
    struct node {
        answer given;
        std::map<kind, std::size_t> next;
    };
    std::vector<node> nodes_ = std::vector<node>(1);

    static void add_orders(const test& t, const client_calls& client, std::set<sequence>& all);
    void learn(const sequence& s, const answer* given);
};

} // namespace ringproof::verify::linear
