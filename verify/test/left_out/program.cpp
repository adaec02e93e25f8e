// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <algorithm>
#include <iterator>
#include <random>

namespace ringproof::verify::left_out {
namespace {

using kind = statement_kind;

class generator {
  public:
    explicit generator(std::uint64_t seed) : random_(seed) {}

    program make() {
        program p;
        const unsigned threads = below(4) == 0 ? 3 : 2;
        for (unsigned t = 0; t < threads; ++t) {
            std::vector<statement> all;
            // What the search leaves out is in a loop, what it misses is behind one, and read without an order.
            if (below(2) == 0) add_loop(all);
            for (unsigned n = 1 + below(3); n > 0; --n) all.push_back(any());
            p.threads.push_back(std::move(all));
        }
        // As often as not two alike ones.
        if (below(8) == 0 && p.threads.size() < most_threads) p.threads.push_back(p.threads.back());
        return p;
    }

  private:
    unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
    template <std::size_t N>
    std::memory_order one_of(const std::memory_order (&all)[N]) {
        return all[below(N)];
    }
    std::memory_order loading() {
        return one_of({std::memory_order_relaxed, std::memory_order_acquire, std::memory_order_acquire});
    }
    std::memory_order storing() {
        return one_of({std::memory_order_relaxed, std::memory_order_release, std::memory_order_release});
    }
    access any_access(bool reads_only = false) {
        using of = access::of;
        constexpr of all[] = {of::plain, of::plain, of::plain, of::plain, of::local, of::word, of::freed};
        access a;
        a.what = all[below(std::size(all))];
        a.number = static_cast<std::uint8_t>(below(a.what == of::word ? words : variables));
        a.write = !reads_only && below(2) == 0;
        return a;
    }
    void add_accesses(statement& s, unsigned most, bool reads_only = false) {
        s.count = static_cast<std::uint8_t>(1 + below(most));
        for (unsigned i = 0; i < s.count; ++i) s.accesses[i] = any_access(reads_only);
        if (s.kind != kind::if_seen && s.kind != kind::access) // a loop frees nothing
            for (access& a : s.accesses) a.write = a.write && a.what != access::of::freed;
    }
    statement loop() {
        statement s;
        constexpr kind all[] = {kind::wait, kind::wait, kind::wait, kind::retry, kind::poll};
        s.kind = all[below(std::size(all))];
        s.word = static_cast<std::uint8_t>(below(words));
        s.order = loading();
        add_accesses(s, 2, s.kind == kind::poll);
        return s;
    }
    /// As often as not what the loop accesses is accessed before it, and perhaps others told of that.
    void add_loop(std::vector<statement>& all) {
        const statement s = loop();
        if (below(2) == 0) {
            statement before;
            before.kind = kind::access;
            before.count = s.count;
            before.accesses = s.accesses;
            all.push_back(before);
            if (below(2) == 0) all.push_back(any());
        }
        all.push_back(s);
    }
    statement any() {
        statement s;
        constexpr kind all[] = {kind::store,   kind::store, kind::store, kind::if_seen, kind::if_seen,
                                kind::if_seen, kind::open,  kind::wait,  kind::access,  kind::fence};
        s.kind = all[below(std::size(all))];
        s.word = static_cast<std::uint8_t>(below(words));
        s.order = s.kind == kind::store ? storing() : loading();
        if (s.kind == kind::fence)
            s.order =
                one_of({std::memory_order_acquire, std::memory_order_release, std::memory_order_seq_cst});
        if (s.kind == kind::if_seen || s.kind == kind::access) add_accesses(s, 1);
        if (s.kind == kind::wait) add_accesses(s, 2);
        return s;
    }

    std::mt19937_64 random_;
};

std::string name_of(const access& a) {
    const char* const kinds[] = {"plain", "local", "word", "block"};
    const bool frees = a.what == access::of::freed && a.write;
    return std::string(frees     ? "free "
                       : a.write ? "write "
                                 : "read ") +
           kinds[static_cast<unsigned>(a.what)] + std::to_string(a.number);
}

std::string name_of(std::memory_order order) {
    switch (order) {
    case std::memory_order_relaxed:
        return "rlx";
    case std::memory_order_acquire:
        return "acq";
    case std::memory_order_release:
        return "rel";
    default:
        return "sc";
    }
}

} // namespace

program generate(std::uint64_t seed) { return generator(seed).make(); }

std::string to_string(const program& p) {
    const char* const kinds[] = {"store", "if seen", "wait", "retry", "poll", "open", "access", "fence"};
    std::string text;
    for (std::size_t t = 0; t < p.threads.size(); ++t) {
        text += "thread " + std::to_string(t) + ":\n";
        for (const statement& s : p.threads[t]) {
            text += std::string("  ") + kinds[static_cast<unsigned>(s.kind)] + " w" + std::to_string(s.word) +
                    " " + name_of(s.order);
            for (unsigned i = 0; i < s.count; ++i) text += (i == 0 ? ": " : ", ") + name_of(s.accesses[i]);
            text += "\n";
        }
    }
    return text;
}

} // namespace ringproof::verify::left_out
