// SPDX-License-Identifier: Apache-2.0
#pragma once
// Records of a session that are numbers, and what is to be true of them.
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <utility>

#include "ringproof/session/session.hpp"

/// Writes a number. @return whether it was written
template <class Writer>
bool number(Writer& writer, std::uint32_t event, std::uint64_t value) {
    return writer.write(event, std::as_bytes(std::span(&value, 1)));
}

inline std::uint64_t number_of(const ringproof::session_record& one) {
    std::uint64_t value = 0;
    REQUIRE(one.payload.size() == sizeof value);
    std::memcpy(&value, one.payload.data(), sizeof value);
    return value;
}

/// What all records must be, whatever happened: in the order of time, each once, in the order of each writer.
struct delivery_check {
    std::uint64_t last_time = 0, delivered = 0, lost = 0;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> last;
    bool in_time = true, once = true;
    void operator()(const ringproof::session_record& one) {
        in_time = in_time && one.time >= last_time;
        last_time = one.time;
        if (one.type == ringproof::record_type::lost) {
            ringproof::lost_record what{};
            std::memcpy(&what, one.payload.data(), sizeof what);
            lost += what.count;
            return;
        }
        ++delivered;
        auto& before = last[{one.writer, one.event}];
        const std::uint64_t value = number_of(one);
        once = once && value > before;
        before = value;
    }
};
