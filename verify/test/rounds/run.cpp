// SPDX-License-Identifier: Apache-2.0
#include "run.hpp"

#include <ringproof/verify/verify.hpp>

#include <mutex>
#include <thread>

namespace ringproof::verify::rounds {
namespace {

using what = statement_kind;

const program* at_hand = nullptr;
unsigned most_rounds = 0; // without effect, of one loop; 0: any number

template <class Word>
std::array<std::atomic<Word>, words> word;
int table;
template <class Word>
std::array<Word, most_threads> node; ///< of each thread
template <class Word>
std::array<std::atomic<Word>, most_threads> cell;             ///< the same
std::array<std::array<std::uint64_t, 4>, most_threads> noted; ///< by each statement
std::mutex guard;
std::atomic<int> own_lock;

/// A statement without its steps, for the stack of a thread.
struct plain_statement {
    what kind;
    bool locked, yields;
    std::uint8_t word, to, steps;
    std::int8_t value, if_value, otherwise, stored;
    std::memory_order load, store;
};

[[gnu::noinline, gnu::no_sanitize_thread]] unsigned statements_of(unsigned thread) {
    return static_cast<unsigned>(at_hand->threads[thread].size());
}
[[gnu::noinline, gnu::no_sanitize_thread]] plain_statement statement_of(unsigned thread, unsigned n) {
    const statement& s = at_hand->threads[thread][n];
    const auto small = [](int v) { return static_cast<std::int8_t>(v); };
    return {s.what,
            s.locked,
            s.yields,
            static_cast<std::uint8_t>(s.word),
            static_cast<std::uint8_t>(s.to),
            static_cast<std::uint8_t>(s.steps.size()),
            small(s.value),
            small(s.if_value),
            small(s.otherwise),
            small(s.stored),
            s.load,
            s.store};
}
[[gnu::noinline, gnu::no_sanitize_thread]] step step_of(unsigned thread, unsigned n, unsigned k) {
    return at_hand->threads[thread][n].steps[k];
}
[[gnu::noinline, gnu::no_sanitize_thread]] fate fate_of(unsigned thread, unsigned n, unsigned k, long seen,
                                                        long first) {
    const std::vector<step>& all = at_hand->threads[thread][n].steps;
    const step& s = all[k];
    const fate then = s.fates[static_cast<unsigned long>(s.relative ? seen - first : seen) & 3];
    if (then != fate::again) return then;
    // Only what could have been read first can be gone on with.
    return k > 0 && !s.indexed && !s.expects_last && s.word == all[0].word && all[0].what == step_kind::load
               ? then
               : fate::anew;
}
/// Seen by the checker, as the memory of a program is: otherwise a round that ends so is taken for one that printed.
void note(unsigned thread, unsigned n, std::uint64_t seen) { noted[thread][n] = seen + 1; }
template <class Word>
[[gnu::noinline, gnu::no_sanitize_thread]] void begin() {
    noted = {};
    node<Word> = {};
}
[[gnu::noinline, gnu::no_sanitize_thread]] unsigned bound() { return most_rounds; }
[[gnu::noinline, gnu::no_sanitize_thread]] int first_of(std::size_t word) { return at_hand->first[word]; }
[[gnu::noinline, gnu::no_sanitize_thread]] unsigned size_of_words() { return at_hand->size; }
[[gnu::noinline, gnu::no_sanitize_thread]] unsigned threads() {
    return static_cast<unsigned>(at_hand->threads.size());
}

/// A round has ended without effect. @param made how many have: counted only where they are bounded, as a thread whose count
/// grows is never where it was
void without_effect(unsigned& made, bool yields = false) {
    if (bound() != 0 && ++made >= bound()) assume(false);
    if (yields) std::this_thread::yield();
}

template <class Word>
class thread_body {
  public:
    explicit thread_body(unsigned thread) : thread_(thread) {}
    /// On its own stack: what the thread was made with is freed at its end, and a round should not read that.
    void operator()() const { thread_body(*this).make_all(); }

  private:
    void make_all() const {
        const unsigned count = statements_of(thread_);
        for (unsigned n = 0; n < count; ++n) {
            const plain_statement s = statement_of(thread_, n);
            if (s.locked) guard.lock();
            make(s, n);
            if (s.locked) guard.unlock();
        }
    }

    static std::atomic<Word>& at(unsigned n) { return word<Word>[n]; }
    static Word value(long v) { return static_cast<Word>(v); }

    void make(const plain_statement& s, unsigned n) const {
        switch (s.kind) {
        case what::store:
            return at(s.word).store(value(s.value), s.store);
        case what::add:
            return note(thread_, n, at(s.word).fetch_add(value(s.value), s.load));
        case what::put:
            table = s.value;
            return;
        case what::depends: {
            const bool is = at(s.word).load(s.load) == value(s.if_value);
            if (is || s.otherwise >= 0) at(s.to).store(value(is ? s.value : s.otherwise), s.store);
            return;
        }
        case what::assume:
            return assume(at(s.word).load(s.load) == value(s.value));
        case what::tell_own:
            return note(thread_, n,
                        static_cast<std::uint64_t>(node<Word>[(thread_ + s.word) % most_threads]));
        case what::tell_cell:
            return note(
                thread_, n,
                static_cast<std::uint64_t>(cell<Word>[(thread_ + s.word) % most_threads].load(s.load)));
        case what::put_cell:
            return cell<Word>[(thread_ + s.word) % most_threads].store(value(s.value), s.store);
        case what::rounds:
            return go_round(s, n);
        case what::locked_look:
            return look_locked(s);
        case what::tried_look:
            return look_tried(s);
        case what::fence:
            return std::atomic_thread_fence(s.store == std::memory_order_seq_cst ? s.store
                                                                                 : std::memory_order_release);
        }
    }

