// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the events of an execution access, in the program's words.

#include "symbols.hpp"

#include <ringproof/verify/explore.hpp>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace ringproof::verify {

class locations {
  public:
    locations(const std::vector<recorded_event>& history, const symbols& names);

    /// "q.buf_[2].data", "rb->nest", "bytes 4 to 7 of word"; empty where the event accesses nothing.
    std::string name(const recorded_event& e) const;

  private:
    std::string object(const recorded_event& e) const;
    std::string in_object(const recorded_event& e, std::uint64_t size) const;

    const symbols& names_;
    /// The allocations that the history speaks of, by what they are called: "rb" is one object if there is one, else
    /// "rb#1", "rb#2" in the order of their making. Without such a name it is "node@list.hpp:7" by type and place, or
    /// "new@list.hpp:7".
    std::map<std::string, std::set<std::size_t>> made_;
};

/// "memcpy" or the like, where the line of an access calls it; otherwise empty.
std::string copying_call(const source_position& at);

} // namespace ringproof::verify
