// SPDX-License-Identifier: Apache-2.0
#pragma once
// What random programs of several dialects have in common: lines of threads, and the test made of them.

#include <algorithm>
#include <random>
#include <string>
#include <utility>
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

/// What writers of threads have in common: registers 1 to 3 hold addresses, 10 and up are of loads. A writer has access(),
/// between(), observe(), store_to_z() and reads_and_writes(), which tells from the name of an instruction whether it reads
/// and whether it writes.
template <class Writer>
class random_writer : public random_thread {
  public:
    /// @param addresses prefix of registers that hold addresses, and are asked for at the end: "x"
    /// @param values prefix of those that are loaded: "W"
    random_writer(std::size_t thread, std::mt19937& random, std::string addresses, std::string values)
        : thread_(thread), random_(random), addresses_(std::move(addresses)), values_(std::move(values)) {}

    /// What a thread does between an access to x and one to y, with accesses to z between them.
    shape_of_ends surrounded() {
        shape_of_ends ends;
        ends.first_reads = access_to(addresses_ + "1");
        for (unsigned middle = below(4); middle > 0; --middle) {
            self().between();
            access_to(addresses_ + "3");
        }
        self().between();
        ends.last_reads = access_to(addresses_ + "2");
        forced_.clear();
        return ends;
    }
    void finish() {
        for (const std::string& label : open_) text.push_back(label + ":");
    }

  protected:
    using lines = std::vector<std::string>;

    unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
    std::string any(const lines& of) { return of[below(static_cast<unsigned>(of.size()))]; }
    std::string number() { return std::to_string(1 + below(2)); }
    std::string base() { return forced_.empty() ? addresses_ + std::to_string(1 + below(5) % 3) : forced_; }
    std::string new_label() { return "L" + std::to_string(thread_) + std::to_string(labels_++); }
    /// A register to be loaded.
    std::string fresh() {
        const std::string register_number = std::to_string(10 + loads_++);
        asked.push_back(std::to_string(thread_) + ":" + addresses_ + register_number);
        return values_ + register_number;
    }
    /// One that has been loaded.
    std::string loaded() {
        const bool last = !forced_.empty() && below(3) != 0;
        return values_ + std::to_string(10 + (last ? loads_ - 1 : below(loads_)));
    }
    /// Whether the address of the next access shall depend on a load.
    bool depends() { return loads_ != 0 && below(forced_.empty() ? 4 : 5) <= (forced_.empty() ? 0u : 2u); }

    std::size_t thread_;
    std::mt19937& random_;
    unsigned loads_ = 0, labels_ = 0;
    lines open_;         ///< labels that stand at the end
    std::string forced_; ///< base register of all accesses; "": by chance

  private:
    Writer& self() { return static_cast<Writer&>(*this); }
    /// @returns whether it reads; of one that reads and writes, either
    bool access_to(const std::string& base_register) {
        forced_ = base_register;
        const std::size_t before = text.size();
        self().access();
        bool reads = false, writes = false;
        for (std::size_t k = before; k < text.size(); ++k) {
            const auto [r, w] = Writer::reads_and_writes(text[k]);
            reads = reads || r;
            writes = writes || w;
        }
        return reads && (!writes || below(2) == 0);
    }

    std::string addresses_, values_;
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
