// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is learnt of the program's memory while it is searched: what threads share, and in which pieces they access it.
//
// Memory that one thread alone accesses after the first other thread exists, or that no thread writes, is as registers are: no
// accesses of the execution. A search begins with nothing shared. When it meets an access that contradicts that, it
// begins anew with what it has learnt; the last search has met none, so that all that is shared was known to it.

#include <ringproof/silicon/a64/program.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace ringproof::silicon::a64 {

class sharing {
  public:
    enum class answer : std::uint8_t { own, shared, learnt };
    /// @param together whether the access is one of those that only shared memory needs
    answer access(std::size_t thread, std::uint64_t address, std::uint64_t bytes, bool writes, bool together);

    /// The pieces of an access; nothing where it makes new ones, of what was accessed before as one: then it is known from
    /// now on, and the search has to begin anew.
    std::vector<piece> pieces_of(std::uint64_t address, std::uint32_t bytes);
    /// All pieces of shared memory that are known.
    std::vector<piece> pieces() const;
    /// Shared from now on, in these pieces, and nothing else.
    void know(const std::vector<piece>& pieces);
    /// Of the piece that begins there; 0: none does.
    std::uint32_t bytes_at(std::uint64_t address) const {
        const auto at = pieces_.find(address);
        return at == pieces_.end() ? 0 : at->second;
    }

  private:
    struct accesses {
        std::uint32_t readers = 0, writers = 0; ///< a bit for each thread
        bool shared = false;
    };
    std::unordered_map<std::uint64_t, accesses> bytes_; ///< by address
    std::map<std::uint64_t, std::uint32_t> pieces_;     ///< address and size; they do not overlap
};

} // namespace ringproof::silicon::a64
