// SPDX-License-Identifier: Apache-2.0
#pragma once
// AArch64's general registers, as tests name them: X0 to X30 and XZR, W0 to W30 and WZR for their lower halves.

#include <optional>
#include <string>
#include <string_view>

namespace ringproof::litmus::aarch64 {

constexpr int stack_pointer = 32;

struct reg {
    int number = 31; ///< 31: the register that is always 0; 32: SP
    bool wide = true;

    bool zero() const { return number == 31; }
    /// Of both its halves: "x0"; "xzr".
    std::string name() const {
        return zero() ? "xzr" : number == stack_pointer ? "sp" : "x" + std::to_string(number);
    }
};

/// In small or capital letters. Nothing for any other text.
std::optional<reg> find_register(std::string_view text);

} // namespace ringproof::litmus::aarch64
