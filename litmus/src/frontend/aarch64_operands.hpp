// SPDX-License-Identifier: Apache-2.0
#pragma once
// AArch64's registers, and the suffixes that order an atomic instruction.

#include "assembly.hpp"

#include <fmt/format.h>
#include <optional>

namespace ringproof::litmus {

struct reg {
    bool zero = false;
    bool wide = true;
    std::string name; ///< "x0"; "xzr"
};

inline std::optional<reg> register_of(const std::string& text) {
    const std::string name = lower(text);
    reg r;
    if (name == "wzr" || name == "xzr") {
        r.zero = true;
        r.name = "xzr";
        r.wide = name[0] == 'x';
        return r;
    }
    if (name.size() < 2 || name.size() > 3 || (name[0] != 'w' && name[0] != 'x')) return std::nullopt;
    std::int64_t number = 0;
    if (!parse_immediate(name.substr(1), number) || number < 0 || number > 30) return std::nullopt;
    r.wide = name[0] == 'x';
    r.name = fmt::format("x{}", number);
    return r;
}

struct atomic_form {
    bool acquire = false, release = false;
};

/// The order a suffix such as "al" stands for.
inline std::optional<atomic_form> form_of(std::string_view suffix) {
    if (suffix.empty()) return atomic_form{};
    if (suffix == "a") return atomic_form{true, false};
    if (suffix == "l") return atomic_form{false, true};
    if (suffix == "al") return atomic_form{true, true};
    return std::nullopt;
}

} // namespace ringproof::litmus
