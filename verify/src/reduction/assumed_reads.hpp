// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "reduction.hpp"

namespace ringproof::verify {

/// Reads of a value with which an assumption of the program fails: assumed_reads.cpp.
class assumed_reads : public reduction {
  public:
    using reduction::reduction;
    /// Whether `t`, which has just read the latest write and gone on, gives that read up and looks again when there is a
    /// newer write. @param before the program before that read
    bool read_in_vain(const thread_state& t, const kept_state& before);
    /// Whether the branch in which `t` stops comes to no end: its last event is a read that no write will revisit.
    bool leads_nowhere(const thread_state& t);

  private:
    const event* read_that_fails(const thread_state& t) const;
};

} // namespace ringproof::verify
