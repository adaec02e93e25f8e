// SPDX-License-Identifier: Apache-2.0
#include "../../src/model/matrix.hpp"

#include <catch2/catch.hpp>
#include <random>

using namespace ringproof::litmus;

namespace {

using table = std::vector<std::vector<bool>>;

table random_table(std::size_t n, unsigned seed, unsigned percent) {
    std::mt19937 random(seed);
    table t(n, std::vector<bool>(n));
    for (auto& row : t)
        for (std::size_t j = 0; j < n; ++j) row[j] = random() % 100 < percent;
    return t;
}

std::vector<word> bits_of(const table& t, extent e) {
    std::vector<word> r(e.relation(), 0);
    for (std::size_t i = 0; i < t.size(); ++i)
        for (std::size_t j = 0; j < t.size(); ++j)
            if (t[i][j]) set_bit(r.data() + i * e.words, j);
    return r;
}

table closed(table t) {
    for (std::size_t k = 0; k < t.size(); ++k)
        for (std::size_t i = 0; i < t.size(); ++i)
            for (std::size_t j = 0; j < t.size(); ++j)
                if (t[i][k] && t[k][j]) t[i][j] = true;
    return t;
}

} // namespace

TEST_CASE("operations on bits agree with their definitions, in one word a row and in several") {
    for (const std::size_t n : {1u, 7u, 63u, 64u, 65u, 130u})
        for (unsigned seed = 0; seed < 8; ++seed) {
            const extent e(n);
            const table a = random_table(n, seed, 4), b = random_table(n, seed + 100, 4);
            const std::vector<word> x = bits_of(a, e), y = bits_of(b, e);
            table composed(n, std::vector<bool>(n)), inverse(n, std::vector<bool>(n));
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = 0; j < n; ++j) {
                    inverse[j][i] = a[i][j];
                    for (std::size_t k = 0; a[i][j] && k < n; ++k)
                        if (b[j][k]) composed[i][k] = true;
                }
            std::vector<word> r(e.relation(), 0);
            compose(r.data(), x.data(), y.data(), e);
            CHECK(r == bits_of(composed, e));
            invert(r.data(), x.data(), e);
            CHECK(r == bits_of(inverse, e));
            r = x;
            close(r.data(), e);
            const table c = closed(a);
            CHECK(r == bits_of(c, e));
            bool has_cycle = false;
            for (std::size_t i = 0; i < n; ++i) has_cycle = has_cycle || c[i][i];
            CHECK(cyclic(x.data(), e) == has_cycle);
        }
}
