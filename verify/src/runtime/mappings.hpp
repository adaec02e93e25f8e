// SPDX-License-Identifier: Apache-2.0
#pragma once
// Memory that the program maps: what it may do there, and which accesses race with a change of that.

#include "../race/race_detector.hpp"
#include "../trace/recorder.hpp"

namespace ringproof::verify {

class runtime;

class mappings {
  public:
    mappings(runtime& r, program& p, const graph& g, race_detector& d, recorder& w, const search_facts& f)
        : runtime_(r), program_(p), graph_(g), races_(d), recorder_(w), facts_(f) {}

    /// What mmap and its kin come to, on whole pages; see mapped.hpp. @return 0 when there is no room
    std::uintptr_t map(const mapped::layer& what, std::size_t size);
    /// Addresses for memory that will be seen at others, see views.hpp.
    std::uintptr_t map_home(std::size_t size, std::uintptr_t site);
    /// Makes a part of what is mapped a view of memory with another address, see views.hpp.
    void show(const mapped::layer& what);
    /// Maps anew what is mapped.
    void map_again(const mapped::layer& what);
    void unmap(mapped::layer what);
    void protect(const mapped::layer& what);
    /// A layer that the running thread makes.
    mapped::layer layer_of(memory_range range, std::uint8_t rights, std::uintptr_t site);

  private:
    void put_layer(const mapped::layer& what, bool in_place);
    void check_all_ordered(const memory_range& range, bool reads_too, const char* call, std::uintptr_t site);

    runtime& runtime_;
    program& program_;
    const graph& graph_;
    race_detector& races_;
    recorder& recorder_;
    const search_facts& facts_;
};

} // namespace ringproof::verify