    void look_locked(const plain_statement& s) const {
        for (unsigned made = 0;;) {
            guard.lock();
            const bool enough = at(s.word).load(s.load) >= value(s.value);
            guard.unlock();
            if (enough) return;
            without_effect(made);
        }
    }
    void look_tried(const plain_statement& s) const {
        unsigned made = 0;
        while (own_lock.exchange(1, std::memory_order_acquire) == 1) without_effect(made);
        at(s.word).store(value(s.value), s.store);
        own_lock.store(0, std::memory_order_release);
    }

    /// Makes the step `k`. @param seen what it reads @return what comes of that
    fate make(const step& s, unsigned n, unsigned k, long first, long& seen) const {
        std::atomic<Word>& place = at(s.indexed ? 1 + (static_cast<unsigned>(first) & 1) : s.word);
        switch (s.what) {
        case step_kind::load:
            seen = place.load(s.mo);
            break;
        case step_kind::wait: {
            unsigned made = 0;
            while (fate_of(thread_, n, k, seen = place.load(s.mo), first) == fate::anew) without_effect(made);
            break;
        }
        case step_kind::fence:
            std::atomic_thread_fence(s.mo);
            return fate::next;
        case step_kind::plain:
            return fate_of(thread_, n, k, table, first);
        case step_kind::own:
            node<Word>[thread_] = value(first);
            return fate::next;
        case step_kind::own_look:
            return fate_of(thread_, n, k, node<Word>[thread_], first);
        case step_kind::cell:
            cell<Word>[thread_].store(value(s.written == 0 ? first : s.written - 1), s.mo);
            return fate::next;
        case step_kind::compare: {
            Word local = value(s.expects_last ? seen : first);
            Word& expected = s.links ? node<Word>[thread_] = local : local;
            const Word written = value(s.written == 0 ? expected + 1 : s.written - 1);
            const bool done = s.weak ? place.compare_exchange_weak(expected, written, s.mo, s.fails)
                                     : place.compare_exchange_strong(expected, written, s.mo, s.fails);
            if (done) return fate::next;
            seen = expected;
            break;
        }
        }
        return fate_of(thread_, n, k, seen, first);
    }

    void go_round(const plain_statement& all, unsigned n) const {
        long first = 0;
        unsigned made = 0;
        bool reads = true; // otherwise it goes on with what it has
        for (;;) {
            if (reads) make(step_of(thread_, n, 0), n, 0, 0, first);
            reads = true;
            long seen = first;
            fate then = fate_of(thread_, n, 0, first, 0);
            // All values in their order: two looks are not one.
            std::uint64_t trail = 1 + (static_cast<std::uint64_t>(first) & 7);
            for (unsigned k = 1; k < all.steps && then == fate::next; ++k) {
                then = make(step_of(thread_, n, k), n, k, first, seen);
                trail = trail * 16 + 1 + (static_cast<std::uint64_t>(seen) & 7);
            }
            if (then == fate::fails) VERIFY_THAT(false);
            if (then == fate::stores) at(words - 1).store(value(7), std::memory_order_relaxed);
            if (then == fate::next && all.stored >= 0) at(all.to).store(value(first + all.stored), all.store);
            if (then != fate::anew && then != fate::again) return note(thread_, n, trail);
            reads = then == fate::anew;
            first = reads ? 0 : seen;
            without_effect(made, all.yields);
        }
    }

    unsigned thread_;
};

template <class Word>
void run() {
    begin<Word>();
    table = 0;
    own_lock.store(0, std::memory_order_relaxed);
    for (std::size_t i = 0; i < words; ++i)
        word<Word>[i].store(static_cast<Word>(first_of(i)), std::memory_order_relaxed);
    for (std::atomic<Word>& each : cell<Word>) each.store(0, std::memory_order_relaxed);
    const unsigned count = threads();
    std::thread all[most_threads];
    for (unsigned t = 0; t < count; ++t) all[t] = std::thread(thread_body<Word>(t));
    for (unsigned t = 0; t < count; ++t) all[t].join();
}

} // namespace

void choose(const program& subject, unsigned rounds) {
    at_hand = &subject;
    most_rounds = rounds;
}

void run_chosen() {
    switch (size_of_words()) {
    case 1:
        return run<unsigned char>();
    case 8:
        return run<long>();
    default:
        return run<int>();
    }
}

[[gnu::no_sanitize_thread]] std::string noted_values() {
    std::string all;
    for (const auto& thread : noted)
        for (const std::uint64_t each : thread) all += std::to_string(each) + " ";
    return all;
}

} // namespace ringproof::verify::rounds
