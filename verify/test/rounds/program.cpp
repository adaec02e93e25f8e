// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <algorithm>
#include <random>

namespace ringproof::verify::rounds {
namespace {

using mo = std::memory_order;

class chooser {
  public:
    explicit chooser(std::uint64_t seed) : engine_(seed) {}
    int below(int bound) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(bound)); }
    bool chance(int percent) { return below(100) < percent; }
    std::uint8_t word() { return static_cast<std::uint8_t>(below(static_cast<int>(words))); }

  private:
    std::mt19937_64 engine_;
};

enum class shape : std::uint8_t { queue, stack, pair, looks, published, any };

class generator {
  public:
    generator(std::uint64_t seed, bool stores)
        : choose_(seed), owned_(~seed), cells_(seed * 0x9e37'79b9'7f4a'7c15u), owns_(owned_.chance(25)),
          stores_(cells_.chance(25) || stores) {}

    program make() {
        constexpr shape shapes[] = {shape::queue, shape::queue,     shape::stack, shape::pair, shape::pair,
                                    shape::looks, shape::published, shape::any,   shape::any};
        shape_ = shapes[choose_.below(9)];
        strong_ = choose_.chance(15);
        plain_ = choose_.chance(20);
        locks_ = choose_.chance(20);
        constexpr unsigned sizes[] = {4, 4, 1, 8};
        made_.size = sizes[choose_.below(4)];
        for (int& word : made_.first) word = shape_ == shape::queue ? 0 : choose_.below(3);
        if (shape_ == shape::queue) made_.first[2] = 1;
        const int threads = choose_.chance(55) ? 3 : choose_.chance(50) ? 2 : 4;
        for (int t = 0; t < threads; ++t) made_.threads.push_back(thread(t, threads));
        return made_;
    }

  private:
    /// @param t its number, of so many
    std::vector<statement> thread(int t, int threads) {
        const bool has_reader = shape_ == shape::pair || shape_ == shape::published;
        if (t > 0 && choose_.chance(has_reader ? 50 : 15)) return publishes();
        if (t > 0 && stores_ && cells_.chance(40)) return watches(static_cast<int>(most_threads) - t);
        std::vector<statement> all;
        const int rounds = threads == 4 ? 45 : 60;
        const int count = 1 + choose_.below(threads == 2 ? 3 : 2);
        for (int n = 0; n < count; ++n) all.push_back(choose_.chance(rounds) ? round() : single());
        if (owns_ && owned_.chance(20)) all.push_back(tells_own());
        if (t == 0 && stores_ && cells_.chance(60)) all.push_back(of_cell(0));
        if (stores_ && cells_.chance(25))
            all.insert(all.begin() + cells_.below(static_cast<int>(all.size()) + 1),
                       of_cell(cells_.below(4)));
        return all;
    }
    mo load_order() {
        return strong_ || choose_.chance(5) ? mo::seq_cst : choose_.chance(50) ? mo::acquire : mo::relaxed;
    }
    mo store_order() {
        return strong_ || choose_.chance(5) ? mo::seq_cst : choose_.chance(50) ? mo::release : mo::relaxed;
    }
    mo update_order() {
        return strong_              ? mo::seq_cst
               : choose_.chance(40) ? (choose_.chance(50) ? mo::acq_rel : mo::acquire)
                                    : mo::relaxed;
    }

    statement single() {
        constexpr statement_kind kinds[] = {statement_kind::store,   statement_kind::store,
                                            statement_kind::add,     statement_kind::add,
                                            statement_kind::depends, statement_kind::depends,
                                            statement_kind::depends, statement_kind::assume};
        statement s;
        s.what = kinds[choose_.below(8)];
        if (plain_ && choose_.chance(15)) s.what = statement_kind::put;
        if (locks_ && choose_.chance(30))
            s.what = choose_.chance(50) ? statement_kind::locked_look : statement_kind::tried_look;
        s.word = choose_.word(), s.to = choose_.word();
        s.value = s.what == statement_kind::add ? 1 : choose_.below(4);
        s.if_value = choose_.below(3), s.otherwise = choose_.below(5) - 1;
        s.load = s.what == statement_kind::add ? update_order() : load_order();
        s.store = store_order();
        s.locked = locks_ && choose_.chance(30) && s.what != statement_kind::locked_look;
        return s;
    }

    statement tells_own() {
        statement s;
        s.what = statement_kind::tell_own;
        s.word = owned_.chance(60) ? 0 : static_cast<unsigned>(owned_.below(4));
        s.locked = locks_;
        return s;
    }

    /// An access of an atomic that rounds may store in, of the thread `behind` this one.
    statement of_cell(int behind) {
        statement s;
        s.what = cells_.chance(65) || behind == 0 ? statement_kind::tell_cell : statement_kind::put_cell;
        s.word = static_cast<unsigned>(behind);
        s.value = 1 + cells_.below(3);
        s.load = cells_.chance(50) ? mo::acquire : mo::relaxed;
        s.store = cells_.chance(50) ? mo::release : mo::relaxed;
        s.locked = locks_;
        return s;
    }
    /// Looks at the first thread's atomic, stores there, and in a word that ends that thread's rounds.
    std::vector<statement> watches(int behind) {
        std::vector<statement> all;
        for (int n = 1 + cells_.below(2); n >= 0; --n) all.push_back(of_cell(behind));
        if (cells_.chance(50)) std::swap(all[0].what, all[1].what);
        statement s = single();
        s.what = cells_.chance(60) ? statement_kind::store : statement_kind::add;
        for (const statement& round : made_.threads[0])
            for (const step& look : round.steps)
                if (look.what == step_kind::load && !look.indexed && cells_.chance(60)) {
                    s.what = statement_kind::store;
                    s.word = look.word;
                    s.value = cells_.below(4);
                }
        all.insert(all.end() - (cells_.chance(30) ? 1 : 0), s);
        return all;
    }
    step cell() {
        step s;
        s.what = step_kind::cell;
        s.written = static_cast<std::uint8_t>(cells_.chance(10) ? 0 : 1 + cells_.below(2));
        s.mo = strong_ || cells_.chance(10) ? mo::seq_cst : cells_.chance(40) ? mo::release : mo::relaxed;
        s.fates = {fate::next, fate::next, fate::next, fate::next};
        return s;
    }

    /// Writes one word after the other, as who publishes something does, behind a read or a lock.
    std::vector<statement> publishes() {
        std::vector<statement> all;
        const bool locked = locks_ || choose_.chance(25);
        if (choose_.chance(40)) all.push_back(single());
        if (shape_ == shape::pair && choose_.chance(50)) { // a sequence lock's
            for (const unsigned word : {0u, 1u, 0u}) {
                statement s = single();
                s.what = word == 0 ? statement_kind::add : statement_kind::store;
                s.value = word == 0 ? 1 : choose_.below(4);
                s.word = word;
                s.locked = locked;
                all.push_back(s);
            }
            return all;
        }
        for (int n = 2 + choose_.below(2); n > 0; --n) {
            statement s = single();
            s.what = choose_.chance(20)   ? statement_kind::fence
                     : choose_.chance(25) ? statement_kind::add
                                          : statement_kind::store;
            s.word = choose_.chance(40) ? 0 : choose_.word();
            s.locked = locked;
            all.push_back(s);
        }
        return all;
    }

    fate fate_of(bool may_go_again) {
        if (may_go_again && choose_.chance(25)) return fate::again;
        if (choose_.chance(80)) return fate::anew;
        constexpr fate all[] = {fate::leaves, fate::leaves, fate::leaves,
                                fate::stores, fate::fails,  fate::next};
        return all[choose_.below(6)];
    }
    /// @param goes_on the chance that a value does, beside the first
    void decide(step& s, int goes_on, bool may_go_again) {
        const int usual = choose_.chance(85) ? 0 : choose_.below(4);
        for (int v = 0; v < 4; ++v)
            s.fates[static_cast<std::size_t>(v)] =
                (v == usual && s.what != step_kind::compare) || choose_.chance(goes_on)
                    ? fate::next
                    : fate_of(may_go_again);
    }
    /// @param first the step that begins the round
    step look(std::uint8_t word, const step* first) {
        step s;
        s.word = word;
        s.mo = load_order();
        s.indexed = first && choose_.chance(shape_ == shape::queue ? 90 : 10);
        const bool of_first = shape_ != shape::any && shape_ != shape::published;
        s.relative = first && choose_.chance(of_first ? 80 : 30);
        const bool same = first && !s.indexed && s.word == first->word;
        if (same) s.mo = std::max(s.mo, first->mo);
        const int goes_on = shape_ == shape::published || shape_ == shape::pair ? 40 : 10;
        decide(s, first ? goes_on : 100, same);
        if (first && shape_ != shape::queue && choose_.chance(10)) s.what = step_kind::wait;
        return s;
    }
    step compare(std::uint8_t word, const step& first) {
        step s;
        s.what = step_kind::compare;
        s.word = word;
        s.weak = choose_.chance(20);
        s.expects_last = choose_.chance(shape_ == shape::any ? 30 : 5);
        s.written = static_cast<std::uint8_t>(choose_.chance(65) ? 0 : 1 + choose_.below(4));
        s.mo = update_order();
        s.fails = s.mo == mo::seq_cst                          ? mo::seq_cst
                  : s.mo == mo::acquire || s.mo == mo::acq_rel ? load_order()
                                                               : mo::relaxed;
        const bool same = s.word == first.word && !s.expects_last;
        if (same) s.fails = std::max(s.fails, first.mo);
        s.relative = choose_.chance(50);
        decide(s, 0, same);
        for (fate& f : s.fates)
            if (f == fate::next) f = fate::anew;
        s.links = owns_ && owned_.chance(60);
        return s;
    }
    step other(step_kind what) {
        step s;
        s.what = what;
        s.mo = choose_.chance(50) ? mo::acquire : mo::acq_rel;
        if (strong_ || choose_.chance(20)) s.mo = mo::seq_cst;
        decide(s, 80, false);
        return s;
    }

    /// Adds what may stand between two looks.
    void between(statement& s) {
        if (choose_.chance(10)) s.steps.push_back(other(step_kind::fence));
        if (plain_ && choose_.chance(40)) s.steps.push_back(other(step_kind::plain));
        if (choose_.chance(6)) s.steps.push_back(other(step_kind::own));
        if (owns_ && owned_.chance(35))
            s.steps.push_back(other(owned_.chance(75) ? step_kind::own : step_kind::own_look));
        if (stores_ && cells_.chance(45)) s.steps.push_back(cell());
    }

    statement round() {
        statement s;
        s.what = statement_kind::rounds;
        s.to = choose_.chance(60) ? 1 + static_cast<unsigned>(choose_.below(2)) : choose_.word();
        s.stored = choose_.chance(60) ? choose_.below(3) : -1;
        s.store = store_order();
        s.yields = choose_.chance(20);
        s.locked = locks_ && choose_.chance(15);
        const std::uint8_t begins = shape_ == shape::any ? choose_.word() : 0;
        s.steps.push_back(look(begins, nullptr));
        if (shape_ == shape::any && choose_.chance(50)) decide(s.steps[0], 40, false);
        const step first = s.steps[0];
        between(s);
        const int more =
            shape_ == shape::stack ? choose_.below(2) : 1 + choose_.below(choose_.chance(70) ? 1 : 2);
        for (int n = 0; n < more; ++n, between(s))
            s.steps.push_back(
                look(shape_ == shape::any ? choose_.word() : static_cast<std::uint8_t>(1 + choose_.below(2)),
                     &first));
        if (shape_ == shape::pair) {
            s.steps.push_back(look(0, &first));
            s.steps.back().what = step_kind::load;
            s.steps.back().relative = true, s.steps.back().indexed = false;
        } else if (shape_ == shape::queue || shape_ == shape::stack || shape_ == shape::published ||
                   choose_.chance(shape_ == shape::any ? 60 : 15)) {
            s.steps.push_back(
                compare(shape_ == shape::any && choose_.chance(50) ? choose_.word() : 0, first));
        }
        return s;
    }

    /// The others for rounds that write memory of their own: plain memory, and atomics.
    chooser choose_, owned_, cells_;
    bool owns_, stores_;
    program made_;
    shape shape_ = shape::any;
    bool strong_ = false, plain_ = false, locks_ = false;
};

const char* name_of(fate f) {
    constexpr const char* names[] = {"next", "anew", "again", "leaves", "stores", "fails"};
    return names[static_cast<std::size_t>(f)];
}

std::string to_string(const step& s) {
    constexpr const char* names[] = {"load", "compare", "fence", "plain", "own", "own look", "cell", "wait"};
    std::string text = std::string("\n    ") + names[static_cast<std::size_t>(s.what)];
    if (s.what != step_kind::fence && s.what != step_kind::plain && s.what != step_kind::own &&
        s.what != step_kind::own_look && s.what != step_kind::cell)
        text += s.indexed ? " indexed word" : " word " + std::to_string(s.word);
    text += " order " + std::to_string(static_cast<int>(s.mo));
    if (s.what == step_kind::compare) {
        text += ", " + std::to_string(static_cast<int>(s.fails)) + (s.weak ? " weak" : "") +
                (s.expects_last ? " expects last" : "") + (s.links ? " links" : "") + " writes " +
                (s.written == 0 ? "one more" : std::to_string(s.written - 1));
    }
    if (s.what == step_kind::cell)
        text += " writes " + (s.written == 0 ? "the first" : std::to_string(s.written - 1));
    text += s.relative ? "; ahead:" : ";";
    for (const fate f : s.fates) text += std::string(" ") + name_of(f);
    return text;
}

} // namespace

