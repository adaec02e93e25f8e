// SPDX-License-Identifier: Apache-2.0
#include "aarch64.hpp"
#include "text.hpp"

namespace ringproof::litmus::aarch64 {

std::optional<reg> find_register(std::string_view text) {
    const std::string name = lower(text);
    if (name == "sp" || name == "wsp") return reg{stack_pointer, name == "sp"};
    if (name.size() < 2 || name.size() > 3 || (name[0] != 'w' && name[0] != 'x')) return std::nullopt;
    reg r;
    r.wide = name[0] == 'x';
    if (name.substr(1) == "zr") return r;
    r.number = 0;
    for (const char digit : name.substr(1)) {
        if (digit < '0' || digit > '9') return std::nullopt;
        r.number = 10 * r.number + (digit - '0');
    }
    const bool written_so = name.substr(1) == std::to_string(r.number); // "x07" is none
    return written_so && r.number <= 30 ? std::optional(r) : std::nullopt;
}

} // namespace ringproof::litmus::aarch64
