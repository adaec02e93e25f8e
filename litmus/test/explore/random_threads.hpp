// SPDX-License-Identifier: Apache-2.0
#pragma once
// What random programs of several dialects have in common: lines of threads, and the test made of them.

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace ringproof::litmus {

struct random_thread {
    std::vector<std::string> text;
    std::vector<std::string> asked; ///< registers
};

/// Of the first and the last access of a thread.
struct shape_of_ends {
    bool first_reads = false, last_reads = false;
};

/// @param initial of each thread
std::string test_of_threads(const std::string& dialect, const std::vector<std::string>& initial,
                            const std::vector<random_thread>& threads);

/// Registers 1 to 4 of every thread hold the addresses of x, y, z and an array. @param prefix of registers: "x"
std::vector<std::string> usual_registers(const std::string& prefix, std::size_t threads);

template <class Writer>
std::string finished_test(const std::string& dialect, const std::string& prefix, std::vector<Writer>& all) {
    std::vector<random_thread> written;
    for (Writer& w : all) {
        w.finish();
        written.push_back(w);
    }
    return test_of_threads(dialect, usual_registers(prefix, all.size()), written);
}

/// Two to four threads, each with at least one access.
template <class Writer>
std::string random_test(const std::string& dialect, const std::string& prefix, std::mt19937& random,
                        unsigned accesses) {
    const std::size_t threads = 2 + random() % 3;
    std::vector<Writer> all;
    for (std::size_t t = 0; t < threads; ++t) all.emplace_back(t, random);
    const std::size_t total = std::max<std::size_t>(threads, accesses - random() % 2);
    for (std::size_t k = 0; k < total; ++k) {
        const std::size_t t = k < threads ? k : random() % threads;
        if (k >= threads) all[t].between();
        all[t].access();
    }
    return finished_test(dialect, prefix, all);
}

template <class Writer>
std::string surrounded_test(const std::string& dialect, const std::string& prefix, std::mt19937& random) {
    std::vector<Writer> all;
    const std::size_t threads = random() % 3 == 0 ? 2 : 3;
    for (std::size_t t = 0; t < threads; ++t) all.emplace_back(t, random);
    const shape_of_ends body = all[0].surrounded();
    all[1].observe(body);
    if (all.size() > 2) all[2].store_to_z();
    return finished_test(dialect, prefix, all);
}

} // namespace ringproof::litmus
