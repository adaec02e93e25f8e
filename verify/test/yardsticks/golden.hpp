// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is known of the programs: their executions and verdicts per model.

#include "program.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace yardsticks {

enum class model : std::uint8_t { sc, rc11, tso, imm, ra };
enum class verdict : std::uint8_t {
    verified,
    race,
    assertion,
    hangs ///< some execution waits for ever; the complete ones are counted all the same
};
enum class size : std::uint8_t { fast, slow };

struct golden {
    const char* program;
    parameters sizes;
    model under;
    std::optional<std::uint64_t> executions; ///< nothing: only the verdict is known
    verdict expected;
    size cost;
};

/// What the published checker needs for the same program.
struct published {
    const char* program;
    parameters sizes;
    std::uint64_t executions;
    double cpu_seconds;

    /// Executions per CPU second once it has started, since ours are counted without start-up.
    [[nodiscard]] double rate() const { return static_cast<double>(executions) / (cpu_seconds - start_up); }
    static constexpr double start_up = 0.05;
};

/// A shape that takes long, and what the published checker needs for it.
struct shape {
    const char* program;
    parameters sizes;
    std::uint64_t executions;
    std::optional<std::uint64_t> published_executions; ///< nothing: not known
    std::optional<double> published_seconds;           ///< of CPU, its start-up included

    /// Its seconds once it has started; less than a hundredth is more than is known of it.
    [[nodiscard]] std::optional<double> published_search() const {
        if (!published_seconds) return std::nullopt;
        return std::max(*published_seconds - published::start_up, 0.01);
    }
};

struct not_yet {
    const char* program;
    const char* reason;
};

/// The program of that name in any family, or null.
const program* find_program(std::string_view name);

const std::vector<golden>& golden_rows();
const std::vector<published>& published_rows();
const std::vector<shape>& shape_rows();
const std::vector<not_yet>& not_yet_rows();

const char* to_string(model m);
const char* to_string(verdict v);

} // namespace yardsticks
