// SPDX-License-Identifier: Apache-2.0
#include "sharing.hpp"

#include <algorithm>

namespace ringproof::silicon::a64 {

sharing::answer sharing::access(std::size_t thread, std::uint64_t address, std::uint64_t bytes, bool writes,
                                bool together) {
    const std::uint32_t self = std::uint32_t{1} << thread;
    bool shared = false, news = false;
    for (std::uint64_t b = address; b < address + bytes; ++b) {
        accesses& a = bytes_[b];
        (writes ? a.writers : a.readers) |= self;
        const std::uint32_t all = a.readers | a.writers;
        const bool is_shared = together || (a.writers != 0 && (all & (all - 1)) != 0);
        news |= is_shared && !a.shared;
        a.shared |= is_shared;
        shared |= a.shared;
    }
    // One byte of it: then all of it, as it is one access.
    for (std::uint64_t b = address; shared && b < address + bytes; ++b)
        if (accesses& a = bytes_[b]; !a.shared) news = a.shared = true;
    return news ? answer::learnt : shared ? answer::shared : answer::own;
}

std::vector<piece> sharing::pieces_of(std::uint64_t address, std::uint32_t bytes) {
    const std::uint64_t end = address + bytes;
    bool news = false;
    // A piece that reaches over an end of the access is cut there.
    for (const std::uint64_t cut : {address, end}) {
        auto at = pieces_.upper_bound(cut);
        if (at == pieces_.begin()) continue;
        --at;
        const std::uint64_t piece_end = at->first + at->second;
        if (at->first >= cut || piece_end <= cut) continue;
        at->second = static_cast<std::uint32_t>(cut - at->first);
        pieces_[cut] = static_cast<std::uint32_t>(piece_end - cut);
        news = true;
    }
    std::vector<piece> all;
    std::uint64_t there = address;
    for (auto at = pieces_.lower_bound(address); there < end;) {
        const std::uint64_t next = at == pieces_.end() ? end : std::min(at->first, end);
        if (there < next) { // not accessed before
            const auto size = static_cast<std::uint32_t>(next - there);
            pieces_[there] = size;
            all.push_back({there, size});
            there = next;
            continue;
        }
        all.push_back({at->first, at->second});
        there = at->first + at->second;
        ++at;
    }
    return news ? std::vector<piece>{} : all;
}

std::vector<piece> sharing::pieces() const {
    std::vector<piece> all;
    for (const auto& [address, bytes] : pieces_) all.push_back({address, bytes});
    return all;
}

void sharing::know(const std::vector<piece>& pieces) {
    bytes_.clear();
    pieces_.clear();
    for (const piece& p : pieces) {
        pieces_[p.address] = p.bytes;
        for (std::uint32_t b = 0; b < p.bytes; ++b) bytes_[p.address + b].shared = true;
    }
}

} // namespace ringproof::silicon::a64
