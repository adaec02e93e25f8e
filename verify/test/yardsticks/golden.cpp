// SPDX-License-Identifier: Apache-2.0
#include "golden.hpp"

namespace yardsticks {

const program* find_program(std::string_view name) {
    for (const auto family : {litmus_programs(), synthetic_programs(), lock_programs(), structure_programs(),
                              spsc_programs(), mpsc_programs(), shape_programs()})
        for (const program& p : family)
            if (name == p.name) return &p;
    return nullptr;
}

#define P(...)                                                                                               \
    parameters { __VA_ARGS__ }

const std::vector<golden>& golden_rows() {
    using enum model;
    using enum verdict;
    using enum size;
    constexpr std::nullopt_t any = std::nullopt;
#define GOLDEN(...) {__VA_ARGS__},
#define PUBLISHED(...)
#define SHAPE(...)
#define NOT_YET(...)
    static const std::vector<golden> rows = {
#include "golden.inc"
    };
#undef GOLDEN
#undef PUBLISHED
    return rows;
}

const std::vector<published>& published_rows() {
#define GOLDEN(...)
#define PUBLISHED(...) {__VA_ARGS__},
    static const std::vector<published> rows = {
#include "golden.inc"
    };
#undef PUBLISHED
#undef SHAPE
    return rows;
}

const std::vector<shape>& shape_rows() {
    constexpr std::nullopt_t none = std::nullopt;
#define PUBLISHED(...)
#define SHAPE(...) {__VA_ARGS__},
    static const std::vector<shape> rows = {
#include "golden.inc"
    };
#undef SHAPE
#undef NOT_YET
    return rows;
}

const std::vector<not_yet>& not_yet_rows() {
#define SHAPE(...)
#define NOT_YET(...) {__VA_ARGS__},
    static const std::vector<not_yet> rows = {
#include "golden.inc"
    };
    return rows;
}

const char* to_string(model m) {
    constexpr std::array names = {"sc", "rc11", "tso", "imm", "ra"};
    return names[static_cast<std::size_t>(m)];
}

const char* to_string(verdict v) {
    constexpr std::array names = {"verified", "race", "assertion", "hangs"};
    return names[static_cast<std::size_t>(v)];
}

} // namespace yardsticks
