// SPDX-License-Identifier: Apache-2.0
#pragma once
// Records that say who wrote them and as which, and whose bytes follow from that.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <vector>

#include "ringproof/snapshot.hpp"

/// A writer's number, the record's, and then bytes that follow from both: 8 to 39 in all.
class numbered_record {
  public:
    numbered_record(unsigned writer, std::uint64_t number) : size_(8 + number * 7 % 32) {
        const std::uint64_t both = std::uint64_t{writer} << 56 | number;
        for (std::size_t i = 0; i != bytes_.size(); ++i) bytes_[i] = static_cast<std::byte>(both * 31 + i);
        std::memcpy(bytes_.data(), &both, sizeof both);
    }
    [[nodiscard]] std::span<const std::byte> bytes() const { return std::span(bytes_).first(size_); }

  private:
    std::array<std::byte, 40> bytes_{};
    std::size_t size_;
};

struct seen_record {
    unsigned writer;
    std::uint64_t number;
    bool operator==(const seen_record&) const = default;
};

/// Newest first, and only those with a number. `whole`: all of them are as they were written, and each writer's numbers
/// fall.
struct seen_records {
    explicit seen_records(const ringproof::snapshot& from) {
        struct newer {
            std::uint64_t number;
            std::size_t stretch; ///< between gaps
        };
        std::map<unsigned, newer> seen;
        std::size_t stretch = 0;
        auto gap = from.gaps().begin();
        bool behind_a_gap = false;
        for (std::size_t i = 0; i != from.records().size(); ++i) {
            const auto& one = from.records()[i];
            stretch += behind_a_gap;
            behind_a_gap = gap != from.gaps().end() && *gap == i;
            gap += behind_a_gap;
            if (one.type() == ringproof::record_type::lost) {
                ++lost;
                continue;
            }
            const auto bytes = one.bytes().first;
            if (bytes.size() < 8) {
                whole = false;
                continue;
            }
            std::uint64_t both = 0;
            std::memcpy(&both, bytes.data(), 8);
            const seen_record is{static_cast<unsigned>(both >> 56), both << 8 >> 8};
            const numbered_record expected(is.writer, is.number);
            const auto right = expected.bytes();
            whole &= std::equal(bytes.begin(), bytes.end(), right.begin(), right.end());
            const auto [before, first] = seen.try_emplace(is.writer, newer{is.number, stretch});
            if (!first) {
                whole &= is.number < before->second.number;
                without_gap &= is.number + 1 == before->second.number || stretch != before->second.stretch;
                before->second = {is.number, stretch};
            }
            records.push_back(is);
        }
        whole &= gap == from.gaps().end() && !behind_a_gap;
        whole &= from.error() == ringproof::snapshot_error::none ||
                 (from.error() == ringproof::snapshot_error::overtaken && records.empty());
    }

    std::vector<seen_record> records;
    std::size_t lost = 0; ///< LOST records
    bool whole = true;
    bool without_gap =
        true; ///< each writer's numbers fall by one, but where the snapshot says that something is missing
};
