// SPDX-License-Identifier: Apache-2.0
#pragma once
// The events of one choice of paths, one per thread, with everything that does not depend on who
// reads from whom: program order, dependencies, locations, and the sets events belong to.

#include "../cat/graph.hpp"
#include "../frontend/program.hpp"

namespace ringproof::litmus {

struct placed_event {
    const event* what = nullptr; ///< nullptr: the initial write of a location
    int thread = -1;
    int local = 0; ///< index in its path
    std::int32_t location = -1;
    bool is_read = false;
    bool is_write = false;
};

class structure : public cat::base_values {
  public:
    /// `where` gives the location of each event that has an address, path after path.
    structure(const program& p, const std::vector<const path*>& paths,
              const std::vector<std::int32_t>& where);

    void fill(const std::string& name, bool is_set, word* to) const override;

    extent size() const { return extent_; }
    const std::vector<placed_event>& events() const { return events_; }
    const std::vector<std::size_t>& reads() const { return reads_; }
    /// The writes to each location, the initial one first.
    const std::vector<std::vector<std::size_t>>& writes() const { return writes_; }
    std::size_t index(std::size_t thread, std::size_t local) const { return first_[thread] + local; }
    bool po(std::size_t a, std::size_t b) const {
        return events_[a].thread >= 0 && events_[a].thread == events_[b].thread && a < b &&
               !((events_[b].what->unsequenced >> events_[a].local) & 1);
    }

  private:
    /// Two pieces of one access.
    bool one_access(std::size_t a, std::size_t b) const;
    void fill_set(const std::string& name, word* to) const;
    void fill_relation(const std::string& name, word* to) const;
    template <class F>
    void relate(word* to, F&& related) const;
    void dependencies(word* to, load_set event::*from, bool within_instruction = false) const;

    extent extent_;
    std::vector<placed_event> events_;
    std::vector<std::size_t> reads_;
    std::vector<std::vector<std::size_t>> writes_;
    std::vector<std::size_t> first_; ///< of each thread
};

} // namespace ringproof::litmus
