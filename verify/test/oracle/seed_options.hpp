// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

namespace ringproof::verify::oracle {

/// exploration_limits::order_seed of the searches that are compared with something else.
inline std::uint64_t order_at_hand = 0;
/// Lets a half of the programs be searched in the usual order, and each other one in an order of its own.
inline void choose_order(std::uint64_t seed) {
    const std::uint64_t scattered = seed * 0x9e37'79b9'7f4a'7c15u;
    order_at_hand = (scattered >> 40) % 2 == 0 ? 0 : scattered;
}

/// What a program that compares generated programs is told.
struct seed_options {
    std::uint64_t seeds, first = 1;
    std::string only{}; ///< one of the kinds of programs there are; empty: all
    bool show = false;

    /// @param kind the option that chooses one @return nothing, and the usage is printed, when it makes no sense
    static std::optional<seed_options> read(int argc, char** argv, const std::string& kind,
                                            std::uint64_t usual) {
        seed_options chosen{usual};
        for (int i = 1; i < argc; ++i) {
            const std::string option = argv[i];
            if (option == "--show") {
                chosen.show = true;
            } else if (i + 1 < argc && (option == "--seeds" || option == "--first") &&
                       is_number(argv[i + 1], option == "--seeds" ? chosen.seeds : chosen.first)) {
                ++i;
            } else if (i + 1 < argc && option == kind) {
                chosen.only = argv[++i];
            } else {
                std::fprintf(stderr, "usage: %s [%s NAME] [--seeds N] [--first SEED] [--show]\n", argv[0],
                             kind.c_str());
                return std::nullopt;
            }
        }
        return chosen;
    }

  private:
    static bool is_number(const std::string& text, std::uint64_t& into) {
        const char* const end = text.data() + text.size();
        return std::from_chars(text.data(), end, into) == std::from_chars_result{end, {}};
    }
};

} // namespace ringproof::verify::oracle
