// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a tool keeps for the words of memory that a run touches, by address. Its code stays out of the tool's own file,
// whose headers may replace allocation.

#include <cstddef>
#include <cstdint>

namespace ringproof::opinions {

constexpr unsigned word_bytes = 8;

/// For the eight bytes at an address that is a multiple of eight.
struct word_state {
    std::uintptr_t at = 0;
    void* plain[word_bytes] = {};        ///< for each byte that was accessed plainly
    void* atomic[word_bytes] = {};       ///< for each place at which an atomic access began
    unsigned char size[word_bytes] = {}; ///< of that access
};

/// All words of one run.
class words {
  public:
    words();
    ~words();
    words(const words&) = delete;
    words& operator=(const words&) = delete;

    /// Of the word that holds `address`; made when it is new.
    word_state& of(std::uintptr_t address);
    /// Null where nothing was accessed.
    word_state* find(std::uintptr_t address);

    word_state* begin();
    word_state* end();
    /// Memory for one object of up to `block_bytes`; it lives until clear().
    void* block();
    static constexpr std::size_t block_bytes = 192;
    void clear();

  private:
    struct storage;
    storage* all_;
};

} // namespace ringproof::opinions
