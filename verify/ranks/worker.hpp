// SPDX-License-Identifier: Apache-2.0
#pragma once
// The searcher of a rank: the ordinary command in a process of its own, on one part at a time, for one turn. What it is
// given and what it leaves are the files that it would have on any machine.

#include "message.hpp"
#include "searching.hpp"

#include <ringproof/command/temporary_folder.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace ringproof::verify::ranks {

class worker {
  public:
    struct turns {
        double first = 1;   ///< seconds until a search that was never divided is divided
        double others = 60; ///< seconds between two checkpoints of a part
    };
    /// @param command the program with its arguments
    /// @throws command::file_error where there is no room for temporary files
    worker(std::vector<std::string> command, turns t);

    /// What rank 0 tells. An assignment that it has no longer is no error: that crossed what this rank told.
    void hear(const message& told);
    /// What became of it, when something has.
    std::optional<message> look();
    std::uint64_t assignment() const { return assignment_; }

  private:
    void start(const message& work);
    void kill_it();
    message ending(int status) const;
    std::string file(const char* name) const { return folder_ / name; }

    std::vector<std::string> command_;
    turns turns_;
    ringproof::command::temporary_folder folder_{"ringproof-rank"};
    std::string failure_; ///< why it could not even be started
    std::uint64_t assignment_ = 0;
    searching searcher_;
    std::chrono::steady_clock::time_point started_;
};

} // namespace ringproof::verify::ranks
