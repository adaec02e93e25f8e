// SPDX-License-Identifier: Apache-2.0
#pragma once
// Messages between ranks by MPI. Nothing here ever waits for another rank, which may be dead.

#include "../message.hpp"
#include "../pool.hpp"

#include <list>
#include <mpi.h>
#include <optional>
#include <string>
#include <utility>

namespace ringproof::verify::ranks {

class channel {
  public:
    channel(int& argc, char**& argv);
    channel(const channel&) = delete;
    channel& operator=(const channel&) = delete;

    rank_id self() const { return self_; }
    rank_id ranks() const { return ranks_; }
    std::string host() const;

    /// What this rank tells itself comes back at the next receive(), as from any other.
    void send(rank_id to, const message& m);
    std::optional<std::pair<rank_id, message>> receive();
    /// Until what was sent has left, or for so many seconds.
    void flush(double seconds);
    /// All ranks come to this, or those that are left just end: MPI waits for all.
    void end(bool all_there);

  private:
    struct transfer {
        MPI_Request request;
        std::string bytes;
        rank_id from = 0;
    };
    void forget_sent();
    void begin_to_receive();

    rank_id self_ = 0, ranks_ = 1;
    std::list<transfer> sent_, received_;
    std::list<message> own_;
};

} // namespace ringproof::verify::ranks
