// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace ringproof::verify {

/// A hash of 128 bits: two of what a search meets have the same one by a chance that can be neglected. In four lanes, so
/// that a processor works at several words at a time.
class memory_digest {
  public:
    using value = std::pair<std::uint64_t, std::uint64_t>;

    void add(std::uint64_t word) { add_to(0, word); }
    void add(const void* bytes, std::size_t size) {
        const auto* from = static_cast<const char*>(bytes);
        add(size);
        for (; size >= lanes * sizeof(std::uint64_t); from += lanes * sizeof(std::uint64_t)) {
            std::uint64_t words[lanes];
            std::memcpy(words, from, sizeof words);
            for (unsigned i = 0; i < lanes; ++i) add_to(i, words[i]);
            size -= sizeof words;
        }
        for (unsigned i = 0; size > 0; ++i) {
            std::uint64_t word = 0;
            const std::size_t part = size < sizeof word ? size : sizeof word;
            std::memcpy(&word, from, part);
            add_to(i, word);
            from += part, size -= part;
        }
    }
    value result() const {
        memory_digest all;
        for (unsigned i = 0; i < lanes; ++i) {
            all.add(first_[i]);
            all.add(second_[i]);
        }
        return {all.first_[0], all.second_[0]};
    }

  private:
    static constexpr unsigned lanes = 4;

    void add_to(unsigned i, std::uint64_t word) {
        first_[i] = std::rotl(first_[i] ^ word, 27) * 0x9e37'79b9'7f4a'7c15u;
        second_[i] = std::rotl(second_[i] + word, 31) * 0xd6e8'feb8'6659'fd93u;
    }

    std::uint64_t first_[lanes] = {1, 2, 3, 4};
    std::uint64_t second_[lanes] = {5, 6, 7, 8};
};

} // namespace ringproof::verify
