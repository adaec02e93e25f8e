// SPDX-License-Identifier: Apache-2.0
// Loops around a futex as libraries write them: before each wait they may set a bit that says that someone waits, by a
// read-modify-write that changes nothing from the second time on. Generated programs come to the same states, and to the
// same error, with all reductions and with none, or with two that wait without vain-wake alone; without, a wait ends early
// at most three times in a row.
//
//   ringproof_verify_futexes [--kind NAME] [--seeds N] [--first SEED] [--show]
#include "../oracle/random_numbers.hpp"
#include "searches.hpp"

#include <array>
#include <atomic>
#include <climits>
#include <linux/futex.h>
#include <string>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace {

namespace rv = ringproof::verify;
namespace oracle = ringproof::verify::oracle;
namespace early_wakes = ringproof::verify::early_wakes;

constexpr unsigned done = 1, other = 2, waits = 8; // bits of the word
constexpr int most_steps = 4;

/// What a waiter does before it waits.
enum class mark : std::uint8_t { nothing, fetch_or, fetch_or_that_counts, exchange, compare_exchange, count };
/// What the thread does that they wait for.
enum class what : std::uint8_t { store, exchange, fetch_or, toggle, data, look, wake, wake_if_marked };

struct program {
    int waiters;
    mark marks;
    std::memory_order marked, looked;
    bool reads_data; ///< in each iteration
    bool plain_data;
    int count;
    struct {
        what act;
        std::memory_order mo;
    } steps[most_steps];
};

// At fixed places, as the memory of the program under test is restored.
program subject;
early_wakes::noted seen;

[[gnu::noinline, gnu::no_sanitize_thread]] program asked() { return subject; }
[[gnu::noinline, gnu::no_sanitize_thread]] void note(int at, unsigned value) { seen[at] = value; }

struct shared {
    std::atomic<unsigned> word{0}, data{0};
    unsigned plain = 0;
};

void futex(shared& s, int operation, unsigned value) {
    syscall(SYS_futex, &s.word, operation, value, nullptr, nullptr, 0);
}

/// Marks the word. @return what to wait for while it is still there
unsigned marked(shared& s, const program& p, unsigned last) {
    switch (p.marks) {
    case mark::fetch_or:
        s.word.fetch_or(waits, p.marked);
        return last | waits;
    case mark::fetch_or_that_counts: // changes the word each time, up to a bound
        s.word.fetch_add(last < 64 ? 16 : 0, p.marked);
        return last < 64 ? last + 16 : last;
    case mark::exchange:
        return s.word.exchange(last | waits, p.marked) == last ? last | waits : ~0u;
    case mark::compare_exchange:
        s.word.compare_exchange_strong(last, last | waits, p.marked, std::memory_order_relaxed);
        return last | waits;
    case mark::count: // elsewhere, where the thread that they wait for may look
        s.data.fetch_add(1, p.marked);
        return last;
    default:
        return last;
    }
}

void waiter(shared& s, int number) {
    const program p = asked();
    unsigned last = s.word.load(p.looked), sum = 0;
    while ((last & done) == 0) {
        const unsigned expected = marked(s, p, last);
        futex(s, FUTEX_WAIT, expected);
        last = s.word.load(p.looked);
        if (p.reads_data) sum = s.data.load(std::memory_order_relaxed);
    }
    note(number,
         (last & other) * 16 + sum * 4 + (p.plain_data ? s.plain : s.data.load(std::memory_order_relaxed)));
}

void setter(shared& s) {
    const program p = asked();
    unsigned before = 0;
    for (int i = 0; i < p.count; ++i) {
        const std::memory_order mo = p.steps[i].mo;
        switch (p.steps[i].act) {
        case what::store:
            s.word.store(done, mo);
            break;
        case what::exchange:
            before = s.word.exchange(done, mo);
            break;
        case what::fetch_or:
            before = s.word.fetch_or(done, mo);
            break;
        case what::toggle:
            before = s.word.fetch_xor(other, mo);
            break;
        case what::data:
            if (p.plain_data)
                s.plain = 1;
            else
                s.data.store(1, std::memory_order_relaxed);
            break;
        case what::look:
            note(3, s.word.load(std::memory_order_relaxed) + 100 * s.data.load(std::memory_order_relaxed));
            break;
        case what::wake:
            futex(s, FUTEX_WAKE, INT_MAX);
            break;
        case what::wake_if_marked:
            if (before & waits) futex(s, FUTEX_WAKE, INT_MAX);
            break;
        }
    }
}

void run() {
    shared s;
    std::thread first(waiter, std::ref(s), 0);
    std::thread second;
    if (asked().waiters == 2) second = std::thread(waiter, std::ref(s), 1);
    setter(s);
    first.join();
    if (second.joinable()) second.join();
}

program generate(int waiters, std::uint64_t seed) {
    using enum std::memory_order;
    oracle::random_numbers random(seed * 2 + static_cast<std::uint64_t>(waiters));
    program p{};
    p.waiters = waiters;
    // Two that change the word again and again never end.
    constexpr mark of_two[] = {mark::nothing, mark::fetch_or, mark::fetch_or, mark::compare_exchange};
    p.marks = waiters == 2 ? of_two[random.below(4)] : static_cast<mark>(random.below(6));
    constexpr std::memory_order modifying[] = {relaxed, acquire, release, acq_rel, seq_cst};
    constexpr std::memory_order storing[] = {relaxed, release, seq_cst};
    constexpr std::memory_order loading[] = {relaxed, acquire, seq_cst};
    p.marked = modifying[random.below(5)];
    p.looked = loading[random.below(3)];
    p.reads_data = random.percent(waiters == 2 ? 0 : 30);
    p.plain_data = random.percent(30);
    p.count = 2 + random.below(waiters == 2 ? 1 : 3);
    for (int i = 0; i < p.count; ++i) {
        const what act = static_cast<what>(random.below(8));
        p.steps[i] = {act, act == what::store ? storing[random.below(3)] : modifying[random.below(5)]};
    }
    // Most programs end: they set the bit, and wake.
    if (random.percent(75)) {
        p.steps[p.count - 2] = {static_cast<what>(random.below(3)), random.percent(50) ? release : seq_cst};
        p.steps[p.count - 1] = {random.percent(60) ? what::wake : what::wake_if_marked, relaxed};
    }
    return p;
}

std::string text_of(const program& p) {
    std::string text = "marks " + std::to_string(static_cast<int>(p.marks)) + " order " +
                       std::to_string(static_cast<int>(p.marked)) + ", looks " +
                       std::to_string(static_cast<int>(p.looked)) + (p.reads_data ? ", reads data" : "") +
                       (p.plain_data ? ", plain data" : "") + ", steps";
    for (int i = 0; i < p.count; ++i)
        text += ' ' + std::to_string(static_cast<int>(p.steps[i].act)) + '.' +
                std::to_string(static_cast<int>(p.steps[i].mo));
    return text + '\n';
}

} // namespace

int main(int argc, char** argv) {
    rv::reductions none = rv::reductions::none(),
                   without_cut; // with two waiters none would be too many executions
    without_cut.vain_wake = false;
    const auto make = [](std::size_t kind, std::uint64_t seed) {
        subject = generate(static_cast<int>(kind) + 1, seed);
        return text_of(subject);
    };
    return early_wakes::compare(argc, argv, {{"one", none}, {"two", without_cut}}, {run, seen, make});
}
