// SPDX-License-Identifier: Apache-2.0
// The physical limits, measured in the same run as what is compared with them.
#include "catalogue.hpp"
#include "throughput.hpp"

#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <vector>

namespace ringproof::bench {
namespace {

struct alignas(128) line {
    std::atomic<std::uint64_t> value{0};
};

bool await(worker& w, const line& l, std::uint64_t value) {
    while (l.value.load(std::memory_order_acquire) != value)
        if (!w.wait()) return false;
    w.progressed();
    return true;
}

/// One flag line for both ways, or one line each way, as a pair of queues has at least.
run_result round_trip(const placement& where, const run_settings& settings, bool two_lines) {
    std::array<line, 2> lines;
    line& there = lines[0];
    line& back = lines[two_lines ? 1 : 0];
    constexpr std::uint64_t last = ~std::uint64_t{0};
    // With one line the values count up: odd ones are ping, even ones pong.
    const auto ping_value = [two_lines](std::uint64_t n) { return two_lines ? n + 1 : 2 * n + 1; };
    const auto pong_value = [two_lines](std::uint64_t n) { return two_lines ? n + 1 : 2 * n + 2; };
    crew c(settings.times, where.oversubscribed(), settings.priority);
    const auto windows = c.run({
        {where.consumer,
         {},
         [&](worker& w) {
             for (std::uint64_t n = 0;; ++n) {
                 w.keep_going(n);
                 for (std::uint64_t seen;
                      (seen = there.value.load(std::memory_order_acquire)) != ping_value(n);)
                     if (seen == last || !w.wait()) return;
                 w.progressed();
                 back.value.store(pong_value(n), std::memory_order_release);
             }
         }},
        {where.producers[0],
         {},
         [&](worker& w) {
             for (std::uint64_t n = 0; w.keep_going(n); ++n) {
                 there.value.store(ping_value(n), std::memory_order_release);
                 if (!await(w, back, pong_value(n))) return;
             }
             there.value.store(last, std::memory_order_release);
         }},
    });
    return detail::collect(c, windows, 1);
}

/// A flag line and `data` lines each way, as a queue with a head has them for a record: the writer takes each line back
/// from the reader, and the reader fetches the flag's first, then the others.
run_result round_trip_with_data(const placement& where, const run_settings& settings, std::size_t data) {
    struct alignas(64) payload_line {
        std::atomic<std::uint64_t> value{0};
    };
    struct way {
        line flag;
        alignas(128) std::array<payload_line, 2> payload; ///< neighbours, as the lines of a record are
    };
    std::array<way, 2> ways;
    const auto send = [data](way& to, std::uint64_t value) {
        for (std::size_t i = 0; i != data; ++i) to.payload[i].value.store(value, std::memory_order_relaxed);
        to.flag.value.store(value, std::memory_order_release);
    };
    const auto arrived = [data](worker& w, const way& from, std::uint64_t value) {
        for (std::size_t i = 0; i != data; ++i)
            if (from.payload[i].value.load(std::memory_order_relaxed) != value)
                return w.fail("a line arrived without what was written into it"), false;
        return true;
    };
    std::atomic<bool> done{false};
    crew c(settings.times, where.oversubscribed(), settings.priority);
    const auto windows = c.run({
        {where.consumer,
         {},
         [&](worker& w) {
             for (std::uint64_t n = 1;; ++n) {
                 w.keep_going(n - 1);
                 while (ways[0].flag.value.load(std::memory_order_acquire) != n)
                     if (done.load(std::memory_order_acquire) || !w.wait()) return;
                 w.progressed();
                 if (!arrived(w, ways[0], n)) return;
                 send(ways[1], n);
             }
         }},
        {where.producers[0],
         {},
         [&](worker& w) {
             for (std::uint64_t n = 1; w.keep_going(n - 1); ++n) {
                 send(ways[0], n);
                 if (!await(w, ways[1].flag, n) || !arrived(w, ways[1], n)) return;
             }
             done.store(true, std::memory_order_release);
         }},
    });
    return detail::collect(c, windows, 1);
}

constexpr std::size_t chunk_bytes = 16384;
constexpr std::size_t chunks = 16;

/// One core writes chunks, the other reads every word of them: what a queue without any cost would reach. When the
/// reader also stores into each line it has read, the line is its own, and cheaper for the writer to take back.
run_result stream(const placement& where, const run_settings& settings, bool touched) {
    struct chunk {
        line sequence; ///< 2n + 1: full for the nth time; 2n: empty
        alignas(128) std::array<std::uint64_t, chunk_bytes / 8> words;
    };
    std::unique_ptr<std::array<chunk, chunks>> ring;
    std::atomic<bool> done{false};
    crew c(settings.times, where.oversubscribed(), settings.priority);
    const auto windows = c.run({
        {where.consumer, [&] { ring = std::make_unique<std::array<chunk, chunks>>(); },
         [&](worker& w) {
             for (std::uint64_t n = 0;; ++n) {
                 w.keep_going(n);
                 chunk& from = (*ring)[n % chunks];
                 while (from.sequence.value.load(std::memory_order_acquire) != 2 * (n / chunks) + 1)
                     if (done.load(std::memory_order_acquire) || !w.wait()) return;
                 w.progressed();
                 std::uint64_t sum = 0;
                 for (const auto word : from.words) sum += word;
                 if (sum != n * from.words.size()) return w.fail("a chunk arrived damaged");
                 if (touched)
                     for (std::size_t i = 0; i < from.words.size(); i += 8) from.words[i] = 0;
                 from.sequence.value.store(2 * (n / chunks) + 2, std::memory_order_release);
             }
         }},
        {where.producers[0],
         {},
         [&](worker& w) {
             for (std::uint64_t n = 0; w.keep_going(n); ++n) {
                 chunk& to = (*ring)[n % chunks];
                 if (!await(w, to.sequence, 2 * (n / chunks))) return;
                 to.words.fill(n);
                 to.sequence.value.store(2 * (n / chunks) + 1, std::memory_order_release);
             }
             done.store(true, std::memory_order_release);
         }},
    });
    return detail::collect(c, windows, 0);
}

/// `work()` does `operations` of them on the consumer's CPU.
template <class Work>
run_result alone(const placement& where, const run_settings& settings, Work work,
                 std::uint64_t operations = stride) {
    crew c(settings.times, false, settings.priority);
    const auto windows = c.run({{where.consumer, {}, [&](worker& w) {
                                     for (std::uint64_t n = 0; w.keep_going(n); n += operations) work();
                                 }}});
    return detail::collect(c, windows, 0);
}

run_result copy(const placement& where, const run_settings& settings, std::size_t bytes) {
    std::vector<char> from(bytes, 'x'), to(bytes, 'y');
    const auto once = [&] {
        std::memcpy(to.data(), from.data(), bytes);
        asm volatile("" : : "r"(to.data()), "r"(from.data()) : "memory"); // the copy must happen
    };
    if (bytes > (1 << 20)) return alone(where, settings, once, 1);
    return alone(where, settings, [&] {
        for (int k = 0; k < stride; ++k) once();
    });
}

/// Makes one record after the other and puts it into a ring's worth of memory: what a recorder without any cost would
/// take. (By a size that the compiler knows: a call of memcpy takes longer than our recorder.)
run_result copy_records(const placement& where, const run_settings& settings) {
    std::vector<char> to(record_queue_bytes, 'y');
    std::size_t at = 0;
    std::uint64_t n = 0;
    return alone(where, settings, [&] {
        for (int k = 0; k < stride; ++k, ++n) {
            record<64> from;
            stamp(from, n);
            std::memcpy(to.data() + at, &from, sizeof from);
            asm volatile("" : : "r"(to.data()) : "memory");
            at = (at + 64) % record_queue_bytes;
        }
    });
}

/// Two threads at one line, both counted: how long one of them has it is up to the machine.
template <class Work>
run_result contended(const placement& where, const run_settings& settings, Work work) {
    line l;
    crew c(settings.times, where.oversubscribed(), settings.priority);
    const auto loop = [&](worker& w) {
        for (std::uint64_t n = 0; w.keep_going(n); n += stride)
            for (int k = 0; k < stride; ++k) work(l.value);
    };
    const auto windows = c.run({{where.consumer, {}, loop}, {where.producers[0], {}, loop}});
    run_result result = detail::collect(c, windows, 0);
    result.operations += result.error.empty() ? windows[1].count : 0;
    return result;
}

run_result locked_compare_exchange(const placement& where, const run_settings& settings) {
    line l;
    std::uint64_t n = 0;
    return alone(where, settings, [&] {
        for (int k = 0; k < stride; ++k, ++n) l.value.compare_exchange_strong(n, n + 1);
    });
}

#ifdef __x86_64__
/// cmpxchg without the lock prefix: what the kernel's local_cmpxchg on a per-CPU buffer costs.
run_result unlocked_compare_exchange(const placement& where, const run_settings& settings) {
    alignas(128) std::uint64_t value = 0;
    std::uint64_t n = 0;
    return alone(where, settings, [&] {
        for (int k = 0; k < stride; ++k, ++n) {
            std::uint64_t expected = n;
            asm volatile("cmpxchgq %2, %1" : "+a"(expected), "+m"(value) : "r"(n + 1) : "cc", "memory");
        }
    });
}
#endif

template <class Run>
void add(catalogue& out, const char* name, std::size_t bytes, bool probed, Run run, tier from = tier::usual) {
    entry e;
    e.workload = name;
    e.bytes = bytes;
    e.probed = probed;
    e.run = run;
    e.from = from;
    out.push_back(std::move(e));
}

} // namespace

void add_limits(catalogue& out) {
    const auto one = [](const placement& p, const run_settings& s) { return round_trip(p, s, false); };
    const auto two = [](const placement& p, const run_settings& s) { return round_trip(p, s, true); };
    add(out, "limit/ping-pong/one-line", 0, true, one, tier::quick);
    add(out, "limit/ping-pong/two-lines", 0, true, two, tier::quick);
    const auto with_data = [](std::size_t lines) {
        return
            [lines](const placement& p, const run_settings& s) { return round_trip_with_data(p, s, lines); };
    };
    add(out, "limit/ping-pong/head-and-line", 0, true, with_data(1));
    add(out, "limit/ping-pong/head-and-two-lines", 0, true, with_data(2));
    add(
        out, "limit/stream/16KiB", chunk_bytes, true,
        [](const placement& p, const run_settings& s) { return stream(p, s, false); }, tier::quick);
    add(
        out, "limit/stream/16KiB/touched", chunk_bytes, true,
        [](const placement& p, const run_settings& s) { return stream(p, s, true); }, tier::quick);
    const auto copies = [](std::size_t bytes) {
        return [bytes](const placement& p, const run_settings& s) { return copy(p, s, bytes); };
    };
    add(out, "limit/memcpy/records:64", 64, false, copy_records);
    add(out, "limit/memcpy/16KiB", 16384, false, copies(16384));
    add(out, "limit/memcpy/256KiB", 262144, false, copies(262144));
    add(out, "limit/memcpy/8MiB", 8 << 20, false, copies(8 << 20));
    add(out, "limit/memcpy/64MiB", 64 << 20, false, copies(64 << 20), tier::full);
    add(out, "limit/fetch-add/contended", 0, true, [](const placement& p, const run_settings& s) {
        return contended(p, s, [](auto& word) { word.fetch_add(1); });
    });
    add(out, "limit/compare-exchange/contended", 0, true, [](const placement& p, const run_settings& s) {
        return contended(p, s, [](auto& word) {
            for (std::uint64_t seen = word.load(std::memory_order_relaxed);
                 !word.compare_exchange_weak(seen, seen + 1);) {
            }
        });
    });
    add(out, "limit/compare-exchange/locked", 0, false, locked_compare_exchange, tier::quick);
#ifdef __x86_64__
    add(out, "limit/compare-exchange/unlocked", 0, false, unlocked_compare_exchange);
#endif
}

} // namespace ringproof::bench