program generate(std::uint64_t seed, bool stores) { return generator(seed, stores).make(); }

std::string to_string(const program& of) {
    constexpr const char* names[] = {"store",  "add",         "put",        "depends",
                                     "assume", "tell own",    "tell cell",  "put cell",
                                     "rounds", "locked look", "tried look", "fence"};
    std::string text = std::to_string(of.size) + " bytes, first:";
    for (const int word : of.first) text += " " + std::to_string(word);
    for (std::size_t t = 0; t < of.threads.size(); ++t) {
        text += "\nthread " + std::to_string(t);
        for (const statement& s : of.threads[t]) {
            text += std::string("\n  ") + names[static_cast<std::size_t>(s.what)];
            if (s.what != statement_kind::rounds)
                text += " word " + std::to_string(s.word) + " value " + std::to_string(s.value);
            if (s.what == statement_kind::depends)
                text += " if " + std::to_string(s.if_value) + " otherwise " + std::to_string(s.otherwise);
            if (s.what == statement_kind::depends || s.stored >= 0) text += " to " + std::to_string(s.to);
            if (s.stored >= 0) text += " stores " + std::to_string(s.stored);
            text += " orders " + std::to_string(static_cast<int>(s.load)) + ", " +
                    std::to_string(static_cast<int>(s.store)) + (s.locked ? ", locked" : "") +
                    (s.yields ? ", yields" : "");
            for (const step& each : s.steps) text += to_string(each);
        }
    }
    return text + "\n";
}

} // namespace ringproof::verify::rounds
