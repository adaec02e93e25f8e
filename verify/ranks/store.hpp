// SPDX-License-Identifier: Apache-2.0
#pragma once
// The folder of a search by many ranks: N.json is a part that is left, N.out the result of one that is not. It is
// complete at each moment, so that whatever ends the ranks, others go on from there, as many as there are then.
//
// Files are written whole or not at all, and what comes in place of others is written before those go. Where both are
// there, the one that stands for more is taken: see read().

#include "pool.hpp"

#include <functional>
#include <string>
#include <vector>

namespace ringproof::verify::ranks {

class store {
  public:
    /// @param folder is made when it is not there
    /// @param command the program and its arguments, which have to be the same when others go on
    /// @throws command::file_error, or std::invalid_argument for a folder with something else in it
    store(std::string folder, const std::vector<std::string>& command);

    /// Was something here?
    bool resumes() const { return resumes_; }
    /// The parts that are left. @throws std::invalid_argument where a file is none of a search
    std::vector<piece> read();

    void put(const piece& p);
    /// In place of one, all these.
    void divide(std::uint64_t id, const std::vector<piece>& into);
    /// @param id of a part that is left
    void finish(std::uint64_t id, const std::string& result);
    /// Nothing of this search is left to do; the results stay.
    void drop(const std::string& search);
    /// All of it is to be done again, from `whole` on.
    void begin_anew(const piece& whole);

    /// The greatest of the parts that are left and of those that are done.
    std::uint64_t last_id() const;
    /// The files of all results.
    std::vector<std::string> results() const;
    const std::string& folder() const { return folder_; }

  private:
    struct kept {
        std::uint64_t id = 0;
        bool result = false;
        std::string search, part;
    };
    std::string path(std::uint64_t id, bool result) const;
    void remove(const std::function<bool(const kept&)>& which);

    std::string folder_;
    bool resumes_ = false;
    std::vector<kept> all_;
};

} // namespace ringproof::verify::ranks
